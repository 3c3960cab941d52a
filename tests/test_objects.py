"""Manners of the objects: pickles, equality, frozen arrays, words."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import isocost as ic

COST = ic.CostMatrix(
    [[0, 3, 5, 9], [1, 0, 3, 4], [3, 1, 0, 0]],
    decisions=["wait", "test", "treat"],
    outcomes=["none", "mild", "moderate", "severe"],
)


def test_an_ordering_survives_a_pickle() -> None:
    order = COST.ordering()
    again = pickle.loads(pickle.dumps(order))
    assert (again.kind, again.decisions, again.dropped) == (order.kind, order.decisions, order.dropped)
    assert (again.normals == order.normals).all()
    assert again.margin == order.margin


def test_a_property_survives_a_pickle_and_copies_are_equal() -> None:
    prop = ic.smooth(COST)
    again = pickle.loads(pickle.dumps(prop))
    assert again == prop
    assert hash(again) == hash(prop)
    assert again != prop.rescale(0, 1)
    for same in (again, copy.deepcopy(prop)):
        assert not any(array.flags.writeable for array in (same.knots, same.values, same.cuts))
    assert prop != "prop"


def test_the_error_carries_the_ordering_through_a_pickle() -> None:
    with pytest.raises(ic.NotOrderableError) as caught:
        ic.smooth(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.ordering.witness == caught.value.ordering.witness


def test_nothing_can_be_changed() -> None:
    prop, order = ic.smooth(COST), COST.ordering()
    for array in (prop.knots, prop.values, prop.cuts, order.normals, order.ratios):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    for thing, name in ((prop, "cuts"), (order, "kind"), (COST, "costs")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)


def test_words() -> None:
    assert repr(ic.smooth(COST, "normals")) == "SmoothProperty (normals): 'wait' | 0 | 'test' | 1 | 'treat'"
    many = repr(ic.smooth(ic.CostMatrix.ordinal(range(40))))
    assert many.endswith("… 39")
    assert len(many) < 200
    lines = repr(ic.CostMatrix([[0, 1], [1, 0], [2, 2]], decisions=["a", "b", "c"]).ordering()).splitlines()
    assert lines == ["Ordering: strongly orderable", "decisions: 'a', 'b'", "dropped 'c': never cheaper than 'a'"]


def test_an_ordering_can_be_smoothed_again_without_ordering_anew() -> None:
    assert ic.smooth(COST.ordering()) == ic.smooth(COST)


def test_rescaling_changes_units_only() -> None:
    P = np.random.default_rng(0).dirichlet(np.ones(4), size=50)
    for method in ("smoothest", "embedding", "normals"):
        prop = ic.smooth(COST, method)
        moved = prop.rescale(-3, 5)
        factor = 8 / (prop.range[1] - prop.range[0])
        assert moved.range == pytest.approx((-3, 5))
        assert moved.value(P) == pytest.approx(-3 + factor * (prop.value(P) - prop.range[0]))
        assert (moved.decide(moved.value(P)) == prop.decide(prop.value(P))).all()
        assert moved.lipschitz() == pytest.approx(factor * prop.lipschitz())
        assert moved.smoothness() == pytest.approx(prop.smoothness())
        beyond = moved.knots[-1] + 1.0
        assert moved.slope(beyond, np.arange(4)).tolist() == [1.0] * 4


def test_the_gradient_is_that_of_finite_steps() -> None:
    """Central differences along directions that sum to 0, away from knots."""
    random = np.random.default_rng(1)
    P = random.dirichlet(np.full(4, 5.0), size=200)
    directions = random.normal(size=P.shape)
    directions -= directions.mean(axis=1, keepdims=True)
    for method in ("smoothest", "embedding", "normals"):
        prop = ic.smooth(COST, method)
        u = prop.value(P)
        step = 1e-6 * P.min(axis=1, keepdims=True)
        there, back = prop.value(P + step * directions), prop.value(P - step * directions)
        smooth = np.searchsorted(prop.knots, there) == np.searchsorted(prop.knots, back)
        slopes = ((there - back) / (2 * step[:, 0]))[smooth]
        found = (prop.gradient(P) * directions).sum(axis=1)[smooth]
        assert smooth.sum() > 150
        assert slopes == pytest.approx(found, rel=1e-3, abs=1e-4 * np.abs(found).max())
        assert np.isfinite(u).all()
