"""Pictures that verbs write."""

from __future__ import annotations

import io
from pathlib import Path

from isocost.exceptions import CostMatrixError
from isocost.interface import Property
from isocost.io import write_atomically

__all__ = ["draw_property"]

KINDS = (".svg", ".png", ".pdf")


def draw_property(prop: Property, path: Path, force: bool) -> None:
    """Write a picture of a property: the triangle of three outcomes, of any other number the ladder of its decisions.

    Parameters
    ----------
    prop : Property
    path : Path
        Its ending says the kind.
    force : bool
        Whether an existing file may be overwritten.
    """
    from isocost.plot import ladder, simplex

    if path.suffix.lower() not in KINDS:
        raise CostMatrixError(f"a picture must end in {', '.join(KINDS[:-1])} or {KINDS[-1]}; got {path}")
    axes = (simplex if len(prop.outcomes) == 3 else ladder)(prop)  # type: ignore[arg-type]
    figure = axes.get_figure(root=True)
    assert figure is not None
    content = io.BytesIO()
    figure.savefig(content, format=path.suffix[1:].lower(), dpi=300)
    write_atomically(path, content.getvalue(), force)
