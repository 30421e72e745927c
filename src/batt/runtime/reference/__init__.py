"""The reference tier: plain Python in worker processes, which defines what every outcome is."""

from batt.runtime.reference.evaluation import evaluate_one, outcome_of
from batt.runtime.reference.process import trace
from batt.runtime.reference.tier import ReferenceTier

__all__ = ["ReferenceTier", "evaluate_one", "outcome_of", "trace"]
