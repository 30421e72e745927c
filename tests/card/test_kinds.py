"""Likely kinds of steps."""

from __future__ import annotations

import pytest

from batt.card.kinds import likely_kinds
from batt.card.steps import merge_steps
from batt.front import Deck
from batt.types import Kind
from handmade import source


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("x = objects(I, T, F, T)", Kind.OBJECTS),
        ("x = compose(first, last)", Kind.FN),
        ("x = apply(vmirror, hsplit(I, TWO))", Kind.TUPLE),
        ("x = mapply(toindices, fgpartition(I))", Kind.INDICES),
        ("x = valmax(fgpartition(I), size)", Kind.INT),
        ("x = (ONE, TWO)(I)", Kind.ANY),
        ("x = (width(I), height(I))", Kind.PAIR),
        ("x = branch(T, vmirror, hmirror)(I)", Kind.ANY),
        ("x = first(first(S))", Kind.GRID),
    ],
)
def test_the_kind_of_the_last_step(line: str, kind: Kind):
    found = merge_steps(Deck.from_sources({"solve": source("solve", line, params="S, I, C")}))
    assert list(likely_kinds(found).values())[-1] is kind
