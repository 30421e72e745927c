"""Programs as source text."""

from __future__ import annotations

from agreement import read
from batt.check.generate import random_source
from batt.check.writing import is_writable, source_of
from batt.ops import OPS
from batt.types import OrderedSet


def test_what_is_written_reads_back_as_an_equal_program():
    for seed in range(300):
        program = read(random_source(seed))
        assert read(source_of(program)) == program


def test_each_step_is_a_line_and_helpers_come_first():
    program = read("def twice(a):\n    return astuple(a, a)\n\ndef solve(I):\n    return first(twice(vmirror(I)))\n")
    assert source_of(program) == (
        "def twice(a1):\n    x1 = astuple(a1, a1)\n    return x1\n\n\n"
        "def solve(I):\n    x1 = vmirror(I)\n    x2 = twice(x1)\n    x3 = first(x2)\n    return x3\n"
    )


def test_helpers_that_helpers_call_come_before_them():
    text = "def a(x):\n    return b(x)\n\ndef b(x):\n    return trim(x)\n\ndef solve(I):\n    return apply(a, (I, I))\n"
    written = source_of(read(text))
    assert written.index("def b(") < written.index("def a(") < written.index("def solve(")
    assert read(written) == read(text)


def test_sets_and_large_values_do_not_stand_in_a_source():
    assert is_writable((1, (None, True), OPS["add"], ()))
    assert not is_writable(OrderedSet([1]))
    assert not is_writable((0, OrderedSet([1])))
    assert not is_writable(2**63)
    assert not is_writable(tuple(range(300)))
