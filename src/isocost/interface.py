"""What later rooms may ask of a property, be it one number or several."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.labels import Labels
from isocost.lipschitz import LipschitzPair

__all__ = ["Property"]


@runtime_checkable
class Property(Protocol):
    """A property Γ that refines a decision, with its loss L, V = ∂L/∂u and link ψ.

    A score u is one number (`dimension` 1, shape (N,)) for a SmoothProperty, and d numbers (shape
    (N, d)) for a LinearProperty. Whoever only passes scores on need not know which.
    """

    @property
    def decisions(self) -> Labels:
        """Labels r_1 … r_k, without those that are never the strict optimum."""

    @property
    def outcomes(self) -> Labels:
        """Labels of the n outcomes."""

    @property
    def dimension(self) -> int:
        """How many numbers d a score has."""

    @property
    def method(self) -> str:
        """The construction."""

    @property
    def why(self) -> str:
        """One sentence from :func:`isocost.property_for`; else empty."""

    def value(self, P: Any, normalize: bool = False) -> NDArray[np.float64]:
        """Score Γ(p) of each distribution."""

    def cell(self, u: ArrayLike) -> NDArray[np.intp]:
        """Position in `decisions` of the decision that each score stands for."""

    def decide(self, u: ArrayLike) -> NDArray[np.generic]:
        """Link ψ(u): score to decision label."""

    def identification(self, u: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Identification function V(u, y); y are outcome positions."""

    def slope(self, u: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Derivative ∂V/∂u(u, y), component by component."""

    def loss(self, u: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Surrogate loss L(u, y) ≥ 0 with ∂L/∂u = V."""

    def gradient(self, P: Any, normalize: bool = False) -> NDArray[np.float64]:
        """Gradient ∇Γ(p) at each distribution."""

    def lipschitz(self, norm: float = 1) -> float:
        """Exact Lipschitz constant K of Γ for ‖·‖_q on distributions."""

    def lipschitz_pair(self, norm: float = 1) -> LipschitzPair:
        """Two distributions that attain K."""
