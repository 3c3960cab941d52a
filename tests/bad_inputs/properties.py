"""Building a property and asking it."""

from __future__ import annotations

from typing import Any

import isocost as ic
from tests.bad_inputs import COST, INF, NAN, TABLE, Case, CostMatrix, smooth

__all__ = ["CASES"]

PROP: Any = smooth(COST)
ORDER: Any = COST.ordering()
ONE: Any = smooth(CostMatrix([[0, 3]]))
CROSSING = CostMatrix([[0, 1, 1, 2], [1, 0, 1, 2], [1, 1, 0, 3]], ["a", "b", "c"])
TOUCHING = CostMatrix.ordinal(["low", "mid", "high"], power=1, under=2)

CASES = [
    # -- smooth
    Case(
        "smooth-list",
        lambda: smooth(TABLE),
        ic.CostMatrixError,
        "smooth needs a CostMatrix; got list. Write ic.CostMatrix(table)",
    ),
    Case(
        "smooth-method",
        lambda: smooth(COST, method="smooth"),
        ic.CostMatrixError,
        'method must be "smoothest", "embedding", "normals" or "touching"; got \'smooth\'',
    ),
    Case("smooth-norm", lambda: smooth(COST, norm=3), ic.CostMatrixError, "norm must be 1, 2 or math.inf; got 3"),
    Case(
        "smooth-norm-owner",
        lambda: smooth(COST, method="normals", norm=2),
        ic.CostMatrixError,
        'norm belongs to method="smoothest" and method="touching"; got it with method="normals"',
    ),
    Case(
        "smooth-slack",
        lambda: smooth(COST, slack=0),
        ic.CostMatrixError,
        "slack must be a finite number above 0; got 0",
    ),
    Case(
        "smooth-slack-too-small",
        lambda: smooth(COST, slack=1e-30),
        ic.CostMatrixError,
        "slack=1e-30 puts knots closer together than double precision tells apart; take a larger one, or drop "
        "a decision whose boundaries all but touch",
    ),
    Case(
        "smooth-slack-owner",
        lambda: smooth(COST, method="embedding", slack=0.1),
        ic.CostMatrixError,
        'slack belongs to method="smoothest" and method="touching"; got it with method="embedding"',
    ),
    Case(
        "smooth-ratios-outside",
        lambda: smooth(COST, method="embedding", ratios=[100]),
        ic.CostMatrixError,
        "ratios[0] must lie in the admissible interval [0.5, 0.666667] (order.ratios) and be above 0; got 100",
    ),
    Case(
        "smooth-ratios-count",
        lambda: smooth(COST, method="embedding", ratios=[0.5, 0.5]),
        ic.CostMatrixError,
        "ratios must have length 1, one for each decision between the first and the last; got shape (2,)",
    ),
    Case(
        "smooth-ratios-owner",
        lambda: smooth(COST, ratios=[0.5]),
        ic.CostMatrixError,
        'ratios belongs to method="embedding"; got it with method="smoothest"',
    ),
    Case(
        "smooth-not-orderable",
        lambda: smooth(CROSSING),
        ic.NotOrderableError,
        'method="smoothest" needs a strongly orderable cost matrix; this one is not orderable. Decisions '
        "'a' and 'b' are neighbours, yet where both cost 1, at the distribution (0, 0, 1, 0), decision 'c' "
        "costs 0: a third decision cuts their boundary. ic.linear(cost) scores them with several numbers; "
        "cost.decide(P) decides from the probabilities themselves.",
    ),
    Case(
        "smooth-touching",
        lambda: smooth(TOUCHING, method="embedding"),
        ic.NotOrderableError,
        "method=\"embedding\" needs a strongly orderable cost matrix; this one is orderable. Decisions 'low',"
        " 'mid' and 'high' tie at the distribution (2/3, 0, 1/3), where all three cost 4/3: boundaries "
        "touch there, and a Lipschitz number leaves no room for 'mid' between them. method=\"touching\" gives 'mid' a "
        "single score; interior=0.01 makes room where no probability is below 0.01; ic.linear(cost) scores them with "
        "several numbers; cost.decide(P) decides from the probabilities themselves.",
    ),
    Case(
        "rescale-far",
        lambda: PROP.rescale(1e15, 1e15 + 2),
        ic.CostMatrixError,
        "double precision does not tell the knots apart in a range of 2 at 1e+15; choose a wider one or one nearer "
        "to 0",
    ),
    Case(
        "distances-norm",
        lambda: ORDER.distances(norm="1"),
        ic.CostMatrixError,
        "norm must be 1, 2 or math.inf; got '1'",
    ),
    # -- the property
    Case(
        "value-sum",
        lambda: PROP.value([[0.1, 0.2, 0.3, 0.48]]),
        ic.PredictionError,
        "Row 0 of `probabilities` sums to 1.08; rows must sum to 1 within 1e-06. Normalise it or pass normalize=True.",
    ),
    Case(
        "value-columns",
        lambda: PROP.value([[0.5, 0.5]]),
        ic.PredictionError,
        "`probabilities` must have one column for each of the 4 outcomes ['none', 'mild', 'moderate', "
        "'severe']; got 2 columns",
    ),
    Case(
        "decide-nan",
        lambda: PROP.decide([0.1, NAN]),
        ic.PredictionError,
        "scores must be finite numbers; score 1 is nan",
    ),
    Case("cell-text", lambda: PROP.cell(["high"]), ic.PredictionError, "scores must be numbers; got ['high']"),
    Case(
        "identification-labels",
        lambda: PROP.identification([0.1], ["mild"]),
        ic.PredictionError,
        "`y` must be outcome positions 0..3; got dtype <U4. cost.positions(labels) makes them",
    ),
    Case(
        "identification-range",
        lambda: PROP.identification([0.1, 0.2], [0, 4]),
        ic.PredictionError,
        "`y` must be outcome positions 0..3; got 4. cost.positions(labels) makes them",
    ),
    Case(
        "loss-lengths",
        lambda: PROP.loss([0.1, 0.2], [0, 1, 2]),
        ic.PredictionError,
        "`u` and `y` must have the same length; got (2,) and (3,)",
    ),
    Case("loss-inf", lambda: PROP.loss(INF, 0), ic.PredictionError, "scores must be finite numbers; score 0 is inf"),
    Case(
        "slope-float",
        lambda: PROP.slope([0.1], [1.0]),
        ic.PredictionError,
        "`y` must be outcome positions 0..3; got dtype float64. cost.positions(labels) makes them",
    ),
    Case(
        "level-set-nan",
        lambda: PROP.level_set(NAN),
        ic.PredictionError,
        "scores must be finite numbers; score 0 is nan",
    ),
    Case(
        "rescale-order",
        lambda: PROP.rescale(1, 0),
        ic.CostMatrixError,
        "rescale needs finite low < high; got 1 and 0",
    ),
    Case(
        "rescale-one",
        lambda: ONE.rescale(0, 1),
        ic.CostMatrixError,
        "a property with a single decision has no range to rescale",
    ),
    Case("lipschitz-norm", lambda: PROP.lipschitz(norm=3), ic.CostMatrixError, "norm must be 1, 2 or math.inf; got 3"),
    Case(
        "pair-one",
        lambda: ONE.lipschitz_pair(),
        ic.CostMatrixError,
        "only a positive finite constant has a pair that attains it; K is 0.0",
    ),
]
