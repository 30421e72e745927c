"""Differs: functions that score a candidate output against the expected one, built in or written by the user."""

from batt.differs.differ import BUILT_IN, BuiltInDiffer, Differ, Written, differs_named, read_differs
from batt.differs.measures import UNKNOWN, Score, cells, colours, equal, no_score, singles
from batt.differs.results import Scores, score_results
from batt.differs.stage import Candidate, score

__all__ = [
    "BUILT_IN",
    "UNKNOWN",
    "BuiltInDiffer",
    "Candidate",
    "Differ",
    "Score",
    "Scores",
    "Written",
    "cells",
    "colours",
    "differs_named",
    "equal",
    "no_score",
    "read_differs",
    "score",
    "score_results",
    "singles",
]
