"""Prediction files: which they are, and which of their columns is read as what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import click

from isocost.cli.columns import probability_columns
from isocost.labels import Labels

__all__ = ["Source"]


@dataclass(frozen=True)
class Source:
    """Prediction files and what was said of their columns.

    Attributes
    ----------
    paths : tuple of Path
    probabilities : sequence of str
        A pattern, or pairs outcome=column.
    score : sequence of str
        Columns of the numbers of a score.
    decision : str or None
    """

    paths: tuple[Path, ...]
    probabilities: Sequence[str] = ()
    score: Sequence[str] = ()
    decision: str | None = None

    @classmethod
    def of(
        cls, patterns: Sequence[str], probabilities: Sequence[str], score: Sequence[str], decision: str | None = None
    ) -> Self:
        """The files that names and globs mean."""
        from isocost.frames.files.sources import paths_of

        return cls(paths_of(patterns), probabilities, score, decision)

    def columns(self, outcomes: Labels) -> dict[str, Any]:
        """The arguments probabilities, score and decision of the functions that read files."""
        from isocost.frames.files import columns_of

        found: dict[str, Any] = {}
        names = columns_of(self.paths)
        if not (self.probabilities or self.score or self.decision):
            raise click.UsageError(f"Say what holds the predictions: {_advice(names, outcomes)}.")
        if self.probabilities:
            found["probabilities"] = probability_columns(self.probabilities, outcomes, names)
        if self.score:
            found["score"] = self.score[0] if len(self.score) == 1 else list(self.score)
        if self.decision:
            found["decision"] = self.decision
        return found


def _advice(names: Sequence[str], outcomes: Labels) -> str:
    """A pattern that fits the columns, if there is one."""
    first = str(outcomes[0])
    for name in names:
        before, found, after = name.partition(first)
        if found and all(f"{before}{label}{after}" in names for label in outcomes):
            return f"--probabilities '{before}*{after}' fits the columns of this file"
    return (
        "--probabilities 'p_*' for columns with names like p_" + first + ", --score, or --decision where there is one"
    )
