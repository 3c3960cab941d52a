"""Random finite instances for any property: predictors near and far from the truth, shared scores, scores at a cut."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import isocost as ic
from isocost.auditing.instances import Instance

__all__ = ["SEEDS", "calibrated", "instance"]

SEEDS = st.integers(0, 2**32)


def _rows(random: np.random.Generator, m: int, prop: ic.Property) -> np.ndarray:
    """Distributions, inside Δ_η for a property that asks for it; sometimes near the rim or each other."""
    n = len(prop.outcomes)
    rows = random.dirichlet(np.full(n, random.choice([0.2, 1.0, 10.0])), size=m)
    if random.random() < 0.3:
        rows = 0.8 * rows[:1] + 0.2 * rows
    floor = getattr(prop, "interior", 0.0)
    return np.asarray(floor + (1 - n * floor) * rows)


def instance(prop: ic.Property, seed: int, predictor: bool = False) -> Instance:
    """An instance; with `predictor` its scores are Γ(f(x)), else off by noise of their own."""
    random = np.random.default_rng(seed)
    m = int(random.integers(1, 9))
    mass, labels = random.dirichlet(np.ones(m)) + 1e-3, _rows(random, m, prop)
    off = 10.0 ** random.uniform(-4, 0)
    predicted = (1 - off) * labels + off * _rows(random, m, prop)
    if random.random() < 0.3:
        predicted[m // 2 :] = predicted[0]
    if predictor:
        return Instance.of_predictor(prop, mass, predicted, labels)
    scores = prop.value(predicted)
    if isinstance(prop, ic.SmoothProperty):
        low, high = prop.range
        scores = scores + random.normal(size=m) * off * (high - low) * random.choice([0.0, 0.1])
        if len(prop.cuts) and random.random() < 0.2:
            scores[-1] = random.choice(prop.cuts)
    if random.random() < 0.3:
        scores[m // 2 :] = scores[-1]
    return Instance(mass, scores, labels)


def calibrated(prop: ic.Property, seed: int) -> Instance:
    """Scores that are exactly Γ(D_{Y|g})."""
    random = np.random.default_rng(seed)
    m = int(random.integers(1, 9))
    labels = _rows(random, m, prop)
    return Instance(random.dirichlet(np.ones(m)) + 1e-3, prop.value(labels), labels)
