"""The interior simplex Δ_η = {p ∈ Δ : p_y ≥ η}: coordinates on it, and the way into it.

p = η·1 + (1 - nη)·q takes the whole simplex of q to Δ_η. What a property V′ says about q, the
V = (V′ - η·ΣV′)/(1 - nη) says about p: ⟨p, V⟩ = ⟨q, V′⟩ (theory, section 5).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["from_inner", "identification_inside", "identification_on_labels", "moved_inside", "pulled_back"]

Floats = NDArray[np.float64]
Rows = NDArray[np.float64] | NDArray[np.float32]


def moved_inside(P: Rows, floor: float) -> Floats:
    """Rows mixed with just so much of the uniform distribution that none is below the floor η.

    p ↦ (1 - t)·p + t/n with the least t ≥ 0 that does; rows of Δ_η stay as they are, bit for bit. It
    is the step towards the uniform distribution up to the rim of Δ_η, so a property of the result
    is constant outside Δ_η on every ray from the uniform distribution.

    Examples
    --------
    >>> moved_inside(np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]]), 0.1).round(3).tolist()
    [[0.45, 0.45, 0.1], [0.2, 0.3, 0.5]]
    """
    share = _shares(P, floor)[:, None]
    return np.asarray((1 - share) * P + share / P.shape[1])


def pulled_back(gradients: Floats, P: Rows, floor: float) -> Floats:
    """Gradients with respect to P of a function of ``moved_inside(P)``, given its gradients there.

    With m the smallest entry of p, at z, t = (η - m)/(1/n - m), so ∂t/∂p_z = -(1/n - η)/(1/n - m)².
    """
    n = P.shape[1]
    share = _shares(P, floor)
    outside = share > 0
    found = (1 - share)[:, None] * gradients
    rows, least = P[outside], P[outside].argmin(axis=1)
    along = (gradients[outside] * (1 / n - rows)).sum(axis=1)
    found[np.flatnonzero(outside), least] -= along * (1 / n - floor) / (1 / n - rows.min(axis=1)) ** 2
    return np.asarray(found)


def from_inner(Q: Floats, floor: float) -> Floats:
    """The point p of Δ_η for each point q of the simplex."""
    return np.asarray(floor + (1 - Q.shape[-1] * floor) * Q)


def identification_on_labels(inner: Floats, floor: float) -> Floats:
    """V on outcomes from V′, outcomes along the last axis."""
    return np.asarray((inner - floor * inner.sum(axis=-1, keepdims=True)) / (1 - inner.shape[-1] * floor))


def identification_inside(values: Floats, floor: float) -> Floats:
    """V′ from V on outcomes: V′ = (1 - nη)·V + η·ΣV."""
    return np.asarray((1 - values.shape[-1] * floor) * values + floor * values.sum(axis=-1, keepdims=True))


def _shares(P: Rows, floor: float) -> Floats:
    """The t of each row, 0 inside."""
    least = P.min(axis=1).astype(np.float64)  # single precision would keep 7 digits of the share
    outside = least < floor
    share = np.zeros(len(P))
    share[outside] = (floor - least[outside]) / (1 / P.shape[1] - least[outside])
    return share
