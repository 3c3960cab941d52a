"""Estimators and objectives that train the scalar; needs ``isocost[learn]``.

:class:`SurrogateClassifier` trains the score itself, by a linear model, LightGBM or XGBoost;
:class:`DecisionClassifier` wraps a classifier that gives probabilities; :class:`LinearScore` is the
linear model; :func:`compare_models` says which costs less on your data; :func:`efficient` is the
property that they train on. For training loops of
your own: :mod:`isocost.learn.boosting`, :mod:`isocost.learn.torch`.
"""

from typing import TYPE_CHECKING, Any

from isocost.learn.construction import efficient

if TYPE_CHECKING:
    from isocost.learn.comparing import compare_models
    from isocost.learn.decision_classifier import DecisionClassifier
    from isocost.learn.linear import LinearScore
    from isocost.learn.surrogate_classifier import SurrogateClassifier

__all__ = ["DecisionClassifier", "LinearScore", "SurrogateClassifier", "compare_models", "efficient"]


def __getattr__(name: str) -> Any:
    # Late, so that objectives and the scorer need no scikit-learn until they use it.
    if name == "DecisionClassifier":
        from isocost.learn.decision_classifier import DecisionClassifier

        return DecisionClassifier
    if name == "LinearScore":
        from isocost.learn.linear import LinearScore

        return LinearScore
    if name == "SurrogateClassifier":
        from isocost.learn.surrogate_classifier import SurrogateClassifier

        return SurrogateClassifier
    if name == "compare_models":
        from isocost.learn.comparing import compare_models

        return compare_models
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
