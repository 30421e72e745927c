"""What is proved of nodes, and steps as sums."""

from __future__ import annotations

from typing import Any

import pytest

from batt.analysis.proofs import Fact, Facts, Steps
from batt.analysis.values import FUNCTION, GRID, INT, SET, TUPLE, TWO_GRIDS, UNKNOWN
from batt.ir.graph import Builder, NodeKind
from batt.ops import OPS


class Nodes:
    """Nodes in the making, and what is proved of them."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.grid = self.leaf(NodeKind.INPUT, "I")
        self.facts = Facts(self.builder.nodes)

    def leaf(self, kind: NodeKind, value: Any) -> int:
        return self.builder.add(kind, value=value)

    def call(self, name: str, *args: int) -> int:
        return self.builder.add(NodeKind.CALL, OPS[name], args)

    def proved(self, name: str, *args: int) -> Fact:
        return self.facts[self.call(name, *args)]


def test_an_argument_of_a_body_may_be_anything():
    nodes = Nodes()
    assert nodes.facts[nodes.leaf(NodeKind.ARG, 0)].value == UNKNOWN


def test_a_grid_that_is_mirrored_stays_a_grid_of_its_size_and_cannot_fail():
    nodes = Nodes()
    fact = nodes.proved("vmirror", nodes.grid)
    assert fact == Fact(GRID, nodes.facts[nodes.grid].size, safe=True, checked=True)


def test_of_what_may_be_anything_only_what_an_op_always_gives_is_proved():
    nodes = Nodes()
    argument = nodes.leaf(NodeKind.ARG, 0)
    fact = nodes.proved("palette", argument)
    assert fact.value.is_a(SET)
    assert not fact.safe
    assert nodes.proved("vmirror", argument).value.is_a(TUPLE) is False


def test_a_demonstration_is_two_grids():
    nodes = Nodes()
    first = nodes.call("first", nodes.leaf(NodeKind.INPUT, "S"))
    assert nodes.facts[first].value == TWO_GRIDS
    assert not nodes.facts[first].safe
    assert nodes.proved("last", first).value == GRID


def test_a_loop_over_a_set_gives_a_set():
    nodes = Nodes()
    cells = nodes.call("asobject", nodes.grid)
    loop = nodes.builder.add(NodeKind.LOOP, OPS["apply"], (cells,), (0,))
    assert nodes.facts[loop].value == SET
    assert not nodes.facts[loop].safe


def test_a_call_that_is_given_a_function_as_a_constant_is_as_a_loop():
    nodes = Nodes()
    function = nodes.leaf(NodeKind.CONST, OPS["first"])
    assert nodes.facts[function].value == FUNCTION
    assert nodes.proved("apply", function, nodes.call("asobject", nodes.grid)).value == SET


@pytest.mark.parametrize(
    ("name", "truth"), [("initset", True), ("shape", True), ("neighbors", True), ("palette", None), ("size", None)]
)
def test_the_truth_of_a_result(name: str, truth: bool | None):
    nodes = Nodes()
    assert nodes.proved(name, nodes.leaf(NodeKind.ARG, 0)).value.truth is truth


def test_a_number_that_power_counts_with_is_true():
    nodes = Nodes()
    count = nodes.builder.add(NodeKind.COUNT, args=(nodes.leaf(NodeKind.ARG, 0),))
    assert nodes.facts[count].value.is_a(INT)
    assert nodes.facts[count].value.truth is True


def test_a_tuple_has_the_size_of_its_length_where_its_first_item_is_no_tuple():
    nodes = Nodes()
    size, argument = nodes.call("size", nodes.grid), nodes.leaf(NodeKind.ARG, 0)
    tuples = [nodes.builder.add(NodeKind.TUPLE, args=args) for args in ((size, argument), (argument, size), ())]
    assert [nodes.facts[number].size for number in tuples] == [Steps(2), Steps(0, (tuples[1],)), Steps()]
    assert [nodes.facts[number].value.truth for number in tuples] == [True, True, False]


def test_steps_are_a_sum_of_known_ones_and_items_of_nodes():
    steps = Steps(1, (4,)) + Steps(2, (3, 4))
    assert steps == Steps(3, (3, 4, 4))
    assert steps.times(2) == Steps(6, (3, 3, 4, 4, 4, 4))
    assert steps.less(Steps(1, (4,))) == Steps(2, (3, 4))
    assert steps.less(Steps(0, (5,))) is None
    assert steps.less(Steps(4)) is None
