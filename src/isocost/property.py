"""SmoothProperty: the continuous number Γ(p) that carries all that a decision needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError, PredictionError
from isocost.labels import Labels, label_array
from isocost.probabilities import SUM_TOLERANCE, as_rows, normalized, refuse_row
from isocost.simplex import slice_vertices

if TYPE_CHECKING:
    from isocost.lipschitz import LipschitzPair

__all__ = ["SmoothProperty"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class SmoothProperty:
    """A Lipschitz property Γ that refines a discrete decision; made by :func:`isocost.smooth`.

    V(u, y) is linear in u between the knots and continues with slope 1 outside; Γ(p) is the root
    of u ↦ Σ_y p_y V(u, y).

    Attributes
    ----------
    knots : ndarray, shape (m,)
        t_1 ≤ … ≤ t_m.
    values : ndarray, shape (m, n)
        V(t_j, y).
    cuts : ndarray, shape (k-1,)
        s_1 < … < s_{k-1}: Γ ≡ s_i where decisions i and i+1 tie.
    decisions : tuple of k labels, in order
    outcomes : tuple of n labels
    method : str
        The construction.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"])
    >>> prop = ic.smooth(cost, method="embedding", ratios=[0.5])
    >>> u = prop.value([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]])
    >>> u.round(4).tolist()
    [0.3235, 1.4286, 2.6071]
    >>> prop.decide(u).tolist(), prop.cuts.tolist()
    (['wait', 'test', 'treat'], [0.5, 2.0])
    """

    knots: Floats
    values: Floats
    cuts: Floats
    decisions: Labels
    outcomes: Labels
    method: str

    def __post_init__(self) -> None:
        for name in ("knots", "values", "cuts"):
            array = np.array(getattr(self, name), dtype=np.float64, order="C")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        shape = (len(self.knots), len(self.outcomes))
        if self.knots.ndim != 1 or self.values.shape != shape or self.cuts.shape != (len(self.decisions) - 1,):
            raise CostMatrixError("knots, values, cuts and labels of a property must agree in number")
        if (np.diff(self.knots) < 0).any() or (np.diff(self.cuts) < 0).any():
            raise CostMatrixError("knots and cuts of a property must not decrease")
        if not all(np.isfinite(x).all() for x in (self.knots, self.values, self.cuts)):
            raise CostMatrixError(
                "the costs differ by too many orders of magnitude for double precision; rescale them or drop decisions"
            )

    # -- the property and its link ----------------------------------------------------------------

    def value(self, P: Any, normalize: bool = False) -> Floats:
        """Γ(p): the root u of Σ_y p_y V(u, y), shape (N,).

        Parameters
        ----------
        P : array_like or frame, shape (N, n)
            Probabilities in outcome order (float32 or float64, any memory layout), or a frame with
            one column for each outcome label.
        normalize : bool
            Divide rows by their sums instead of refusing those that do not sum to 1.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 5], [1, 0]]))
        >>> prop.value([[5 / 6, 1 / 6]]).round(12).tolist() == prop.cuts.tolist()
        True
        """
        from isocost.kernels import evaluate_rows  # numba is slow to import

        rows = as_rows(P, self.outcomes)
        if normalize:
            rows = normalized(rows)
        found, bad = evaluate_rows(rows, self.knots, self.values, SUM_TOLERANCE)
        if bad >= 0:
            refuse_row(rows, bad)
        return found

    def cell(self, u: ArrayLike) -> NDArray[np.intp]:
        """Position #{i : s_i < u} of the decision in the order, 0..k-1, shape of u."""
        return np.asarray(np.searchsorted(self.cuts, _scores(u), side="left"))

    def decide(self, u: ArrayLike) -> NDArray[np.generic]:
        """Link ψ(u) = r_{1 + #{i : s_i < u}}: score to decision label (the opposite way of a GLM link)."""
        return label_array(self.decisions)[self.cell(u)]

    # -- identification function and loss ---------------------------------------------------------

    def identification(self, u: ArrayLike, y: ArrayLike) -> Floats:
        """Identification function V(u, y), broadcast over u and y.

        Parameters
        ----------
        u : array_like
            Scores.
        y : array_like of int
            Outcome positions 0..n-1; ``cost.positions(labels)`` makes them.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
        >>> prop.identification([0.5, 2.0], [0, 1]).tolist()
        [1.0, 0.5]
        """
        u, y, piece = self._locate(u, y)
        start, slopes = self._pieces
        return np.asarray(start[piece, y] + slopes[piece, y] * (u - self._origins[piece]))

    def slope(self, u: ArrayLike, y: ArrayLike) -> Floats:
        """Derivative dV/du(u, y), from the right at a knot; 1 outside the knots."""
        _, y, piece = self._locate(u, y)
        return np.asarray(self._pieces[1][piece, y])

    def loss(self, u: ArrayLike, y: ArrayLike) -> Floats:
        """Surrogate loss L(u, y) = ∫ V(z, y) dz ≥ 0, shifted so that min_u L(u, y) = 0 for each y.

        Parameters
        ----------
        u : array_like
            Scores.
        y : array_like of int
            Outcome positions 0..n-1.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
        >>> prop.loss([0.0, 0.5, 3.0], [0, 0, 0]).tolist()
        [0.0, 0.25, 3.25]
        """
        u, y, piece = self._locate(u, y)
        start, slopes = self._pieces
        step = u - self._origins[piece]
        risen = self._losses[piece, y] + step * (start[piece, y] + slopes[piece, y] * step / 2)
        return np.maximum(risen, 0.0)

    def gradient(self, P: Any, normalize: bool = False) -> Floats:
        """∇Γ(p) = -V(Γ(p), ·) / Σ_y p_y dV/du(Γ(p), y), shape (N, n).

        Only its differences between outcomes matter on the simplex. From the right at a knot.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
        >>> prop.gradient([[0.8, 0.1, 0.1]]).round(4).tolist()
        [[-0.3806, 1.7647, 1.2803]]
        """
        rows = as_rows(P, self.outcomes)
        if normalize:
            rows = normalized(rows)
        u = self.value(rows)
        piece = np.searchsorted(self.knots, u, side="right")
        start, slopes = self._pieces
        at = start[piece] + slopes[piece] * (u - self._origins[piece])[:, None]
        return np.asarray(-at / np.einsum("ij,ij->i", rows, slopes[piece])[:, None])

    def level_set(self, u: float) -> Floats:
        """Vertices of {p ∈ Δ : Γ(p) = u}, each on an edge of the simplex, shape (number, n).

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
        >>> prop.level_set(0.5).round(3).tolist()
        [[0.75, 0.25, 0.0], [0.667, 0.0, 0.333]]
        """
        score = _scores(u)
        if score.ndim:
            raise PredictionError(f"level_set needs one score; got shape {score.shape}")
        return slice_vertices(self.identification(score, np.arange(len(self.outcomes))))

    @cached_property
    def range(self) -> tuple[float, float]:
        """Smallest and largest Γ(p); both are attained where one outcome is certain."""
        u = self.value(np.eye(len(self.outcomes)))
        return float(u.min()), float(u.max())

    @cached_property
    def is_convex(self) -> bool:
        """Whether V(·, y) is nondecreasing for every outcome, so that the loss is convex in u."""
        return bool((np.diff(self.values, axis=0) >= 0).all())

    def rescale(self, low: float, high: float) -> Self:
        """The same property in other units: an affine map of u that takes the range to [low, high].

        Examples
        --------
        >>> import isocost as ic
        >>> ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"])).rescale(0, 1).range
        (0.0, 1.0)
        """
        least, most = self.range
        numbers = all(isinstance(x, (int, float, np.integer, np.floating)) for x in (low, high))
        if not (numbers and low < high and abs(low) < 1e150 and abs(high) < 1e150):
            raise CostMatrixError(f"rescale needs finite low < high; got {low!r} and {high!r}")
        if most == least:
            raise CostMatrixError("a property with a single decision has no range to rescale")
        return self._moved((high - low) / (most - least), low, least)

    def in_own_units(self) -> Self:
        """With two decisions the unit is free: move the cut to 0 and let max |Γ| be 1."""
        least, most = self.range
        cut = float(self.cuts[0])
        return self._moved(1 / max(cut - least, most - cut), 0.0, cut)

    def _moved(self, factor: float, low: float, least: float) -> Self:
        """U ↦ low + factor·(u - least); V grows with u, so that the slope outside stays 1."""
        return replace(
            self,
            knots=low + factor * (self.knots - least),
            values=factor * self.values,
            cuts=low + factor * (self.cuts - least),
        )

    # -- smoothness -------------------------------------------------------------------------------

    def lipschitz(self, norm: float = 1) -> float:
        """Exact Lipschitz constant K of Γ on the simplex for ‖·‖_q, q = 1, 2 or ``math.inf``.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
        >>> round(prop.lipschitz(norm=1), 9)
        15.125
        """
        from isocost.lipschitz import lipschitz_constant

        return lipschitz_constant(self, norm)

    def lipschitz_pair(self, norm: float = 1) -> LipschitzPair:
        """Two distributions p, q with |Γ(p) - Γ(q)| / ‖p - q‖ as close to K as rounding allows."""
        from isocost.lipschitz import lipschitz_pair

        return lipschitz_pair(self, norm)

    def lipschitz_limit(self, norm: float = 1) -> float:
        """No property with these cuts is smoother: max_i (s_{i+1} - s_i) / dist_q(B_i, B_{i+1}) ≤ K."""
        from isocost.lipschitz import lipschitz_limit

        return lipschitz_limit(self, norm)

    def smoothness(self, norm: float = 1) -> float:
        """K over its limit, free of units: 1 is as smooth as possible (and by convention for k ≤ 2)."""
        from isocost.lipschitz import smoothness

        return smoothness(self, norm)

    # -- manners ----------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SmoothProperty):
            return NotImplemented
        return (
            (self.decisions, self.outcomes, self.method) == (other.decisions, other.outcomes, other.method)
            and np.array_equal(self.knots, other.knots)
            and np.array_equal(self.values, other.values)
            and np.array_equal(self.cuts, other.cuts)
        )

    def __hash__(self) -> int:
        return hash((self.decisions, self.outcomes, self.knots.tobytes(), self.values.tobytes()))

    def __repr__(self) -> str:
        parts: list[str] = []
        for label, cut in zip(self.decisions, self.cuts.tolist(), strict=False):
            parts.append(f"{label!r} | {cut:.4g} |" if len(parts) < 8 else "…")
        ladder = " ".join([*parts[:9], repr(self.decisions[-1])])
        return f"SmoothProperty ({self.method}): {ladder}"

    # -- pieces -----------------------------------------------------------------------------------

    @cached_property
    def _origins(self) -> Floats:
        """Where each piece starts to count: piece 0 is the left tail, piece m the right one."""
        return np.concatenate([self.knots[:1], self.knots])

    @cached_property
    def _pieces(self) -> tuple[Floats, Floats]:
        """V at the origin of each of the m+1 pieces, and its slope there."""
        widths = np.diff(self.knots)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = np.where(widths > 0, np.diff(self.values, axis=0) / widths, 0.0)
        tail = np.ones((1, len(self.outcomes)))
        return np.r_[self.values[:1], self.values], np.r_[tail, inner, tail]

    @cached_property
    def _losses(self) -> Floats:
        """L at the origin of each piece, shifted so that its minimum over u is 0."""
        start, slopes = self._pieces
        widths = np.diff(self.knots)[:, None]
        risen = np.cumsum(widths * (self.values[1:] + self.values[:-1]) / 2, axis=0)
        at = np.r_[np.zeros((2, len(self.outcomes))), risen]
        # A piece has its minimum at an end, or inside where a rising V passes 0.
        ends = np.r_[widths, np.full((1, 1), np.inf)]
        with np.errstate(divide="ignore", invalid="ignore"):
            root = -start / slopes
            root[0] = np.minimum(root[0], 0.0)
            root[1:] = np.clip(root[1:], 0.0, ends)
            inside = at + root * (start + slopes * root / 2)
        lowest = np.where(slopes > 0, np.minimum(inside, at), at)
        return np.asarray(at - lowest.min(axis=0))

    def _locate(self, u: ArrayLike, y: ArrayLike) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
        u = _scores(u)
        try:
            positions = np.asarray(y)
        except ValueError:
            raise PredictionError("`y` must be a plain array of outcome positions; got ragged rows") from None
        if positions.dtype.kind not in "iu":
            raise PredictionError(
                f"`y` must be outcome positions 0..{len(self.outcomes) - 1}; got dtype {positions.dtype}. "
                "cost.positions(labels) makes them"
            )
        if positions.size and not (positions.min() >= 0 and positions.max() < len(self.outcomes)):
            wrong = positions[(positions < 0) | (positions >= len(self.outcomes))].flat[0]
            raise PredictionError(
                f"`y` must be outcome positions 0..{len(self.outcomes) - 1}; got {wrong}. "
                "cost.positions(labels) makes them"
            )
        try:
            u, positions = np.broadcast_arrays(u, positions)
        except ValueError:
            raise PredictionError(
                f"`u` and `y` must have the same length; got {u.shape} and {positions.shape}"
            ) from None
        return u, positions.astype(np.intp), np.searchsorted(self.knots, u, side="right")


def _scores(u: ArrayLike) -> Floats:
    """Scores as an array of finite doubles."""
    if np.ma.is_masked(u):
        raise PredictionError("scores must be finite numbers; some are masked. Fill or drop them")
    try:
        raw = np.asarray(u)
        if raw.dtype.kind not in "fiubO":
            raise TypeError
        scores = raw.astype(np.float64)
    except (TypeError, ValueError):
        raise PredictionError(f"scores must be numbers; got {u!r}") from None
    if not np.isfinite(scores).all():
        at = int((~np.isfinite(scores.ravel())).argmax())
        raise PredictionError(f"scores must be finite numbers; score {at} is {scores.flat[at]}")
    return scores
