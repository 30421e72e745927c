"""The line that switches the new words on, and whatever saves a deck writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from batt import words
from batt.errors import DeckError, UsageError
from batt.front import Deck, load_deck
from batt.front.dialect import ALIASES, WORDS
from batt.front.sources import as_deck
from batt.ops import CONSTANTS, NEW_WORDS, OPS, WORDS_LINE
from batt.runtime import Limits, evaluate_one
from handmade import sample

TILED = "def solve_t(I):\n    return tile(I, (2, 2), ORIGIN, 0)\n"
OWN = "def tile(a, b, c, d):\n    return b\n"


def text(*parts: str) -> str:
    return "\n\n".join([WORDS_LINE, *parts])


def run(deck: Deck, name: str) -> Any:
    return evaluate_one(deck[name].program, sample(), Limits()).value


def mistake(source: str) -> str:
    with pytest.raises(DeckError) as raised:
        as_deck(source)
    return raised.value.mistakes[0].message


def test_the_line_switches_the_new_words_on():
    assert run(as_deck(text(TILED)), "solve_t") == ((1, 2), (1, 2))


def test_the_line_may_stand_below_what_uses_it():
    assert run(as_deck(f"{TILED}\n{WORDS_LINE}\n"), "solve_t") == ((1, 2), (1, 2))


@pytest.mark.parametrize("line", ["", "from batt.words import tile\n", "import batt.words\n", "from words import *\n"])
def test_without_the_exact_line_a_new_word_is_unknown_and_the_message_shows_the_line(line: str):
    assert mistake(line + TILED) == f"'tile' is not defined; it is a new word: add the line `{WORDS_LINE}`"


def test_the_line_is_no_import_that_is_skipped():
    assert as_deck(text(TILED)).imports == {}


@pytest.mark.parametrize("source", [text(OWN, TILED), text(TILED, OWN), f"{OWN}\n{TILED}"])
def test_a_definition_of_the_deck_wins(source: str):
    assert run(as_deck(source), "solve_t") == (2, 2)


def test_no_new_word_has_a_name_of_the_language_or_of_the_dialect():
    assert NEW_WORDS.keys().isdisjoint([*OPS, *CONSTANTS, *ALIASES, *WORDS])


def test_the_module_has_every_new_word():
    imported: dict[str, Any] = {}
    exec(WORDS_LINE, imported)
    del imported["__builtins__"]
    assert imported == NEW_WORDS
    with pytest.raises(AttributeError, match="'canvas' is no new word"):
        _ = words.canvas


@pytest.mark.parametrize("file", ["deck.py", "deck.jsonl"])
def test_a_saved_deck_has_the_line_where_it_is_needed(tmp_path: Path, file: str):
    plain = "def solve_p(I):\n    return vmirror(I)\n"
    saved = tmp_path / file
    as_deck(text(TILED, plain)).save(saved)
    assert saved.read_text().count(WORDS_LINE) == 1
    assert load_deck(saved).programs == as_deck(text(TILED, plain)).programs
    as_deck(plain).save(saved)
    assert WORDS_LINE not in saved.read_text()


def test_a_new_word_inside_a_lambda_or_a_helper_needs_the_line(tmp_path: Path):
    helper = "def helper(g):\n    f = lambda x: tile(x, (2, 2), ORIGIN, 0)\n    return f(g)\n"
    deck = as_deck(text(helper, "def solve_h(I):\n    return helper(I)\n"))
    assert deck["solve_h"].source.startswith(WORDS_LINE)
    deck.save(tmp_path / "deck.py")
    assert load_deck(tmp_path / "deck.py").programs == deck.programs


def test_a_file_cannot_hold_a_new_word_and_a_helper_of_the_same_name(tmp_path: Path):
    deck = as_deck([text(TILED), f"{OWN}\ndef solve_own(I):\n    return tile(I, 1, 1, 1)\n"])
    with pytest.raises(UsageError, match=r"'tile' is a new word in one solver, and defined for another; save"):
        deck.save(tmp_path / "deck.py")
    deck.save(tmp_path / "deck.jsonl")
    assert load_deck(tmp_path / "deck.jsonl").programs == deck.programs


def test_a_helper_of_another_file_keeps_the_new_words_that_it_uses(tmp_path: Path):
    (tmp_path / "idioms.py").write_text(text("def twice(g):\n    return tile(g, (2, 2), ORIGIN, 0)\n"))
    solver = tmp_path / "solver.py"
    solver.write_text("from idioms import twice\ndef solve_s(I):\n    return twice(I)\n")
    deck = load_deck(tmp_path)
    assert run(deck, "solve_s") == ((1, 2), (1, 2))
    assert WORDS_LINE in deck["solve_s"].source
    for source in (f"from idioms import twice\n{OWN}", f"{OWN}\nfrom idioms import twice\n"):
        solver.write_text(f"{source}\ndef solve_s(I):\n    return twice(I)\n")
        with pytest.raises(DeckError, match="new word"):
            load_deck(tmp_path)
