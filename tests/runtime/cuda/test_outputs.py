"""Outputs of evaluations on cards: the same text as the cpu engine's, whatever is no grid, raises or finds no room.

On a GPU: tests/gpu/test_engine.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import batt
from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause
from batt.jobs import evaluate, evaluation, export
from batt.runtime import Limits
from batt.runtime.cpu import tier as cpu_module
from batt.runtime.cuda import launch as launch_module
from batt.runtime.cuda.modes import THREADS, WARPS
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.options import Options
from fake_cards import PATIENT, ROOMY, Cards, deck_job, gather, plain_job, samples, seen
from gathered import Once
from handmade import MIRROR, RAISES, SAME, program, sample
from native_library import needs_library
from output_texts import texts_of
from small_launches import launch_warps_from

pytestmark = [needs_library, pytest.mark.usefixtures("small_launches")]

NO_GRID = Cause.OTHER_OUTPUT.text
GRIDS = (MIRROR, SAME, ("x = upscale(I, 3)",), ("x = canvas(3, (2, 5))",))
OTHERS = (
    ("x = size(I)",),
    ("x = (I, I)",),
    ("x = objects(I, T, F, F)",),
    ("x = compose(size, vmirror)",),
    ("x = ()",),
    ("x = (1, 2)",),
    ("x = initset(I)",),
    ("x = replace(I, 1, 300)",),
)
WIDE = ("x = multiply(9223372036854775807, size(I))", "x = multiply(x, x)")


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return Cards(monkeypatch)


def outputs_of(ladder: Ladder) -> tuple[list[str | None], list[Any]]:
    """The outputs and the records by number; each comes once."""
    records = gather(ladder)
    texts: list[str | None] = [None] * len(records)
    for part in seen(ladder).parts:
        assert part.outputs is not None
        for number, text in zip(part.block.numbers.tolist(), texts_of(part.outputs), strict=True):
            texts[number] = text
    assert None not in texts
    return texts, records


def by_cpu(job: Job, limits: Limits = PATIENT) -> tuple[list[str | None], list[Any]]:
    wanted = Options(engine="cpu", limits=limits, outputs=True, workers=2)
    return outputs_of(Ladder(job, wanted, observer=Once(job.evaluations.total)))


def test_grids_come_from_the_card_and_all_else_from_the_cpu(cards: Cards):
    job = plain_job([program(*lines) for lines in (*GRIDS, RAISES, *OTHERS, WIDE)], samples(100))
    ladder = cards.make(job, outputs=True)
    expected = by_cpu(job)
    assert outputs_of(ladder) == expected
    assert ladder.counts.on_gpus >= 100 * (len(GRIDS) + 1)
    assert ladder.counts.deferred_by_gpus[NO_GRID] >= 100 * (len(OTHERS) - 1)
    assert ladder.counts.on_gpus + sum(ladder.counts.deferred_by_gpus.values()) == job.evaluations.total
    assert expected[0][:2] == ["[[0]]", "[[1,1]]"]
    cards.assert_all_is_given_back()


@pytest.mark.parametrize("cell", [9, 10, 239, 240, 255])
def test_cells_of_any_size_come_as_they_are(cards: Cards, cell: int):
    job = plain_job(
        [program(*MIRROR), program(*SAME)], [sample(((cell, 1), (2, cell)), ((1, 1),), n) for n in range(9)]
    )
    ladder = cards.make(job, outputs=True)
    expected = by_cpu(job)
    assert outputs_of(ladder) == expected
    assert expected[0][0] == f"[[1,{cell}],[{cell},2]]"
    assert (ladder.counts.on_gpus == 18) == (cell < 240)


def test_a_grid_that_is_too_large_to_be_handed_over_comes_from_the_cpu(cards: Cards, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(launch_module, "OUTPUT_BYTES", 1 << 18)
    job = plain_job([program("x = upscale(I, 400)"), program(*MIRROR)], samples(3))
    limits = Limits(wall_s=600)
    found = outputs_of(cards.make(job, limits, outputs=True))
    assert found == by_cpu(job, limits)
    assert found[0][2] == '{"larger than":200000}'


@pytest.mark.parametrize("room", [1, 2, 3])
def test_what_finds_no_room_comes_from_the_cpu(cards: Cards, monkeypatch: pytest.MonkeyPatch, room: int):
    monkeypatch.setattr(launch_module, "OUTPUT_BYTES", room)
    job = plain_job([program(*lines) for lines in GRIDS], samples(700))
    ladder = cards.make(job, outputs=True)
    assert outputs_of(ladder) == by_cpu(job)
    assert 0 < ladder.counts.deferred_by_gpus[NO_GRID] < job.evaluations.total
    assert ladder.counts.on_gpus == job.evaluations.total - ladder.counts.deferred_by_gpus[NO_GRID]


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("compiled", [False, True])
def test_the_built_in_deck_gives_the_outputs_of_the_cpu_engine(cards: Cards, compiled: bool, beside: bool):
    job = deck_job(first_132(), 2, compiled)
    cards.kernel.over = lambda spread: spread < 50
    ladder = cards.make(job, outputs=True, beside=beside)
    assert outputs_of(ladder) == by_cpu(job)
    if not beside:
        assert ladder.counts.on_gpus > 0.5 * job.evaluations.total
    cards.assert_all_is_given_back()


def test_heavy_evaluations_have_outputs_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cpu_module, "HEAVY_STEPS", 6_000)
    launch_warps_from(monkeypatch, 8)
    cards = Cards(monkeypatch, card=ROOMY)
    limits = Limits(wall_s=600)
    painted = ("a = upscale(I, 40)", "x = fill(a, 3, asindices(a))")
    counted = ("a = upscale(I, 40)", "x = size(asindices(a))")
    job = plain_job([program(*lines) for lines in (MIRROR, painted, counted)], samples(100))
    ladder = cards.make(job, limits, outputs=True)
    assert outputs_of(ladder) == by_cpu(job, limits)
    assert set(cards.kernel.modes) == {THREADS, WARPS}
    assert ladder.counts.on_gpus > 100


def test_a_launch_that_fails_loses_no_output(monkeypatch: pytest.MonkeyPatch):
    cards = Cards(monkeypatch, 2)
    cards.cupy.fails_at_launch = 1
    job = plain_job([program(*lines) for lines in (*GRIDS, RAISES, *OTHERS)], samples(900))
    assert outputs_of(cards.make(job, outputs=True)) == by_cpu(job)
    assert len(cards.cupy.lost) == 1


def test_exports_with_outputs_are_the_same_bytes(cards: Cards, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    cards.watch(monkeypatch, evaluation)
    # So many that the CPU is not done before the card is open.
    deck, tasks = first_132(), batt.load_tasks("arc1-training").select(None, 12)
    written = []
    for engine in ("cpu", "cuda"):
        results = evaluate(deck, tasks, engine=engine, limits=PATIENT, compiled=True, workers=2, outputs=True)
        assert results.engine == engine
        export(results, tmp_path / engine)
        written.append((tmp_path / engine).read_bytes())
    assert written[0] == written[1]
    assert cards.kernel.counts
