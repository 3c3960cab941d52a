"""Labels of decisions and outcomes: checked once, looked up by equality, never sorted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import CostMatrixError, IsocostError, PredictionError

__all__ = ["Label", "Labels", "checked_labels", "is_label", "label_array", "positions_of"]

Label: TypeAlias = Hashable
Labels: TypeAlias = tuple[Label, ...]


def checked_labels(labels: Iterable[Label] | None, count: int, what: str) -> Labels:
    """Labels as a tuple of plain Python values; 0..count-1 where none are given."""
    if labels is None:
        return tuple(range(count))
    if isinstance(labels, (str, bytes)):
        raise CostMatrixError(f"{what} labels must be a list of labels; got the single text {labels!r}")
    if isinstance(labels, (Set, Mapping)) or not isinstance(labels, Iterable):
        raise CostMatrixError(f"{what} labels must be a list, which has an order; got {labels!r}")
    plain = tuple(x.item() if isinstance(x, np.generic) else x for x in labels)
    if len(plain) != count:
        raise CostMatrixError(
            f"there must be one label for each {what}; got {len(plain)} labels for {count} {what}s: {list(plain)}"
        )
    seen: dict[str, Label] = {}
    for i, label in enumerate(plain):
        if not is_label(label):
            raise CostMatrixError(
                f"{what} labels must be text, numbers or other hashable values, none missing; label {i} is {label!r}"
            )
        text = str(label)
        if text.strip() == "":
            raise CostMatrixError(f"{what} labels must not be empty; label {i} is {label!r}")
        if text in seen:
            raise CostMatrixError(
                f"{what} labels must differ, also as text; {seen[text]!r} and {label!r} are the same. Rename one"
            )
        seen[text] = label
    if len(set(plain)) != count:
        raise CostMatrixError(f"{what} labels must differ; some of {list(plain)} are equal")
    return plain


def is_label(value: object) -> bool:
    """Whether the value can be looked up: hashable, not None, and equal to itself, as NaN and NA are not."""
    if value is None or not isinstance(value, Hashable):
        return False
    try:
        hash(value)
        return bool(value == value)
    except (TypeError, ValueError):
        return False


def label_array(labels: Sequence[Label]) -> NDArray[np.generic]:
    """Labels as an array whose dtype changes none of them: object where they are mixed."""
    kinds = {type(label) for label in labels}
    if kinds <= {str} or kinds <= {bool} or kinds <= {float}:
        return np.array(labels)
    if kinds <= {int} and all(-(2**63) <= label < 2**63 for label in labels if isinstance(label, int)):
        return np.array(labels, dtype=np.int64)
    mixed = np.empty(len(labels), dtype=object)
    for i, label in enumerate(labels):  # not at once: tuples would be spread over a second dimension
        mixed[i] = label
    return mixed


def positions_of(
    values: object, labels: Labels, what: str, error: type[IsocostError] = PredictionError
) -> NDArray[np.intp]:
    """Position of each value among the labels, by Python equality."""
    lookup = {label: i for i, label in enumerate(labels)}
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise error(f"`{what}` must be a sequence of labels; got {values!r}")
    array = values if isinstance(values, (list, tuple)) else np.asanyarray(values)
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise error(f"`{what}` must have no masked entry; entry {int(np.ma.getmaskarray(array).argmax())} is masked")
    if isinstance(array, np.ndarray) and array.ndim != 1:
        raise error(f"`{what}` must have one dimension; got shape {array.shape}")
    if isinstance(array, np.ndarray) and array.dtype.kind in "iu" and array.size:
        fast = _integer_positions(array, labels)
        if fast is not None:
            return fast
    if isinstance(array, np.ndarray) and array.dtype != object:
        distinct, inverse = np.unique(array, return_inverse=True)
        found = [_lookup(lookup, value, array, what, error) for value in distinct.tolist()]
        return np.array(found, dtype=np.intp)[inverse.reshape(-1)]
    plain = [x.item() if isinstance(x, np.generic) else x for x in array]
    return np.array([_lookup(lookup, value, plain, what, error) for value in plain], dtype=np.intp)


def _integer_positions(array: NDArray[np.integer], labels: Labels) -> NDArray[np.intp] | None:
    """Positions by a table, where all labels are small integers and all values are labels; else None."""
    numbers = [label for label in labels if type(label) is int and abs(label) < 2**15]
    if len(numbers) < len(labels):
        return None
    low, high = min(numbers), max(numbers)
    if array.min() < low or array.max() > high:
        return None
    table = np.full(high - low + 1, -1, dtype=np.intp)
    table[np.array(numbers) - low] = np.arange(len(numbers))
    found = table[array.astype(np.intp) - low]
    return np.asarray(found) if found.min() >= 0 else None


def _lookup(
    lookup: dict[Label, int], value: Label, values: Iterable[object], what: str, error: type[IsocostError]
) -> int:
    try:
        position = lookup.get(value)
    except TypeError:  # unhashable
        position = None
    if position is not None:
        return position
    sound = is_label(value)
    row = next(
        i
        for i, other in enumerate(values)
        if other is value or (is_label(other) == sound and (not sound or bool(other == value)))
    )
    twin = next((label for label in lookup if str(label) == str(value)), None)
    hint = (
        f" The label {twin!r} is of type {type(twin).__name__}, the value of type {type(value).__name__}: "
        "convert one of them."
        if twin is not None
        else ""
    )
    shown = ", ".join(repr(label) for label in list(lookup)[:12]) + (", …" if len(lookup) > 12 else "")
    raise error(f"Row {row} of `{what}` is {value!r}, which is not one of the labels {shown}.{hint}")
