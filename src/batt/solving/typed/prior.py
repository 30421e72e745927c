"""A prior of calls: how likely each op and each of its arguments is, by the statistics of the built-in deck."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any

from batt.ops import EVERY_OP, LANGUAGE, WORDS, Op
from batt.ops.table import DEMONSTRATIONS
from batt.states import StateKind
from batt.statistics import DeckStatistics, Producer, ProducerKind, deck_statistics
from batt.types import Kind

PER_NAT = 4
"""Costs are whole numbers: this many for a factor of e between two probabilities."""
MOST_ARGUMENTS = 4
LEAST_PROBABILITY = 1e-3
"""Constants that are less likely as an argument are not tried."""
SMOOTHED = 2.0
"""How many more calls of each op are assumed than the deck has."""

_PATCH = {StateKind.OBJECT, StateKind.INDICES}
_SETS = {StateKind.SET, StateKind.OBJECTS, *_PATCH}
_TUPLES = {StateKind.TUPLE, StateKind.PAIR, StateKind.GRID, StateKind.CELL}
STATE_KINDS: Mapping[Kind, frozenset[StateKind]] = {
    Kind.ANY: frozenset(StateKind),
    Kind.BOOL: frozenset({StateKind.INT}),
    Kind.INT: frozenset({StateKind.INT}),
    Kind.PAIR: frozenset({StateKind.PAIR}),
    Kind.NUM: frozenset({StateKind.INT, StateKind.PAIR}),
    Kind.GRID: frozenset({StateKind.GRID}),
    Kind.CELL: frozenset({StateKind.CELL}),
    Kind.OBJECT: frozenset({StateKind.OBJECT}),
    Kind.OBJECTS: frozenset({StateKind.OBJECTS}),
    Kind.INDICES: frozenset({StateKind.INDICES}),
    Kind.PATCH: frozenset(_PATCH),
    Kind.PIECE: frozenset({StateKind.GRID, *_PATCH}),
    Kind.ELEMENT: frozenset({StateKind.GRID, StateKind.OBJECT}),
    Kind.TUPLE: frozenset(_TUPLES),
    Kind.SET: frozenset(_SETS),
    Kind.CONTAINER: frozenset(_TUPLES | _SETS),
    Kind.FN: frozenset({StateKind.FUNCTION}),
}
"""The kinds of states that a parameter takes."""


def cost_of(probability: float) -> int:
    """Return the cost of what has this probability."""
    return round(-PER_NAT * log(probability))


@dataclass(frozen=True, slots=True)
class ArgumentPrior:
    """What an argument of an op may be, and the cost of each: made values, inputs, constants, and any colour.

    `step_costs` has the cost of what each op makes, in the order of the priors.
    """

    op: str
    position: int
    kinds: frozenset[StateKind]
    is_shown: bool
    is_colour: bool
    constants: Sequence[tuple[Any, int]]
    colour_cost: int
    step_costs: Sequence[int]
    _costs: Mapping[Producer, int]

    def cost(self, producer: Producer) -> int:
        """Return the cost of a value that is made so."""
        return self._costs[producer]


@dataclass(frozen=True, slots=True)
class CallPrior:
    """An op with the cost of a call of it and the prior of each argument."""

    op: Op
    cost: int
    arguments: tuple[ArgumentPrior, ...]


def step_of(op: Op) -> Producer:
    """Return the producer of what an op makes."""
    return Producer(ProducerKind.STEP, op.name)


@cache
def call_priors() -> tuple[CallPrior, ...]:
    """Return the priors of all ops that a search calls."""
    statistics = deck_statistics()
    calls = statistics.total_calls
    ops = [each for each in EVERY_OP.values() if each.group in (LANGUAGE, WORDS) and each.arity <= MOST_ARGUMENTS]
    total = sum([calls[each.name] + SMOOTHED for each in ops])
    makers = [step_of(each) for each in ops]
    return tuple(
        [
            CallPrior(
                each,
                cost_of((calls[each.name] + SMOOTHED) / total),
                tuple([_argument(statistics, each, position, makers) for position in range(each.arity)]),
            )
            for each in ops
        ]
    )


def _argument(statistics: DeckStatistics, op: Op, position: int, makers: Sequence[Producer]) -> ArgumentPrior:
    likely = statistics.producers(op.name, position)
    costs = {producer: cost_of(probability) for producer, probability in likely}
    is_shown = op.params[position] == DEMONSTRATIONS
    kinds = frozenset[StateKind]().union(*[STATE_KINDS[each.params[position]] for each in op.signatures])
    is_colour = op.params[position] in op.known.colours.split()
    constants = []
    for producer, probability in likely:
        if is_shown or not producer.kind.is_literal or probability < LEAST_PROBABILITY:
            continue
        value = _value(producer)
        if value is not None and _fits(value, kinds) and not (is_colour and type(value) is int):
            constants.append((value, costs[producer]))
    colour = cost_of(statistics.probability(op.name, position, Producer(ProducerKind.INT)))
    kinds = frozenset() if is_shown else kinds
    steps = [costs[each] for each in makers]
    return ArgumentPrior(op.name, position, kinds, is_shown, is_colour, constants, colour, steps, costs)


def _value(producer: Producer) -> Any:
    """Return the value of a literal of the language; None for others."""
    match producer.kind:
        case ProducerKind.FUNCTION:
            return EVERY_OP.get(producer.name)
        case ProducerKind.BOOL | ProducerKind.INT | ProducerKind.PAIR:
            return literal_eval(producer.name)
    return None


def _fits(value: Any, kinds: frozenset[StateKind]) -> bool:
    match value:
        case Op():
            return StateKind.FUNCTION in kinds
        case int():
            return StateKind.INT in kinds
    return StateKind.PAIR in kinds
