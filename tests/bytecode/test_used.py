"""The ops that an image uses: those that it calls, and those that are values in it."""

from __future__ import annotations

import pytest

from batt.bytecode.image import Image
from batt.bytecode.used import has_new_words, ops_of
from batt.front import Deck
from batt.jobs.prepare import prepare
from batt.ops import EVERY_OP, WORDS_LINE
from batt.runtime.options import Options


def image_of(*lines: str, compiled: bool = True) -> Image:
    text = "\n    ".join([f"{WORDS_LINE}\ndef solve(I):", *lines])
    deck = Deck.from_sources({"solve": f"{text}\n"})
    return prepare(deck.programs, Options(compiled=compiled)).image


def test_ops_of_the_code_and_of_constants_are_found():
    image = image_of("x = objects(I, T, F, T)", "return apply(compose(size, toindices), x)", compiled=False)
    assert ops_of(image) == {EVERY_OP[name] for name in ("objects", "apply", "compose", "size", "toindices")}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("return vmirror(I)",), False),
        (("return tile(I, 2, 2, 0)",), True),
        (("return apply(backcolor, (I, I))",), True),
        (("x = compose(increment, backcolor)", "return apply(x, (I, I))"), True),
        (("x = rbind(shrink, 2)", "return (x, I)"), True),
    ],
)
def test_new_words_are_found_where_they_are_called_or_are_values(
    lines: tuple[str, ...], expected: bool, compiled: bool
):
    assert has_new_words(image_of(*lines, compiled=compiled)) is expected
