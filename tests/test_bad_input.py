"""Every wrong input gets one clear message: what must hold, what came and where, what to do."""

from __future__ import annotations

import pytest

from tests.bad_inputs import (
    Case,
    audits,
    cost_matrices,
    frames,
    instances,
    learn,
    pictures,
    predictions,
    properties,
    recalibrators,
    rules,
)

CASES = [
    *cost_matrices.CASES,
    *predictions.CASES,
    *properties.CASES,
    *recalibrators.CASES,
    *instances.CASES,
    *audits.CASES,
    *learn.CASES,
    *pictures.CASES,
    *rules.CASES,
    *frames.CASES,
]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_a_wrong_input_gets_its_message(case: Case) -> None:
    with pytest.raises(case.error) as caught:
        case.call()
    assert type(caught.value) is case.error
    assert str(caught.value) == case.message


def test_the_table_is_large_and_names_each_case_once() -> None:
    assert len({case.id for case in CASES}) == len(CASES) >= 50
