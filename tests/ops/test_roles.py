"""Roles of colours in the demonstrations, the size of the output, and what all outputs share."""

from __future__ import annotations

from typing import Any

import pytest

from batt.ops import METER, NEW_WORDS
from batt.words import backcolor, commoncells, keptcolors, lostcolors, newcolors, outsize

READERS = [word for word in NEW_WORDS.values() if word.reads_demonstrations]


def grid(rows: int, columns: int, colour: int = 0) -> Any:
    return ((colour,) * columns,) * rows


def shown(*sizes: tuple[int, int, int, int]) -> Any:
    return tuple([(grid(*each[:2]), grid(*each[2:])) for each in sizes])


@pytest.mark.parametrize("word", READERS, ids=str)
def test_no_demonstrations_are_a_value_error(word: Any):
    with pytest.raises(ValueError, match="no demonstrations"):
        word(*[(), ((0,),)][: word.arity])


def test_ties_of_backgrounds_go_to_the_lowest_colour():
    assert backcolor(((((3, 1), (1, 3)), ((2, 2),)),)) == 1


def test_colours_of_one_pair_alone_play_no_role():
    S = (((1, 2),), ((2, 3),)), (((1, 4),), ((5, 6),))
    assert newcolors(S) == frozenset()
    assert lostcolors(S) == frozenset({1})
    assert keptcolors(S) == frozenset()


@pytest.mark.parametrize(
    ("S", "given", "size"),
    [
        (shown((2, 2, 2, 2), (3, 3, 3, 3)), (4, 5), (4, 5)),
        (shown((2, 2, 1, 3), (3, 3, 1, 3)), (4, 5), (1, 3)),
        (shown((2, 2, 4, 6), (3, 3, 6, 9)), (4, 5), (8, 15)),
        (shown((4, 6, 2, 2), (6, 9, 3, 3)), (8, 15), (4, 5)),
    ],
)
def test_the_first_rule_that_holds_gives_the_size(S: Any, given: tuple[int, int], size: tuple[int, int]):
    assert outsize(S, grid(*given)) == size


def test_a_size_that_is_not_divisible_may_be_that_of_a_box():
    boxed = ((0, 0, 0, 0), (0, 1, 0, 0)), ((1,),)
    longer = ((0, 0, 0, 0), (0, 1, 1, 0)), ((1, 1),)
    assert outsize((boxed, longer), ((0, 2), (0, 2), (0, 0))) == (2, 1)
    with pytest.raises(ValueError, match="no rule"):
        outsize((boxed, longer), grid(3, 3))
    with pytest.raises(ValueError, match="no rule"):
        outsize(shown((2, 2, 1, 1), (2, 2, 2, 1)), grid(2, 2))


def test_outputs_of_different_sizes_share_no_cells():
    with pytest.raises(ValueError, match="differ in size"):
        commoncells(shown((1, 1, 1, 2), (1, 1, 2, 1)), 0)


def test_every_cell_of_the_demonstrations_is_charged():
    METER.reset(1_000)
    backcolor(shown((2, 3, 1, 4), (1, 1, 2, 2)))
    assert METER.steps_left == 1_000 - (1 + 6 + 4 + 1 + 4)
    METER.reset()
