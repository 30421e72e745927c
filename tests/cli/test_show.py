"""`batt show`: tasks, solvers and results, on the terminal and in files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import batt as package


@pytest.fixture
def named(deck_file: str, tasks_file: str) -> list[str]:
    return ["--deck", deck_file, "--tasks", tasks_file]


def test_a_task_is_drawn_with_all_pairs(batt: Callable[..., Any], named: list[str]):
    ended = batt("show", "trap", *named)
    assert (ended.code, ended.err) == (0, "")
    for title in ("task trap", "train 0", "train 1", "test 0", "test 1"):
        assert title in ended.out


def test_a_task_is_drawn_even_if_the_deck_cannot_be_read(batt: Callable[..., Any], tasks_file: str):
    assert batt("show", "trap", "--tasks", tasks_file, "--deck", "no-such-deck.py").code == 0


def test_a_solver_is_its_source_and_its_result_on_its_own_task_on_a_terminal(
    batt: Callable[..., Any], named: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("FORCE_COLOR", "1")
    # rich keeps a style's codes for the terminal that it was first shown on, and other tests want all colours.
    monkeypatch.setenv("COLORTERM", "truecolor")
    ended = batt("show", "solve_mirror", *named)
    assert (ended.code, ended.err) == (0, "")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", ended.out)
    assert "def solve_mirror(I):" in shown
    assert "solve_mirror on mirror" in shown
    assert shown.count("✓ equal") == 3


def test_outside_a_terminal_a_solver_is_a_deck(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    (tmp_path / "mine.py").write_text(batt("show", "solve_mirror", *named).out)
    assert package.load_deck(tmp_path / "mine.py").names == ("solve_mirror",)


LONG = f"    x = fill(I, 2, combine({', '.join(['box(asindices(I))'] * 2)}))" + f"  # {'long ' * 20}end"


@pytest.fixture
def long_deck(tmp_path: Path) -> str:
    path = tmp_path / "long.py"
    path.write_text(f"def solve_long(I):\n{LONG}\n    return x\n")
    return str(path)


def test_source_is_printed_whole_outside_a_terminal(batt: Callable[..., Any], long_deck: str, tasks_file: str):
    ended = batt("show", "solve_long", "--deck", long_deck, "--tasks", tasks_file)
    assert len(LONG) > 120
    assert LONG in ended.out.splitlines()


def test_source_is_wrapped_on_a_terminal(
    batt: Callable[..., Any], long_deck: str, tasks_file: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", batt("show", "solve_long", "--deck", long_deck, "--tasks", tasks_file).out)
    assert max(map(len, shown.splitlines())) <= 60
    assert "end" in shown


def test_a_solver_without_a_task_of_its_own_is_its_source(batt: Callable[..., Any], named: list[str]):
    ended = batt("show", "solve_same", *named)
    assert ended.code == 0
    assert "def solve_same(I):" in ended.out
    assert " on " not in ended.out


def test_a_result_on_a_task_is_drawn_beside_what_is_expected(batt: Callable[..., Any], named: list[str]):
    ended = batt("show", "solve_same", "trap", *named)
    assert ended.code == 0
    assert ended.out.count("✓ equal") == 2
    assert ended.out.count("✗ different") == 2
    assert ended.out.count("expected") == 2
    assert batt("show", "solve_fails", "trap", *named).out.count("raised StopIteration: first of an empty tuple") == 4


def test_a_picture_is_written_in_the_form_of_its_name(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    for suffix in ("svg", "png", "html", "txt"):
        ended = batt("show", "solve_same", "trap", *named, "-o", tmp_path / f"picture.{suffix}")
        assert ended == (0, "", "")
    assert ElementTree.parse(tmp_path / "picture.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert (tmp_path / "picture.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "solve_same on trap" in (tmp_path / "picture.txt").read_text()


def test_a_solver_is_written_as_source_or_as_a_picture(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    assert batt("show", "solve_mirror", *named, "-o", tmp_path / "solver.py") == (0, "", "")
    assert package.load_deck(tmp_path / "solver.py").names == ("solve_mirror",)
    assert batt("show", "solve_mirror", *named, "-o", tmp_path / "solver.txt") == (0, "", "")
    assert "solve_mirror on mirror" in (tmp_path / "solver.txt").read_text()


def test_a_deck_alone_is_listed_by_group(batt: Callable[..., Any], deck_file: str, tmp_path: Path):
    ended = batt("show", "--deck", deck_file)
    assert (ended.code, ended.err) == (0, "")
    rows = [line.split() for line in ended.out.splitlines()]
    assert rows[0] == ["group", "solver", "steps", "idea"]
    assert [row[-2:] for row in rows[1:]] == [["solve_mirror", "1"], ["solve_same", "1"], ["solve_fails", "1"]]
    assert batt("show", "--deck", deck_file, "-o", tmp_path / "deck.txt") == (0, "", "")
    assert (tmp_path / "deck.txt").read_text("utf-8") == ended.out


def test_the_option_without_a_path_lists_the_built_in_deck(batt: Callable[..., Any]):
    ended = batt("show", "--deck")
    assert ended.code == 0
    deck = package.load_deck()
    assert re.findall(r"solve_\w+", ended.out) == list(deck.names)
    assert deck[0].idea in ended.out


def test_a_deck_is_written_as_a_page_with_the_tasks_that_are_named(
    batt: Callable[..., Any], named: list[str], tmp_path: Path
):
    assert batt("show", *named, "-o", tmp_path / "gallery.html") == (0, "", "")
    page = (tmp_path / "gallery.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<article") == 3
    assert "task mirror train 0" in page


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nothing"], "'nothing' is neither a task of {tasks} nor a solver of deck.py"),
        (["solve_qqqqqqqqqqqqqqqq", "trap"], "no solver 'solve_qqqqqqqqqqqqqqqq' in deck.py"),
        (["solve_mirror", "trp"], "unknown task 'trp'; did you mean trap?"),
        (["mirror", "trap"], "no solver 'mirror' in deck.py; did you mean solve_mirror?"),
        (["trap", "-t", "0"], "the limit of seconds must be greater than zero, got 0"),
        (["trap", "-o", "{root}/picture.bmp"], "{root}/picture.bmp: cannot draw .bmp; use .svg, .png, .html, .txt"),
        (["trap", "-o", "{root}/picture"], "{root}/picture: cannot draw without a suffix; use .svg, .png, .html, .txt"),
        (
            ["trap", "-o", "{root}/nowhere/a.svg"],
            "{root}/nowhere/a.svg: {root}/nowhere is not a folder",
        ),
        (["-o", "{root}/deck.svg"], "{root}/deck.svg: a deck is drawn as .html or .txt"),
        (["trap", "--json"], "--json needs --graph"),
        (
            ["solve_same", "-o", "{root}/a.svg"],
            "solve_same names none of the tasks; give a task to draw its result: batt show SOLVER TASK",
        ),
    ],
)
def test_what_cannot_be_shown_is_told_in_one_line(
    refused: Callable[..., str], named: list[str], tmp_path: Path, argv: list[str], message: str
):
    told = refused("show", *[each.format(root=tmp_path) for each in argv], *named)
    assert told == f"batt: {message.format(root=tmp_path, tasks=named[3])}\n"


def test_a_command_that_names_nothing_is_told_what_to_name(refused: Callable[..., str]):
    assert refused("show") == "batt: name a task or a solver, or use --deck to list a deck, or --graph\n"


def test_a_deck_with_mistakes_is_refused_unless_asked_to_keep_going(
    batt: Callable[..., Any], refused: Callable[..., str], bad_deck_file: str, tasks_file: str
):
    argv = ("show", "solve_mirror", "--deck", bad_deck_file, "--tasks", tasks_file)
    assert "'vmiror' is not defined" in refused(*argv)
    ended = batt(*argv, "--keep-going")
    assert ended.code == 0
    assert "'vmiror' is not defined" in ended.err
