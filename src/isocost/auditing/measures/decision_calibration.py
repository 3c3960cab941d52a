"""Decision (γ-)calibration: how often is a decision taken that is not best where it is taken?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.certificates import Certificate
from isocost.auditing.estimates import Estimate, Measure
from isocost.auditing.frequencies import Frequencies
from isocost.auditing.measures.swap_regret import best_swaps

__all__ = ["DECISION_CALIBRATION", "decision_calibration"]

DECISION_CALIBRATION = Measure(
    "decision calibration",
    "Pr[h ∉ γ(D_{Y|h})]",
    "share of rows",
    "0: each decision is best for the rows it is taken for",
    ("taken",),
)


def decision_calibration(taken: Frequencies, costs: NDArray[np.float64], certificate: Certificate) -> Estimate:
    """Share of the rows whose decision another would have beaten on them; the limit is the certificate's."""
    wrong = best_swaps(taken, costs) != np.arange(len(costs))
    value = float(taken.mass[wrong].sum())
    return Estimate(value, 0.0, max(certificate.most_wrong, 0.0), certificate.level, "certificate")
