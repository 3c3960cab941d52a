"""inspect: can one number carry the decisions of a cost matrix, which, and how smooth is it?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from isocost.cli.files import check_output
from isocost.cli.options import as_json, force, interior, norm, rows
from isocost.cli.screen import Screen, print_json
from isocost.cli.verbs import Verb, as_typed

if TYPE_CHECKING:
    from isocost.costs import CostMatrix
    from isocost.interface import Property
    from isocost.ordering import Ordering
    from isocost.property import SmoothProperty

__all__ = ["inspect"]

NORMS = {"1": 1.0, "2": 2.0, "inf": math.inf}
METHODS = ("auto", "smoothest", "embedding", "normals", "touching", "linear")


@click.command(
    cls=Verb,
    examples=("isocost inspect costs.csv", "isocost inspect costs.csv --picture costs.svg"),
)
@click.argument("costs", type=click.Path(path_type=Path))
@rows
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="Which score to build; auto takes the smoothest where there is one, else a linear one.",
)
@norm
@click.option("--slack", type=float, metavar="SHARE", help="How far above its limit K may be. [default: 0.05]")
@interior
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the score: .svg, .png or .pdf.",
)
@force
@as_json
def inspect(
    costs: Path,
    rows: Any,
    method: str,
    norm: float,
    slack: float | None,
    interior: str | None,
    picture: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Tell whether one number can carry the decisions of a cost matrix.

    COSTS is a csv, tsv or json file: wide, with "decision" or "outcome" in the corner cell, or long, with the columns
    decision, outcome and cost. Whether its decisions line up is decided exactly; what is printed is the order, or a
    proof that there is none, and the score with its cuts, its Lipschitz constant K and the limit of any such score.
    """
    from isocost.costs import CostMatrix

    check_output(picture, [costs], force)
    cost = CostMatrix.read(costs, rows=rows)
    order = cost.ordering()
    prop = _property(cost, order, method, norm, slack, interior)
    if picture is not None:
        from isocost.cli.pictures import draw_property

        draw_property(prop, picture, force)
    if as_json:
        print_json("inspect", _facts(costs, cost, order, prop) | {"picture": None if picture is None else str(picture)})
        return
    screen = Screen()
    _show_costs(screen, costs, cost)
    _show_order(screen, order)
    _show_property(screen, prop)
    if picture is not None:
        screen.heading("Picture")
        screen.lines(str(picture))


def _property(
    cost: CostMatrix, order: Ordering, method: str, norm: float, slack: float | None, interior: str | None
) -> Property:
    from isocost.choose import property_for
    from isocost.linear_property import linear
    from isocost.smoothing import smooth

    layout = {"norm": norm, "slack": slack, "interior": interior}
    asked = norm != 1 or slack is not None or interior is not None
    if method == "auto" and not asked:
        return property_for(order)
    if method == "linear":
        if asked:
            raise click.UsageError("--norm, --slack and --interior are for smooth scores, not for --method linear")
        return linear(order)
    return smooth(cost, method="smoothest" if method == "auto" else method, **layout)  # type: ignore[arg-type]


def _facts(path: Path, cost: CostMatrix, order: Ordering, prop: Property) -> dict[str, Any]:
    from isocost.ordering import OrderKind
    from isocost.property import SmoothProperty

    ordered = order.kind is not OrderKind.NONE
    witness = order.witness
    facts: dict[str, Any] = {
        "file": str(path),
        "decisions": cost.decisions,
        "outcomes": cost.outcomes,
        "costs": cost.costs,
        "reading": cost.describe_cell(),
        "order": {
            "kind": str(order.kind),
            "decisions": order.decisions if ordered else None,
            "dropped": order.dropped,
            "margin": order.margin,
            "ratios": order.ratios if ordered else None,
            "distances": {name: order.distances(q) for name, q in NORMS.items()} if ordered else None,
            "witness": witness
            and {
                "distribution": [float(x) for x in witness.distribution],
                "exact": [str(x) for x in witness.distribution],
                "decisions": witness.decisions,
                "message": witness.message,
            },
        },
        "property": {
            "method": prop.method,
            "why": prop.why,
            "dimension": prop.dimension,
            "decisions": prop.decisions,
            "lipschitz": {name: prop.lipschitz(q) for name, q in NORMS.items()},
        },
    }
    if isinstance(prop, SmoothProperty):
        facts["property"] |= {
            "interior": prop.interior,
            "range": prop.range,
            "cuts": prop.cuts,
            "knots": prop.knots,
            "values": prop.values,
            "limit": {name: prop.lipschitz_limit(q) for name, q in NORMS.items()},
            "smoothness": {name: prop.smoothness(q) for name, q in NORMS.items()},
            "convex": prop.is_convex,
        }
    return facts


