"""Which engine a run is given: the ladder, devices that are named, and the figures that `auto` goes by."""

from __future__ import annotations

import pytest

from batt.errors import UsageError
from batt.jobs import choice
from batt.jobs.choice import ENGINES, PAYS_FROM, Choice, choose_engine
from batt.runtime import cuda
from batt.runtime.native import VARIABLE
from fake_cupy import Card, FakeCupy
from native_library import needs_library

pytestmark = needs_library

MANY = 1e12
NO_GPU = {"count_error": 35, "driver_version": 0}


def test_every_engine_that_can_be_chosen_is_named(monkeypatch: pytest.MonkeyPatch):
    FakeCupy().use(monkeypatch)
    assert {choose_engine(name).engine for name in ENGINES} == set(ENGINES) - {"auto"}


@pytest.mark.parametrize("work_s", [0.0, 0.99 * PAYS_FROM["cuda"]])
def test_auto_leaves_gpus_alone_where_they_do_not_pay(monkeypatch: pytest.MonkeyPatch, work_s: float):
    cupy = FakeCupy().use(monkeypatch)
    assert choose_engine("auto", None, work_s) == Choice("cpu")
    assert cupy.calls == []


@pytest.mark.parametrize(
    ("work_s", "threads", "engine"), [(999.0, 1, "cpu"), (1e3, 1, "cuda"), (15_999.0, 16, "cpu"), (MANY, 16, "cuda")]
)
def test_with_a_figure_auto_takes_gpus_from_there_on(
    monkeypatch: pytest.MonkeyPatch, work_s: float, threads: int, engine: str
):
    FakeCupy().use(monkeypatch)
    monkeypatch.setitem(choice.PAYS_FROM, "cuda", 1000)
    assert choose_engine("auto", None, work_s, threads) == Choice(engine)


@pytest.mark.parametrize(("devices", "in_sight", "told"), [(None, True, True), ((), False, True), (None, False, False)])
def test_a_gpu_that_cannot_be_used_is_told_only_where_one_is_in_sight_or_asked_for(
    monkeypatch: pytest.MonkeyPatch, devices: tuple[int, ...] | None, in_sight: bool, told: bool
):
    FakeCupy(**NO_GPU).use(monkeypatch)
    monkeypatch.setattr(cuda, "in_sight", lambda: in_sight)
    monkeypatch.setitem(choice.PAYS_FROM, "cuda", 1000)
    found = choose_engine("auto", devices, MANY)
    assert found.engine == "cpu"
    assert found.note.startswith("CUDA is not available (no NVIDIA driver" if told else "")
    assert bool(found.note) == told


@pytest.mark.parametrize("devices", [(), (1,), (0, 0), (0, 1)])
@pytest.mark.parametrize("name", ["auto", "cuda"])
def test_naming_devices_asks_for_gpus(monkeypatch: pytest.MonkeyPatch, name: str, devices: tuple[int, ...]):
    FakeCupy([Card(), Card()]).use(monkeypatch)
    assert choose_engine(name, devices) == Choice("cuda")


@pytest.mark.parametrize("name", ["cpu", "reference"])
def test_engines_without_gpus_take_no_devices(name: str):
    with pytest.raises(UsageError, match=f"^devices are GPUs, and engine '{name}' uses none"):
        choose_engine(name, (0,))


@pytest.mark.parametrize("name", ["auto", "cuda"])
def test_a_card_that_is_not_there_is_refused_by_its_number(monkeypatch: pytest.MonkeyPatch, name: str):
    FakeCupy([Card(), Card()]).use(monkeypatch)
    with pytest.raises(UsageError, match=r"^there is no GPU 2; GPUs here: 0, 1$"):
        choose_engine(name, (0, 2))


def test_a_named_card_that_cannot_be_used_is_an_error_or_a_line(monkeypatch: pytest.MonkeyPatch):
    FakeCupy([Card(), Card("Old", (5, 0))]).use(monkeypatch)
    with pytest.raises(UsageError, match=r"^engine 'cuda' is not available: Old is too old"):
        choose_engine("cuda", (0, 1))
    found = choose_engine("auto", (0, 1))
    assert found.engine == "cpu"
    assert "CUDA is not available (Old is too old" in found.note


def test_without_the_library_no_gpu_is_used(monkeypatch: pytest.MonkeyPatch):
    FakeCupy().use(monkeypatch)
    monkeypatch.setenv(VARIABLE, "/nowhere/lib.so")
    assert choose_engine("auto", (0,), MANY).engine == "reference"
    with pytest.raises(UsageError, match="the native library is missing"):
        choose_engine("cuda", (0,))
