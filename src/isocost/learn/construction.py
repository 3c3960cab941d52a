"""The property to train on: the decisions of ψ∘Γ, with each score weighed and placed for learning.

Every knot of a property may be moved, and its V rescaled, without changing a decision (theory,
section 3, "The gauge"). Estimation is efficient where V at u weighs as E[V'(u,Y)] / Var(V(u,Y)). Both
moments are taken under a reference distribution of each score: of all with that score the one
of the largest entropy, p(y) ∝ exp(-θ·V(u,y)).

With du/dt = E[V'] / Var(V) that weight is already in the parametrisation, and the curvature of the
expected loss is the variance, as with the canonical link of an exponential family; for squared
costs the loss is the log-loss of p(y) ∝ exp(u·y), up to the interpolation.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError
from isocost.ordering import Ordering
from isocost.property import SmoothProperty
from isocost.smoothing import smooth

__all__ = ["efficient", "expected_slopes", "reference"]

Floats = NDArray[np.float64]

# Pieces of a cell, or of a tail; the last of a tail is divided further, since the variance goes to 0 there.
PIECES = 6
LAST_PIECE = (0.02, 0.1, 0.3)
# Least variance of V, in units of its range: where one outcome is all but certain, scores go no farther apart.
LEAST_VARIANCE = 0.03
# Least expected rise of V over a piece, so that knots keep their order in doubles.
LEAST_RISE = 1e-9
NEWTON_STEPS = 60


def efficient(cost: CostMatrix | Ordering) -> SmoothProperty:
    """The property Γ whose surrogate loss learns its decisions best; "auto" of SurrogateClassifier.

    V(s_i, ·) at the cuts is the boundary normal w_i with standard deviation 1 under the reference
    distribution; between the cuts it is interpolated, each knot is scaled to a range
    max_y V - min_y V of 1, and knots t are moved to u with du/dt = E[V'] / Var(V).

    Parameters
    ----------
    cost : CostMatrix or Ordering
        Strongly orderable.

    Returns
    -------
    SmoothProperty
        Its method is "efficient".

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.learn import efficient
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"], under=3)
    >>> prop = efficient(cost)
    >>> P = [[0.7, 0.2, 0.1], [0.2, 0.2, 0.6]]
    >>> prop.decide(prop.value(P)).tolist(), cost.decide(P).tolist()
    (['mid', 'high'], ['mid', 'high'])
    """
    if not isinstance(cost, (CostMatrix, Ordering)):
        raise CostMatrixError(f"efficient needs a CostMatrix; got {type(cost).__name__}. Write ic.CostMatrix(table)")
    order = cost if isinstance(cost, Ordering) else cost.ordering()
    order.require_strong("efficient")
    if len(order.decisions) == 1:
        return replace(smooth(order), method="efficient")
    deviations = np.sqrt((reference(order.normals) * order.normals**2).sum(axis=1))
    values, cuts = _interpolated(order.normals / deviations[:, None])
    values /= np.ptp(values, axis=1)[:, None]
    knots = _placed(values)
    return SmoothProperty(
        knots - knots[cuts[0]],
        values,
        knots[cuts] - knots[cuts[0]],
        order.decisions,
        order.cost.outcomes,
        "efficient",
        cost=order.cost,
    )


def reference(V: Floats) -> Floats:
    """Of the distributions with Σ_y p_y V_y = 0 the one of the largest entropy, for each row of V.

    It is p_y ∝ exp(-θ·V_y). Every row must have both signs.

    Parameters
    ----------
    V : ndarray, shape (m, n)

    Returns
    -------
    ndarray, shape (m, n)
    """
    v = V / np.ptp(V, axis=1)[:, None]
    # Beyond such a θ the outcome with the most extreme V outweighs all others; the mean of V falls in θ.
    least = np.minimum(v.max(axis=1), -v.min(axis=1))
    high = np.log(V.shape[1] / least) / least
    low, theta = -high, np.zeros(len(v))
    for _ in range(NEWTON_STEPS):
        exponents = -theta[:, None] * v
        p = np.exp(exponents - exponents.max(axis=1)[:, None])
        p /= p.sum(axis=1)[:, None]
        mean = (p * v).sum(axis=1)
        variance = (p * v**2).sum(axis=1) - mean**2
        low, high = np.where(mean > 0, theta, low), np.where(mean > 0, high, theta)
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = theta + mean / variance
        theta = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
    return np.asarray(p)


def _interpolated(normals: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """V at the knots, and which knots are the cuts: linear between the cuts, all up by the same beyond.

    V is on the first and last knots just inside the scores at which one outcome is certain.
    """
    cells = len(normals) - 1
    inner = np.arange(cells * PIECES + 1) / PIECES
    shares = np.r_[LAST_PIECE, np.arange(1, PIECES)] / PIECES  # of the way from the end of the range to the cut
    left = -normals[0].max() * (1 - shares)
    right = -normals[-1].min() * (1 - shares[::-1])
    cell = np.minimum(inner.astype(np.intp), max(cells - 1, 0))
    share = (inner - cell)[:, None]
    between = (1 - share) * normals[cell] + share * normals[np.minimum(cell + 1, cells)]
    values = np.r_[normals[0] + left[:, None], between, normals[-1] + right[:, None]]
    return values, len(left) + PIECES * np.arange(cells + 1)


def _placed(values: Floats) -> Floats:
    """Knots u with du/dt = E[V'] / Var(V), in units in which V rises by about 1 for 1."""
    middle, rises = (values[1:] + values[:-1]) / 2, np.diff(values, axis=0)
    p = reference(middle)
    variance = np.maximum((p * middle**2).sum(axis=1), LEAST_VARIANCE)
    gaps = np.maximum((p * rises).sum(axis=1), LEAST_RISE) / variance
    unit = np.median(rises.clip(min=0).mean(axis=1) / gaps)
    return np.asarray(np.r_[0.0, np.cumsum(gaps * unit)])


def expected_slopes(knots: Floats, values: Floats, least: float) -> Floats:
    """Slope of V on each piece, tails included, expected under the reference distribution of its middle.

    Where no distribution has its score, as in the tails, the mean over outcomes.

    Parameters
    ----------
    knots : ndarray, shape (m,)
        Strictly increasing.
    values : ndarray, shape (m, n)
    least : float
        Every slope is at least this share of the median one.

    Returns
    -------
    ndarray, shape (m+1,)
    """
    slopes = np.diff(values, axis=0) / np.diff(knots)[:, None]
    middle = (values[1:] + values[:-1]) / 2
    inside = np.flatnonzero((middle.min(axis=1) < 0) & (middle.max(axis=1) > 0))
    found = slopes.clip(min=0).mean(axis=1)
    found[inside] = (reference(middle[inside]) * slopes[inside]).sum(axis=1)
    return np.asarray(np.r_[1.0, np.maximum(found, least * np.median(found)), 1.0])
