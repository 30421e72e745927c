"""The rate by workers on GPUs, over fake cards: a row for each number of workers, and equal outcomes on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.bench import devices as module
from batt.bench.devices import scaling
from batt.bench.frozen import first_132
from batt.bench.table import scaling_table
from batt.cli.main import main
from batt.errors import InternalError, UsageError
from batt.runtime.cuda import kernels
from fake_cards import Cards
from fake_cupy import FakeCupy
from native_library import needs_library
from small_launches import threads_with

pytestmark = needs_library

EVALUATIONS = 4_000


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cards]:
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(kernels, "_made", {})
    cards = Cards(monkeypatch, 2)
    cards.watch(monkeypatch, module)
    with threads_with(arena_bytes=64 << 10):
        yield cards
    cards.assert_all_is_given_back()


def measured(devices: tuple[int, ...], repeat: int = 1, gpu_memory: float = 0.8) -> list[dict[str, Any]]:
    tasks = batt.load_tasks("arc1-training")
    told = scaling(devices, first_132(), tasks, EVALUATIONS, repeat, gpu_memory=gpu_memory)
    rows: list[dict[str, Any]] = told["rows"]
    assert told["evaluations"] == pytest.approx(EVALUATIONS, rel=0.1)
    return rows


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(
    ("devices", "rows"), [((), ["0", "0,1"]), ((1,), ["1"]), ((0, 0, 1, 0), ["0", "0,0", "0,0,1", "0,0,1,0"])]
)
def test_every_number_of_workers_has_its_row(devices: tuple[int, ...], rows: list[str]):
    found = measured(devices, repeat=2)
    assert [row["devices"] for row in found] == rows
    assert [row["workers"] for row in found] == list(range(1, len(rows) + 1))
    assert found[0]["ratio"] == 1.0
    for row in found:
        assert len(row["wall_s"]) == 2
        assert row["evaluations_per_s"] > 0
        assert row["on_gpus"] > 0.9
        assert 0 < len(row["by_worker"]) <= row["workers"]


def test_workers_that_are_left_out_have_no_rate(cards: Cards):
    # Room for one worker of the least size, and for no more.
    first, second, third = measured((0, 0, 0), gpu_memory=0.17)
    assert first["ratio"] == 1.0
    for row in (second, third):
        assert row["evaluations_per_s"] is row["ratio"] is None
        assert any("continuing without it" in line for line in row["notes"])
    assert cards.ladder is not None


def test_a_difference_is_an_error(cards: Cards):
    evaluate = cards.kernel.evaluate

    def wrong(told: np.void) -> None:
        told["budget_steps"] = 1
        evaluate(told)

    cards.kernel.evaluate = wrong  # type: ignore[method-assign]
    with pytest.raises(InternalError, match=r"^devices 0: outcomes differ from those of the cpu engine"):
        measured((0, 1))


def test_without_a_gpu_it_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch):
    FakeCupy(count_error=100).use(monkeypatch)
    with pytest.raises(UsageError, match=r"^engine 'cuda' is not available: "):
        measured((0,))


@pytest.mark.usefixtures("cards")
def test_the_command_prints_the_table_and_writes_the_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "told.json"
    options = {"--devices": "0,0", "--repeat": 1, "--limit": EVALUATIONS, "--gpu-memory": 0.5, "--json": path}
    code = main(["bench", *[str(word) for pair in options.items() for word in pair]])
    said, told = capsys.readouterr(), json.loads(path.read_text())["devices"]
    assert code == 0, said.err
    assert [row["devices"] for row in told["rows"]] == ["0", "0,0"]
    for word in ("workers", "evaluations/s", "ratio", "all outcomes are those of the cpu engine", "1.00 ×"):
        assert word in said.out
    assert scaling_table(told)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--devices", "x"], "devices are all, or numbers of GPUs"),
        (["--devices", "0", "built-in"], "--devices measures workers on one deck"),
        (["--devices", "0", "--growth"], "--devices measures workers on one deck"),
        (["--devices", "2"], "there is no GPU 2; GPUs here: 0, 1"),
        (["--devices", "0", "--repeat", "0"], "the number of repeats must be at least 1, got 0"),
        (["--devices", "0", "--gpu-memory", "0"], "must be above 0 and at most 1, got '0.0'"),
    ],
)
@pytest.mark.usefixtures("cards")
def test_what_cannot_be_measured_is_refused(capsys: pytest.CaptureFixture[str], options: list[str], message: str):
    assert main(["bench", *options]) == 2
    assert message in capsys.readouterr().err
