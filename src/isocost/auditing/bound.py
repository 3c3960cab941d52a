"""What every bound returns: its value, what went into it, and whether it says anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from isocost.labels import Labels

__all__ = ["Bound"]


@dataclass(frozen=True, eq=False, repr=False)
class Bound:
    """An upper bound on a calibration error, with its ingredients.

    Attributes
    ----------
    name : str
        Which theorem, in which form.
    value : float
        The bound; ∞ where it has none.
    ingredients : dict of str to float
        What it was computed from.
    about : str
        The quantity that it bounds.
    trivial : float
        What bounds that quantity anyway: 1 for a probability, the range of Γ for an error of scores.
    flagged : tuple of labels
        Decisions that the bound cannot clear, where it speaks of single decisions.

    Examples
    --------
    >>> print(Bound("final theorem", 3.2, {"K": 15.125, "t": 0.25}))
    final theorem: Pr[miscalibrated] ≤ 3.2, vacuous (K = 15.12, t = 0.25)
    """

    name: str
    value: float
    ingredients: Mapping[str, float] = field(default_factory=dict)
    about: str = "Pr[miscalibrated]"
    trivial: float = 1.0
    flagged: Labels = ()

    @property
    def vacuous(self) -> bool:
        """Whether it says no more than what holds anyway: the value is at least `trivial`."""
        return not self.value < self.trivial

    def __getitem__(self, ingredient: str) -> float:
        return self.ingredients[ingredient]

    def __str__(self) -> str:
        parts = ", ".join(self.details())
        return f"{self.name}: {self.about} ≤ {self.value:.4g}{', vacuous' * self.vacuous}{f' ({parts})' * bool(parts)}"

    def __repr__(self) -> str:
        return f"Bound({self})"

    def details(self) -> list[str]:
        """Ingredients and flagged decisions as short texts."""
        texts = [f"{name} = {value:.4g}" for name, value in self.ingredients.items()]
        return texts + [f"not cleared: {', '.join(map(str, self.flagged))}"] * bool(self.flagged)
