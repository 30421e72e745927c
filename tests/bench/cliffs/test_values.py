"""The values of the search for cliffs: what they are, and that native code gives with them what the reference gives."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bench.cliffs.calls import op_calls
from batt.bench.cliffs.measure import source
from batt.bench.cliffs.values import Measured, values
from batt.bytecode.wire import read_value
from batt.front import Deck
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options, Sample, Split
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder
from batt.runtime.native import missing

SIZE = 300
"""More items than native code compares one by one when it sorts."""
OPS = frozenset(
    {
        *("merge", "dedupe", "difference", "combine", "mostcommon", "leastcommon", "maximum", "product", "equality"),
        *("mostcolor", "palette", "asobject", "ofcolor", "partition", "fgpartition", "objects", "frontiers"),
        *("toindices", "urcorner", "center", "vline", "box", "inbox", "delta", "shift", "normalize", "dmirror"),
        *("hmirror", "fill", "paint", "cover", "subgrid", "shape", "hmatching", "upscale"),
    }
)
pytestmark = pytest.mark.skipif(missing() is not None, reason="needs the native library")


def test_each_value_has_a_name_of_its_own() -> None:
    made = [(each.shape, each.form) for each in values(1_000)]
    assert len(set(made)) == len(made)


def test_a_second_value_has_the_shape_and_the_form_of_the_first() -> None:
    for first, second in zip(values(SIZE), values(SIZE, second=True), strict=True):
        assert (first.shape, first.form, first.items) == (second.shape, second.form, second.items)
        assert first.wire != second.wire or "one object" in first.shape


@pytest.mark.parametrize(
    "pair",
    list(zip(values(SIZE), values(SIZE, second=True), strict=True)),
    ids=lambda pair: f"{pair[0].shape}; {pair[0].form}",
)
def test_every_form_gives_natively_what_the_reference_gives(pair: tuple[Measured, Measured]) -> None:
    main, second = pair
    calls = [call for call in op_calls() if call.op in OPS and call.kinds & main.kinds]
    sources = {f"solve_{at}": source(f"solve_{at}", call, main.rows, "made") for at, call in enumerate(calls)}
    programs = Deck.from_sources(sources).programs
    sample = Sample("t", Split.TRAIN, 0, read_value(second.wire), read_value(main.wire), None)
    seen = []
    for engine in ("cpu", "reference"):
        options = Options(engine=engine, compiled=False, share=False, workers=1, limits=Limits(steps=200_000))
        job = prepare(programs, options).on(Evaluations((sample,), len(programs)))
        collected = Collected(len(programs))
        Ladder(job, options, observer=collected).run()
        seen.append(collected)
    native, reference = seen
    differ = (native.records != reference.records) | (native.steps != reference.steps)
    assert [calls[at].text for at in np.flatnonzero(differ)] == []
