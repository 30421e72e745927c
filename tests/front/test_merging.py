"""Several decks as one."""

from __future__ import annotations

import pytest

from batt.errors import SourceError
from batt.front import Deck, merge_decks
from batt.source import Place
from handmade import MIRROR, RAISES, SAME, deck


def named(name: str, **solvers: tuple[str, ...]) -> Deck:
    return Deck(deck(**solvers), name)


def test_one_deck_stays_as_it_is():
    one = named("a.py", solve_x=MIRROR)
    assert merge_decks([one]) is one


def test_decks_come_in_their_order_and_a_solver_of_both_once():
    merged = merge_decks([named("a.py", solve_x=MIRROR, solve_y=SAME), named("b.py", solve_z=SAME, solve_x=MIRROR)])
    assert merged.names == ("solve_x", "solve_y", "solve_z")
    assert merged.name == "a.py + b.py"


def test_another_program_of_a_taken_name_is_named_after_its_deck():
    first, second, third = named("a.py", solve_x=MIRROR), named("b.py", solve_x=SAME), named("c.py", solve_x=SAME)
    merged = merge_decks([first, second, third])
    assert merged.names == ("solve_x", "b_solve_x")
    assert merged["solve_x"].program == first["solve_x"].program
    assert merged["b_solve_x"].program == second["solve_x"].program


def test_a_name_that_is_taken_as_well_is_numbered():
    decks = [named("a/w.py", solve_x=MIRROR), named("b/w.py", solve_x=SAME), named("c/w.py", solve_x=RAISES)]
    assert merge_decks(decks).names == ("solve_x", "w_solve_x", "w_solve_x_2")
    assert merge_decks([*decks[:2], named("d.py", w_solve_x=RAISES)]).names == ("solve_x", "w_solve_x_2", "w_solve_x")


def test_mistakes_imports_and_defaults_of_all_are_kept():
    mistake = SourceError("wrong", Place("a.py", 1, 1))
    one = Deck(deck(solve_x=MIRROR), "a.py", [mistake], 1, {"numpy": 1})
    two = Deck(deck(solve_y=MIRROR), "b.py", (), 2, {"numpy": 2, "os": 1})
    merged = merge_decks([one, two])
    assert (merged.mistakes, merged.defaults, merged.imports) == ((mistake,), 3, {"numpy": 3, "os": 1})


@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_a_saved_deck_names_its_run(tmp_path, suffix: str):
    path = tmp_path / f"deck{suffix}"
    deck(solve_x=MIRROR).save(path, run="0123")
    assert "0123" in path.read_text()
    from batt.front import load_deck

    assert load_deck(path).names == ("solve_x",)
