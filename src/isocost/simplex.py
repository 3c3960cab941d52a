"""The probability simplex: slices through it, uniform samples, and the dual norms on it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["dual_norm", "least_on_slice", "sample_simplex", "slab_vertices", "slice_vertices"]

Floats = NDArray[np.float64]


def slice_vertices(normal: Floats) -> Floats:
    """Vertices of {p ∈ Δ : ⟨v, p⟩ = 0}, shape (number of vertices, n).

    They have support at most 2: e_y where v_y = 0, and on the edge (y, z) with v_y < 0 < v_z the
    point with p_y = v_z / (v_z - v_y).

    Examples
    --------
    >>> slice_vertices(np.array([1.0, -3.0, -2.0])).round(3).tolist()
    [[0.75, 0.25, 0.0], [0.667, 0.0, 0.333]]
    """
    n = len(normal)
    zeros = np.flatnonzero(normal == 0)
    y, z = (index.ravel() for index in np.meshgrid(*_signs(normal), indexing="ij"))
    points = np.zeros((len(zeros) + len(y), n))
    points[np.arange(len(zeros)), zeros] = 1.0
    edges = np.arange(len(zeros), len(points))
    width = normal[z] - normal[y]
    points[edges, y] = normal[z] / width
    points[edges, z] = -normal[y] / width
    return points


def slab_vertices(below: Floats, above: Floats) -> Floats:
    """Vertices of {p ∈ Δ : ⟨v, p⟩ ≤ 0 ≤ ⟨w, p⟩} between two slices that do not cross, shape (number, n).

    Examples
    --------
    >>> slab_vertices(np.array([1.0, -1.0, -1.0]), np.array([1.0, 1.0, -1.0])).tolist()
    [[0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]]
    """
    corners = np.eye(len(below))[(below <= 0) & (above >= 0)]
    return np.asarray(np.unique(np.vstack([slice_vertices(below), slice_vertices(above), corners]), axis=0))


def least_on_slice(objective: Floats, normal: Floats) -> float:
    """Minimum of ⟨d, p⟩ over {p ∈ Δ : ⟨v, p⟩ = 0}."""
    least = float(objective[normal == 0].min(initial=math.inf))
    low, high = _signs(normal)
    down, up = normal[low][:, None], normal[high][None, :]
    values = objective[low][:, None] * (up / (up - down)) - objective[high][None, :] * (down / (up - down))
    return min(least, float(values.min(initial=math.inf)))


def _signs(normal: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    return np.flatnonzero(normal < 0), np.flatnonzero(normal > 0)


def dual_norm(v: Floats, norm: float) -> Floats:
    """Dual norm on directions that sum to 0, along the last axis: min_c ‖v - c‖ in the dual of ‖·‖_q.

    (max v - min v)/2 for q = 1, ‖v - mean v‖₂ for q = 2, Σ|v_y - median v| for q = ∞.
    """
    if norm == 1:
        return np.asarray((v.max(axis=-1) - v.min(axis=-1)) / 2)
    if norm == 2:
        return np.asarray(np.linalg.norm(v - v.mean(axis=-1, keepdims=True), axis=-1))
    return np.asarray(np.abs(v - np.median(v, axis=-1, keepdims=True)).sum(axis=-1))


def sample_simplex(rows: int, n: int, seed: int) -> Floats:
    """Uniform points of the simplex, shape (rows, n)."""
    return np.random.default_rng(seed).dirichlet(np.ones(n), size=rows)
