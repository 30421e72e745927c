"""`batt lint`: formats, exit codes, limits, and decks that nobody wrote in good faith."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handmade import MIRROR, source

DEAD = ("y = hmirror(I)", "x = vmirror(I)")


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def write(name: str, *sources: str) -> str:
        path = tmp_path / name
        path.write_text("\n\n".join(sources))
        return str(path)

    return write


def test_a_clean_deck_ends_with_0(batt: Callable[..., Any]):
    ended = batt("lint", "built-in", "--strict")
    assert ended.code == 0
    assert ended.out.startswith("no findings in 1 deck with ")


def test_errors_end_with_1_and_are_shown_with_their_line_and_a_caret(batt: Callable[..., Any], bad_deck_file: str):
    ended = batt("lint", bad_deck_file)
    assert ended.code == 1
    assert ended.out.splitlines() == [
        "1 mistake",
        f"{bad_deck_file}:2:9: mistake: 'vmiror' is not defined; did you mean 'vmirror'?",
        "        x = vmiror(I)",
        "            ^",
        "",
        "1 error and 0 warnings in 1 deck with 1 valid solver",
    ]


def test_warnings_end_with_1_only_where_strict(batt: Callable[..., Any], write: Callable[..., str]):
    deck = write("deck.py", source("solve_a", *DEAD))
    assert batt("lint", deck).code == 0
    assert batt("lint", deck, "--strict").code == 1
    assert "0 errors and 1 warning in 1 deck" in batt("lint", deck).out


def test_mistakes_are_counted_by_kind(batt: Callable[..., Any], write: Callable[..., str]):
    lines = ["a = one(I)", "b = two(I)", "for i in I: pass", "x = I"]
    out = batt("lint", write("deck.py", source("solve_a", *lines))).out
    assert out.splitlines()[:3] == [
        "3 mistakes",
        "  2 × … is not defined",
        "  1 × a loop is not part of the language",
    ]


def test_text_is_a_line_for_each_finding(batt: Callable[..., Any], write: Callable[..., str]):
    deck = write("deck.py", source("solve_a", *DEAD))
    ended = batt("lint", deck, "--format", "text")
    assert ended.out == f"{deck}:2:5: dead-step: 'y' is never read; it cannot raise an error\n"


def test_json_has_every_deck(batt: Callable[..., Any], write: Callable[..., str], bad_deck_file: str):
    deck = write("deck.py", source("solve_a", *DEAD))
    ended = batt("lint", deck, bad_deck_file, "--format", "json")
    told = json.loads(ended.out)
    assert [(each["deck"], each["errors"], each["warnings"]) for each in told["decks"]] == [
        ("deck.py", 0, 1),
        ("bad.py", 1, 0),
    ]
    assert ended.code == 1


def test_github_gets_nothing_but_annotations(batt: Callable[..., Any], write: Callable[..., str]):
    deck = write("deck.py", "::error::injected\n", source("solve_a", *DEAD))
    lines = batt("lint", deck, "--format", "github").out.splitlines()
    assert len(lines) == 2
    assert all(line.startswith((f"::error file={deck}", f"::warning file={deck}")) for line in lines)


@pytest.mark.parametrize(("options", "lines"), [((), 1001), (("--all",), 1200)])
def test_output_is_bounded_unless_all_is_asked_for(
    batt: Callable[..., Any], write: Callable[..., str], options: tuple[str, ...], lines: int
):
    deck = write("deck.py", *[source(f"solve_{n}", *DEAD) for n in range(1_200)])
    ended = batt("lint", deck, "--format", "text", *options)
    dead = [line for line in ended.out.splitlines() if ": duplicate-solver: " not in line]
    assert len(dead) == lines
    if not options:
        # 200 of the values, and 199 of the solvers that are all alike.
        assert dead[-1] == "399 more; --all prints them"
        assert "… and 1,180 more; --all prints them" in batt("lint", deck).out


def test_a_folder_is_one_deck(batt: Callable[..., Any], write: Callable[..., str], tmp_path: Path):
    write("one.py", source("solve_a", *MIRROR))
    write("two.py", source("solve_b", *MIRROR))
    ended = batt("lint", tmp_path, "--format", "text")
    assert ended.out == (
        f"{tmp_path}/two.py:1:1: duplicate-solver: solve_b has the same program as solve_a ({tmp_path}/one.py:1:1)\n"
    )


def test_names_are_never_taken_for_markup_or_for_commands_of_a_terminal(
    batt: Callable[..., Any], tmp_path: Path
):  # fmt: skip
    path = tmp_path / "[red]\x1b[2J.py"
    path.write_text(source("solve_a", *DEAD))
    for style in ("human", "text", "github", "json"):
        out = batt("lint", path, "--format", style).out
        assert "\x1b" not in out
        assert "[red]" in out


def test_bad_input_is_refused(refused: Callable[..., str], tmp_path: Path):
    assert "no such file or folder" in refused("lint", "built-in", tmp_path / "nothing.py")
    assert "usage: batt lint" in refused("lint")
    empty = tmp_path / "empty.py"
    empty.write_text("")
    assert "no solver found" in refused("lint", empty)


def test_a_deck_is_never_executed(batt: Callable[..., Any], write: Callable[..., str], tmp_path: Path):
    proof = tmp_path / "executed"
    line = f"__import__('pathlib').Path({str(proof)!r}).touch()"
    deck = write("deck.py", line, f"def solve_a(I: {line}, x={line}):\n    {line}\n    return I\n")
    assert batt("lint", deck).code == 1
    assert not proof.exists()


def test_a_deck_comes_from_standard_input():
    command = [sys.executable, "-m", "batt.cli.main", "lint", "-", "--format", "text"]
    ended = subprocess.run(command, input=source("solve_a", *DEAD), capture_output=True, text=True, check=False)
    assert ended.stdout == "/dev/stdin:2:5: dead-step: 'y' is never read; it cannot raise an error\n"
    assert (ended.returncode, ended.stderr) == (0, "")
