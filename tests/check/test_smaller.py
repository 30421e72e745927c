"""Programs and samples made smaller."""

from __future__ import annotations

from agreement import read
from batt.check.generate import random_source
from batt.check.smaller import (
    cut_short,
    smaller_grids,
    smaller_samples,
    with_constants,
    with_helpers_inlined,
    with_plainer_literals,
    without_a_step,
)
from batt.errors import DeckError, InternalError
from batt.ir.writing import source_text
from batt.runtime import Limits, evaluate_one
from handmade import program, sample

TWO = program("x = vmirror(I)", "x = hmirror(x)")


def texts(programs) -> list[str]:
    return [source_text(each).partition("\n")[2] for each in programs]


def test_a_program_ends_at_any_of_its_steps():
    assert texts(cut_short(TWO)) == [
        "    x1 = vmirror(I)\n    return x1\n",
        "    x1 = vmirror(I)\n    x2 = hmirror(x1)\n    return x2\n",
    ]


def test_a_step_is_left_out_and_its_readers_read_its_arguments():
    found = texts(without_a_step(TWO))
    assert "    x1 = hmirror(I)\n    return x1\n" in found
    assert "    x1 = vmirror(I)\n    return x1\n" in found
    assert "    x1 = hmirror(())\n    return x1\n" in found


def test_a_step_that_nothing_reads_is_just_dropped():
    dead = program("y = trim(I)", "x = vmirror(I)")
    assert texts(without_a_step(dead))[-1] == "    x1 = vmirror(I)\n    return x1\n"


def test_a_step_gives_way_to_its_value():
    found = texts(with_constants(TWO, [((2, 1),), ((2, 1),)]))
    assert found == ["    x1 = hmirror(((2, 1),))\n    return x1\n"]


def test_arguments_become_plain_and_plain_ones_stay():
    found = texts(with_plainer_literals(program("x = canvas(7, I)")))
    assert "    x1 = canvas(0, I)\n    return x1\n" in found
    assert not texts(with_plainer_literals(program("x = identity(0)")))


def test_a_call_of_a_helper_becomes_its_steps():
    text = "def both_ways(a):\n    return hmirror(vmirror(a))\n\ndef solve(I):\n    return trim(both_ways(I))\n"
    (inlined,) = with_helpers_inlined(read(text))
    assert source_text(inlined) == (
        "def solve(I):\n    x1 = vmirror(I)\n    x2 = hmirror(x1)\n    x3 = trim(x2)\n    return x3\n"
    )
    grid = sample(((1, 2, 3),) * 3)
    assert evaluate_one(inlined, grid, Limits()).value == evaluate_one(read(text), grid, Limits()).value


def test_a_tuple_that_becomes_plain_is_a_literal_and_no_step():
    pair = program("y = vmirror(I)", "x = (y, 5)")
    assert "    return (0, 5)\n" in texts(without_a_step(pair))
    assert "    x1 = vmirror(I)\n    return (0, 5)\n" in texts(with_plainer_literals(pair))


def test_smaller_programs_read_back_as_they_were_written_or_are_refused():
    refused = count = 0
    for seed in range(20):
        made = read(random_source(seed))
        ways = (cut_short, without_a_step, with_helpers_inlined, with_plainer_literals)
        for smaller in [each for way in ways for each in list(way(made))[::17]]:
            count += 1
            try:
                text = source_text(smaller)
            except InternalError:
                refused += 1
                continue
            try:
                assert read(text) == smaller
            except DeckError:
                refused += 1
    assert refused < count / 10


def test_grids_lose_rows_columns_colours_and_cells():
    found = list(smaller_grids(((1, 2), (3, 0))))
    for each in (((1, 2),), ((3, 0),), ((1,), (3,)), ((2,), (0,)), ((0, 2), (3, 0)), ((1, 0), (3, 0))):
        assert each in found
    assert list(smaller_grids(((0,),))) == []


def test_samples_lose_what_they_expect_and_show():
    found = list(smaller_samples(sample(((1,),), ((1,),))))
    assert any(each.expected is None for each in found)
    assert any(each.input == ((0,),) for each in found)
    assert any(each.demonstrations == ((((3,),), ((4, 3),)),) for each in found)
