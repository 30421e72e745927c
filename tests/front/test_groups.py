"""The groups of a deck are its files."""

from __future__ import annotations

import json
from pathlib import Path

import batt
from batt.front import Deck, load_deck, merge_decks
from batt.front.groups import groups_of
from handmade import MIRROR, SAME, source


def found(deck: Deck) -> dict[str, list[str]]:
    """The names of the solvers of each group."""
    return {group.title: [solver.name for solver in group.solvers] for group in groups_of(deck)}


def test_the_built_in_deck_has_a_group_with_a_docstring_for_each_file_with_solvers():
    groups = groups_of(load_deck())
    files = sorted(Path(batt.__file__).with_name("decks").glob("*.py"))
    assert [group.title for group in groups] == [
        path.stem for path in files if "\ndef solve_" in path.read_text("utf-8")
    ]
    assert [solver for group in groups for solver in group.solvers] == list(load_deck())
    assert all(group.doc for group in groups)


def test_files_with_one_stem_are_titled_by_their_paths(tmp_path: Path):
    for number, folder in enumerate("ab"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.py").write_text(source(f"solve_{number}", *MIRROR))
    (tmp_path / "b" / "other.py").write_text(source("solve_2", *SAME))
    deck = merge_decks([load_deck(tmp_path / folder) for folder in "ab"])
    assert found(deck) == {
        f"{tmp_path}/a/same.py": ["solve_0"],
        "other": ["solve_2"],
        f"{tmp_path}/b/same.py": ["solve_1"],
    }


def test_the_lines_of_a_file_of_json_are_one_group_without_a_docstring(tmp_path: Path):
    texts = {"one": '"""One."""\n' + source("solve", *MIRROR), "two": source("solve", *SAME)}
    rows = [json.dumps({"name": name, "source": text}) for name, text in texts.items()]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows))
    (group,) = groups_of(load_deck(tmp_path / "rows.jsonl"))
    assert (group.title, group.doc, len(group.solvers)) == ("rows", "", 2)


def test_solvers_of_no_file_are_one_group():
    texts = {"a": source("solve", *MIRROR), "b": source("solve", *SAME)}
    assert found(Deck.from_sources(texts)) == {"solvers": ["a", "b"]}