def _show_costs(screen: Screen, path: Path, cost: CostMatrix) -> None:
    k, n = cost.costs.shape
    screen.heading(f"{path}: {k} decisions (rows), {n} outcomes (columns)")
    cells = [[f"{x:.6g}" for x in line] for line in cost.costs]
    screen.table(
        ["", *map(str, cost.outcomes)],
        [[str(label), *line] for label, line in zip(cost.decisions, cells, strict=True)],
    )
    screen.say(f"Read as: {cost.describe_cell()}.")


def _show_order(screen: Screen, order: Ordering) -> None:
    from isocost.ordering import OrderKind

    screen.heading(f"Order: {order.kind}")
    if order.kind is not OrderKind.NONE:
        screen.say(" < ".join(map(str, order.decisions)))
    for label, reason in order.dropped.items():
        screen.say(f"Dropped {label!r}: {reason}.")
    if order.witness is not None:
        screen.say(order.witness.message)
    if order.kind is OrderKind.STRONG and math.isfinite(order.margin):
        spread = float((order.cost.costs.max(axis=0) - order.cost.costs.min(axis=0)).max())
        screen.say(
            f"This stays so if any one cost is off by up to {order.margin * spread:.3g} (margin {order.margin:.3g})."
        )


def _show_property(screen: Screen, prop: Property) -> None:
    from isocost.property import SmoothProperty

    if not isinstance(prop, SmoothProperty):
        screen.heading(f"Score: linear, {prop.dimension} number{'' if prop.dimension == 1 else 's'}")
        if prop.why:
            screen.say(as_typed(prop.why))
        screen.say("K " + ", ".join(f"{prop.lipschitz(q):.4g} ({_norm_name(name)})" for name, q in NORMS.items()))
        return
    floor = f", where no probability is below {prop.interior:g}" if prop.interior else ""
    screen.heading(f"Score: {prop.method}, {'convex' if prop.is_convex else 'not convex'} loss{floor}")
    low, high = prop.range
    ends = [low, *prop.cuts.tolist(), high]
    screen.lines(ladder(ends, [str(label) for label in prop.decisions], min(screen.width, 100)))
    screen.table(
        ["decision", "score above", "up to"],
        [[str(label), f"{a:.6g}", f"{b:.6g}"] for label, a, b in zip(prop.decisions, ends, ends[1:], strict=False)],
    )
    if len(prop.cuts) > 1:
        _show_constants(screen, prop)
    screen.heading("Knots: V(u, outcome), linear in u between them")
    screen.table(
        ["u", *map(str, prop.outcomes)],
        [[f"{t:.6g}", *(f"{v:.4g}" for v in line)] for t, line in zip(prop.knots, prop.values, strict=True)],
        left=(),
    )


def _show_constants(screen: Screen, prop: SmoothProperty) -> None:
    screen.lines("")
    lines = []
    for name, q in NORMS.items():
        limit = prop.lipschitz_limit(q)
        beside = [f"{limit:.4g}", f"{prop.smoothness(q):.4g}"] if limit else ["none", ""]
        lines.append([_norm_name(name), f"{prop.lipschitz(q):.4g}", *beside])
    screen.table(["probabilities move by 1 in", "K", "limit", "K/limit"], lines)
    screen.say("K is how far the score then moves at most; no score with these cuts has K below the limit.")


def _norm_name(name: str) -> str:
    return {"1": "L1", "2": "L2", "inf": "L∞"}[name]


def ladder(ends: list[float], labels: list[str], width: int) -> str:
    """The decisions as intervals of the score, to scale, as two lines of text.

    Parameters
    ----------
    ends : list of float
        Lowest score, cuts, highest score.
    labels : list of str
        One fewer than `ends`.
    width : int
        Columns.

    Examples
    --------
    >>> print(ladder([0, 1, 4], ["low", "high"], 30))
    ├ low ─┼─────── high ────────┤
    0      1                     4
    """
    span = ends[-1] - ends[0]
    places = [0] + [round((width - 1) * (x - ends[0]) / span) if span else 0 for x in ends[1:]]
    bar, numbers = ["─"] * width, [" "] * (width + 12)
    for a, b, label in zip(places, places[1:], labels, strict=False):
        name = f" {label} "
        if len(name) <= b - a - 1:
            start = a + 1 + (b - a - 1 - len(name)) // 2
            bar[start : start + len(name)] = name
    free = 0
    for i, (place, x) in enumerate(zip(places, ends, strict=True)):
        bar[place] = "├" if i == 0 else "┤" if i == len(ends) - 1 else "┼"
        text = f"{x:.3g}"
        start = min(place, width - len(text))
        if start >= free:
            numbers[start : start + len(text)] = text
            free = start + len(text) + 1
    return "".join(bar) + "\n" + "".join(numbers).rstrip()
