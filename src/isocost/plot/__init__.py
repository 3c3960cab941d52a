"""Pictures of what the other rooms computed; needs ``pip install 'isocost[plot]'``."""

from isocost.plot.triangle import simplex

__all__ = ["simplex"]
