"""Areas of polygons and points in them, the simplest ways."""

from __future__ import annotations

import numpy as np


def area(polygon: np.ndarray) -> float:
    x, y = polygon.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def perimeter(polygon: np.ndarray) -> float:
    return float(np.linalg.norm(np.roll(polygon, -1, axis=0) - polygon, axis=1).sum())


def contains(polygon: np.ndarray, point: tuple[float, float]) -> bool:
    """For convex polygons."""
    sides = np.roll(polygon, -1, axis=0) - polygon
    steps = np.asarray(point) - polygon
    turns = sides[:, 0] * steps[:, 1] - sides[:, 1] * steps[:, 0]
    return bool((turns >= -1e-12).all() or (turns <= 1e-12).all())


def inside(polygon: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Which points lie in a polygon of any form: those from which a line to the right leaves it once more than not."""
    crossed = np.zeros(len(points), dtype=int)
    x, y = points.T
    for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y0 != y1:
            between = (y0 > y) != (y1 > y)
            crossed += between & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return np.asarray(crossed % 2 == 1)
