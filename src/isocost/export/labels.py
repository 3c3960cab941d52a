"""Labels as values of one type, which a column of an engine must have."""

from __future__ import annotations

from isocost.exceptions import RuleError
from isocost.labels import Label, Labels

__all__ = ["typed_labels"]


def typed_labels(labels: Labels) -> tuple[type[str] | type[int] | type[float] | type[bool], list[Label]]:
    """The type of the column, and the labels in it: text where they are of several types.

    Examples
    --------
    >>> typed_labels((3, 1)), typed_labels(("a", 1))
    ((<class 'int'>, [3, 1]), (<class 'str'>, ['a', '1']))
    """
    kinds = {type(label) for label in labels}
    for kind in (bool, float):
        if kinds == {kind}:
            return kind, list(labels)
    if kinds == {int} and all(-(2**63) < label < 2**63 for label in labels if isinstance(label, int)):
        return int, list(labels)
    for label in labels:
        if not isinstance(label, (str, int, float)):
            raise RuleError(f"decisions must be text, numbers or bools to be exported; got {label!r}")
        if isinstance(label, str) and ("\0" in label or any(0xD800 <= ord(c) < 0xE000 for c in label)):
            raise RuleError(f"decisions must be text of whole characters, without NUL, to be exported; got {label!r}")
    return str, [str(label) for label in labels]
