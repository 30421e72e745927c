"""ARC tasks as immutable data, and where they are read from. Knows nothing of decks, ops or engines."""

from batt.tasks.load import BUILT_IN, load_tasks, tasks_from_dict
from batt.tasks.merge import merge_tasks
from batt.tasks.model import Pair, Rows, Task, Tasks

__all__ = ["BUILT_IN", "Pair", "Rows", "Task", "Tasks", "load_tasks", "merge_tasks", "tasks_from_dict"]
