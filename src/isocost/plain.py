"""Plain JSON values: what results are made of, without NaN and Infinity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["to_plain"]


def to_plain(value: Any) -> Any:
    """Dicts, lists, numbers and text alone; infinite and missing numbers as "inf", "-inf" and None.

    Examples
    --------
    >>> to_plain({"K": float("inf"), 2: (0.5, float("nan"))})
    {'K': 'inf', '2': [0.5, None]}
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "_asdict"):
        return to_plain(value._asdict())
    if hasattr(value, "__dataclass_fields__"):
        return to_plain({name: getattr(value, name) for name in value.__dataclass_fields__})
    if isinstance(value, dict):
        return {str(name): to_plain(x) for name, x in value.items()}
    if isinstance(value, np.ndarray):
        return to_plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [to_plain(x) for x in value]
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value if isinstance(value, (int, float, str, bool)) or value is None else str(value)
