"""The commands and snippets of pages: each is run, but for those that need a GPU, Slurm or a network."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import batt
import test_pages
from batt.cli.main import COMMANDS, parser, with_implied
from batt.front.module import read_module
from native_library import needs_library
from pages import REASONS, Part, check_printed, commands, parts, script

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PATHS = {page.name: page for page in PAGES}
PARTS = [(page.name, part) for page in PAGES for part in parts(page.read_text("utf-8"))]
LINES = [(name, line) for name, part in PARTS for line in commands(part)]
TUTORIAL = "tutorial.md"
"""Its commands install batt; a test of its own follows them."""

SOLVERS = ["solve_007bbfb7", "solve_25ff71a9", "solve_2dee498d", "solve_be94b721"]
DECKS = ("solvers.py", "my_solvers.py", "my.py", "decks/some.py")
"""Files that pages take to be there, each with these solvers."""
STORE = "batt run solvers.py --ids 007bbfb7 --quiet --out"
VARIED = "import batt; batt.load_deck().select(['solve_3c9b0459']).save('my.py')"
FIRST = {
    "infer.md": [f"python -c {shlex.quote(VARIED)}"],
    "runs.md": [f"{STORE} more", f"{STORE} monday", f"{STORE} tuesday", f"{STORE} part1", f"{STORE} part2"],
    "own-ops.md": [f"cp -r {shlex.quote(str(ROOT / 'docs'))} docs"],
}
"""What a page takes to be done, by page."""

SNIPPETS = {
    "README.md": "deck",
    "card.md": "tests/cli/test_card.py",
    "decks.md": "deck",
    "dialect.md": "tests/front/test_dialect.py",
    "differences.md": "deck",
    "differs.md": "deck",
    "everyday-python.md": "deck",
    "learn.md": "tests/test_docs.py",
    "own-ops.md": "ops",
    "primitives.md": "deck",
    "tour.md": "tests/test_docs.py",
    "solve.md": "deck",
    "tutorial.md": "deck",
}
"""How the Python on a page that is no session is tested: read as a deck, here below, or by another test."""
SESSIONS = {"compat.md", "lazy.md", "primitives.md", "tour.md"} | {Path(name).name for name in test_pages.BEFORE}


def snippets(page: str) -> list[Part]:
    """The blocks of Python on a page that are no sessions."""
    found = [part for name, part in PARTS if name == page and part.language == "python" and not part.not_run]
    return [part for part in found if not part.text.startswith(">>> ")]


def test_what_is_not_run_says_why():
    assert {part.not_run for _, part in PARTS if part.not_run} == REASONS


@pytest.mark.parametrize(("page", "line"), LINES, ids=[f"{page}-{line.text}"[:70] for page, line in LINES])
def test_a_command_of_batt_on_a_page_is_one_that_batt_takes(page: str, line):
    words = shlex.split(line.text)
    if words[0] == "batt":
        made = parser(words[1])
        _, rest = made.parse_known_args(with_implied(words[1:]))
        assert [word for word in rest if word.startswith("-")] == []


def test_an_option_named_in_prose_is_one_of_its_command():
    texts = [
        (page.name, re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE))
        for page in PAGES
    ]
    named = [(page, span) for page, text in texts for span in re.findall(r"`batt ([a-z][^`]*)`", text)]
    assert len(named) > 100
    for page, span in named:
        command, *words = span.split()
        assert command in COMMANDS, (page, span)
        known = parser(command).format_help() + "".join(_helps(command))
        for option in [word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)]:
            assert re.search(rf"(?<![\w-]){re.escape(option)}\b", known), (page, span)


def _helps(command: str) -> list[str]:
    """The help of a command and of its subcommands."""
    (choices,) = [action for action in parser(command)._actions if action.dest == "command"]
    made = choices.choices[command]
    inner = [action.choices.values() for action in made._actions if isinstance(action.choices, dict)]
    return [made.format_help(), *[each.format_help() for group in inner for each in group]]


def test_every_snippet_of_python_is_tested():
    pages = {name for name, part in PARTS if part.language == "python" and not part.not_run}
    with_sessions = {name for name, part in PARTS if part.language == "python" and part.text.startswith(">>> ")}
    assert with_sessions == SESSIONS
    assert {page for page in pages if snippets(page)} == set(SNIPPETS)


@pytest.mark.parametrize("page", [page for page, how in SNIPPETS.items() if how == "deck"])
def test_a_deck_on_a_page_has_no_mistakes(page: str):
    for part in snippets(page):
        assert read_module(part.text, page).mistakes == []


def test_the_ops_on_the_page_are_those_of_the_files_beside_it():
    folder = ROOT / "docs" / "own-ops"
    helper, op, solver, python, native = [part.text for part in snippets("own-ops.md")]
    assert read_module(helper, "helper").mistakes == []
    ops = (folder / "my_ops.py").read_text("utf-8")
    assert op.split("\n\n\n")[1] in ops.replace(', native="my_ops.h"', "").replace("(grid: Grid) -> Grid", "(grid)")
    assert solver.split("\n\n\n")[1] in (folder / "solvers.py").read_text("utf-8")
    compile(python, "own-ops.md", "exec")
    assert native.split("\n")[0] in ops


def prepare(folder: Path) -> None:
    """Write the files that pages take to be there: decks, differs, tasks."""
    deck = batt.load_deck().select(SOLVERS)
    for name in DECKS:
        (folder / name).parent.mkdir(exist_ok=True)
        deck.save(folder / name)
    (folder / "my_differs.py").write_text(snippets("differs.md")[0].text, "utf-8")
    tasks = batt.load_tasks("arc1-training")
    (folder / "kaggle_challenges.json").write_text(json.dumps({task.id: plain(task) for task in tasks[:3]}), "utf-8")
    unanswered = {task.id: plain(task, has_answers=False) for task in tasks[:12]}
    (folder / "arc-agi_test_challenges.json").write_text(json.dumps(unanswered), "utf-8")
    for name, task in (("tasks", tasks["00d62c1b"]), ("more", tasks["007bbfb7"])):
        (folder / name).mkdir()
        (folder / name / f"{task.id}.json").write_text(json.dumps(plain(task)), "utf-8")


def plain(task: batt.Task, has_answers: bool = True) -> dict[str, list[dict[str, object]]]:
    """A task as ARC's files have it."""
    train = [{"input": pair.input, "output": pair.output} for pair in task.train]
    test = [{"input": pair.input} | ({"output": pair.output} if has_answers else {}) for pair in task.test]
    return {"train": train, "test": test}


@pytest.mark.slow
@needs_library
@pytest.mark.parametrize("page", sorted({name for name, _ in LINES} - {TUTORIAL, "README.md"}))
def test_the_commands_of_a_page_run(page: str, tmp_path: Path):
    prepare(tmp_path)
    text = PATHS[page].read_text("utf-8")
    lines = ["set -e", *FIRST.get(page, []), *script(text)]
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": paths, "BATT_CACHE_DIR": str(tmp_path / "cache")}
    whole = ["bash", "-xc", "\n".join(lines)]
    ended = subprocess.run(whole, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    check_printed(text, ended.stdout)
