"""A first look at isocost: from a table of costs to one number that carries the decision.

Run: python examples/first_look.py [--out out/first_look.png]
"""

from __future__ import annotations

import argparse
import io
import math
import sys
import textwrap
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import isocost as ic
from isocost.plot import simplex

DEFAULT = Path(__file__).resolve().parent.parent / "out" / "first_look.png"

Constructions = dict[str, ic.SmoothProperty]


def main() -> int:
    parser = argparse.ArgumentParser(description="A first look at isocost, with a picture.")
    parser.add_argument("--out", type=Path, default=DEFAULT, help="where to write the picture (png)")
    parser.add_argument("--force", action="store_true", help="overwrite an existing picture")
    options = parser.parse_args()
    out: Path = options.out
    if out.suffix.lower() != ".png":
        parser.error(f"the picture is a png, so --out must end in .png; got {out}")
    # Only our own default picture is drawn anew without asking.
    if out.exists() and out.resolve() != DEFAULT and not options.force:
        print(f"{out} exists. Choose another --out, or pass --force to overwrite it.", file=sys.stderr)
        return 1
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # pipes of some systems know no "∞"

    cost = ic.CostMatrix(
        [[0, 3, 5], [1, 0, 3], [3, 1, 0]],
        decisions=["wait", "test", "treat"],
        outcomes=["mild", "moderate", "severe"],
    )
    heading("1. What each decision costs")
    print(cost)
    heading("2. Do the decisions line up?")
    show_order(cost.ordering())

    props = {
        "embedding": ic.smooth(cost, method="embedding"),
        "embedding, ratio 0.5": ic.smooth(cost, method="embedding", ratios=[0.5]),
        "normals": ic.smooth(cost, method="normals"),
        "smoothest, slack 0.05": ic.smooth(cost, slack=0.05),
        "smoothest, slack 0.001": ic.smooth(cost, slack=0.001),
    }
    heading("3. One number instead of three probabilities: five ways to build it")
    show_constructions(props)
    heading("4. Five patients")
    show_patients(cost, props["smoothest, slack 0.05"])
    heading("5. When no single number can do it")
    show_refusal()
    heading("6. The picture")
    write_picture(props, out)
    print(f"{out}\nThin lines join patients with the same score. Where they crowd, a small change of the probabilities")
    print("moves the score a lot; in the smoothest they crowd hardly more than its cuts force any score to.")
    return 0


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def show_order(order: ic.Ordering) -> None:
    (low, high), (distance,) = order.ratios[0], order.distances(norm=1)
    print(f"Yes: {' < '.join(map(str, order.decisions))}. They are {order.kind}: on the way from the first to the last")
    print("every decision meets only its neighbours, and the boundaries between them never touch.")
    first, middle, last = order.decisions
    spread = float(np.ptp(order.cost.costs, axis=0).max())
    print(
        f"  margin          {order.margin:.3f}   any one cost may be off by this share of the largest spread of costs"
    )
    print(f"                          within an outcome, here by {order.margin * spread:.2f}, and this stays true")
    print(f"  ratio interval  {low:.3f} to {high:.3f}   the room a construction has: how steep the score may be at the")
    print("                          second boundary, with the first as 1; an empty interval would mean: no order")
    print(f"  distance        {distance:.3f}   between the two boundaries: how much the probabilities must change, all")
    print(f"                          changes added up, to get from {first!r} past {middle!r} to {last!r}")


def show_constructions(props: Constructions) -> None:
    print("K says how far the score moves, at most, when the probabilities move by 1, measured by the sum (L1),")
    print("the root of the squares (L2) or the largest (L∞) of the changes. No score with the same cuts can have")
    print("K below its limit. K goes with the units of a score, so compare K/limit: 1 is as smooth as can be.")
    print("A convex loss has no false minima when a model is trained with it.\n")
    rows = [["construction", "K (L1)", "K (L2)", "K (L∞)", "limit (L1)", "K/limit (L1)", "convex loss"]]
    for name, prop in props.items():
        constants = [f"{prop.lipschitz(norm):.3f}" for norm in (1, 2, math.inf)]
        limit, smoothness = f"{prop.lipschitz_limit(1):.3f}", f"{prop.smoothness(1):.3f}"
        rows.append([name, *constants, limit, smoothness, "yes" if prop.is_convex else "no"])
    show_table(rows)


def show_patients(cost: ic.CostMatrix, prop: ic.SmoothProperty) -> None:
    P = np.array([[0.9, 0.08, 0.02], [0.64, 0.3, 0.06], [0.25, 0.6, 0.15], [0.5, 0.2, 0.3], [0.1, 0.2, 0.7]])
    scores = prop.value(P)
    decisions = prop.decide(scores)
    low, high = (f"{cut:.3f}" for cut in prop.cuts)
    print(f"Cuts of the smoothest score: 'wait' up to {low}, 'test' up to {high}, 'treat' above.\n")
    rows = [[*map(str, cost.outcomes), "score", "decision"]]
    for p, score, decision in zip(P, scores, decisions, strict=True):
        rows.append([*(f"{x:.2f}" for x in p), f"{score:.3f}", str(decision)])
    show_table(rows)
    same = bool((decisions == cost.decide(P)).all())
    print(f"\nThe cheapest decisions by expected cost are {'the same' if same else 'DIFFERENT: please report this'}.")


def show_refusal() -> None:
    animals = ["cat", "dog", "bird"]
    wrong = ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]], decisions=animals, outcomes=animals)
    print("If every mistake costs the same, nothing lies between anything else:")
    print(wrong)
    order = wrong.ordering()
    assert order.witness is not None
    print(f"\nThis one is {order.kind}, and here is the proof:\n{textwrap.fill(order.witness.message, 100)}")


def show_table(rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for first, *rest in rows:
        cells = [text.rjust(width) for text, width in zip(rest, widths[1:], strict=True)]
        print("  ".join([first.ljust(widths[0]), *cells]))


def write_picture(props: Constructions, out: Path) -> None:
    shown = {name: props[name] for name in ("embedding, ratio 0.5", "normals", "smoothest, slack 0.05")}
    figure = Figure(figsize=(9.9, 3.5), facecolor="white")
    for i, (name, prop) in enumerate(shown.items()):
        ax = figure.add_axes((i / 3 + 0.003, 0.0, 1 / 3 - 0.006, 0.88))
        # In the same units, so that lines that crowd in one picture can be compared with the others.
        simplex(prop.rescale(0, 100), ax=ax, title=f"{name}\nsteepness {prop.smoothness(1):.2f} × the least possible")
    out.parent.mkdir(parents=True, exist_ok=True)
    picture = io.BytesIO()
    figure.savefig(picture, dpi=200, format="png")
    # Beside the target and then renamed, so that no reader meets half a picture.
    temporary = out.with_name(f".{out.name}.part")
    temporary.write_bytes(picture.getvalue())
    temporary.replace(out)


if __name__ == "__main__":
    sys.exit(main())
