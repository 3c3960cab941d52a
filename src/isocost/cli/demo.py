"""demo: the whole path, from costs and forecasts to a page and a rule, on real football forecasts."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from isocost.cli.options import as_json, force
from isocost.cli.screen import Screen, print_json
from isocost.cli.verbs import BadInput, Verb

if TYPE_CHECKING:
    import numpy as np

    from isocost.auditing.estimates import Estimate
    from isocost.costs import CostMatrix
    from isocost.datasets import Predictions

__all__ = ["demo"]

LAST_FIRST_SEASON = 2017
COSTS = "decision,away,tie,home\nnone,0,4,10\none,2,2,6\ntwo,4,4,4\n"
INPUTS = ("costs.csv", "first_seasons.csv", "later_seasons.csv")
MADE = ("audit.html", "rule.json", "decisions.csv")
READ = ("--outcome", "result", "--probabilities", "p_*")
STORY = (
    "A railway runs the trains home after football matches. Before each match it orders extra trains: none, one or "
    "two. One costs 2 (say, thousand), used or not. If the home side wins the crowd stays to celebrate, and two are "
    "needed: with one the delays cost 4, with none 10. After a tie one is needed; with none the delays cost 4. If the "
    "away side wins everybody goes home at once. So there is a table of costs, and for each match three probabilities.",
    "The costs are made up. The forecasts and the results are real: 32,390 matches of 38 leagues.",
)


@click.command(cls=Verb, examples=("isocost demo", "isocost demo --output football --force"))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("isocost-demo"),
    show_default=True,
    metavar="FOLDER",
    help="Where to write the files of the demo; it is made if need be.",
)
@force
@as_json
def demo(output: Path, force: bool, as_json: bool) -> None:
    """Walk the whole path on real football forecasts.

    Writes costs and forecasts as files, inspects the costs, audits the decisions that the forecasts lead to, fits a
    rule on the first seasons, applies it to the later ones, and tells in plain words what came out. Every command is
    printed before it runs, so you can type it yourself.
    """
    from isocost.datasets import football

    matches = football()
    _prepare(output, matches, force)
    teller = _Teller(None if as_json else Screen())
    teller.say("The story", *STORY, matches.attribution)
    with contextlib.chdir(output):
        teller.say("1. Can one number carry the decision?")
        teller.run("inspect", "costs.csv")
        teller.say("2. What do the decisions cost, and are they right? (Later seasons)")
        teller.run(
            "audit",
            "costs.csv",
            "later_seasons.csv",
            *READ,
            "--html",
            "audit.html",
            "--title",
            "Extra trains",
            "--note",
            matches.attribution,
            "--force",
        )
        teller.say("3. Recalibrate on the first seasons, decide on the later ones")
        teller.run("fit", "costs.csv", "first_seasons.csv", *READ, "--output", "rule.json", "--force")
        teller.run(
            "apply", "rule.json", "later_seasons.csv", "--probabilities", "p_*", "--output", "decisions.csv", "--force"
        )
        found = _compared(matches)
    teller.say("4. What came out, on the later seasons", *found["sentences"])
    teller.list(
        "Where to look",
        f"{output / 'audit.html'}: the audit as a page; open it in a browser.",
        f"{output / 'decisions.csv'}: a score and a decision for each match.",
        f"{output / 'rule.json'}: the rule; isocost export makes SQL of it.",
        f"{output / 'costs.csv'}: change the costs, and type the commands above once more in {output}.",
    )
    if as_json:
        files = [str(output / name) for name in (*INPUTS, *MADE)]
        print_json(
            "demo",
            {"folder": str(output), "files": files, "attribution": matches.attribution, **found, "steps": teller.steps},
        )


class _Teller:
    """Prints the story and runs the commands, or collects what they answer where nothing is to be printed."""

    def __init__(self, screen: Screen | None) -> None:
        self.screen = screen
        self.steps: list[dict[str, Any]] = []

    def say(self, heading: str, *paragraphs: str) -> None:
        if self.screen is None:
            return
        self.screen.banner(heading)
        for i, paragraph in enumerate(paragraphs):
            if i:
                self.screen.lines("")
            self.screen.say(paragraph)

    def list(self, heading: str, *lines: str) -> None:
        if self.screen is None:
            return
        self.screen.banner(heading)
        for line in lines:
            self.screen.say(line)

    def run(self, verb: str, *arguments: str) -> None:
        from isocost.cli.app import app

        command = shlex.join(["isocost", verb, *arguments])
        if self.screen is not None:
            self.screen.command(command)
            app.commands[verb].main([*arguments], prog_name=f"isocost {verb}", standalone_mode=False)
            return
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) as answer:
            app.commands[verb].main([*arguments, "--json"], prog_name=f"isocost {verb}", standalone_mode=False)
            answer.flush()
            text = answer.buffer.getvalue().decode("utf-8")
        self.steps.append({"command": command, "answer": json.loads(text)})


def _prepare(folder: Path, matches: Predictions, force: bool) -> None:
    """Write the inputs; nothing of that name is overwritten unasked."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; choose another --output")
    there = [name for name in (*INPUTS, *MADE) if (folder / name).exists()]
    if there and not force:
        raise BadInput(f"{folder / there[0]} exists; choose another --output or pass --force")
    from isocost.io import write_atomically

    folder.mkdir(parents=True, exist_ok=True)
    first = matches.columns["season"] <= LAST_FIRST_SEASON  # type: ignore[operator]
    for name, content in zip(INPUTS, (COSTS, _csv(matches, first), _csv(matches, ~first)), strict=True):
        write_atomically(folder / name, content, overwrite=True)


