"""The surrogate loss and the property itself as PyTorch modules; needs ``isocost[torch]``."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from isocost.exceptions import CostMatrixError, PredictionError
from isocost.interface import Property
from isocost.learn.surrogate import checked_property
from isocost.linear_property import LinearProperty
from isocost.pieces import pieces_of

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise ImportError("isocost.learn.torch needs PyTorch: pip install 'isocost[torch]'") from None

__all__ = ["PropertyLayer", "SurrogateLoss"]

Reduction = Literal["mean", "sum", "none"]


class SurrogateLoss(nn.Module):
    """Surrogate loss L(u, y) of a property; its derivative by the score u is V(u, y).

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
    reduction : {"mean", "sum", "none"}
        A weighted mean divides by the sum of the weights.

    Examples
    --------
    >>> import torch
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> u = torch.tensor([0.5, 2.0], requires_grad=True)
    >>> SurrogateLoss(prop, reduction="sum")(u, torch.tensor([0, 1])).backward()
    >>> u.grad.tolist() == prop.identification([0.5, 2.0], [0, 1]).tolist()
    True
    """

    knots: Tensor
    origins: Tensor
    start: Tensor
    slopes: Tensor
    losses: Tensor
    targets: Tensor

    def __init__(self, prop: Property, reduction: Reduction = "mean") -> None:
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise CostMatrixError(f'reduction must be "mean", "sum" or "none"; got {reduction!r}')
        self.prop = checked_property(prop)
        self.reduction = reduction
        if isinstance(self.prop, LinearProperty):
            _keep(self, targets=self.prop.basis.T)
        else:
            pieces = pieces_of(self.prop.knots, self.prop.values)
            _keep(self, knots=self.prop.knots, **pieces._asdict())

    def forward(self, u: Tensor, y: Tensor, sample_weight: Tensor | None = None) -> Tensor:
        """Loss of scores at outcome positions.

        Parameters
        ----------
        u : Tensor, shape (N,), or (N, d) for a linear property
            For one number (N, 1) is taken too.
        y : Tensor of int, shape (N,)
            Outcome positions, from ``cost.positions(labels)``.
        sample_weight : Tensor, shape (N,), optional
        """
        losses = self._losses(u, y)
        if sample_weight is not None:
            losses = losses * sample_weight
        if self.reduction == "none":
            return losses
        if self.reduction == "sum":
            return losses.sum()
        return losses.sum() / (losses.numel() if sample_weight is None else sample_weight.sum())

    def extra_repr(self) -> str:
        """Shown between the brackets of the module's repr."""
        return f"{self.prop!r}, reduction={self.reduction!r}"

    def _losses(self, u: Tensor, y: Tensor) -> Tensor:
        d = self.prop.dimension
        if isinstance(self.prop, LinearProperty):
            u = u[:, None] if u.ndim == 1 and d == 1 else u
            self._check(u.shape == (len(y), d), u, y)
            return ((u - self.targets.to(u.dtype)[y]) ** 2).sum(dim=1) / 2
        u = u[:, 0] if u.ndim == 2 and u.shape[1] == 1 else u
        self._check(u.shape == y.shape, u, y)
        piece = torch.searchsorted(self.knots.to(u.dtype), u.detach().contiguous(), right=True)
        start, slope, loss = (table.to(u.dtype)[piece, y] for table in (self.start, self.slopes, self.losses))
        step = u - self.origins.to(u.dtype)[piece]
        return loss + step * (start + slope * step / 2)

    def _check(self, fits: bool, u: Tensor, y: Tensor) -> None:
        if not fits or y.ndim != 1:
            d = self.prop.dimension
            raise PredictionError(
                f"scores must have shape (rows, {d}) and `y` (rows,); got {tuple(u.shape)} and {tuple(y.shape)}"
            )


class PropertyLayer(nn.Module):
    """The property as a layer: probabilities (N, n) to scores Γ(p), with the gradient of ``prop.gradient``.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty

    Examples
    --------
    >>> import torch
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> P = torch.tensor([[0.8, 0.1, 0.1]], dtype=torch.float64, requires_grad=True)
    >>> u = PropertyLayer(prop)(P)
    >>> bool(u == prop.value(P.detach().numpy())[0])
    True
    """

    knots: Tensor
    values: Tensor
    targets: Tensor

    def __init__(self, prop: Property) -> None:
        super().__init__()
        self.prop = checked_property(prop)
        if isinstance(self.prop, LinearProperty):
            _keep(self, targets=self.prop.basis.T)
        else:
            _keep(self, knots=self.prop.knots, values=self.prop.values)

    def forward(self, P: Tensor) -> Tensor:
        """Scores of distributions, shape (N,), or (N, d) for a linear property.

        Parameters
        ----------
        P : Tensor, shape (N, n)
            Rows that sum to 1, as a softmax gives them.
        """
        n = len(self.prop.outcomes)
        if P.ndim != 2 or P.shape[1] != n:
            raise PredictionError(f"probabilities must have shape (rows, {n}); got {tuple(P.shape)}")
        if isinstance(self.prop, LinearProperty):
            return P @ self.targets.to(P.dtype)
        if self.prop.interior:
            P = _moved_inside(P, self.prop.interior)
        knots, values = self.knots.to(P.dtype), self.values.to(P.dtype)
        expected = P @ values.T
        passed = (expected <= 0).sum(dim=1)
        last = len(knots) - 1
        below, above = (passed - 1).clamp(min=0), passed.clamp(max=last)
        low, high = (expected.gather(1, at[:, None])[:, 0] for at in (below, above))
        inside = below != above
        # Beside the pieces a denominator of 1, so that no gradient is NaN.
        share = -low / torch.where(inside, high - low, torch.ones_like(low))
        within = knots[below] + (knots[above] - knots[below]) * share
        return torch.where(inside, within, knots[below] - low)

    def extra_repr(self) -> str:
        """Shown between the brackets of the module's repr."""
        return repr(self.prop)


def _moved_inside(P: Tensor, floor: float) -> Tensor:
    """As :func:`isocost.interior.moved_inside`."""
    least = P.min(dim=1, keepdim=True).values
    outside = least < floor
    uniform = 1 / P.shape[1]
    share = torch.where(outside, floor - least, 0.0) / torch.where(outside, uniform - least, 1.0)
    return (1 - share) * P + share * uniform


def _keep(module: Any, **arrays: Any) -> None:
    """Arrays that move with the module between devices; they belong to the property, not to its learned state."""
    for name, array in arrays.items():
        module.register_buffer(name, torch.tensor(np.asarray(array)), persistent=False)
