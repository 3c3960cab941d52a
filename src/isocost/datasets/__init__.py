"""Real predictions with their outcomes, small enough to ship; each with its licence and its source."""

from isocost.datasets.predictions import Predictions, football, hpc_jobs

__all__ = ["Predictions", "football", "hpc_jobs"]
