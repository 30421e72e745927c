"""Options: checked where they are read, frozen, and the only place that asks the environment."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from batt.errors import UsageError
from batt.runtime import Limits, Options, check_workers, usable_cores
from batt.runtime.options import read_options


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BATT_GPU_MEMORY", raising=False)
    monkeypatch.setattr("batt.runtime.cuda.memory._default", None)


def test_what_is_not_given_is_as_by_default():
    assert read_options() == Options() == Options(limits=Limits(), workers=usable_cores(), gpu_memory=0.8)


def test_words_become_numbers():
    options = read_options(engine="cuda", devices="0,1", workers=3, gpu_memory=0.5, limits=Limits(steps=7), share=True)
    assert (options.engine, options.devices, options.workers, options.gpu_memory) == ("cuda", (0, 1), 3, 0.5)
    assert (options.limits.steps, options.share, options.compiled) == (7, True, None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"workers": 0}, "the number of workers must be at least 1, got 0"),
        ({"devices": "first"}, "devices are all, or numbers of GPUs"),
        ({"gpu_memory": 2.0}, "the fraction of a GPU's memory must be above 0 and at most 1, got '2.0'"),
    ],
)
def test_what_is_wrong_is_refused(given: dict[str, Any], message: str):
    with pytest.raises(UsageError, match=message):
        read_options(**given)


def test_the_environment_is_asked_when_options_are_read_and_never_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BATT_GPU_MEMORY", "0.25")
    options = read_options()
    monkeypatch.setenv("BATT_GPU_MEMORY", "nonsense")
    assert options.gpu_memory == 0.25
    assert read_options(gpu_memory=0.5).gpu_memory == 0.5
    with pytest.raises(UsageError, match="BATT_GPU_MEMORY must be above 0"):
        read_options()


def test_options_are_frozen_and_go_to_other_processes():
    options = read_options(devices=[0, 0])
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.engine = "cpu"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(options)) == options
    assert hash(options) == hash(dataclasses.replace(options))


def test_workers_are_at_least_one_and_by_default_one_per_core():
    assert check_workers(3) == 3
    assert check_workers(None) == usable_cores() >= 1
    for workers in (0, -1):
        with pytest.raises(UsageError, match=f"^the number of workers must be at least 1, got {workers}$"):
            check_workers(workers)
