"""The tutorial, followed to the letter from a fresh clone, shows what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from native_library import needs_library
from pages import Command, commands, parts, pattern

ROOT = Path(__file__).parents[1]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
END = "=== end of the command ==="


def script() -> Iterator[str]:
    """Yield lines of shell: the files and commands of the tutorial in order, with a mark after each command."""
    yield "set -e"
    for part in parts(TUTORIAL):
        if part.file:
            yield f"printf %s {shlex.quote(part.text)} > {part.file}"
        for command in commands(part):
            yield command.text
            yield f"echo {shlex.quote(END)}"


def shown() -> list[Command]:
    return [command for part in parts(TUTORIAL) for command in commands(part)]


def test_the_tutorial_begins_with_an_installation_and_ends_with_a_checked_submission():
    texts = [command.text for command in shown()]
    assert texts[0] == "make run"
    assert texts[-1].startswith("batt submit --check")


@pytest.mark.slow
@needs_library
def test_the_tutorial_works_from_a_fresh_clone(tmp_path: Path):
    clone = tmp_path / "batt"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BATT_", "VIRTUAL_ENV"))}
    ended = subprocess.run(
        ["bash", "-c", "\n".join(script())], cwd=clone, env=environment, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    printed = ended.stdout.split(f"{END}\n")
    assert printed.pop() == ""
    assert len(printed) == len(shown())
    for command, text in zip(shown(), printed, strict=True):
        assert re.search(pattern(command.shown), text, re.DOTALL), f"{command.text}\n{text}"
