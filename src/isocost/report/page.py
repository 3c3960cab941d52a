"""The page: what content.py and figures.py have, put into HTML and written."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from isocost.auditing.result import Audit
from isocost.exceptions import PredictionError
from isocost.io import write_atomically
from isocost.report import content, quality
from isocost.report.figures import colour_variables, pictures_of
from isocost.report.texts import plural
from isocost.report.verdicts import headline_of

__all__ = ["page_text", "write_page"]

MOST_IN_SCRIPT = 400_000  # characters of data that are carried along


def write_page(
    audit: Audit,
    path: str | PathLike[str],
    overwrite: bool = False,
    command: str | None = None,
    title: str | None = None,
    note: str | None = None,
) -> None:
    """Write an audit as one self-contained HTML file, which needs no network and runs no script.

    Parameters
    ----------
    audit : Audit
    path : path
        Ending in .html or .htm.
    overwrite : bool
        Whether an existing file may be replaced.
    command : str, optional
        What makes the page anew, shown at its end; the Python call where absent.
    title : str, optional
    note : str, optional
        Shown under the title, such as where the data come from.

    Examples
    --------
    >>> import isocost as ic, pathlib, tempfile
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> found = ic.audit(cost, ["ok", "bad"] * 400, decisions=["keep", "drop"] * 400)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found.to_html(pathlib.Path(folder) / "audit.html", note="Made up.")
    ...     "Each decision was the cheapest" in (pathlib.Path(folder) / "audit.html").read_text(encoding="utf-8")
    True
    """
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise PredictionError(f"a page must end in .html or .htm; got {target}")
    if target.exists() and not overwrite:  # before the work of drawing
        raise PredictionError(f"{target} exists; choose another name or pass overwrite=True")
    write_atomically(target, page_text(audit, command, title, note), overwrite, PredictionError)


def page_text(audit: Audit, command: str | None = None, title: str | None = None, note: str | None = None) -> str:
    """The page as text.

    Parameters
    ----------
    audit : Audit
    command, title, note : str, optional
        As for :func:`isocost.report.write_page`.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "<bad>"])
    >>> text = page_text(ic.audit(cost, ["ok", "<bad>"], decisions=["keep", "drop"]))
    >>> text.splitlines()[0], "<bad>" in text, "&lt;bad&gt;" in text
    ('<!DOCTYPE html>', False, True)
    """
    if not isinstance(audit, Audit):
        raise PredictionError(f"a page is made of an Audit; got {type(audit).__name__}. Write ic.audit(cost, y, ...)")
    for name, value in (("command", command), ("title", title), ("note", note)):
        if value is not None and not isinstance(value, str):
            raise PredictionError(f"{name} must be text; got {value!r}")
    template = _environment().get_template("audit.html.j2")
    return str(
        template.render(
            title=title or f"Audit of {plural(audit.rows, 'decision')}",
            note=note,
            headline=headline_of(audit),
            statement=_sentence(str(audit.certificate)),
            figures=content.figures_of(audit),
            costs=content.cost_table(audit),
            dearest=content.cost_sentences(audit),
            kind=content.KINDS[audit.cost.ordering().kind],
            pictures=pictures_of(audit),
            certificate=content.certificate_table(audit),
            bins=content.bins_table(audit),
            groups=content.groups_table(audit),
            bounds=content.bounds_table(audit),
            measures=content.measures_table(audit),
            columns=content.columns_table(audit),
            counts=quality.counts_table(audit),
            doubts=quality.doubts(audit),
            notes=content.method_notes(audit),
            swaps=[(str(r), str(s)) for r, s in audit.swaps.items()],
            command=command,
            call=content.python_call(audit),
            colours=colour_variables(len(audit.prop.decisions)),
            data=_data(audit),
            version=_version(),
        )
    )


def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise ImportError("isocost.report needs jinja2: pip install 'isocost[report]'") from error
    return Environment(
        loader=PackageLoader("isocost.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _data(audit: Audit) -> str:
    """The audit as JSON that no text within can end or open: it has no <, > or &."""
    found = audit.to_dict()
    found["groups"] = {
        name: {key: group[key] for key in ("rows", "mean_cost", "swap_regret", "certificate")}
        for name, group in found["groups"].items()
    }
    if len(text := _json(found)) > MOST_IN_SCRIPT:
        found["groups"] = "left out; to_dict() has them"
        text = _json(found)
    return text


def _json(value: object) -> str:
    text = json.dumps(value, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _version() -> str:
    import isocost

    return isocost.__version__
