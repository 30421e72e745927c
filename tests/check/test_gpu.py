"""The checks of GPUs over fake cards whose kernel evaluates for real; on a GPU: tests/gpu/test_doctor.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.check import gpu
from batt.check.gpu import Wrong
from batt.errors import BattError
from batt.front import Deck
from batt.runtime.cuda import kernels
from batt.runtime.cuda import launch as launch_module
from batt.runtime.options import Options
from batt.runtime.tier import CUDA_THREADS
from batt.tasks import Tasks
from fake_cards import Cards
from fake_kernel import FakeKernel
from native_library import needs_library

pytestmark = needs_library


OPTIONS = Options()


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeKernel:
    """The kernel of two cards of 256 MiB."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "_made", {})
    found = kernels.source()
    monkeypatch.setattr(kernels, "source", lambda: found)
    monkeypatch.setattr(launch_module, "MAX_ROWS", 1 << 13)
    cards = Cards(monkeypatch, 2)
    cards.watch(monkeypatch, gpu)
    return cards.kernel


@pytest.fixture(scope="module")
def few() -> tuple[Deck, Tasks]:
    return first_132(), batt.load_tasks("arc1-training").select(None, 2)


def test_bytes_go_there_and_back(kernel: FakeKernel):
    told = gpu.memory(OPTIONS)
    assert told.startswith("GPU 0 (Fake Card): 256.0 MiB of 256.0 MiB free, 204.8 MiB may be taken; 51.2 MiB there")
    assert "; GPU 1 (Fake Card): " in told
    assert kernel.cupy.taken == {}


def test_bytes_that_come_back_as_others_are_wrong(kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch):
    true = kernel.cupy.memcpyAsync

    def flipped(to: int, source: int, size: int, kind: int, stream: int) -> None:
        true(to, source, size if kind == 1 else size - 1, kind, stream)

    monkeypatch.setattr(kernel.cupy, "memcpyAsync", flipped)
    with pytest.raises(Wrong, match=r"1 of [\d,]+ bytes came back as others"):
        gpu.memory(OPTIONS)


def test_memory_that_is_not_given_back_is_wrong(kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel.cupy, "free", lambda address: None)
    with pytest.raises(Wrong, match="memory is not given back"):
        gpu.memory(OPTIONS)


def test_launches_are_within_the_share(kernel: FakeKernel, few: tuple[Deck, Tasks]):
    told = gpu.batch_size(OPTIONS, *few)
    assert "launches of " in told
    assert "; GPU 1 (Fake Card): " in told
    assert kernel.cupy.taken == {}


def test_random_programs_are_compared(kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gpu, "SEEDS", (1,))
    monkeypatch.setattr(gpu, "PROGRAMS", 60)
    told = gpu.operations(OPTIONS)
    assert "primitives called by programs that ended well on a GPU" in told
    assert int(told.split()[0]) > 80
    assert kernel.counts
    kernel.over = lambda numbers: np.ones(len(numbers), bool)
    with pytest.raises(Wrong, match="GPUs finished none of them"):
        gpu.operations(OPTIONS)


def test_a_run_is_on_gpus_and_without_room_there_it_is_not(kernel: FakeKernel, few: tuple[Deck, Tasks]):
    told = gpu.processor(OPTIONS, *few)
    assert told.endswith("with no room there, all of them on the CPU, with the same results")
    assert " finished on GPUs in " in told
    kernel.over = kernel.over_warps = lambda numbers: np.ones(len(numbers), bool)
    with pytest.raises(Wrong, match="GPUs finished nothing"):
        gpu.processor(OPTIONS, *few)


def test_a_planted_difference_is_wrong(kernel: FakeKernel, few: tuple[Deck, Tasks], monkeypatch: pytest.MonkeyPatch):
    true = gpu.gather

    def planted(*args: Any) -> Any:
        collected, ladder = true(*args)
        if CUDA_THREADS in ladder.context.tiers:
            collected.records["hash"][7] += 1
        return collected, ladder

    monkeypatch.setattr(gpu, "gather", planted)
    with pytest.raises(Wrong, match=r"1 of [\d,]+ evaluations differ from the cpu engine's; the first is program 0 on"):
        gpu.processor(OPTIONS, *few)
    assert kernel.counts


def test_a_card_that_keeps_memory_is_wrong(kernel: FakeKernel, few: tuple[Deck, Tasks]):
    assert gpu.clean_up(OPTIONS, *few) == "0 bytes less free after a run than before it"
    kernel.after = lambda launch: kernel.cupy._take(0, 4 << 20) and None
    with pytest.raises(Wrong, match="bytes that are not free again after a run"):
        gpu.clean_up(OPTIONS, *few)


def test_a_lost_card_is_an_error_of_batts_own(kernel: FakeKernel):
    kernel.cupy.lose(46)
    with pytest.raises(BattError, match="another program uses it exclusively"):
        gpu.memory(OPTIONS)
