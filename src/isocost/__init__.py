"""isocost: from a cost matrix to calibrated decisions.

The names follow the theory: a :class:`CostMatrix` says what decisions cost; its ``ordering()`` is
an :class:`Ordering` that says, exactly, whether the decisions line up; :func:`smooth` builds the
:class:`SmoothProperty` Γ, one Lipschitz number that carries all the decision needs, with its
loss, its link and its exact Lipschitz constant; :func:`linear` builds the :class:`LinearProperty`,
a few numbers, of any cost matrix; :func:`property_for` picks the one that suits, and says why.
:func:`audit` says what decisions cost, whether each is right where it is taken, and how sure that is;
:class:`IsotonicRecalibrator` and :class:`AffineRecalibrator` repair scores, :class:`Multicalibrator`
repairs them in every group, :class:`SwapRecalibrator` repairs decisions.
:class:`DecisionRule` holds all of it in one object that is saved and shipped.
"""

from isocost.auditing.auditor import audit, audit_tally
from isocost.auditing.compare import Comparison, compare
from isocost.auditing.planning import SamplePlan, sample_size
from isocost.auditing.result import Audit
from isocost.auditing.tally import Tally, tally
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError, IsocostError, NotOrderableError, PredictionError, RuleError
from isocost.frames.audit import audit_frame
from isocost.frames.fit import fit_frame
from isocost.frames.summing import tally_frame
from isocost.interface import Property
from isocost.linear_property import LinearProperty, linear
from isocost.ordering import Ordering, OrderKind
from isocost.property import SmoothProperty
from isocost.recalibrate import AffineRecalibrator, IsotonicRecalibrator, Multicalibrator, SwapRecalibrator
from isocost.rule import DecisionRule
from isocost.smoothing import smooth
from isocost.witness import Witness

__version__ = "0.1.0"

__all__ = [
    "AffineRecalibrator",
    "Audit",
    "Comparison",
    "CostMatrix",
    "CostMatrixError",
    "DecisionRule",
    "IsocostError",
    "IsotonicRecalibrator",
    "LinearProperty",
    "Multicalibrator",
    "NotOrderableError",
    "OrderKind",
    "Ordering",
    "PredictionError",
    "Property",
    "RuleError",
    "SamplePlan",
    "SmoothProperty",
    "SwapRecalibrator",
    "Tally",
    "Witness",
    "audit",
    "audit_frame",
    "audit_tally",
    "compare",
    "fit_frame",
    "linear",
    "property_for",
    "sample_size",
    "smooth",
    "tally",
    "tally_frame",
]
