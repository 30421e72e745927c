"""The reference tier: plain Python in worker processes. It defines every outcome."""

from batt.runtime.reference.evaluation import evaluate_one, outcome_of
from batt.runtime.reference.process import trace
from batt.runtime.reference.tier import ReferenceTier

__all__ = ["ReferenceTier", "evaluate_one", "outcome_of", "trace"]