def _csv(matches: Predictions, which: np.ndarray[Any, Any]) -> str:
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["season", "league", *(f"p_{label}" for label in matches.outcomes), "result"])
    columns = [matches.columns["season"][which], matches.columns["league"][which]]
    columns += [*(column.round(6) for column in matches.probabilities[which].T), matches.outcome[which]]
    rows.writerows(zip(*(column.tolist() for column in columns), strict=True))
    return text.getvalue()


def _compared(matches: Predictions) -> dict[str, Any]:
    """What each way to decide costs on the later seasons; and the same for forecasts spoiled on purpose."""
    from isocost.auditing.auditor import audit
    from isocost.auditing.compare import compare
    from isocost.costs import CostMatrix
    from isocost.recalibrate import IsotonicRecalibrator
    from isocost.report.verdicts import headline_of
    from isocost.rule import DecisionRule
    from isocost.smoothing import smooth

    cost, rule = CostMatrix.read("costs.csv"), DecisionRule.load("rule.json")
    later = matches.columns["season"] > LAST_FIRST_SEASON  # type: ignore[operator]
    P, y = matches.probabilities, matches.outcome
    ways = {
        "costs": cost.decide(P[later]),
        "recalibrated": rule.decide(P[later]),
        "likeliest": _for_the_likeliest(cost, P[later]),
    }
    found = compare(cost, y[later], ways)
    sharp = P**3 / (P**3).sum(axis=1, keepdims=True)  # too sure of themselves
    prop = smooth(cost)
    repair = IsotonicRecalibrator(prop).fit(sharp[~later], y[~later])
    repaired = prop.decide(repair.predict(sharp[later]))
    spoiled = compare(cost, y[later], {"spoiled": cost.decide(sharp[later]), "repaired": repaired})
    before = headline_of(audit(cost, y[later], probabilities=sharp[later]))
    means = {**found.mean_costs, **spoiled.mean_costs}
    differences = {**found.differences, **spoiled.differences}
    likeliest, recalibrated = found.differences["likeliest"], found.differences["recalibrated"]
    sentences = [
        f"Deciding by the costs: {means['costs'].value:.3f} a match. Deciding as if the likeliest result were certain: "
        f"{means['likeliest'].value:.3f}, {_apart(likeliest)}. The forecasts are the same in both: that is what the "
        "table of costs is worth.",
        f"Recalibration {_helped(recalibrated)}: {means['recalibrated'].value:.3f} a match, {_apart(recalibrated)}."
        + ("" if recalibrated.high < 0 else " These forecasts are right already; a fit can then only add noise."),
        "Would it be noticed if they were not? The demo spoils a copy: each probability cubed, so that forecasts are "
        f"too sure of themselves. The audit then says: {before.word.lower()}. {before.sentence}",
        f"Repaired on the first seasons the spoiled forecasts cost {means['repaired'].value:.3f} a match instead of "
        f"{means['spoiled'].value:.3f}, {_apart(spoiled.differences['repaired'])}.",
    ]
    return {"mean_costs": means, "differences": differences, "sentences": sentences}


def _for_the_likeliest(cost: CostMatrix, P: np.ndarray[Any, Any]) -> Any:
    from isocost.labels import label_array

    best = cost.costs.argmin(axis=0)
    return label_array(cost.decisions)[best[P.argmax(axis=1)]]


def _apart(difference: Estimate) -> str:
    """A difference in mean cost with its interval."""
    more = "more" if difference.value > 0 else "less"
    ends = sorted(abs(x) for x in (difference.low, difference.high))
    if difference.low <= 0 <= difference.high:
        return f"no clear difference ({difference.low:+.3f} to {difference.high:+.3f})"
    return f"{abs(difference.value):.3f} {more} ({ends[0]:.3f} to {ends[1]:.3f})"


def _helped(difference: Estimate) -> str:
    if difference.high < 0:
        return "helps"
    return "does harm here" if difference.low > 0 else "does not help here"
