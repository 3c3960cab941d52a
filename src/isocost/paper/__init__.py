"""The paper, recomputed: every number, closed form, matrix and figure, and each of its errata.

``python -m isocost.paper`` prints the table. What is written comes from the paper (Finocchiaro, Ganson and Khurana,
"Smoothed Elicitation Complexity for Approximate Γ-calibration of Discrete Classification Tasks"), with the place; what
is computed comes from isocost. Theorems, propositions, lemmas, corollaries and figures are each counted on their own.
"""

from __future__ import annotations

from isocost.paper.calibration import calibration_checks
from isocost.paper.check import Check, Verdict
from isocost.paper.embedding_property import embedding_property_checks
from isocost.paper.errata import errata_checks
from isocost.paper.example import motivating_checks, surrogate_checks
from isocost.paper.figures import figure_checks
from isocost.paper.normals_property import normals_checks

__all__ = ["Check", "Verdict", "reproduce"]


def reproduce() -> list[Check]:
    """All checks, in the order of the paper, the errata last.

    Returns
    -------
    list of Check

    Examples
    --------
    >>> from isocost.paper import reproduce
    >>> checks = reproduce()
    >>> all(check.passed for check in checks), checks[-1].name
    (True, 'E21')
    """
    return [
        *motivating_checks(),
        *surrogate_checks(),
        *embedding_property_checks(),
        *normals_checks(),
        *figure_checks(),
        *calibration_checks(),
        *errata_checks(),
    ]
