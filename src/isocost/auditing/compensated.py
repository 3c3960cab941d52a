"""Arrays of sums that carry their rounding errors, so that the parts of a sum may be added in any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["Compensated"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Compensated:
    """The unevaluated sum `total` + `rest`, about twice as precise as a double.

    Examples
    --------
    >>> big, small = (Compensated(np.array([x]), np.zeros(1)) for x in (1e16, 1.0))
    >>> (big + small + Compensated(np.array([-1e16]), np.zeros(1))).value.tolist()
    [1.0]
    """

    total: Floats
    rest: Floats

    @classmethod
    def zeros(cls, shape: tuple[int, ...]) -> Self:
        """No rows yet."""
        return cls(np.zeros(shape), np.zeros(shape))

    def __add__(self, other: Self) -> Self:
        s = self.total + other.total
        part = s - self.total
        error = (self.total - (s - part)) + (other.total - part)
        return type(self)(s, error + self.rest + other.rest)

    @property
    def value(self) -> Floats:
        """The nearest doubles."""
        return self.total + self.rest
