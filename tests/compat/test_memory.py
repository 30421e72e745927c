"""Memory of GPUs by the legacy names, with and without a GPU."""

from __future__ import annotations

import pytest

from batt.compat import configure_gpu_memory, get_optimal_batch_size, gpu_memory_cleanup
from batt.compat.decks import bytes_per_sample
from batt.errors import UsageError
from batt.runtime.cuda.memory import fraction
from fake_cupy import Card, FakeCupy
from native_library import needs_library


@needs_library
def test_a_share_of_a_card_that_is_there_can_be_set(monkeypatch: pytest.MonkeyPatch):
    FakeCupy([Card(), Card()]).use(monkeypatch)
    monkeypatch.setenv("BATT_GPU_MEMORY", "0.5")
    assert configure_gpu_memory(1, 0.25) is True
    assert fraction() == 0.25
    assert configure_gpu_memory() is True
    assert fraction() == 0.8
    assert configure_gpu_memory(2) is False


def test_without_a_gpu_nothing_is_set_and_that_is_told(capsys: pytest.CaptureFixture[str]):
    assert configure_gpu_memory() is False
    assert fraction() == 0.8
    assert "batt: GPU not available, using the CPU" in capsys.readouterr().err


@pytest.mark.parametrize("share", [0, -0.1, 1.5, float("nan")])
def test_an_impossible_share_is_refused(share: float):
    with pytest.raises(UsageError, match="fraction of a GPU's memory must be above 0"):
        configure_gpu_memory(0, share)


def test_cleaning_up_reaches_every_card_and_needs_none(monkeypatch: pytest.MonkeyPatch):
    gpu_memory_cleanup()
    cupy = FakeCupy([Card(), Card()]).use(monkeypatch)
    gpu_memory_cleanup()
    assert cupy.calls.count("free_all_blocks") == 4
    assert cupy.taken == {}


def test_larger_grids_take_more_memory():
    sizes = [bytes_per_sample(side, side) for side in (1, 10, 20, 30)]
    assert sizes == sorted(sizes)
    assert 2 * 30 * 30 < sizes[-1] < 3 * 30 * 30 + 400


def test_a_batch_is_never_empty_and_never_more_than_there_is():
    assert get_optimal_batch_size(30, 1) == 1
    assert get_optimal_batch_size((3, 30), 64) == 64
    assert get_optimal_batch_size(10, 0) == 1


def test_without_a_gpu_the_memory_of_the_machine_counts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.compat.decks._free_bytes", lambda: 1_000_000)
    small, large = get_optimal_batch_size(10, 10**9), get_optimal_batch_size(30, 10**9)
    assert 1 < large < small < 10_000
    monkeypatch.setattr("batt.compat.decks._free_bytes", lambda: 10)
    assert get_optimal_batch_size(30, 10**9) == 1


@needs_library
def test_a_larger_card_takes_larger_batches(monkeypatch: pytest.MonkeyPatch):
    found = []
    for total in (1 << 26, 1 << 33, 1 << 34):
        FakeCupy([Card(total_bytes=1 << 20), Card(total_bytes=total)]).use(monkeypatch)
        found.append(get_optimal_batch_size(20, 10**9))
    assert 1 <= found[0] < found[1] < found[2]
    # The guide values of a 16 GB card are far below.
    assert found[2] > 1000 * 32
