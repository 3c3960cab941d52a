"""Distribution calibration: do predicted probabilities agree with what happened, given the decision or the score?

The *mean form* compares the mean prediction of each level with the outcomes there. The paper's form
compares every single prediction with them, so it also contains how predictions differ within a level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.estimates import Estimate, Measure, below, student_quantile

__all__ = ["DISTRIBUTION_CALIBRATION", "mean_form", "paper_form"]

Floats = NDArray[np.float64]

DISTRIBUTION_CALIBRATION = {
    f"{given}_{form}": Measure(
        f"distribution calibration given the {given}, {name}", estimand, "probability", perfect, (sums, *also)
    )
    for given, sums in (("decision", "taken"), ("score", "scores"))
    for form, name, estimand, perfect, also in (
        ("mean", "mean form", "E‖E[f(X) | c] - D_{Y|c}‖", "0", ("predicted",)),
        (
            "paper",
            "the paper's form",
            "E‖f(X) - D_{Y|c}‖",
            "0 only if all predictions with the same c are the same; at least the mean form",
            ("predicted", "rows"),
        ),
    )
}


def mean_form(weight: Floats, predicted: Floats, spread: Floats, norm: float, units: float, level: float) -> Estimate:
    """Mean form from sums at each place.

    Parameters
    ----------
    weight : ndarray, shape (M, n)
        Σw of the rows with each outcome.
    predicted, spread : ndarray, shape (M, n)
        Σ w·p_j and Σ w²·(p_j - 1{y=j})².
    norm : {1, 2, math.inf}
    units : float
    level : float
    """
    total = weight.sum()
    apart = (predicted - weight) / total
    value = float(np.linalg.norm(apart, ord=norm, axis=1).sum())
    sds = np.sqrt(spread) / total
    if norm == 1:
        # The signed mean that attains a norm weighs outcomes by ±1, and Var(Σ ±x_j) ≤ (Σ sd_j)².
        of_place = sds.sum(axis=1)
    elif norm == 2:
        of_place = np.sqrt((sds**2).sum(axis=1))
    else:
        of_place = sds.max(axis=1)
    return below(value, float(np.sqrt((of_place**2).sum())), units, level)


def paper_form(value: float, sd: float, noise: float, units: float, level: float) -> Estimate:
    """Paper's form from a second pass over the rows.

    Parameters
    ----------
    value, sd : float
        Mean of ‖f - D‖ and its standard deviation, D estimated on the same rows.
    noise : float
        How far, on average, the estimated D may be from the true one.
    units, level : float
    """
    high = value + student_quantile(level, units) * sd + noise
    return Estimate(
        value, 0.0, high, level, "mean of distances, and the error of the distributions they are taken from"
    )
