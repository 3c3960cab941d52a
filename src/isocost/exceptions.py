"""Errors: what must hold, what came, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isocost.ordering import Ordering

__all__ = [
    "CostMatrixError",
    "IsocostError",
    "NotOrderableError",
    "PredictionError",
    "RuleError",
]


class IsocostError(ValueError):
    """Base class of every error that isocost raises on purpose."""


class CostMatrixError(IsocostError):
    """A cost matrix, its labels, its file or a construction's parameter is not usable."""


class PredictionError(IsocostError):
    """Probabilities, scores, outcomes or decisions are not usable."""


class RuleError(IsocostError):
    """A decision rule, its file or what it is exported to is not usable."""


class NotOrderableError(IsocostError):
    """The chosen construction does not apply to this cost matrix.

    Parameters
    ----------
    message : str
        Names the decisions, the witness distribution and the way out.
    ordering : Ordering
        What was found: ``ordering.kind`` and ``ordering.witness``.
    """

    def __init__(self, message: str, ordering: Ordering) -> None:
        super().__init__(message)
        self.ordering = ordering

    def __reduce__(self) -> tuple[type[NotOrderableError], tuple[str, Ordering]]:
        return type(self), (str(self), self.ordering)
