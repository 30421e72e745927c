"""Probabilities add up, follow the counts, and know what was never seen."""

from __future__ import annotations

import pytest

from batt.errors import UsageError
from batt.ops import OPS
from batt.statistics import DeckStatistics, Producer, ProducerKind, deck_statistics
from batt.statistics.producers import INPUT_NAMES, LITERALS, STEPS

ARGUMENTS = [("fill", 0), ("fill", 1), ("argmax", 1), ("return", 0), ("call", 0), ("canvas", 1)]


@pytest.fixture(scope="module")
def built_in() -> DeckStatistics:
    return deck_statistics()


@pytest.mark.parametrize(("op", "argument"), ARGUMENTS)
def test_the_probabilities_of_all_producers_add_up_to_one(built_in: DeckStatistics, op: str, argument: int):
    steps = [Producer(ProducerKind.STEP, name) for name in STEPS]
    inputs = [Producer(ProducerKind.INPUT, name) for name in INPUT_NAMES]
    kinds = [Producer(kind) for kind in LITERALS]
    assert sum(built_in.probability(op, argument, each) for each in (*steps, *inputs, *kinds)) == pytest.approx(1)


@pytest.mark.parametrize(("op", "argument"), ARGUMENTS)
@pytest.mark.parametrize("kind", [ProducerKind.BOOL, ProducerKind.INT, ProducerKind.PAIR, ProducerKind.FUNCTION])
def test_the_probabilities_of_the_literals_of_a_kind_add_up_to_that_of_the_kind(
    built_in: DeckStatistics, op: str, argument: int, kind: ProducerKind
):
    literals = [(each, probability) for each, probability in built_in.producers(op, argument) if each.kind is kind]
    assert {each.name for each, _ in literals} >= LITERALS[kind]
    total = built_in.probability(op, argument, Producer(kind))
    assert sum(probability for _, probability in literals) == pytest.approx(total)


def test_what_is_seen_more_often_is_more_likely(built_in: DeckStatistics):
    seen = built_in.arguments["fill"][0]
    often, seldom = Producer.parse("input I"), Producer.parse("step replace")
    assert seen[often] > seen[seldom] > 0
    unseen = Producer.parse("step size")
    assert unseen not in seen
    rated = [built_in.probability("fill", 0, each) for each in (often, seldom, unseen)]
    assert rated == sorted(rated, reverse=True)
    assert rated[-1] > 0


def test_producers_are_sorted_by_their_probability(built_in: DeckStatistics):
    found = built_in.producers("objects", 0)
    assert str(found[0][0]) == "input I"
    assert [each for _, each in found] == sorted([each for _, each in found], reverse=True)
    assert all(built_in.probability("objects", 0, each) == probability for each, probability in found[:20])


def test_an_op_that_no_solver_calls_takes_what_arguments_of_its_kinds_are():
    counts = {"vmirror": [{Producer.parse("step canvas"): 50}], "size": [{Producer.parse("step objects"): 50}]}
    statistics = DeckStatistics(50, {}, {}, {}, {}, {}, counts)
    assert OPS["hmirror"].signatures[0].params == OPS["vmirror"].signatures[0].params
    assert statistics.probability("hmirror", 0, "step canvas") > 0.8
    assert statistics.probability("hmirror", 0, "step objects") < 0.1


def test_a_literal_that_neither_the_deck_nor_the_language_has_never_comes(built_in: DeckStatistics):
    assert built_in.probability("fill", 1, "int 123456") == 0
    assert built_in.probability("fill", 1, "int -2") > 0


@pytest.mark.parametrize(
    ("op", "argument", "producer", "message"),
    [
        ("fil", 0, "input I", "no op 'fil'; did you mean fill"),
        ("fill", 3, "input I", "fill has no argument 3; its 3 arguments are counted from 0"),
        ("fill", -1, "input I", "fill has no argument -1"),
        ("fill", 0, "step objcts", "no step objcts; did you mean step objects"),
        ("fill", 0, "objects", "'objects' is no producer"),
    ],
)
def test_what_is_not_known_is_refused(built_in: DeckStatistics, op: str, argument: int, producer: str, message: str):
    with pytest.raises(UsageError, match=message):
        built_in.probability(op, argument, producer)


def test_functions_are_counted_by_their_places(built_in: DeckStatistics):
    places = built_in.uses_as_function("size")
    assert places[("argmax", 1)] == built_in.arguments["argmax"][1][Producer.parse("function size")] > 0
    assert places.total() == built_in.literals(ProducerKind.FUNCTION)["size"]
