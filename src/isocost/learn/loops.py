"""The loops over rows of a training step, compiled: V, a curvature and the loss of every row.

`table` lies piece by piece: table[j, 0] holds V(origin_j, y), table[j, 1] the slope, table[j, 2]
the loss at the origin. Knots are filled up with infinity to a multiple of four, which no score passes. Labels may be
floats, as boosting libraries store them.
"""

from __future__ import annotations

import numpy as np

from isocost.kernels import compiled

__all__ = ["fill_gradients", "sum_losses"]


# Rows that are worked on together, in the first-level cache.
BLOCK = 256


@compiled()
def _piece(knots, score):
    """#{j : t_j ≤ score}; a count without branches beats a search for the few knots of a property."""
    found = 0
    for knot in knots:
        found += knot <= score
    return found


@compiled(error_model="numpy")
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
    A block of rows is worked on a step at a time: loops without branches become vector code.
    """
    n = table.shape[2]
    pieces, outcomes = np.empty(BLOCK, dtype=np.uint32), np.empty(BLOCK, dtype=np.uint32)
    v, curvature = np.empty(BLOCK), np.empty(BLOCK)
    for first in range(start, stop, BLOCK):
        size = min(BLOCK, stop - first)
        block, names = scores[first : first + size], labels[first : first + size]
        wrong = 0
        for b in range(size):
            y = np.int32(names[b])
            outcomes[b] = y
            wrong += (y != names[b]) | (y < 0) | (y >= n)
        if wrong > 0:
            for b in range(size):
                y = np.int32(names[b])
                if (y != names[b]) or not 0 <= y < n:
                    return first + b
        pieces[:] = 0
        for k in range(0, len(knots), 4):  # four in one pass over the counts; their number is a multiple of four
            t0, t1, t2, t3 = knots[k], knots[k + 1], knots[k + 2], knots[k + 3]
            for b in range(size):
                u = block[b]
                pieces[b] += np.uint32(t0 <= u) + np.uint32(t1 <= u) + np.uint32(t2 <= u) + np.uint32(t3 <= u)
        for b in range(size):
            j, y = pieces[b], outcomes[b]
            v[b] = table[j, 0, y] + table[j, 1, y] * (block[b] - origins[j])
        if len(steepness) > 0:
            for b in range(size):
                curvature[b] = steepness[pieces[b]]
        else:
            for b in range(size):
                y = outcomes[b]
                away = block[b] - minimisers[y]
                chord = v[b] / away
                chord = chord if away != 0.0 else table[pieces[b], 1, y]
                curvature[b] = min(max(chord, least[y]), most[y])
        if len(weights) > 0:
            for b in range(size):
                v[b] *= weights[first + b]
                curvature[b] *= weights[first + b]
        for b in range(size):
            gradients[first + b], curvatures[first + b] = v[b], curvature[b]
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
