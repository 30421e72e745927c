"""Search programs for new tasks: states from decks, learners over states, and a choice by evidence."""

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.solutions import Answer, Solutions, TaskSolution
from batt.solving.tasks import solve

__all__ = ["Answer", "Layer", "SearchCandidate", "Solutions", "TaskSolution", "solve"]
