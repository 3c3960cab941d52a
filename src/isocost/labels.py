"""Labels of decisions and outcomes: checked once, looked up by equality, never sorted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import CostMatrixError, IsocostError, PredictionError

__all__ = ["Label", "Labels", "checked_labels", "label_array", "positions_of"]

Label: TypeAlias = Hashable
Labels: TypeAlias = tuple[Label, ...]


def checked_labels(labels: Iterable[Label] | None, count: int, what: str) -> Labels:
    """Labels as a tuple of plain Python values; 0..count-1 where none are given."""
    if labels is None:
        return tuple(range(count))
    if isinstance(labels, (str, bytes)):
        raise CostMatrixError(f"{what} labels must be a list of labels; got the single text {labels!r}")
    plain = tuple(x.item() if isinstance(x, np.generic) else x for x in labels)
    if len(plain) != count:
        raise CostMatrixError(
            f"there must be one label for each {what}; got {len(plain)} labels for {count} {what}s: {list(plain)}"
        )
    seen: dict[str, Label] = {}
    for label in plain:
        if not isinstance(label, Hashable) or label is None or label != label:
            raise CostMatrixError(f"{what} labels must be text, numbers or other hashable values; got {label!r}")
        text = str(label)
        if text.strip() == "":
            raise CostMatrixError(f"{what} labels must not be empty; label {plain.index(label)} is {label!r}")
        if text in seen:
            raise CostMatrixError(
                f"{what} labels must differ, also as text; {seen[text]!r} and {label!r} are the same. Rename one"
            )
        seen[text] = label
    if len(set(plain)) != count:
        raise CostMatrixError(f"{what} labels must differ; some of {list(plain)} are equal")
    return plain


def label_array(labels: Sequence[Label]) -> NDArray[np.generic]:
    """Labels as an array whose dtype changes none of them: object where they are mixed."""
    kinds = {type(label) for label in labels}
    if kinds <= {str} or kinds <= {bool} or kinds <= {float}:
        return np.array(labels)
    if kinds <= {int} and all(-(2**63) <= label < 2**63 for label in labels if isinstance(label, int)):
        return np.array(labels, dtype=np.int64)
    mixed = np.empty(len(labels), dtype=object)
    mixed[:] = labels
    return mixed


def positions_of(
    values: object, labels: Labels, what: str, error: type[IsocostError] = PredictionError
) -> NDArray[np.intp]:
    """Position of each value among the labels, by Python equality."""
    lookup = {label: i for i, label in enumerate(labels)}
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise error(f"`{what}` must be a sequence of labels; got {values!r}")
    array = values if isinstance(values, (list, tuple)) else np.asarray(values)
    if isinstance(array, np.ndarray) and array.ndim != 1:
        raise error(f"`{what}` must have one dimension; got shape {array.shape}")
    if isinstance(array, np.ndarray) and array.dtype != object:
        distinct, inverse = np.unique(array, return_inverse=True)
        found = [_lookup(lookup, value, array, what, error) for value in distinct.tolist()]
        return np.array(found, dtype=np.intp)[inverse.reshape(-1)]
    plain = [x.item() if isinstance(x, np.generic) else x for x in array]
    return np.array([_lookup(lookup, value, plain, what, error) for value in plain], dtype=np.intp)


def _lookup(
    lookup: dict[Label, int], value: Label, values: Iterable[object], what: str, error: type[IsocostError]
) -> int:
    position = lookup.get(value) if isinstance(value, Hashable) else None
    if position is not None:
        return position
    row = next(i for i, other in enumerate(values) if other is value or other == value or value != value != other)
    twin = next((label for label in lookup if str(label) == str(value)), None)
    hint = (
        f" The label {twin!r} is a {type(twin).__name__}, the value a {type(value).__name__}: convert one of them."
        if twin is not None
        else ""
    )
    shown = ", ".join(repr(label) for label in list(lookup)[:12]) + (", …" if len(lookup) > 12 else "")
    raise error(f"Row {row} of `{what}` is {value!r}, which is not one of the labels {shown}.{hint}")
