"""Pictures of what the other rooms computed; needs ``pip install 'isocost[plot]'``."""

from isocost.plot.curves import reliability
from isocost.plot.gaps import certificate
from isocost.plot.ladders import ladder
from isocost.plot.overviews import overview
from isocost.plot.pieces_of_loss import identification
from isocost.plot.triangle import simplex

__all__ = ["certificate", "identification", "ladder", "overview", "reliability", "simplex"]
