"""The one picture that says most of an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isocost.auditing.result import Audit
from isocost.plot.curves import reliability
from isocost.plot.gaps import certificate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["overview"]


def overview(audit: Audit, *, ax: Axes | None = None, title: str | None = None, dark: bool = False) -> Axes:
    """Draw the reliability curve of an audit where it has one, else its certificate.

    Parameters
    ----------
    audit : Audit
    ax : matplotlib Axes, optional
    title : str, optional
    dark : bool
        For a dark background.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import isocost as ic
    >>> import isocost.plot
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> isocost.plot.overview(ic.audit(cost, ["ok", "bad"], decisions=["keep", "drop"])).get_xlabel()
    'what the other would have cost beyond it'
    """
    draw = certificate if audit.reliability is None else reliability
    return draw(audit, ax=ax, title=title, dark=dark)
