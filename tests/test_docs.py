"""The pages of the documentation agree with the code: what is generated, the numbers in prose, and the words."""

from __future__ import annotations

import argparse
import re
import runpy
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import pytest

import sessions
from batt.bytecode.opcodes import Code
from batt.cli.main import COMMANDS, main, parser
from batt.front import load_deck
from batt.front.groups import groups_of
from batt.jobs.choice import PAYS_FROM
from batt.jobs.settling import COMPILE_FROM
from batt.ops import OPS
from batt.runtime import Limits
from batt.runtime.cuda.memory import FRACTION
from generated_rates import RATES
from native_library import needs_library

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
WORDS = [line.split(" | ") for line in (DOCS / "glossary.md").read_text("utf-8").splitlines() if line.startswith("| ")]
NAMED = sorted({name for row in WORDS if len(row) == 3 for name in re.findall(r"`(batt[^`]*)`", row[2])})


@pytest.fixture(scope="module")
def make() -> dict[str, Any]:
    """The names of docs/make.py."""
    return runpy.run_path(str(DOCS / "make.py"))


@pytest.fixture
def with_values(make: dict[str, Any]) -> Callable[[str], str]:
    replaced: Callable[[str], str] = make["with_values"]
    return replaced


def test_generated_pages_are_up_to_date(make: dict[str, Any]):
    made = make["pages"]()
    assert set(made) == {*PAGES, *DOCS.glob("learn/*.svg"), *DOCS.glob("solve/*.svg")}
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: make docs"


def test_the_page_for_learners_shows_thirteen_solvers_that_get_longer_and_are_right(make: dict[str, Any]):
    shown = make["STEPS"].findall((DOCS / "learn.md").read_text("utf-8"))
    traces = [make["steps_of"](name, pair) for _, name, pair, _ in shown]
    lengths = [len(each) for each in traces]
    assert len({each.solver.name for each in traces}) == 13
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (1, 29)
    assert [each.verdict.text for each in traces] == ["equal"] * 13


def test_the_page_of_the_built_in_deck_counts_its_files_and_lists_the_rates_below_the_wanted_one():
    page = (DOCS / "built-in-deck.md").read_text("utf-8")
    groups = {group.title: len(group.solvers) for group in groups_of(load_deck())}
    assert dict(re.findall(r"^\| `(\w+)\.py` \| ([1-9]\d*) ", page, re.MULTILINE)) == {
        name: str(count) for name, count in groups.items()
    }
    assert dict(re.findall(r"^\| (\w{8}) \| (\d+) \|$", page, re.MULTILINE)) == {
        task: str(right) for task, right in RATES.items()
    }


def test_a_picture_of_steps_is_the_one_that_a_trace_draws(tmp_path: Path):
    drawn = tmp_path / "steps.svg"
    assert main(["trace", "solve_2dee498d", "2dee498d", "train0", "-o", str(drawn)]) == 0
    assert drawn.read_text("utf-8") == (DOCS / "learn" / "solve_2dee498d.svg").read_text("utf-8")


def test_the_page_of_the_bytecode_has_a_row_for_every_instruction():
    page = (DOCS / "bytecode.md").read_text(encoding="utf-8")
    for code in Code:
        assert f"| {code.name} | " in page
        assert f" | {code.form.effect} |\n" in page


@pytest.mark.parametrize(
    ("marker", "number"),
    [
        ("batt.jobs.settling.COMPILE_FROM", f"{COMPILE_FROM}"),
        ("batt.runtime.outcome.Limits.steps", f"{Limits().steps:,}"),
        ("batt.runtime.outcome.Limits.memory_bytes in GiB", f"{Limits().memory_bytes >> 30}"),
        ("batt.runtime.cuda.memory.FRACTION in %", f"{FRACTION:.0%}".rstrip("%")),
        ("batt.jobs.samples.SPAN_CELLS in million", "8.4"),
        ("batt.jobs.choice.PAYS_FROM.cuda", f"{PAYS_FROM['cuda']:,}"),
        ("len batt.ops.OPS", f"{len(OPS)}"),
    ],
)
def test_a_number_before_a_comment_is_that_of_the_constant(with_values: Callable[[str], str], marker: str, number: str):
    comment = f"<!-- value: {marker} -->"
    assert with_values(f"about 1,234.5{comment} of 99,") == f"about {number}{comment} of 99,"


