"""A deck and tasks in files, and a command that runs within the tests' own process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from batt.cli.main import main
from handmade import MIRROR, RAISES, SAME, plain_tasks, source


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Batt = Callable[..., Ended]


@pytest.fixture
def deck_file(tmp_path: Path) -> str:
    path = tmp_path / "deck.py"
    solvers = {"solve_mirror": MIRROR, "solve_same": SAME, "solve_fails": RAISES}
    path.write_text("\n\n".join([source(name, *lines) for name, lines in solvers.items()]))
    return str(path)


@pytest.fixture
def bad_deck_file(tmp_path: Path) -> str:
    path = tmp_path / "bad.py"
    path.write_text(f"{source('solve_bad', 'x = vmiror(I)')}\n\n{source('solve_mirror', *MIRROR)}")
    return str(path)


@pytest.fixture
def tasks_file(tmp_path: Path) -> str:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(plain_tasks()))
    return str(path)


@pytest.fixture
def batt(capsys: pytest.CaptureFixture[str]) -> Batt:
    """Run the command with these arguments."""

    def run(*argv: object) -> Ended:
        try:
            code = main([str(each) for each in argv])
        except SystemExit as left:
            code = int(left.code or 0)
        return Ended(code, *capsys.readouterr())

    return run


@pytest.fixture
def refused(batt: Batt, tmp_path: Path) -> Callable[..., str]:
    """Run a command that must be refused: exit code 2, nothing on standard output, no file touched; its message."""

    def run(*argv: object) -> str:
        before = sorted(tmp_path.rglob("*"))
        ended = batt(*argv)
        assert ended.code == 2, ended
        assert ended.out == ""
        assert sorted(tmp_path.rglob("*")) == before
        assert "Traceback" not in ended.err
        return ended.err

    return run
