"""Groups of rows as they arrive: masks by name, a table of masks, or one column of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import PredictionError
from isocost.labels import Labels, positions_of

__all__ = ["Groups", "groups_of", "masks_of"]

Masks = NDArray[np.bool_]
HINT = "Groups are a dict of name to mask, an array of masks of shape (rows, groups), or one column of labels"


class Groups(NamedTuple):
    """Names of the groups, and whether they came as one column of labels."""

    names: Labels
    labelled: bool


def groups_of(given: Any) -> Groups:
    """What `fit` remembers of the groups."""
    if isinstance(given, Mapping) or hasattr(given, "columns"):
        return Groups(tuple(given if isinstance(given, Mapping) else given.columns), False)
    array = _array(given)
    if array.ndim == 2:
        return Groups(tuple(range(array.shape[1])), False)
    return Groups(tuple(dict.fromkeys(array.tolist())), True)


def masks_of(given: Any, groups: Groups, rows: int) -> Masks:
    """Masks of everybody and then of each group, shape (rows, 1 + groups)."""
    if isinstance(given, Mapping) or hasattr(given, "columns"):
        found = groups_of(given)
        if groups.labelled or set(found.names) != set(groups.names):
            raise PredictionError(f"groups must be those of the fit, {_shown(groups)}; got {_shown(found)}")
        columns = [_mask(given[name], name) for name in groups.names]
    else:
        array = _array(given)
        if (array.ndim == 1) != groups.labelled:
            raise PredictionError(f"groups must be those of the fit, {_shown(groups)}; got shape {array.shape}")
        if groups.labelled:
            at = positions_of(array, groups.names, "groups")
            columns = [at == g for g in range(len(groups.names))]
        else:
            if array.shape[1] != len(groups.names):
                raise PredictionError(f"groups must be those of the fit, {_shown(groups)}; got shape {array.shape}")
            columns = [_mask(array[:, g], groups.names[g]) for g in range(len(groups.names))]
    for name, column in zip(groups.names, columns, strict=True):
        if len(column) != rows:
            raise PredictionError(f"every group must have one entry for each row, {rows}; {name!r} has {len(column)}")
    return np.column_stack([np.ones(rows, dtype=bool), *columns])


def _array(given: Any) -> NDArray[Any]:
    try:
        array = np.asarray(given)
    except ValueError:
        raise PredictionError(f"groups must have rows of equal length; got ragged rows. {HINT}") from None
    if array.ndim not in (1, 2):
        raise PredictionError(f"groups must have one or two dimensions; got shape {array.shape}. {HINT}")
    return array


def _mask(given: Any, name: object) -> Masks:
    mask = np.asarray(given)
    if mask.dtype != np.bool_ or mask.ndim != 1:
        raise PredictionError(f"a mask must be a column of bool; that of {name!r} has dtype {mask.dtype}. {HINT}")
    return mask


def _shown(groups: Groups) -> str:
    shown = ", ".join(repr(name) for name in groups.names[:12]) + (", …" if len(groups.names) > 12 else "")
    return ("labels " if groups.labelled else "masks ") + shown
