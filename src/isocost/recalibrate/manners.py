"""What every recalibrator shares: scikit-learn's manners, without scikit-learn."""

from __future__ import annotations

import inspect
from typing import Any, Self

from isocost.exceptions import CostMatrixError, PredictionError

__all__ = ["Recalibrator"]


class Recalibrator:
    """Parameters by name, as scikit-learn's ``clone`` and searches ask for them, and a word where ``fit`` is missing.

    Constructors store their arguments as they came under their own names; ``fit`` sets attributes
    that end in an underscore.
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002  # nothing here is nested
        """Constructor's parameters by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name; what was fitted stays until the next ``fit``."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise CostMatrixError(f"{type(self).__name__} has the parameters {', '.join(known)}; got {name!r}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return any(name.endswith("_") and not name.endswith("__") for name in vars(self))

    def _require_fit(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise PredictionError(f"{type(self).__name__} must be fitted before it predicts; call fit first")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"
