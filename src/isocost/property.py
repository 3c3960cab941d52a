"""SmoothProperty: the continuous number Γ(p) that carries all that a decision needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError, PredictionError
from isocost.interior import from_inner, identification_inside, moved_inside, pulled_back
from isocost.labels import Labels, label_array
from isocost.pieces import Pieces, pieces_of
from isocost.probabilities import SUM_TOLERANCE, as_rows, normalized, refuse_row, validated_rows
from isocost.scores import checked_scores, scores_and_positions
from isocost.simplex import slab_vertices, slice_vertices

if TYPE_CHECKING:
    from isocost.costs import CostMatrix
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
        t_1 ≤ … ≤ t_m; V jumps at a repeated knot.
    values : ndarray, shape (m, n)
        V(t_j, y).
    cuts : ndarray, shape (k-1,)
        s_1 ≤ … ≤ s_{k-1}: Γ ≡ s_i where decisions i and i+1 tie. A repeated cut s is the only score
        of the decision squeezed between two boundaries that touch.
    decisions : tuple of k labels, in order
    outcomes : tuple of n labels
    method : str
        The construction.
    interior : float
        η: Γ refines the decision on {p : p_y ≥ η}. A distribution outside is first mixed with just
        so much of the uniform one that it is inside.
    why : str
        One sentence from :func:`isocost.property_for`; else empty.
    cost : CostMatrix or None
        What it was made from.

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
    interior: float = 0.0
    why: str = ""
    cost: CostMatrix | None = None

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

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Copied and unpickled arrays are writable; the kernels would be compiled anew for them, with other rounding.
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        vars(self).update(state)

    @property
    def dimension(self) -> int:
        """How many numbers a score has: one."""
        return 1

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
        if self.interior:
            rows = moved_inside(validated_rows(rows, self.outcomes), self.interior)
        found, bad = evaluate_rows(rows, self.knots, self.values, SUM_TOLERANCE)
        if bad >= 0:
            refuse_row(rows, bad)
        return found

    def cell(self, u: ArrayLike) -> NDArray[np.intp]:
        """Position #{i : s_i < u} of the decision in the order, 0..k-1, shape of u.

        At a repeated cut it is the position of the decision squeezed there.
        """
        scores = checked_scores(u)
        before = np.asarray(np.searchsorted(self.cuts, scores, side="left"))
        if (np.diff(self.cuts) > 0).all():
            return before
        upto = np.searchsorted(self.cuts, scores, side="right")
        return np.asarray((before + upto) // 2)  # upto - before is 1 at a cut, 2 at a repeated one

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
        at = self._pieces
        return np.asarray(at.start[piece, y] + at.slopes[piece, y] * (u - at.origins[piece]))

    def slope(self, u: ArrayLike, y: ArrayLike) -> Floats:
        """Derivative dV/du(u, y), from the right at a knot; 1 outside the knots."""
        _, y, piece = self._locate(u, y)
        return np.asarray(self._pieces.slopes[piece, y])

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
        at = self._pieces
        step = u - at.origins[piece]
        risen = at.losses[piece, y] + step * (at.start[piece, y] + at.slopes[piece, y] * step / 2)
        return np.maximum(risen, 0.0)

    def gradient(self, P: Any, normalize: bool = False) -> Floats:
        """∇Γ(p) = -V(Γ(p), ·) / Σ_y p_y dV/du(Γ(p), y), shape (N, n).

        Only its differences between outcomes matter on the simplex. From the right at a knot, from
        the left where no distribution has a larger score; 0 in a squeezed cell.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
        >>> prop.gradient([[0.8, 0.1, 0.1]]).round(4).tolist()
        [[-0.3806, 1.7647, 1.2803]]
        """
        given = validated_rows(P, self.outcomes, normalize)
        rows = moved_inside(given, self.interior) if self.interior else given
        u = self.value(rows)
        pieces = self._pieces
        before, piece = (np.searchsorted(self.knots, u, side=side) for side in ("left", "right"))
        if len(self.knots) > 1 and self.range[1] - self.knots[-1] <= 1e-12 * np.ptp(self.knots):
            piece = np.minimum(piece, len(self.knots) - 1)  # no score lies on the tail
        at = pieces.start[piece] + pieces.slopes[piece] * (u - pieces.origins[piece])[:, None]
        growth = np.einsum("ij,ij->i", rows, pieces.slopes[piece])[:, None]
        found = np.asarray(-at / growth)
        doubled = np.flatnonzero(piece - before > 1)
        rising = np.einsum("ij,ij->i", rows[doubled], at[doubled]) > 0
        found[doubled[rising]] = 0.0
        return pulled_back(found, given, self.interior) if self.interior else found

    def level_set(self, u: float) -> Floats:
        """Vertices of {p : Γ(p) = u}, shape (number, n); with `interior`, of its part in Δ_η.

        Each lies on an edge of the simplex (or of Δ_η). At a repeated cut it is the whole squeezed
        cell.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
        >>> prop.level_set(0.5).round(3).tolist()
        [[0.75, 0.25, 0.0], [0.667, 0.0, 0.333]]
        """
        score = checked_scores(u)
        if score.ndim:
            raise PredictionError(f"level_set needs one score; got shape {score.shape}")
        above = self.identification(score, np.arange(len(self.outcomes)))
        at = np.flatnonzero(self.knots == score)
        below = above if len(at) < 2 else self.values[at[0]]
        if self.interior:
            above, below = (identification_inside(v, self.interior) for v in (above, below))
        vertices = slice_vertices(above) if len(at) < 2 else slab_vertices(below, above)
        return from_inner(vertices, self.interior) if self.interior else vertices

    @cached_property
    def normals(self) -> Floats:
        """V(s_i, ·) at each cut, a positive multiple of the boundary normal w_i, shape (k-1, n).

        Of a repeated cut, V before and after its jump.
        """
        first, last = (np.searchsorted(self.knots, self.cuts, side=side) for side in ("left", "right"))
        repeats = np.r_[False, np.diff(self.cuts) == 0][: len(self.cuts)]
        found = self.values[np.where(repeats, last - 1, first)]
        found.setflags(write=False)
        return found

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
        return self.moved((high - low) / (most - least), low, least)

    def in_own_units(self) -> Self:
        """With two decisions the unit is free: move the cut to 0 and let max |Γ| be 1."""
        least, most = self.range
        cut = float(self.cuts[0])
        return self.moved(1 / max(cut - least, most - cut), 0.0, cut)

    def moved(self, factor: float, low: float, least: float) -> Self:
        """The property low + factor·(Γ - least); V grows by the factor too, so that the slope outside stays 1."""
        knots = low + factor * (self.knots - least)
        if ((np.diff(knots) == 0) != (np.diff(self.knots) == 0)).any():
            raise CostMatrixError(
                f"double precision does not tell the knots apart in a range of {factor * np.ptp(self.knots):.3g} at "
                f"{low:.6g}; choose a wider one or one nearer to 0"
            )
        return replace(
            self,
            knots=knots,
            values=factor * self.values,
            cuts=low + factor * (self.cuts - least),
        )

    # -- smoothness -------------------------------------------------------------------------------

    def lipschitz(self, norm: float = 1) -> float:
        """Exact Lipschitz constant K of Γ on the simplex for ‖·‖_q, q = 1, 2 or ``math.inf``.

        With `interior` it is the constant on Δ_η.

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
            (self.decisions, self.outcomes, self.method, self.interior)
            == (other.decisions, other.outcomes, other.method, other.interior)
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
    def _pieces(self) -> Pieces:
        return pieces_of(self.knots, self.values)

    def _locate(self, u: ArrayLike, y: ArrayLike) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
        scores, positions = scores_and_positions(u, y, len(self.outcomes))
        return scores, positions, np.searchsorted(self.knots, scores, side="right")
