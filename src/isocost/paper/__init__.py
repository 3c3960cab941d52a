"""The paper, recomputed: every number, closed form, matrix and figure, and each of its errata.

``python -m isocost.paper`` prints the table, ``--out FOLDER`` writes it with the figures.

What is written comes from the paper (Finocchiaro, Ganson and Khurana,
"Smoothed Elicitation Complexity for Approximate Γ-calibration of Discrete Classification Tasks"), with the place; what
is computed comes from isocost. Theorems, propositions, lemmas, corollaries and figures are each counted on their own.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from isocost.paper.calibration import calibration_checks
from isocost.paper.check import Check, Verdict
from isocost.paper.embedding_property import embedding_property_checks
from isocost.paper.errata import errata_checks
from isocost.paper.example import motivating_checks, surrogate_checks
from isocost.paper.figures import figure_checks
from isocost.paper.files import write_reproduction
from isocost.paper.normals_property import normals_checks

__all__ = ["Check", "Verdict", "reproduce", "write"]


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


def write(folder: str | PathLike[str], overwrite: bool = False) -> list[Path]:
    """Write the figures redrawn, with the errata marked, and all numbers, into a folder.

    Parameters
    ----------
    folder : path
        Made where it does not exist.
    overwrite : bool
        Whether files of an earlier run may be replaced.

    Returns
    -------
    list of Path
        ``figure_2a``, ``figure_2b`` and ``figure_3`` as svg and png; ``numbers.md`` and ``numbers.csv``, every check;
        ``properties.csv``, V at the knots, cuts and constants; ``level_sets.csv``, the ends of every line drawn.

    Examples
    --------
    >>> import tempfile
    >>> from isocost.paper import write
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write(folder)][-4:]
    ['numbers.md', 'numbers.csv', 'properties.csv', 'level_sets.csv']
    """
    return write_reproduction(folder, reproduce(), overwrite)
