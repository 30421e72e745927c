"""What a person is told when something is wrong."""

from __future__ import annotations

import pickle

import pytest

from batt.errors import BattError, DataError, DeckError, InternalError, SourceError, UsageError
from batt.source import Place

MISTAKE = SourceError("'foo' is not defined", Place("deck.py", 2, 9), "    x = foo(I)")


@pytest.mark.parametrize("kind", [UsageError, DataError, InternalError, SourceError, DeckError])
def test_every_error_is_one_of_batts_own(kind: type[BattError]):
    assert issubclass(kind, BattError)
    assert issubclass(kind, Exception)


def test_a_mistake_shows_its_place_its_line_and_a_caret():
    assert str(MISTAKE) == "deck.py:2:9: 'foo' is not defined\n        x = foo(I)\n            ^"


@pytest.mark.parametrize("line", ["", "   ", "\n"])
def test_a_mistake_without_a_line_is_one_line(line: str):
    assert str(SourceError("no solver", Place("deck.py", 1, 1), line)) == "deck.py:1:1: no solver"


def test_a_deck_error_shows_all_its_mistakes():
    other = SourceError("no solver", Place("deck.py", 9, 1))
    assert str(DeckError([MISTAKE, other])) == f"{MISTAKE}\ndeck.py:9:1: no solver"


@pytest.mark.parametrize(("count", "tail"), [(20, None), (21, "… and 1 more"), (1_234_020, "… and 1,234,000 more")])
def test_a_deck_error_shows_twenty_mistakes_and_counts_the_rest(count: int, tail: str | None):
    error = DeckError([SourceError("m", Place("f", 1, 1))] * count)
    lines = str(error).split("\n")
    assert lines == ["f:1:1: m"] * 20 + [tail] * (tail is not None)
    assert len(error.mistakes) == count


def test_mistakes_survive_pickling():
    copy = pickle.loads(pickle.dumps(MISTAKE))
    assert (copy.message, copy.place, copy.line) == (MISTAKE.message, MISTAKE.place, MISTAKE.line)


def test_deck_errors_survive_pickling():
    copy = pickle.loads(pickle.dumps(DeckError([MISTAKE, MISTAKE], is_stopped=True)))
    assert str(copy) == f"{MISTAKE}\n{MISTAKE}\n… and more; reading stopped after 2 mistakes"
    assert [mistake.place for mistake in copy.mistakes] == [MISTAKE.place] * 2
