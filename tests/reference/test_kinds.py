"""Every row of the table of theory.md section 2, and the published matrices."""

from __future__ import annotations

import numpy as np
import pytest

import isocost as ic
from isocost.ordering import Ordering

STRONG, ORDERABLE, NONE = ic.OrderKind.STRONG, ic.OrderKind.ORDERABLE, ic.OrderKind.NONE

# NCHRP/NAP 25206 (2018), Appendix C: costs of a crash by severity, in 2001 US dollars.
CRASH = (7400, 44900, 79000, 216600, 4008900)
# Kuhn & Johnson, Applied Predictive Modeling (2013), ch. 17; rows are the true classes.
HPC = [[0, 1, 1, 1], [1, 0, 1, 1], [5, 5, 0, 1], [10, 5, 1, 0]]
# KDD Cup 1999 scoring matrix (normal, probe, DOS, U2R, R2L); rows are the true classes.
KDD = [[0, 1, 2, 2, 2], [1, 0, 2, 2, 2], [2, 1, 0, 2, 2], [3, 2, 2, 0, 2], [4, 2, 2, 2, 0]]
ABSTAIN = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def pinball(level: str, n: int) -> ic.CostMatrix:
    return ic.CostMatrix.ordinal(range(n), power=1, under=level, over=str(1 - float(level)))


def shares(k: int, n: int) -> ic.CostMatrix:
    return ic.CostMatrix.actions(
        action_cost=[r**2 for r in range(k)], harm_share=[f"{k - r}/{k}" for r in range(k)], severity=range(n)
    )


TABLE: list[tuple[str, ic.CostMatrix, ic.OrderKind]] = [
    ("squared", ic.CostMatrix.ordinal(range(5)), STRONG),
    ("quadratic kappa", ic.CostMatrix([[(r - y) ** 2 / 16 for y in range(5)] for r in range(5)]), STRONG),
    ("power 1.5", ic.CostMatrix.ordinal(range(7), power=1.5), STRONG),
    ("power 1.01", ic.CostMatrix.ordinal(range(4), power="1.01"), STRONG),
    ("asymmetric squared", ic.CostMatrix.ordinal(range(6), under=10), STRONG),
    ("action cost and share of severity", shares(4, 9), STRONG),
    ("two outcomes", ic.CostMatrix([[0, 9], [1, 3], [5, 1], [9, 0], [9, 9]]), STRONG),
    ("two outcomes, one decision left", ic.CostMatrix([[0, 1], [1, 2]]), STRONG),
    ("the paper's", ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), STRONG),
    ("E2", ic.CostMatrix([[0, 1, 4], [1, 1, 1.5], [4, 2, 0]]), STRONG),
    ("Statlog credit and heart", ic.CostMatrix([[0, 1], [5, 0]], rows="outcomes"), STRONG),
    ("absolute error", ic.CostMatrix.ordinal(range(5), power=1), ORDERABLE),
    ("median of three", ic.CostMatrix.ordinal(range(3), power=1), ORDERABLE),
    ("pinball .8", pinball("0.8", 3), ORDERABLE),
    ("pinball .8 in floats", ic.CostMatrix([[max(0.8 * (y - r), 0.2 * (r - y)) for y in range(6)] for r in range(6)]),
     ORDERABLE),
    ("pinball .1", pinball("0.1", 7), ORDERABLE),
    ("crash costs", ic.CostMatrix([[abs(a - b) for b in CRASH] for a in CRASH]), ORDERABLE),
    ("|v - v| in floats", ic.CostMatrix(np.abs(np.subtract.outer([0.1, 0.2, 0.7], [0.1, 0.2, 0.7]))), ORDERABLE),
    ("|v - v| in single precision",
     ic.CostMatrix(np.abs(np.subtract.outer([0.1, 0.2, 0.7], [0.1, 0.2, 0.7])).astype(np.float32)), ORDERABLE),
    ("0-1", ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), NONE),
    ("abstain .3", ic.CostMatrix([*ABSTAIN, [0.3] * 3]), NONE),
    ("abstain .5", ic.CostMatrix([*ABSTAIN, [0.5] * 3]), NONE),
    ("abstain .6", ic.CostMatrix([*ABSTAIN, [0.6] * 3]), NONE),
    ("square root", ic.CostMatrix.ordinal(range(5), power=0.5), NONE),
    ("KDD Cup 1999", ic.CostMatrix(KDD, rows="outcomes"), NONE),
    ("HPC job scheduling", ic.CostMatrix(HPC, rows="outcomes"), NONE),
]  # fmt: skip


@pytest.mark.parametrize(("cost", "kind"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_kind(cost: ic.CostMatrix, kind: ic.OrderKind) -> None:
    assert cost.ordering().kind is kind


def test_two_outcomes_are_pruned() -> None:
    order = ic.CostMatrix([[0, 9], [1, 3], [5, 1], [9, 0], [9, 9]]).ordering()
    assert order.decisions == (0, 1, 2, 3)
    assert dict(order.dropped) == {4: "never cheaper than 0"}


def test_words_of_a_reader() -> None:
    assert [str(kind) for kind in (STRONG, ORDERABLE, NONE)] == [
        "strongly orderable",
        "orderable",
        "not orderable",
    ]
    assert repr(ic.CostMatrix.ordinal(["a", "c"]).ordering()).startswith("Ordering: strongly orderable")


def test_what_does_not_apply_says_so() -> None:
    for cost in (TABLE[11][1], TABLE[19][1]):
        for method in ("embedding", "normals", "smoothest"):
            with pytest.raises(ic.NotOrderableError, match="needs a strongly orderable cost matrix") as caught:
                ic.smooth(cost, method)
            assert isinstance(caught.value.ordering, Ordering)
            assert caught.value.ordering.witness is not None
            assert "cost.decide(P)" in str(caught.value)
