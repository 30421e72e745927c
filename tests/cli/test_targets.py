"""No command overwrites or removes one of its inputs."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batt.card.target import check_target
from batt.cli.main import COMMANDS, parser
from batt.cli.targets import WRITTEN
from handmade import MIRROR, plain_tasks, source

FOLDERS = {"folder", "out", "save", "resume", "folders"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a deck, tasks, files of Kaggle's, own ops and differs, and links to some."""
    monkeypatch.chdir(tmp_path)
    for path in ("deck.py", "decks/one.py", "o/winners.py"):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(source("solve_mirror", *MIRROR))
    tasks = json.dumps(plain_tasks())
    Path("o2").mkdir()
    Path("many/deep").mkdir(parents=True)
    for path in ("tasks.json", "k_challenges.json", "many/a.json", "many/deep/b.json"):
        Path(path).write_text(tasks)
    Path("k_solutions.json").write_text("{}")
    Path("ops.py").write_text("raise SystemExit")
    Path("ops.h").write_text("// a body")
    Path("differ.py").write_text("def differ_x(S, I, C):\n    return size(C)\n")
    Path("soft.jsonl").symlink_to("deck.py")
    os.link("deck.py", "hard.jsonl")
    Path("decks/link.py").symlink_to(tmp_path / "elsewhere.jsonl")
    Path("elsewhere.jsonl").write_text("")
    Path("o2/results.jsonl").symlink_to(tmp_path / "deck.py")
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "run --deck o/winners.py --out o",
        "run o/winners.py --out o",
        "run -b o/winners.py --out o",
        "run -b deck --export deck.py",
        "run --deck deck.py --export ./o/../deck.py",
        "run --deck deck.py --export soft.jsonl",
        "run --deck deck.py --export hard.jsonl",
        "run --deck deck.py --out o2",
        "run --deck decks --export decks/rows.jsonl",
        "run --deck decks --out decks",
        "run --deck decks --export elsewhere.jsonl",
        "run --deck decks --deck deck.py --export deck.py",
        "run --tasks tasks.json --export tasks.json",
        "run --tasks many --tasks tasks.json --export tasks.json",
        "run --tasks many --out many",
        "run --tasks many --out many/deep",
        "run --tasks k_challenges.json --export k_solutions.json",
        "run --ops ops.py --export ops.py",
        "run --ops ops.py --export ops.h",
        "run --differs equal,differ.py --export differ.py",
        "run --export o/results.jsonl --out o",
        "card --deck deck.py -f deck.py",
        "card --deck decks -f decks/two.py",
        "card -b deck -o deck.py",
        "card --differs differ.py -f differ.py",
        "infer --deck deck.py -f deck.py",
        "infer --tasks many -f many/x.json",
        "show solve_mirror --deck deck.py -o deck.py",
        "show --graph --deck deck.py -o deck.py",
        "trace solve_mirror mirror --tasks tasks.json -o tasks.json",
        "profile --deck deck.py --json deck.py",
        "profile --deck deck.py --svg deck.py",
        "profile --json x --svg x",
        "bench --deck deck.py --json deck.py",
        "bench --deck deck.py --plot deck.py",
        "bench --deck deck.py --tasks tasks.json --json tasks.json",
        "tasks pack tasks.json -o tasks.json",
        "tasks pack tasks.json@symmetries -o tasks.json",
        "tasks pack arc1-training k_challenges.json -o k_solutions.json",
        "tasks pack many -o many/a.json",
    ],
)
def test_a_target_that_is_an_input_is_refused_and_all_files_stay(refused: Callable[..., str], here: Path, line: str):
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    told = refused(*line.split())
    assert "reads it; name another" in told or "write to it; name another" in told, told
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "line",
    [
        "run deck.py --tasks tasks.json --quiet --engine reference --out decks/out",
        "run decks/one.py --tasks tasks.json --quiet --engine reference --export o/rows.jsonl",
        "run decks --tasks tasks.json --quiet --engine reference --out decks/out",
        "run deck.py --tasks tasks.json --quiet --engine reference --export /dev/null",
        "tasks pack tasks.json -o all.batt-tasks",
        "show solve_mirror --deck deck.py --tasks tasks.json -o solver.py",
    ],
)
def test_any_other_target_is_written(batt: Callable[..., Any], here: Path, line: str):
    (here / "decks" / "link.py").unlink()
    assert batt(*line.split()).code == 0


def actions(of: argparse.ArgumentParser) -> list[argparse.Action]:
    found: list[argparse.Action] = []
    for action in of._actions:
        found.append(action)
        if isinstance(action, argparse._SubParsersAction):
            found += [each for sub in action.choices.values() for each in actions(sub)]
    return found


def test_every_option_that_names_a_file_to_write_is_checked():
    assert set(COMMANDS) <= set(parser()._subparsers._group_actions[0].choices)  # type: ignore[union-attr,arg-type]
    named = {action.dest for action in actions(parser()) if action.type is Path}
    assert named - FOLDERS == set(WRITTEN)


def test_a_deck_that_is_a_module_of_its_own_may_be_named(here: Path):
    check_target(here / "deck.py")
