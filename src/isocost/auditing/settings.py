"""What an audit is asked for, checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from isocost.exceptions import PredictionError
from isocost.ordering import checked_norm

__all__ = ["Settings", "checked_level"]


@dataclass(frozen=True)
class Settings:
    """Bins, norm, level, resamples and seed of an audit."""

    bins: int
    norm: float
    level: float
    resamples: int
    seed: int

    def __post_init__(self) -> None:
        checked_norm(self.norm)
        checked_level(self.level)
        for name, least in (("bins", 1), ("resamples", 0), ("seed", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
                raise PredictionError(f"{name} must be a whole number, at least {least}; got {value!r}")

    def for_groups(self, groups: int) -> Self:
        """The same at a level such that the intervals of all groups hold together (Bonferroni)."""
        return replace(self, level=1 - (1 - self.level) / groups) if groups > 1 else self


def checked_level(level: float, name: str = "level") -> None:
    """Refuse a level that is not strictly between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, (int, float, np.number)) or not 0 < level < 1:
        raise PredictionError(f"{name} must be between 0 and 1, such as 0.95; got {level!r}")
