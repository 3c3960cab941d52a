"""The loops over rows of a training step, compiled: V, a curvature and the loss of every row.

`table` lies piece by piece: table[j, 0] holds V(origin_j, y), table[j, 1] the slope, table[j, 2]
the loss at the origin. Labels may be floats, as boosting libraries store them.
"""

from __future__ import annotations

import numpy as np

from isocost.kernels import compiled

__all__ = ["fill_gradients", "sum_losses"]


# Rows whose pieces are counted together, in the first-level cache.
BLOCK = 256


@compiled()
def _piece(knots, score):
    """#{j : t_j ≤ score}; a count without branches beats a search for the few knots of a property."""
    found = 0
    for knot in knots:
        found += knot <= score
    return found


@compiled()
def fill_gradients(
    scores,
    labels,
    weights,
    knots,
    origins,
    table,
    minimisers,
    least,
    most,
    steepness,
    gradients,
    curvatures,
    start,
    stop,
):
    """Weighted V and curvature of rows start..stop-1; the first row whose label is no position, or -1.

    The curvature is V / (score - minimiser), the slope of the chord to the score that the outcome
    likes best; or the piece's steepness, where that has any entries. `weights` of length 0 are all 1.
    """
    n = table.shape[2]
    weighted = len(weights) > 0
    pieces = np.empty(BLOCK, dtype=np.int64)
    for i in range(start, stop):
        b = (i - start) % BLOCK
        if b == 0:  # the pieces of a block of rows at a time, without branches
            block = scores[i : min(i + BLOCK, stop)]
            pieces[:] = 0
            for knot in knots:
                for at in range(len(block)):
                    pieces[at] += knot <= block[at]
        y = int(labels[i])
        if not (y == labels[i] and 0 <= y < n):
            return i
        score = scores[i]
        j = pieces[b]
        v = table[j, 0, y] + table[j, 1, y] * (score - origins[j])
        if len(steepness) > 0:
            curvature = steepness[j]
        else:
            away = score - minimisers[y]
            curvature = v / away if away != 0.0 else table[j, 1, y]
            curvature = min(max(curvature, least[y]), most[y])
        w = weights[i] if weighted else 1.0
        gradients[i] = w * v
        curvatures[i] = w * curvature
    return -1


@compiled()
def sum_losses(scores, labels, weights, knots, origins, table, start, stop):
    """Weighted sum of the losses of rows start..stop-1, and the first row whose label is no position, or -1."""
    n = table.shape[2]
    weighted = len(weights) > 0
    total = 0.0
    for i in range(start, stop):
        y = int(labels[i])
        if not (y == labels[i] and 0 <= y < n):
            return total, i
        j = _piece(knots, scores[i])
        step = scores[i] - origins[j]
        loss = table[j, 2, y] + step * (table[j, 0, y] + table[j, 1, y] * step / 2)
        total += (weights[i] if weighted else 1.0) * max(loss, 0.0)
    return total, -1
