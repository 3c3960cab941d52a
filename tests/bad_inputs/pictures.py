"""Pictures, the page of an audit, the paper's files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import isocost as ic
from isocost import paper, plot, report
from tests.bad_inputs import COST, Case

__all__ = ["CASES"]

PLOT: Any = plot
PAGE: Any = report
THREE: Any = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], ["wait", "test", "treat"], ["mild", "moderate", "severe"])
PROP: Any = ic.smooth(THREE)
FOUND: Any = ic.audit(THREE, ["mild"], decisions=["wait"])
SCORED: Any = ic.audit(THREE, ["mild"], probabilities=[[1, 0, 0]], resamples=0)
ALWAYS: Any = ic.audit(ic.CostMatrix([[0, 0], [1, 1]]), [0, 1], probabilities=[[0.5, 0.5]] * 2, resamples=2)
HERE = Path(__file__)


def case(name: str, call: Any, message: str, error: type[ic.IsocostError] = ic.PredictionError) -> Case:
    return Case(name, call, error, message)


CASES = [
    case(
        "simplex-four-outcomes",
        lambda: PLOT.simplex(ic.smooth(COST)),
        "plot.simplex draws a triangle, so there must be 3 outcomes; got 4. Merge outcomes in the cost matrix, or draw "
        "plot.ladder(prop), which takes any number of them",
        ic.CostMatrixError,
    ),
    case(
        "simplex-cost",
        lambda: PLOT.simplex(THREE),
        "plot.simplex draws a SmoothProperty or a LinearProperty; got CostMatrix. Write ic.smooth(cost) or "
        "ic.linear(cost)",
        ic.CostMatrixError,
    ),
    case(
        "simplex-point",
        lambda: PLOT.simplex(PROP, point=[0.5, 0.5]),
        "`probabilities` must have one column for each of the 3 outcomes ['mild', 'moderate', 'severe']; got 2 columns",
    ),
    case(
        "ladder-several-numbers",
        lambda: PLOT.ladder(ic.linear(ic.CostMatrix(1 - np.eye(4)))),
        "plot.ladder draws a score of one number; this property needs 3, as the decisions do not line up on one. "
        "plot.certificate draws its audit",
        ic.CostMatrixError,
    ),
    case(
        "ladder-two-sources",
        lambda: PLOT.ladder(PROP, predictions=[[1, 0, 0]], scores=[0.5]),
        "plot.ladder takes one of an audit, `predictions` and `scores`; got more than one",
    ),
    case(
        "ladder-scores",
        lambda: PLOT.ladder(PROP, scores=[[0.5, 0.5]]),
        "`scores` must be one number a row, at least one row; got shape (1, 2)",
    ),
    case(
        "identification-cost",
        lambda: PLOT.identification(THREE),
        "plot.identification draws a SmoothProperty or a LinearProperty; got CostMatrix. Write ic.smooth(cost) or "
        "ic.linear(cost)",
        ic.CostMatrixError,
    ),
    case(
        "reliability-decisions",
        lambda: PLOT.reliability(FOUND),
        "this audit has no reliability curve, as it has no scores of a smooth property. Draw plot.certificate(audit), "
        "or audit probabilities or scores",
    ),
    case(
        "reliability-resamples",
        lambda: PLOT.reliability(SCORED),
        "this audit has no reliability curve, as it was asked for no resamples. Audit with resamples=200",
    ),
    case(
        "reliability-one-decision",
        lambda: PLOT.reliability(ALWAYS),
        "plot.reliability has nothing to draw: one decision is always best, so all scores are the same",
    ),
    case(
        "certificate-property",
        lambda: PLOT.certificate(PROP),
        "plot.certificate draws an Audit; got SmoothProperty. Write ic.audit(cost, y, ...)",
    ),
    case(
        "page-ending",
        lambda: FOUND.to_html("audit.pdf"),
        "a page must end in .html or .htm; got audit.pdf",
    ),
    case(
        "page-command",
        lambda: PAGE.page_text(FOUND, command=["isocost", "audit"]),
        "command must be text; got ['isocost', 'audit']",
    ),
    case(
        "page-folder",
        lambda: FOUND.to_html("no-such-folder/audit.html"),
        "no-such-folder must be an existing folder; make it before writing audit.html",
    ),
    case(
        "page-of-a-property",
        lambda: PAGE.page_text(PROP),
        "a page is made of an Audit; got SmoothProperty. Write ic.audit(cost, y, ...)",
    ),
    case(
        "paper-folder-is-a-file",
        lambda: paper.files.write_reproduction(HERE, []),
        f"{HERE} must be a folder; it is a file. Choose another name",
        ic.IsocostError,
    ),
]
