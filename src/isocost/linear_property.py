"""LinearProperty: the few expectations that carry the decision of any cost matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.costs import CostMatrix
from isocost.exact import to_integers
from isocost.exact_linear import exact_rank, reduced_rows
from isocost.exceptions import CostMatrixError, PredictionError
from isocost.labels import Labels, label_array
from isocost.lipschitz import LipschitzPair
from isocost.ordering import Ordering, checked_norm
from isocost.probabilities import validated_rows
from isocost.pruning import prune
from isocost.scores import checked_positions, checked_scores

__all__ = ["LinearProperty", "linear"]

Floats = NDArray[np.float64]

# Up to this many outcomes the constant in the maximum norm is found by trying all extreme directions.
MOST_SIGNS = 22
CHUNK = 1 << 15


@dataclass(frozen=True, eq=False, repr=False)
class LinearProperty:
    """The linear property Γ(p) = Σ_y p_y φ(y) that refines the decision of any cost matrix.

    Its d numbers carry all differences between expected costs, and no linear property with fewer
    does. The loss is half the squared distance, L(u, y) = ‖u - φ(y)‖²/2; made by
    :func:`isocost.linear`.

    Attributes
    ----------
    basis : ndarray, shape (d, n)
        φ(y) in the columns. The rows are orthonormal and each sums to 0.
    weights : ndarray, shape (k, d)
    offsets : ndarray, shape (k,)
        Deciding r costs offsets_r + ⟨weights_r, u⟩ at the score u, plus what is common to all.
    decisions : tuple of k labels, in table order
        Without those that are never the strict optimum.
    outcomes : tuple of n labels
    why : str
        One sentence from :func:`isocost.property_for`; else empty.
    cost : CostMatrix or None
        What it was made from.

    Examples
    --------
    >>> import isocost as ic
    >>> lin = ic.linear(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]], decisions=["cat", "dog", "bird"]))
    >>> lin.dimension
    2
    >>> u = lin.value([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
    >>> u.shape, lin.decide(u).tolist()
    ((2, 2), ['cat', 'bird'])
    """

    basis: Floats
    weights: Floats
    offsets: Floats
    decisions: Labels
    outcomes: Labels
    why: str = ""
    cost: CostMatrix | None = None

    def __post_init__(self) -> None:
        for name in ("basis", "weights", "offsets"):
            array = np.array(getattr(self, name), dtype=np.float64, order="C")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        k, n, d = len(self.decisions), len(self.outcomes), self.basis.shape[0]
        if self.basis.shape != (d, n) or self.weights.shape != (k, d) or self.offsets.shape != (k,):
            raise CostMatrixError("basis, weights, offsets and labels of a linear property must agree in number")

    @property
    def dimension(self) -> int:
        """How many numbers d a score has."""
        return len(self.basis)

    @property
    def method(self) -> str:
        """The construction: "linear"."""
        return "linear"

    # -- the property and its link ----------------------------------------------------------------

    def value(self, P: Any, normalize: bool = False) -> Floats:
        """Γ(p) = Σ_y p_y φ(y), shape (N, d).

        Parameters
        ----------
        P : array_like or frame, shape (N, n)
            Probabilities in outcome order, or a frame with one column for each outcome label.
        normalize : bool
            Divide rows by their sums instead of refusing those that do not sum to 1.
        """
        return np.asarray(validated_rows(P, self.outcomes, normalize) @ self.basis.T, dtype=np.float64)

    def cell(self, u: ArrayLike) -> NDArray[np.intp]:
        """Position 0..k-1 in `decisions` of the cheapest decision at each score, shape of u without its last axis."""
        scores = self._scores(u)
        return np.asarray((scores @ self.weights.T + self.offsets).argmin(axis=-1))

    def decide(self, u: ArrayLike) -> NDArray[np.generic]:
        """Link ψ(u) = argmin_r offsets_r + ⟨weights_r, u⟩: score to decision label; the first on a tie."""
        return np.asarray(label_array(self.decisions)[self.cell(u)])

    # -- identification function and loss ---------------------------------------------------------

    def identification(self, u: ArrayLike, y: ArrayLike) -> Floats:
        """Identification function V(u, y) = u - φ(y), shape (…, d), broadcast over scores and y.

        Parameters
        ----------
        u : array_like, shape (…, d)
            Scores.
        y : array_like of int
            Outcome positions 0..n-1; ``cost.positions(labels)`` makes them.
        """
        scores, positions = self._scores(u), checked_positions(y, len(self.outcomes))
        try:
            return np.asarray(scores - self.basis.T[positions])
        except ValueError:
            raise PredictionError(
                f"`u` and `y` must have the same length; got {scores.shape[:-1]} and {positions.shape}"
            ) from None

    def slope(self, u: ArrayLike, y: ArrayLike) -> Floats:
        """Derivative of each component of V by the same component of u: 1, shape (…, d)."""
        return np.ones_like(self.identification(u, y))

    def loss(self, u: ArrayLike, y: ArrayLike) -> Floats:
        """Surrogate loss L(u, y) = ‖u - φ(y)‖²/2, so that ∂L/∂u = V.

        Parameters
        ----------
        u : array_like, shape (…, d)
            Scores.
        y : array_like of int
            Outcome positions 0..n-1.
        """
        return np.asarray((self.identification(u, y) ** 2).sum(axis=-1) / 2)

    def gradient(self, P: Any, normalize: bool = False) -> Floats:
        """∇Γ(p), the basis for every row of P, shape (N, d, n)."""
        rows = validated_rows(P, self.outcomes, normalize)
        return np.broadcast_to(self.basis, (len(rows), *self.basis.shape)).copy()

    # -- smoothness -------------------------------------------------------------------------------

    def lipschitz(self, norm: float = 1) -> float:
        """Exact K with ‖Γ(p) - Γ(q)‖₂ ≤ K·‖p - q‖_q: an operator norm on directions that sum to 0.

        1 for ‖·‖₂, as the basis is orthonormal; max_{y,z} ‖φ(y) - φ(z)‖/2 for ‖·‖₁. For the
        maximum norm and more than 22 outcomes it is known only where d is 1 or n - 1.

        Examples
        --------
        >>> import isocost as ic
        >>> lin = ic.linear(ic.CostMatrix.ordinal([1, 2, 3], power=1))
        >>> [round(lin.lipschitz(norm), 3) for norm in (1, 2, float("inf"))]
        [0.707, 1.0, 1.414]
        """
        direction = self._steepest(norm)
        return float(np.linalg.norm(self.basis @ direction))

    def lipschitz_pair(self, norm: float = 1) -> LipschitzPair:
        """Two distributions p, q with ‖Γ(p) - Γ(q)‖₂ = K·‖p - q‖."""
        direction = self._steepest(norm)
        if not direction.any():
            raise CostMatrixError("only a positive finite constant has a pair that attains it; K is 0.0")
        p, q = np.maximum(direction, 0), np.maximum(-direction, 0)
        p, q = p / p.sum(), q / q.sum()
        ratio = np.linalg.norm(self.basis @ (p - q)) / np.linalg.norm(p - q, ord=norm)
        return LipschitzPair(p, q, float(ratio))

    def _steepest(self, norm: float) -> Floats:
        """The direction with sum 0 and ‖·‖_q = 1 in which Γ moves most."""
        checked_norm(norm)
        d, n = self.basis.shape
        if d == 0:
            return np.zeros(n)
        if norm == 2:
            return np.asarray(self.basis[0])
        if norm == 1:
            squares = (self.basis**2).sum(axis=0)
            apart = squares[:, None] + squares - 2 * self.basis.T @ self.basis
            y, z = np.unravel_index(int(apart.argmax()), apart.shape)
            return np.asarray((np.eye(n)[y] - np.eye(n)[z]) / 2)
        if d == 1:
            return _half_up_half_down(np.argsort(self.basis[0], kind="stable"))
        if d == n - 1:  # the basis keeps every length
            return _half_up_half_down(np.arange(n))
        if n > MOST_SIGNS:
            raise CostMatrixError(
                f"the constant in the maximum norm takes a search over the signs of {n} outcomes; at most {MOST_SIGNS} "
                f"can be searched. It is at most √n·K₂ = {math.sqrt(n):.4g}; norm=1 and norm=2 are exact"
            )
        return _longest_corner(self.basis)

    # -- manners ----------------------------------------------------------------------------------

    def _scores(self, u: ArrayLike) -> Floats:
        scores = checked_scores(u)
        d = self.dimension
        if scores.ndim == 0 or scores.shape[-1] != d:
            raise PredictionError(f"scores must have a last axis of length {d}; got shape {scores.shape}")
        return scores

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LinearProperty):
            return NotImplemented
        return (
            (self.decisions, self.outcomes) == (other.decisions, other.outcomes)
            and np.array_equal(self.basis, other.basis)
            and np.array_equal(self.weights, other.weights)
            and np.array_equal(self.offsets, other.offsets)
        )

    def __hash__(self) -> int:
        return hash((self.decisions, self.outcomes, self.basis.tobytes(), self.weights.tobytes()))

    def __repr__(self) -> str:
        numbers = "1 number" if self.dimension == 1 else f"{self.dimension} numbers"
        return f"LinearProperty: {numbers} for {len(self.decisions)} decisions and {len(self.outcomes)} outcomes"


def linear(cost: CostMatrix | Ordering) -> LinearProperty:
    """Linear property of least dimension that refines the decision; for every cost matrix.

    Parameters
    ----------
    cost : CostMatrix or Ordering
        Decisions that are never the strict optimum are left out.

    Returns
    -------
    LinearProperty
        Of dimension d = rank[ℓ_r - ℓ_1; 1] - 1, decided exactly.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.linear(ic.CostMatrix.ordinal(range(5))).dimension  # squared: the mean is enough
    1
    >>> ic.linear(ic.CostMatrix.ordinal(range(5), power=1)).dimension
    4
    """
    if not isinstance(cost, (CostMatrix, Ordering)):
        raise CostMatrixError(f"linear needs a CostMatrix; got {type(cost).__name__}. Write ic.CostMatrix(table)")
    pruning = cost.pruning if isinstance(cost, Ordering) else prune(cost)
    cost = cost.cost if isinstance(cost, Ordering) else cost
    rows = list(pruning.kept)
    exact = cost.exact[rows]
    # Differences between decisions, and between outcomes: what all have in common drops out.
    table = to_integers((exact[1:] - exact[:1])[:, :-1] - (exact[1:] - exact[:1])[:, -1:])
    basis = _orthonormal(table)
    gains = (exact - exact[:1]).astype(np.float64)
    return LinearProperty(
        basis, gains @ basis.T, gains.mean(axis=1), tuple(cost.decisions[r] for r in rows), cost.outcomes, cost=cost
    )


def _orthonormal(table: NDArray[np.object_]) -> Floats:
    """Orthonormal rows that sum to 0 and span the differences modulo constants."""
    n = table.shape[1] + 1
    rank = exact_rank(table)
    spanning = np.eye(n - 1) if rank == n - 1 else reduced_rows(table)
    spanning = np.hstack([spanning, np.zeros((rank, 1))])
    columns, _ = np.linalg.qr((spanning - spanning.mean(axis=1, keepdims=True)).T)
    # The sign of each row is free: let its largest entry be positive.
    largest = np.abs(columns).argmax(axis=0) if rank else np.zeros(0, dtype=np.intp)
    return np.asarray((columns * np.sign(columns[largest, np.arange(rank)])).T)


def _half_up_half_down(order: NDArray[np.intp]) -> Floats:
    """±1 on the two halves of the outcomes in this order, 0 on the middle one of an odd number."""
    n = len(order)
    direction = np.zeros(n)
    direction[order[: n // 2]], direction[order[n - n // 2 :]] = -1.0, 1.0
    return direction


def _longest_corner(basis: Floats) -> Floats:
    """The corner d of {‖d‖_∞ ≤ 1, Σd = 0} with the longest Φd: as many 1 as -1, and one 0 if n is odd."""
    n = basis.shape[1]
    half = n // 2
    squares = (basis**2).sum(axis=0)
    best, most = np.zeros(n), -1.0
    chosen = combinations(range(n), half)
    while chunk := list(islice(chosen, CHUNK)):
        corners = np.full((len(chunk), n), -1.0)
        corners[np.arange(len(chunk))[:, None], chunk] = 1.0
        images = corners @ basis.T
        lengths = (images**2).sum(axis=1)
        if n % 2:  # of the -1, one more than half, let the one become 0 that lengthens most
            gains = np.where(corners < 0, 2 * images @ basis + squares, -np.inf)
            zeros = gains.argmax(axis=1)
            corners[np.arange(len(chunk)), zeros] = 0.0
            lengths += gains.max(axis=1)
        i = int(lengths.argmax())
        if lengths[i] > most:
            best, most = corners[i], float(lengths[i])
    return best