def test_a_constant_that_is_not_there_is_an_error(with_values: Callable[[str], str]):
    with pytest.raises(AttributeError, match="NO_SUCH"):
        with_values("1<!-- value: batt.jobs.settling.NO_SUCH -->")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_comment_about_a_value_stands_behind_a_number_and_outside_code(make: dict[str, Any], page: Path):
    text = page.read_text("utf-8")
    prose = re.sub(r"^```.*?^```$|`[^`]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    assert prose.count("<!-- value:") == len(make["VALUE"].findall(text))


def test_the_page_of_words_names_classes_and_commands():
    assert len(NAMED) > 40


def test_the_page_of_words_defines_each_word_once():
    words = [row[0] for row in WORDS if row[0] != "| word"]
    assert sorted(set(words)) == sorted(words)


@pytest.mark.parametrize("name", NAMED)
def test_every_class_and_command_on_the_page_of_words_is_there(name: str):
    if name.startswith("batt."):
        assert resolve_name(name) is not None
        return
    _, command, *options = name.split()
    assert command in COMMANDS
    (inner,) = [a.choices[command] for a in parser(command)._actions if isinstance(a, argparse._SubParsersAction)]
    for option in options:
        assert option in inner._option_string_actions


@needs_library
def test_the_tour_shows_what_its_examples_print(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    (_, deck), *others = sessions.blocks((DOCS / "tour.md").read_text("utf-8"))
    Path("solvers.py").write_text(deck, "utf-8")
    names: dict[str, Any] = {}
    run = [(each, sessions.output(each.text, names)) for _, block in others for each in sessions.examples(block)]
    assert len(run) > 30
    assert {each.text: each.shown for each, _ in run} == {each.text: printed for each, printed in run}


@needs_library
def test_the_wall_is_that_of_a_run_now(make: dict[str, Any]):
    pixels = make["wall"]()
    assert (decoded((DOCS / "wall.png").read_bytes()) == pixels).all(), "wall.png is out of date: make docs"


def decoded(png: bytes) -> Any:
    """The pixels of a PNG that `batt.draw.png.encode` wrote; its bytes differ between versions of zlib."""
    width, height = struct.unpack(">II", png[16:24])
    (size,) = struct.unpack(">I", png[33:37])
    lines = np.frombuffer(zlib.decompress(png[41 : 41 + size]), np.uint8).reshape(height, width * 4 + 1)
    assert (lines[:, 0] == 2).all()
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, 4)


def test_every_picture_is_made_by_a_command(make: dict[str, Any]):
    by_command = {
        DOCS / "growth.svg": ("speed.md", "batt bench --growth 8 --plot growth.svg"),
        DOCS / "cliffs.svg": ("speed.md", "batt bench --cliffs --json cliffs.json --plot cliffs.svg"),
        DOCS / "page-wall.png": ("report.md", "make page-pictures"),
        DOCS / "page-task.png": ("report.md", "make page-pictures"),
    }
    texts = [page.read_text("utf-8") for page in PAGES]
    traced = {make["STEP_PICTURES"] / f"{found[2]}.svg" for text in texts for found in make["STEPS"].finditer(text)}
    solved = make["solved_pictures"](make["SOLVED"])
    assert {*DOCS.rglob("*.svg"), *DOCS.rglob("*.png")} == {*traced, *solved, DOCS / "wall.png", *by_command}
    assert all(command in (DOCS / page).read_text("utf-8") for page, command in by_command.values())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_of_commands_names_the_page_of_every_command(command: str):
    page = (DOCS / "commands.md").read_text("utf-8")
    assert re.search(
        rf"^\| \[`batt {command}`\]\(#batt-{command}\) \| .+ \| \[.+\]\(.+\.md.*\) \|$", page, re.MULTILINE
    )


def test_every_page_is_linked_from_the_readme():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"(docs/{page.name})" not in readme] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_to_files_and_headings(page: Path):
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
        name, _, heading = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles], link


def test_no_page_and_no_message_names_an_install_from_an_index_that_has_no_batt():
    texts = [*PAGES, *ROOT.glob("src/batt/**/*.py")]
    assert [path.name for path in texts if re.search(r"install.*arc-batt", path.read_text(encoding="utf-8"))] == []
