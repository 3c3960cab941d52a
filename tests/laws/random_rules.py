"""Random rules of every kind: each property, each map of the score, swap maps, labels of each type."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

import numpy as np
from hypothesis import strategies as st

import isocost as ic
from isocost.comparisons import Ladder, table_at
from tests.laws.random_costs import METHODS, NORMS, distributions, orderable, strongly_orderable

__all__ = ["near_ties", "rule_of", "rules"]

MADE = date(2026, 11, 19)


@st.composite
def properties(draw: st.DrawFn) -> ic.SmoothProperty | ic.LinearProperty:
    """A property of each kind, of a cost matrix that allows it."""
    kind = draw(st.sampled_from(["strong", "touching", "interior", "linear"]))
    if kind == "touching":
        return ic.smooth(draw(orderable()), "touching", norm=draw(st.sampled_from(NORMS)))
    if kind == "interior":
        cost = draw(orderable())
        # At simple fractions an end cell can be as thin as rounding.
        floor = draw(st.sampled_from([0.4713, 0.5, 0.1037])) / len(cost.outcomes)
        try:
            return ic.smooth(cost, draw(st.sampled_from(METHODS)), interior=floor)
        except ic.NotOrderableError:
            return ic.linear(cost)
    if kind == "linear":
        random = np.random.default_rng(draw(st.integers(0, 2**32)))
        k, n = draw(st.integers(1, 6)), draw(st.integers(2, 6))
        return ic.linear(ic.CostMatrix(random.integers(0, 9, (k, n))))
    return ic.smooth(draw(strongly_orderable(outcomes=8)), draw(st.sampled_from(METHODS)))


@st.composite
def rules(draw: st.DrawFn) -> ic.DecisionRule:
    """A rule of a random property, with random maps."""
    prop = draw(properties())
    if isinstance(prop, ic.SmoothProperty) and len(prop.decisions) > 1 and draw(st.booleans()):
        with suppress(ic.CostMatrixError):  # doubles may not tell the knots apart there
            prop = prop.rescale(-3, 17)
    maps = ["none", "steps", "ramps", "keep", "auto"] if prop.dimension == 1 else ["none"]
    maps += ["affine"] if isinstance(prop, ic.LinearProperty) else []
    return rule_of(prop, draw(st.sampled_from(maps)), draw(st.booleans()), draw(st.integers(0, 2**32)))


def rule_of(prop: ic.SmoothProperty | ic.LinearProperty, name: str, swapped: bool, seed: int = 0) -> ic.DecisionRule:
    """A rule with a map by name, fitted on rows whose outcomes are off."""
    cost = prop.cost
    assert cost is not None
    random = np.random.default_rng(seed)
    n = len(cost.outcomes)
    P = random.dirichlet(np.ones(n), size=random.integers(3, 80))
    happened = (0.6 * P + 0.4 / n).cumsum(axis=1) > random.random(len(P))[:, None]
    y = [cost.outcomes[i] for i in happened.argmax(axis=1)]
    made: ic.IsotonicRecalibrator | ic.AffineRecalibrator | None = None
    if name == "affine":
        assert isinstance(prop, ic.LinearProperty)
        made = ic.AffineRecalibrator(prop).fit(P, y)
    elif name != "none":
        keep = {"keep": 0.3, "auto": "auto"}.get(name, 0.0)
        made = ic.IsotonicRecalibrator(prop, interpolate=name == "ramps", keep=keep).fit(P, y)  # type: ignore[arg-type]
    swap = ic.SwapRecalibrator(cost).fit(prop.decide(prop.value(P)), y) if swapped else None
    return ic.DecisionRule(prop, made, swap, date=MADE)


def near_ties(rule: ic.DecisionRule, rows: int = 60, seed: int = 0) -> np.ndarray:
    """Distributions everywhere, at vertices and edges, and on the boundaries of the rule to rounding."""
    cost = rule.cost
    random = np.random.default_rng(seed)
    n = len(cost.outcomes)
    made = [distributions(cost, rows, seed)]
    normals = [a - b for i, a in enumerate(cost.costs) for b in cost.costs[:i]]
    if isinstance(rule.comparisons, Ladder):
        normals += list(rule.comparisons.table[:, :n])
        if rule.score_map.jumps and len(rule.score_map.breaks):  # ties of the score with the jumps of its map
            jumps = random.choice(rule.score_map.breaks, size=10)
            normals = [*table_at(rule.prop, jumps, np.zeros(10, dtype=bool))[:, :n], *normals]
    for w in normals[:40]:
        up, down = np.flatnonzero(w > 0), np.flatnonzero(w < 0)
        if not (len(up) and len(down)):
            continue
        for _ in range(4):
            p = np.zeros(n)
            for _ in range(random.integers(1, 4)):
                y, z = random.choice(up), random.choice(down)
                share = w[z] / (w[z] - w[y])
                weight = random.random()
                p[y] += weight * share
                p[z] += weight * (1 - share)
            made.append(p[None, :] / p.sum())
    return np.vstack(made)
