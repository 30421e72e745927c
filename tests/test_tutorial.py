"""The tutorial, followed to the letter from a fresh clone, shows what it says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from native_library import needs_library
from pages import check_printed, commands, parts, script

ROOT = Path(__file__).parents[1]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text("utf-8")


def test_the_tutorial_begins_with_an_installation_and_ends_with_a_checked_submission_and_a_search():
    texts = [command.text for part in parts(TUTORIAL) for command in commands(part)]
    assert texts[0] == "make run"
    assert texts[-2].startswith("batt submit --check")
    assert texts[-1] == "batt solve -c 20 --time 3"


@pytest.mark.slow
@needs_library
def test_the_tutorial_works_from_a_fresh_clone(tmp_path: Path):
    clone = tmp_path / "batt"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BATT_", "VIRTUAL_ENV"))}
    ended = subprocess.run(
        ["bash", "-c", "\n".join(script(TUTORIAL))], cwd=clone, env=environment, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    check_printed(TUTORIAL, ended.stdout)
