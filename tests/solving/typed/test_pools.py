"""Pools of values: what an argument takes costs what the prior says, and tuples cost exactly what is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from batt.solving.typed.pools import MOST_COST, ArgumentPools
from batt.solving.typed.prior import CallPrior, call_priors, step_of
from batt.states import StateKind

PRIORS = call_priors()
NAMES = [prior.op.name for prior in PRIORS]


@pytest.fixture
def pools() -> ArgumentPools:
    return ArgumentPools(PRIORS)


def prior_of(name: str) -> CallPrior:
    return PRIORS[NAMES.index(name)]


def made(pools: ArgumentPools, op: str, cost: int) -> list[tuple[int, ...]]:
    found = pools.tuples(pools.of_call(NAMES.index(op)), cost)
    return [tuple(row) for columns in found for row in zip(*[each.tolist() for each in columns], strict=True)]


def add(pools: ArgumentPools, maker: str, kind: StateKind, handles: list[int], cost: int) -> None:
    makers = np.full(len(handles), NAMES.index(maker), np.int64)
    pools.add(makers, np.full(len(handles), kind, np.uint8), np.array(handles, np.int64), cost)


def test_argument_tuples_have_exactly_the_cost(pools):
    one, other = pools.of_call(NAMES.index("hconcat"))
    for cost, handles in ((1, [10]), (2, [11, 12])):
        pools.add_given(one, cost, handles)
    for cost, handles in ((0, [20]), (1, [21]), (1, [22])):
        pools.add_given(other, cost, handles)
    assert sorted(made(pools, "hconcat", 2)) == [(10, 21), (10, 22), (11, 20), (12, 20)]
    assert made(pools, "hconcat", 0) == []
    assert made(pools, "hconcat", -1) == []


def test_tuples_of_three_are_all_combinations(pools):
    for position, handles in zip(pools.of_call(NAMES.index("fill")), ([1, 2], [3], [4, 5]), strict=True):
        pools.add_given(position, 2, handles)
    assert made(pools, "fill", 6) == [(1, 3, 4), (1, 3, 5), (2, 3, 4), (2, 3, 5)]
    assert made(pools, "fill", 5) == []


def test_a_value_costs_what_its_maker_is_worth_as_the_argument(pools):
    add(pools, "hmirror", StateKind.GRID, [7], 30)
    prior, maker = prior_of("vmirror"), prior_of("hmirror")
    more = max(prior.arguments[0].cost(step_of(maker.op)) - maker.cost, 1 - prior.cost)
    costs = [cost for cost in range(MOST_COST) if (7,) in made(pools, "vmirror", cost)]
    assert costs == [30 + more]


def test_a_call_costs_more_than_its_argument(pools):
    cost = 30
    add(pools, "hmirror", StateKind.GRID, [7], cost)
    for prior in PRIORS:
        if len(prior.arguments) == 1:
            assert all(prior.cost + each > cost for each in range(MOST_COST) if made(pools, prior.op.name, each))


def test_only_values_of_the_right_kind_are_taken(pools):
    add(pools, "size", StateKind.INT, [7], 10)
    for name, is_taken in (("vmirror", False), ("increment", True), ("size", False)):
        assert any(made(pools, name, cost) for cost in range(MOST_COST)) == is_taken


def test_values_of_many_groups_come_in_the_order_in_which_they_were_made(pools):
    count = 3_000
    for handle in range(count):
        add(pools, "hmirror", StateKind.GRID, [handle], 20)
    assert [row for cost in range(MOST_COST) for row in made(pools, "vmirror", cost)] == [(at,) for at in range(count)]
