"""ARC tasks as immutable data, and how they are loaded. Must not import decks, ops or engines."""

from typing import TYPE_CHECKING

from batt.importing import on_first_use
from batt.tasks.built_in import BUILT_IN
from batt.tasks.load import TaskSource, load_tasks, split_source, tasks_from_dict
from batt.tasks.merge import merge_tasks
from batt.tasks.model import Pair, Task, Tasks

if TYPE_CHECKING:
    from batt.tasks.augment import Transform, original

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

# Few sets are augmented.
__getattr__ = on_first_use(__name__, dict.fromkeys(("Transform", "original"), "batt.tasks.augment"))
