"""The prior of calls: every op of the language once, likelier calls cheaper, constants of the right kinds."""

from __future__ import annotations

from batt.ops import EVERY_OP, LANGUAGE, WORDS, Op
from batt.solving.typed.prior import MOST_ARGUMENTS, PER_NAT, STATE_KINDS, call_priors, cost_of
from batt.states import StateKind
from batt.statistics import Producer, ProducerKind, deck_statistics
from batt.types import Kind


def test_every_op_of_few_arguments_has_a_prior():
    ops = [each for each in EVERY_OP.values() if each.group in (LANGUAGE, WORDS) and each.arity <= MOST_ARGUMENTS]
    assert [prior.op for prior in call_priors()] == ops
    assert all(len(prior.arguments) == prior.op.arity for prior in call_priors())


def test_every_kind_of_a_parameter_has_kinds_of_states():
    assert set(STATE_KINDS) == set(Kind)


def test_a_call_that_decks_have_more_often_costs_less():
    costs = {prior.op.name: prior.cost for prior in call_priors()}
    calls = deck_statistics().total_calls
    by_calls = sorted(costs, key=lambda name: calls[name])
    assert [costs[name] for name in by_calls] == sorted(costs.values(), reverse=True)
    assert cost_of(1.0) == 0
    assert cost_of(0.5) - cost_of(1.0) == round(PER_NAT * 0.6931)


def test_an_argument_that_decks_have_more_often_costs_less():
    statistics = deck_statistics()
    fill = next(prior for prior in call_priors() if prior.op.name == "fill")
    made = [Producer(ProducerKind.STEP, name) for name in ("mfilter", "vmirror")]
    likely, unlikely = [statistics.probability("fill", 2, each) for each in made]
    assert likely > unlikely
    assert fill.arguments[2].cost(made[0]) < fill.arguments[2].cost(made[1])


def test_constants_are_values_that_the_argument_takes():
    kinds = {int: StateKind.INT, bool: StateKind.INT, tuple: StateKind.PAIR}
    found = 0
    for prior in call_priors():
        for argument in prior.arguments:
            for value, _ in argument.constants:
                kind = StateKind.FUNCTION if isinstance(value, Op) else kinds[type(value)]
                assert kind in argument.kinds, (prior.op.name, argument.position, value)
                found += 1
    assert found > 100


def test_colours_stand_for_all_constants_of_an_argument_that_is_one():
    fill = next(prior for prior in call_priors() if prior.op.name == "fill")
    assert [argument.is_colour for argument in fill.arguments] == [False, True, False]
    assert not [value for value, _ in fill.arguments[1].constants if type(value) is int]
