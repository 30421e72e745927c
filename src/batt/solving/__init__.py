"""Search programs for new tasks: states from decks, learners over states, and a choice by evidence.

The modules here are what all packages use: expressions, the functions of decks, a task as a search sees it, candidates.
Packages import lower ones only: `searches`, `answers`, `figures`, `states`, `cells`, `families`.
"""

from batt.solving.answers.solutions import Answer, Solutions, TaskSolution
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.searches.tasks import solve

__all__ = ["Answer", "Layer", "SearchCandidate", "Solutions", "TaskSolution", "solve"]
