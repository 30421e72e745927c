"""The examples of the page about solving: programs that a search found, as text, and drawn with their steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import batt
from batt.draw import svg
from batt.solving.answers.pictures import answer_scene
from batt.solving.searches.storing import read_search

MADE = re.compile(r"(<!-- Solved tasks, made by `make docs`\. -->\n)(?:.*\n)*?(<!-- End of the solved tasks\. -->\n)")
"""Where the page has the examples."""


def with_solved(text: str, folder: Path) -> str:
    """Replace the examples by what a folder holds."""
    return MADE.sub(lambda found: found[1] + "".join(_examples(folder)) + found[2], text)


def _examples(folder: Path) -> Iterator[str]:
    for solution in read_search(folder).found:
        answer = solution.answers[0][0]
        yield f"### {solution.task}: {answer.layer.value}\n\n"
        yield f"{answer.sure:.0%} sure: {answer.why}.\n\n"
        # As the formatter of the pages wants it.
        source = answer.source.replace("import *\n\ndef", "import *\n\n\ndef")
        yield f"```python\n{source}```\n\n"
        yield f"![{solution.task} with its answer, and every step]({folder.name}/{solution.task}.svg)\n\n"


def solved_pictures(folder: Path) -> dict[Path, str]:
    """Return the pictures of the examples by their paths."""
    tasks = batt.load_tasks("arc1-training")
    found = read_search(folder).found
    return {folder / f"{each.task}.svg": svg(answer_scene(tasks[each.task], each)) for each in found}
