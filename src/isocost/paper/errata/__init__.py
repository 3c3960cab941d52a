"""The errata E1 to E21 of the paper: each computes the written and the right statement."""

from __future__ import annotations

from isocost.paper.check import Check
from isocost.paper.errata.bounds import bound_errata
from isocost.paper.errata.constructions import construction_errata
from isocost.paper.errata.definitions import definition_errata
from isocost.paper.errata.worked import worked_errata

__all__ = ["errata_checks"]


def errata_checks() -> list[Check]:
    """E1 to E21, in this order.

    Examples
    --------
    >>> [check.name for check in errata_checks()] == [f"E{i}" for i in range(1, 22)]
    True
    """
    found = [*construction_errata(), *definition_errata(), *worked_errata(), *bound_errata()]
    return sorted(found, key=lambda check: int(check.name[1:]))
