"""Random weighted, labelled rows with tied scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

__all__ = ["Rows", "rows_of"]


class Rows(NamedTuple):
    """Scores, outcome positions and weights."""

    scores: NDArray[np.float64]
    positions: NDArray[np.intp]
    weights: NDArray[np.float64]


@st.composite
def rows_of(draw: st.DrawFn, outcomes: int, most: int = 60) -> Rows:
    """Up to `most` rows; scores often tie, some weights are 0, outcomes rise with the score or not."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    size = draw(st.integers(1, most))
    scores = random.normal(size=size)
    levels = draw(st.sampled_from([1, 3, 12, None]))
    if levels is not None:
        scores = np.round(scores * levels) / levels
    noise = draw(st.sampled_from([0.0, 0.5, 5.0]))
    rank = np.argsort(np.argsort(scores + noise * random.normal(size=size)))
    positions = (rank * outcomes // size).astype(np.intp)
    weights = draw(st.sampled_from(["one", "whole", "any"]))
    if weights == "one":
        w = np.ones(size)
    elif weights == "whole":
        w = random.integers(0, 4, size).astype(np.float64)
    else:
        w = random.exponential(size=size) ** 4 * 10.0 ** random.integers(-6, 6)
    w[random.integers(size)] += 1.0
    return Rows(scores, positions, w)
