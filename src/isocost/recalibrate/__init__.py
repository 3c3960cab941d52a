"""Repairs of scores and decisions that are not right: learned on labelled rows, applied to new ones."""

from isocost.recalibrate.affine import AffineRecalibrator
from isocost.recalibrate.isotonic import IsotonicRecalibrator
from isocost.recalibrate.multicalibration import Multicalibrator
from isocost.recalibrate.swap import SwapRecalibrator

__all__ = ["AffineRecalibrator", "IsotonicRecalibrator", "Multicalibrator", "SwapRecalibrator"]
