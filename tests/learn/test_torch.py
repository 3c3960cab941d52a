"""SurrogateLoss and PropertyLayer: values and derivatives of every construction."""

from __future__ import annotations

import copy
import io
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.autograd import gradcheck

import isocost as ic
from isocost.learn.torch import PropertyLayer, SurrogateLoss
from tests.learn.data import COST, ZERO_ONE, graded

ABSOLUTE = ic.CostMatrix.ordinal(range(3), power=1)
PROPERTIES: list[Any] = [
    ic.smooth(COST, "embedding"),
    ic.smooth(COST),
    ic.smooth(COST, "normals"),
    ic.smooth(ABSOLUTE, "touching"),
    ic.smooth(ABSOLUTE, interior=0.1),
    ic.linear(ic.CostMatrix.ordinal(range(4))),
    ic.linear(ZERO_ONE),
]
NAMES = ["embedding", "smoothest", "normals", "touching", "interior", "one number", "three numbers"]
each_property = pytest.mark.parametrize("prop", PROPERTIES, ids=NAMES)
Loss: Any = SurrogateLoss


def scores_of(prop: Any, rows: int = 200) -> tuple[Any, Any]:
    """Scores away from knots, and positions of outcomes."""
    random = np.random.default_rng(0)
    y = random.integers(0, len(prop.outcomes), rows)
    if isinstance(prop, ic.LinearProperty):
        return random.normal(size=(rows, prop.dimension)), y
    u = random.uniform(prop.knots[0] - 1, prop.knots[-1] + 1, rows)
    near = np.abs(u[:, None] - prop.knots).min(axis=1) < 1e-4
    return np.where(near, u + 3e-4, u), y


@each_property
def test_the_loss_is_that_of_the_property(prop: Any) -> None:
    u, y = scores_of(prop)
    w = np.random.default_rng(1).exponential(size=len(y))
    scores = torch.tensor(u, requires_grad=True)
    found = {kind: Loss(prop, kind)(scores, torch.tensor(y)) for kind in ("none", "sum", "mean")}
    losses = prop.loss(u, y)
    assert found["none"].detach().numpy() == pytest.approx(losses, rel=1e-12, abs=1e-14)
    assert found["sum"].item() == pytest.approx(losses.sum())
    assert found["mean"].item() == pytest.approx(losses.mean())
    weighted = SurrogateLoss(prop)(scores, torch.tensor(y), torch.tensor(w))
    assert weighted.item() == pytest.approx(np.average(losses, weights=w))
    weighted.backward()
    V = prop.identification(u, y)
    expected = (w / w.sum()).reshape(-1, *[1] * (V.ndim - 1)) * V
    assert scores.grad is not None
    assert scores.grad.numpy() == pytest.approx(expected, rel=1e-10, abs=1e-14)


@each_property
def test_gradcheck_of_the_loss(prop: Any) -> None:
    u, y = scores_of(prop, 40)
    loss, at = SurrogateLoss(prop, "none"), torch.tensor(y)
    assert gradcheck(lambda scores: loss(scores, at), torch.tensor(u, requires_grad=True))


@each_property
def test_the_layer_is_the_property_and_differentiates(prop: Any) -> None:
    """Its gradient agrees with ``prop.gradient`` along the simplex; gradcheck agrees with finite steps."""
    n = len(prop.outcomes)
    P = np.random.default_rng(2).dirichlet(np.full(n, 2.0), size=100)
    layer = PropertyLayer(prop)
    at = torch.tensor(P, requires_grad=True)
    found = layer(at)
    assert found.detach().numpy() == pytest.approx(prop.value(P), rel=1e-12, abs=1e-14)
    assert layer(torch.eye(n, dtype=torch.float64)).numpy() == pytest.approx(prop.value(np.eye(n)), abs=1e-12)
    if found.ndim == 1:
        found.sum().backward()
        assert at.grad is not None
        both = [at.grad.numpy(), prop.gradient(P)]
        one, other = (g - g.mean(axis=1, keepdims=True) for g in both)
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9)
    logits = torch.tensor(np.log(P[:30]), requires_grad=True)
    assert gradcheck(lambda x: layer(torch.softmax(x, dim=1)), logits, eps=1e-7, atol=1e-4)


@each_property
def test_floats_of_half_the_width_and_copies(prop: Any) -> None:
    u, y = scores_of(prop)
    loss = SurrogateLoss(prop)
    small = loss(torch.tensor(u, dtype=torch.float32), torch.tensor(y))
    assert small.dtype == torch.float32
    assert small.item() == pytest.approx(prop.loss(u, y).mean(), rel=1e-4)
    P = torch.tensor(np.random.default_rng(3).dirichlet(np.ones(len(prop.outcomes)), 50), dtype=torch.float32)
    layer = PropertyLayer(prop)
    assert layer(P).dtype == torch.float32
    file = io.BytesIO()
    torch.save(layer, file)
    file.seek(0)
    assert torch.equal(torch.load(file, weights_only=False)(P), layer(P))
    assert torch.equal(copy.deepcopy(layer)(P), layer(P))
    assert not loss.state_dict()
    assert repr(prop) in repr(loss)


def test_a_network_learns_to_decide() -> None:
    """Both ways: a score trained on its loss, and a softmax trained through the layer."""
    X, y = graded(1000)
    features, labels = torch.tensor(X, dtype=torch.float32), torch.tensor(COST.positions(y))
    prop = ic.smooth(COST, "embedding")
    for tail in (nn.Linear(16, 1), nn.Sequential(nn.Linear(16, 4), nn.Softmax(dim=1), PropertyLayer(prop))):
        torch.manual_seed(0)
        body = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), tail)
        criterion = SurrogateLoss(prop)
        steps = torch.optim.Adam(body.parameters(), lr=0.02)
        for _ in range(200):
            steps.zero_grad()
            loss = criterion(body(features), labels)
            loss.backward()
            steps.step()
        scores = body(features).detach().numpy().reshape(-1)
        taken = [COST.decisions.index(d) for d in prop.decide(scores)]
        cost = COST.costs[taken, labels.numpy()].mean()
        assert cost < 0.6 * COST.costs[:, labels.numpy()].mean(axis=1).min()


def test_bad_tensors() -> None:
    prop, lin = PROPERTIES[0], PROPERTIES[-1]
    y = torch.tensor([0, 1])
    with pytest.raises(
        ic.PredictionError, match=r"scores must have shape \(rows, 1\) and `y` \(rows,\); got \(3,\) and"
    ):
        SurrogateLoss(prop)(torch.zeros(3), y)
    with pytest.raises(ic.PredictionError, match=r"scores must have shape \(rows, 3\)"):
        SurrogateLoss(lin)(torch.zeros(2), y)
    with pytest.raises(ic.PredictionError, match=r"probabilities must have shape \(rows, 4\); got \(4,\)"):
        PropertyLayer(prop)(torch.zeros(4))
    with pytest.raises(ic.CostMatrixError, match='reduction must be "mean", "sum" or "none"; got \'max\''):
        Loss(prop, "max")
    with pytest.raises(ic.CostMatrixError, match="an objective needs a property; got CostMatrix"):
        Loss(COST)
