"""ARC tasks as immutable data, and how they are loaded. Must not import decks, ops or engines."""

from batt.tasks.augment import Transform, original
from batt.tasks.built_in import BUILT_IN
from batt.tasks.load import TaskSource, load_tasks, split_source, tasks_from_dict
from batt.tasks.merge import merge_tasks
from batt.tasks.model import Pair, Task, Tasks

__all__ = [
    "BUILT_IN",
    "Pair",
    "Task",
    "TaskSource",
    "Tasks",
    "Transform",
    "load_tasks",
    "merge_tasks",
    "original",
    "split_source",
    "tasks_from_dict",
]
