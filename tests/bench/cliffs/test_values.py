"""The values of the search for cliffs: what they are, and that native code gives with them what the reference gives."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bench.cliffs.calls import loop_calls, op_calls
from batt.bench.cliffs.measure import source
from batt.bench.cliffs.values import MeasuredValue, values
from batt.bytecode.wire import read_value
from batt.front import Deck
from batt.ir import Program
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options, Sample, Split, Status, evaluate_one
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder
from batt.runtime.native import missing
from batt.types import fingerprint
from strategies import rebuilt

SIZE = 300
"""More items than native code compares one by one when it sorts."""
LIMITS = Limits(steps=200_000)
OPS = frozenset(
    {
        *("merge", "dedupe", "difference", "combine", "mostcommon", "leastcommon", "maximum", "product", "equality"),
        *("mostcolor", "palette", "asobject", "ofcolor", "partition", "fgpartition", "objects", "frontiers"),
        *("toindices", "urcorner", "center", "vline", "box", "inbox", "delta", "shift", "normalize", "dmirror"),
        *("hmirror", "fill", "paint", "cover", "subgrid", "shape", "hmatching", "upscale", "vmatching", "position"),
        *("centerofmass", "recolor", "colorcount", "leastcolor", "hperiod", "vperiod", "vmirror", "cmirror"),
        *("outbox", "corners", "underfill", "underpaint", "move", "hsplit", "minimum", "intersection", "colorfilter"),
    }
)
pytestmark = pytest.mark.skipif(missing() is not None, reason="needs the native library")


LOOP_SIZE = 24
LOOPS = frozenset(
    {"argmax", "argmin", "valmax", "valmin", "sfilter", "extract", "mapply", "apply", "mpapply", "papply"}
)


def run(programs: dict[str, Program], samples: list[Sample], engine: str, compiled: bool = False) -> Collected:
    options = Options(engine=engine, compiled=compiled, share=False, workers=1, limits=LIMITS)
    job = prepare(programs, options).on(Evaluations(samples, len(programs)))
    collected = Collected(job.evaluations.total)
    Ladder(job, options, observer=collected).run()
    return collected


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
def test_every_form_gives_natively_what_the_reference_gives(pair: tuple[MeasuredValue, MeasuredValue]) -> None:
    main, second = pair
    calls = [call for call in op_calls() if call.op in OPS and call.kinds & main.kinds]
    sources = {f"solve_{at}": source(f"solve_{at}", call, main.rows, "made") for at, call in enumerate(calls)}
    programs = Deck.from_sources(sources).programs
    sample = Sample("t", Split.TRAIN, 0, *[rebuilt(read_value(each.wire)) for each in (second, main)], None)
    compare(programs, sample, [call.text for call in calls], compiled=False)


def compare(programs: dict[str, Program], sample: Sample, texts: list[str], compiled: bool) -> None:
    native = run(programs, [sample], "cpu", compiled)
    for text, program, record, steps in zip(texts, programs.values(), native.records, native.steps, strict=True):
        outcome = evaluate_one(program, sample, LIMITS)
        value = fingerprint(outcome.value) if outcome.status is Status.OK else 0
        found = [*[int(record[name]) for name in ("status", "error", "hash")], int(steps)]
        assert found == [outcome.status, outcome.error_number, value, outcome.steps], text


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "function values"])
@pytest.mark.parametrize("main", list(values(LOOP_SIZE)), ids=lambda main: f"{main.shape}; {main.form}")
def test_loops_over_every_form_give_natively_what_the_reference_gives(main: MeasuredValue, compiled: bool) -> None:
    calls = [call for call in loop_calls() if call.op.split()[0] in LOOPS and call.kinds & main.kinds]
    sources = {f"solve_{at}": source(f"solve_{at}", call, main.rows, "made") for at, call in enumerate(calls)}
    if not sources:
        return
    sample = Sample("t", Split.TRAIN, 0, (), rebuilt(read_value(main.wire)), None)
    compare(Deck.from_sources(sources).programs, sample, [call.text for call in calls], compiled)


@pytest.mark.parametrize("outer", ["apply(inner, I)", "argmax(I, inner)", "extract(I, inner)", "mapply(inner, I)"])
@pytest.mark.parametrize(
    "body",
    [
        *("apply(first, x)", "extract(x, positive)", "argmax(x, last)", "order(x, size)", "papply(add, x, x)"),
        *("sfilter(x, matcher(size, 1))", "mfilter(x, size)", "prapply(astuple, x, x)", "valmin(x, increment)"),
    ],
)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "function values"])
def test_loops_within_loops_end_as_in_the_reference(outer: str, body: str, compiled: bool) -> None:
    text = f"def inner(x):\n    return {body}\n\n\ndef solve_0(I):\n    return {outer}\n"
    programs = Deck.from_sources({"solve_0": text}).programs
    for value in (((1, 2), (-3, 0)), (((1,), (2, 3)), ((), (4,))), ((), ()), (5, (6,)), (((0, 1), (2, 3)),) * 3):
        compare(programs, Sample("t", Split.TRAIN, 0, (), value, None), [f"{outer}: {body}: {value}"], compiled)


def test_grids_of_many_distinct_ints_give_natively_what_the_reference_gives() -> None:
    numbers = np.random.default_rng(1).permutation(400) * 7_919 - 1_500_000
    many, few = (tuple(map(tuple, each.reshape(20, 20).tolist())) for each in (numbers, numbers % 5 - 2))
    texts = ("objects(I, True, True, False)", "objects(I, False, False, True)", "partition(I)", "mostcolor(I)")
    sources = {f"solve_{at}": f"def solve_{at}(I):\n    return {text}\n" for at, text in enumerate(texts)}
    programs = Deck.from_sources(sources).programs
    samples = [Sample("t", Split.TRAIN, at, (), grid, None) for at, grid in enumerate((many, few))]
    native, reference = (run(programs, samples, engine) for engine in ("cpu", "reference"))
    assert native.records.tobytes() == reference.records.tobytes()
    assert native.steps.tolist() == reference.steps.tolist()
