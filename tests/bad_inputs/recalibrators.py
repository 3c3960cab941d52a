"""Fitting and asking recalibrators."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import isocost as ic
from tests.bad_inputs import COST, NAN, OUTCOMES, TABLE, Case, P, smooth

__all__ = ["CASES"]

PROP: Any = smooth(COST)
Isotonic: Any = ic.IsotonicRecalibrator
Swap: Any = ic.SwapRecalibrator
Affine: Any = ic.AffineRecalibrator
LINEAR: Any = ic.linear(ic.CostMatrix.ordinal(OUTCOMES))
Multi: Any = ic.Multicalibrator
GROUPS = "Groups are a dict of name to mask, an array of masks of shape (rows, groups), or one column of labels"
ISO = Isotonic(PROP)
MULTI = Multi(PROP)
SWAP = Swap(COST)
U = [0.1, 0.2]
Y = ["none", "mild"]

CASES = [
    Case(
        "iso-cost",
        lambda: Isotonic(COST),
        ic.CostMatrixError,
        "IsotonicRecalibrator needs a property; got CostMatrix. Write ic.smooth(cost) or ic.property_for(cost)",
    ),
    Case(
        "iso-many-numbers",
        lambda: Isotonic(ic.linear(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))),
        ic.CostMatrixError,
        "IsotonicRecalibrator needs a property of one number; this one has 2, which have no order. "
        "ic.SwapRecalibrator(cost) repairs the decisions of any cost matrix",
    ),
    Case(
        "iso-no-number",
        lambda: Isotonic(ic.linear(ic.CostMatrix([[0, 1, 1]]))),
        ic.CostMatrixError,
        "IsotonicRecalibrator needs a property of one number; this one has 0, which have no order. "
        "ic.SwapRecalibrator(cost) repairs the decisions of any cost matrix",
    ),
    Case(
        "iso-set-property",
        lambda: Isotonic(PROP).set_params(prop=TABLE).fit(U, Y),
        ic.CostMatrixError,
        "IsotonicRecalibrator needs a property; got list. Write ic.smooth(cost) or ic.property_for(cost)",
    ),
    Case(
        "iso-set-unknown",
        lambda: Isotonic(PROP).set_params(slack=1),
        ic.CostMatrixError,
        "IsotonicRecalibrator has the parameters prop, interpolate, keep, seed; got 'slack'",
    ),
    Case(
        "iso-keep",
        lambda: Isotonic(PROP, keep=1.5).fit(U, Y),
        ic.CostMatrixError,
        'keep must be a share from 0 to 1 or "auto"; got 1.5',
    ),
    Case(
        "affine-smooth",
        lambda: Affine(PROP),
        ic.CostMatrixError,
        "AffineRecalibrator needs a LinearProperty, ic.linear(cost); got SmoothProperty. "
        "ic.IsotonicRecalibrator repairs scores of one number",
    ),
    Case(
        "affine-prior",
        lambda: Affine(LINEAR, prior=-1).fit(P, ["none"]),
        ic.CostMatrixError,
        "prior must be a finite number of rows, at least 0; got -1",
    ),
    Case(
        "affine-shape",
        lambda: Affine(LINEAR).fit([0.1, 0.2], Y),
        ic.PredictionError,
        "scores must have shape (rows, 1); got shape (2,)",
    ),
    Case(
        "affine-lengths",
        lambda: Affine(LINEAR).fit(P, Y),
        ic.PredictionError,
        "scores and `y` must have the same length; got 1 and 2",
    ),
    Case(
        "affine-not-fitted",
        lambda: Affine(LINEAR).predict(P),
        ic.PredictionError,
        "AffineRecalibrator must be fitted before it predicts; call fit first",
    ),
    Case(
        "iso-unknown-outcome",
        lambda: ISO.fit(U, ["none", "worse"]),
        ic.PredictionError,
        "Row 1 of `y` is 'worse', which is not one of the labels 'none', 'mild', 'moderate', 'severe'.",
    ),
    Case(
        "iso-mixed-labels",
        lambda: Isotonic(smooth(ic.CostMatrix.ordinal([3, 4, 5]))).fit(U, [3, "4"]),
        ic.PredictionError,
        "Row 1 of `y` is '4', which is not one of the labels 3, 4, 5. The label 4 is of type int, the value of type "
        "str: convert one of them.",
    ),
    Case("iso-no-row", lambda: ISO.fit([], []), ic.PredictionError, "there must be at least one row; got none"),
    Case(
        "iso-lengths",
        lambda: ISO.fit(U, ["none"]),
        ic.PredictionError,
        "scores and `y` must have the same length; got 2 and 1",
    ),
    Case(
        "iso-nan",
        lambda: ISO.fit([0.1, NAN], Y),
        ic.PredictionError,
        "scores must be finite numbers; score 1 is nan",
    ),
    Case(
        "iso-scalar",
        lambda: ISO.fit(0.1, ["none"]),
        ic.PredictionError,
        "scores must have one dimension; got the single value 0.1. Write [score]",
    ),
    Case(
        "iso-columns",
        lambda: ISO.fit([[0.5, 0.5]], ["none"]),
        ic.PredictionError,
        f"`probabilities` must have one column for each of the 4 outcomes {OUTCOMES}; got 2 columns",
    ),
    Case(
        "iso-sum",
        lambda: ISO.fit([[0.1, 0.2, 0.3, 0.48]], ["none"]),
        ic.PredictionError,
        "Row 0 of `probabilities` sums to 1.08; rows must sum to 1 within 1e-06. Normalise it or pass normalize=True.",
    ),
    Case(
        "iso-ragged",
        lambda: ISO.fit([[0.5, 0.5], [1.0]], Y),
        ic.PredictionError,
        "`probabilities` must have rows of equal length; got ragged rows",
    ),
    Case(
        "iso-lazy",
        lambda: ISO.fit(pl.DataFrame({name: [0.25] for name in OUTCOMES}).lazy(), ["none"]),
        ic.PredictionError,
        "`probabilities` must be in memory; got a lazy frame. Call its collect() first",
    ),
    Case(
        "iso-weight-zero",
        lambda: ISO.fit(U, Y, sample_weight=[0, 0]),
        ic.PredictionError,
        "`sample_weight` must be above 0 somewhere; all its entries are 0",
    ),
    Case(
        "iso-weight-negative",
        lambda: ISO.fit(U, Y, sample_weight=[1, -2]),
        ic.PredictionError,
        "`sample_weight` must be finite and at least 0; entry 1 is -2",
    ),
    Case(
        "iso-weight-nan",
        lambda: ISO.fit(U, Y, sample_weight=[NAN, 1]),
        ic.PredictionError,
        "`sample_weight` must be finite and at least 0; entry 0 is nan",
    ),
    Case(
        "iso-weight-length",
        lambda: ISO.fit(U, Y, sample_weight=[1]),
        ic.PredictionError,
        "`sample_weight` must have one entry for each row, 2; got shape (1,)",
    ),
    Case(
        "iso-weight-text",
        lambda: ISO.fit(U, Y, sample_weight=["a", "b"]),
        ic.PredictionError,
        "`sample_weight` must be numbers; got ['a', 'b']",
    ),
    Case(
        "iso-weight-huge",
        lambda: ISO.fit(U, Y, sample_weight=[1e308, 1e308]),
        ic.PredictionError,
        "`sample_weight` must have a finite sum; divide all its entries by the same number",
    ),
    Case(
        "iso-not-fitted",
        lambda: Isotonic(PROP).predict(P),
        ic.PredictionError,
        "IsotonicRecalibrator must be fitted before it predicts; call fit first",
    ),
    Case(
        "iso-predict-nan",
        lambda: Isotonic(PROP).fit(U, Y).predict([NAN]),
        ic.PredictionError,
        "scores must be finite numbers; score 0 is nan",
    ),
    Case(
        "swap-table",
        lambda: Swap(np.zeros((2, 2))),
        ic.CostMatrixError,
        "SwapRecalibrator needs a CostMatrix; got ndarray. Write ic.CostMatrix(table)",
    ),
    Case(
        "swap-unknown-decision",
        lambda: SWAP.fit(["wait", "operate"], Y),
        ic.PredictionError,
        "Row 1 of `decisions` is 'operate', which is not one of the labels 'wait', 'test', 'treat'.",
    ),
    Case(
        "swap-unknown-outcome",
        lambda: SWAP.fit(["wait", "test"], ["none", 0]),
        ic.PredictionError,
        "Row 1 of `y` is 0, which is not one of the labels 'none', 'mild', 'moderate', 'severe'.",
    ),
    Case(
        "swap-lengths",
        lambda: SWAP.fit(["wait"], Y),
        ic.PredictionError,
        "`decisions` and `y` must have the same length; got 1 and 2",
    ),
    Case(
        "swap-no-row",
        lambda: SWAP.fit([], []),
        ic.PredictionError,
        "there must be at least one row; got none",
    ),
    Case(
        "swap-weight-zero",
        lambda: SWAP.fit(["wait", "test"], Y, sample_weight=[0, 0]),
        ic.PredictionError,
        "`sample_weight` must be above 0 somewhere; all its entries are 0",
    ),
    Case(
        "swap-not-fitted",
        lambda: Swap(COST).predict(["wait"]),
        ic.PredictionError,
        "SwapRecalibrator must be fitted before it predicts; call fit first",
    ),
    Case(
        "swap-predict-unknown",
        lambda: Swap(COST).fit(["wait"], ["none"]).predict([0]),
        ic.PredictionError,
        "Row 0 of `decisions` is 0, which is not one of the labels 'wait', 'test', 'treat'.",
    ),
    # -- groups
    Case(
        "multi-tolerance",
        lambda: Multi(PROP, tolerance=0).fit(U, Y, ["a", "b"]),
        ic.CostMatrixError,
        "tolerance must be at least 1e-09 and below inf; got 0",
    ),
    Case(
        "multi-holdout",
        lambda: Multi(PROP, holdout=1).fit(U, Y, ["a", "b"]),
        ic.CostMatrixError,
        "holdout must be at least 0 and below 1; got 1",
    ),
    Case(
        "multi-cost",
        lambda: Multi(COST),
        ic.CostMatrixError,
        "Multicalibrator needs a property; got CostMatrix. Write ic.smooth(cost) or ic.property_for(cost)",
    ),
    Case(
        "multi-no-row",
        lambda: MULTI.fit([], [], []),
        ic.PredictionError,
        "there must be at least one row; got none",
    ),
    Case(
        "multi-group-length",
        lambda: MULTI.fit(U, Y, ["a"]),
        ic.PredictionError,
        "every group must have one entry for each row, 2; 'a' has 1",
    ),
    Case(
        "multi-mask-numbers",
        lambda: MULTI.fit(U, Y, {"old": [0, 1]}),
        ic.PredictionError,
        f"a mask must be a column of bool; that of 'old' has dtype int64. {GROUPS}",
    ),
    Case(
        "multi-ragged",
        lambda: MULTI.fit(U, Y, [[True], [True, False]]),
        ic.PredictionError,
        f"groups must have rows of equal length; got ragged rows. {GROUPS}",
    ),
    Case(
        "multi-cube",
        lambda: MULTI.fit(U, Y, np.ones((2, 1, 1), dtype=bool)),
        ic.PredictionError,
        f"groups must have one or two dimensions; got shape (2, 1, 1). {GROUPS}",
    ),
    Case(
        "multi-other-groups",
        lambda: Multi(PROP).fit(U, Y, {"old": [True, False]}).predict(U, {"new": [True, False]}),
        ic.PredictionError,
        "groups must be those of the fit, masks 'old'; got masks 'new'",
    ),
    Case(
        "multi-labels-for-masks",
        lambda: Multi(PROP).fit(U, Y, {"old": [True, False]}).predict(U, ["a", "b"]),
        ic.PredictionError,
        "groups must be those of the fit, masks 'old'; got shape (2,)",
    ),
    Case(
        "multi-unknown-label",
        lambda: Multi(PROP).fit(U, Y, ["a", "b"]).predict(U, ["a", "c"]),
        ic.PredictionError,
        "Row 1 of `groups` is 'c', which is not one of the labels 'a', 'b'.",
    ),
    Case(
        "multi-not-fitted",
        lambda: Multi(PROP).predict(U, ["a", "b"]),
        ic.PredictionError,
        "Multicalibrator must be fitted before it predicts; call fit first",
    ),
]
