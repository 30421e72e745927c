"""The kernel is compiled once for what it is made from, and a bad cache costs a compilation and nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from errno import ENOSPC
from pathlib import Path

import pytest

from batt.errors import UsageError
from batt.runtime.cuda import Device, kernels
from batt.runtime.cuda.faults import CompileFailed, RefusedCubin
from fake_cupy import Card, FakeCupy

NATIVE = Path(__file__).parents[3] / "native"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    made = tmp_path / "cache" / "here"
    monkeypatch.setenv("BATT_CACHE_DIR", str(made))
    monkeypatch.setattr(kernels, "_made", {})
    source = kernels.source()
    # Somebody may be editing native code while tests run.
    monkeypatch.setattr(kernels, "source", lambda: source)
    return made


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> FakeCupy:
    return FakeCupy([Card(), Card(), Card("NVIDIA T4", (7, 5))]).use(monkeypatch)


@pytest.fixture
def told() -> list[str]:
    return []


def restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process, which knows of the disk alone."""
    monkeypatch.setattr(kernels, "_made", {})


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_the_first_time_compiles_and_the_next_reads(
    folder: Path, cupy: FakeCupy, told: list[str], monkeypatch: pytest.MonkeyPatch
):
    kernels.load(Device(0), tell=told.append)
    restarted(monkeypatch)
    kernels.load(Device(0), tell=told.append)
    assert len(cupy.compiled) == 1
    assert cupy.loaded == [b"cubin 0"] * 2
    assert told == ["compiling the GPU kernel for compute capability 9.0; this is done once"]
    assert re.fullmatch(r"sm_90-[0-9a-f]{64}\.cubin", only_file(folder).name)


def test_the_source_and_its_includes_are_those_of_the_checkout(folder: Path, cupy: FakeCupy):
    kernels.load(Device(0), ("-DBATT_X=1",))
    ((text, options),) = cupy.compiled
    assert text == (NATIVE / "cuda" / "evaluate.cu").read_text()
    assert options == ("-std=c++17", "-Ofc=min", "-DBATT_X=1", f"-I{NATIVE / 'cuda'}", "-arch=sm_90")


@pytest.mark.parametrize(
    ("compiler", "quickly"),
    [("12.4", []), ("12.6", ["-Ofc=max"]), ("12.8", ["-Ofc=max"]), ("12.9", ["-Ofc=min"]), ("13.10", ["-Ofc=min"])],
)
def test_every_compiler_is_told_to_be_quick_in_words_that_it_knows(compiler: str, quickly: list[str]):
    assert kernels.options(compiler, ("-DX",)) == ("-std=c++17", *quickly, "-DX")


OWN_HEADERS = {"batt_own_ops.h", "batt_own_table.h"}


def test_every_header_that_the_kernel_includes_counts_for_its_name():
    todo, seen = [NATIVE / "cuda" / "evaluate.cu"], set()
    while todo:
        path = todo.pop().resolve()
        if path not in seen:
            seen.add(path)
            names = re.findall(r'^\s*#include "(.+)"', path.read_text(), re.M)
            # A user's own ops lie in a folder that is named after their text, and options name it.
            todo += [path.parent / name for name in names if name not in OWN_HEADERS]
    folders = {path.parent.name for path in seen}
    assert folders <= {"cuda", *kernels._FOLDERS}
    assert {path.suffix for path in seen} == {".cu", ".h"}


def test_devices_alike_share_one_compilation_and_others_have_their_own(folder: Path, cupy: FakeCupy):
    for number in (0, 1, 2):
        kernels.load(Device(number))
    assert [options[-1] for _, options in cupy.compiled] == ["-arch=sm_90", "-arch=sm_75"]


def test_threads_wait_for_the_first_of_them(folder: Path, cupy: FakeCupy):
    threads = [threading.Thread(target=lambda: kernels.load(Device(0))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(cupy.compiled), len(cupy.loaded)) == (1, 8)


def test_the_name_follows_all_that_a_cubin_is_made_from(
    folder: Path, cupy: FakeCupy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    kernels.load(Device(0))
    assert kernels.cached("9.0", "13.4") == only_file(folder)
    assert kernels.cached("7.5", "13.4") is None
    assert kernels.cached("9.0", "13.3") is None
    assert kernels.cached("9.0", "13.4", ("-DX",)) is None
    monkeypatch.setattr(kernels, "FORMAT", 2)
    assert kernels.cached("9.0", "13.4") is None


def test_what_was_compiled_or_read_is_kept_even_when_the_file_is_gone(folder: Path, cupy: FakeCupy):
    device, source = Device(0), kernels.source()
    assert not kernels.is_kept(device, (), source)
    kernels.load(device, found=source)
    assert kernels.is_kept(device, (), source)
    assert not kernels.is_kept(device, ("-DX",), source)
    kernels._made.clear()
    assert kernels.is_kept(device, (), source)
    kernels.load(device)
    only_file(folder).unlink()
    assert kernels.is_kept(device, (), source)
    kernels._made.clear()
    assert not kernels.is_kept(device, (), source)


@pytest.mark.parametrize(
    "changed", ["cuda/evaluate.cu", "core/value.h", "generated/opcodes.h", "machine/run.h", "ops/grids.h", "ops/new.h"]
)
def test_a_change_to_any_source_gives_another_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, changed: str):
    package = tmp_path / "src" / "batt"
    for name in ("cuda/evaluate.cu", "core/value.h", "generated/opcodes.h", "machine/run.h", "ops/grids.h"):
        path = tmp_path / "native" / name
        path.parent.mkdir(parents=True)
        path.write_text("// text")
    monkeypatch.setattr(kernels, "__file__", str(package / "runtime" / "cuda" / "kernels.py"))
    before = kernels.source()
    assert kernels.source() == before
    (tmp_path / "native" / changed).write_text("// texts")
    assert kernels.source().digest != before.digest


def test_outside_a_checkout_the_installed_source_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    package = tmp_path / "site-packages" / "batt"
    monkeypatch.setattr(kernels, "__file__", str(package / "runtime" / "cuda" / "kernels.py"))
    with pytest.raises(UsageError, match=r"the source of the GPU kernel is missing .*pip install"):
        kernels.source()
    path = package / "native" / "cuda" / "evaluate.cu"
    path.parent.mkdir(parents=True)
    path.write_text("// installed")
    assert (kernels.source().text, kernels.source().folder) == ("// installed", path.parent)


DAMAGE = {
    "cut short": lambda data: data[:-1],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"x",
    "a bit changed": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "another head": lambda data: b"x" + data[1:],
    "no head": lambda data: data[kernels._HEAD.size :],
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_compiled_again_and_replaced(
    folder: Path, cupy: FakeCupy, told: list[str], monkeypatch: pytest.MonkeyPatch, how: str
):
    kernels.load(Device(0))
    path = only_file(folder)
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    assert kernels.cached("9.0", "13.4") is None
    restarted(monkeypatch)
    kernels.load(Device(0), tell=told.append)
    assert told == [f"{path}: damaged; compiling the GPU kernel for compute capability 9.0 again"]
    assert cupy.loaded == [b"cubin 0", b"cubin 1"]
    assert kernels.cached("9.0", "13.4") == path == only_file(folder)


def test_a_cubin_that_the_driver_refuses_is_compiled_again_and_replaced(
    folder: Path, cupy: FakeCupy, told: list[str], monkeypatch: pytest.MonkeyPatch
):
    kernels.load(Device(0))
    restarted(monkeypatch)
    cupy.refused.add(b"cubin 0")
    kernels.load(Device(0), tell=told.append)
    (line,) = told
    assert "the driver refuses a compiled kernel: made for another card" in line
    assert line.endswith("; compiling the GPU kernel for compute capability 9.0 again")
    assert cupy.loaded[-1] == b"cubin 1"
    assert only_file(folder).read_bytes().endswith(b"cubin 1")


def test_what_is_refused_just_after_it_was_compiled_is_an_error(folder: Path, cupy: FakeCupy):
    cupy.refused.add(b"cubin 0")
    with pytest.raises(RefusedCubin):
        kernels.load(Device(0))


def test_a_kernel_that_does_not_compile_leaves_nothing_behind(folder: Path, cupy: FakeCupy):
    cupy.compile_log = "error"
    with pytest.raises(CompileFailed):
        kernels.load(Device(0))
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_to_costs_one_line(
    folder: Path, cupy: FakeCupy, told: list[str], monkeypatch: pytest.MonkeyPatch
):
    folder.parent.mkdir()
    folder.write_text("a file where the folder should be")
    kernels.load(Device(0), tell=told.append)
    kernels.load(Device(1), tell=told.append)
    assert len(cupy.compiled) == 1
    assert [line.partition(":")[0] for line in told[1:]] == ["the compiled kernel is not kept"]


def test_a_full_disk_costs_one_line(folder: Path, cupy: FakeCupy, told: list[str], monkeypatch: pytest.MonkeyPatch):
    def full(path: Path, data: bytes) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(kernels, "write_private", full)
    kernels.load(Device(0), tell=told.append)
    assert told[1].endswith("is not kept: [Errno 28] No space left on device")
    assert list(folder.iterdir()) == []


def test_a_file_that_cannot_be_read_is_compiled_again(folder: Path, cupy: FakeCupy, told: list[str]):
    kernels.load(Device(0))
    path = only_file(folder)
    path.unlink()
    path.mkdir()
    kernels._made.clear()
    kernels.load(Device(0), tell=told.append)
    assert told[0].startswith(f"{path}: cannot be read (Is a directory); compiling the GPU kernel")
    assert told[1].startswith("the compiled kernel is not kept: ")


def test_without_a_home_nothing_is_kept(cupy: FakeCupy, told: list[str], monkeypatch: pytest.MonkeyPatch):
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("BATT_CACHE_DIR", raising=False)
    monkeypatch.setattr(kernels, "_made", {})
    monkeypatch.setattr(Path, "home", homeless)
    kernels.load(Device(0), tell=told.append)
    assert told[1] == "the compiled kernel is not kept: there is no home folder (set BATT_CACHE_DIR)"
    assert kernels.cached("9.0", "13.4") is None


@pytest.mark.skipif(os.name != "posix", reason="files have no modes here")
def test_a_cubin_that_others_could_have_written_is_not_used(folder: Path, cupy: FakeCupy, told: list[str]):
    kernels.load(Device(0))
    folder.chmod(0o777)
    kernels._made.clear()
    kernels.load(Device(0), tell=told.append)
    assert len(cupy.compiled) == 2
    assert told[0].startswith(f"other users can write to {folder} (mode 0777)")
    assert told[0].endswith("compiling the GPU kernel for compute capability 9.0 again")
    assert told[1].startswith(f"the compiled kernel is not kept: other users can write to {folder}")
    assert kernels.cached("9.0", "13.4") is None


WRITER = """
import sys
from pathlib import Path
from batt.runtime.cuda import kernels
path, told = Path(sys.argv[1]), []
for number in range(100):
    cubin = bytes([int(sys.argv[2])]) * (1 + 1000 * (number % 50))
    kernels._write(path, cubin, told.append)
    found = kernels._read(path)
    assert isinstance(found, bytes) and len(set(found)) == 1, "mixed"
assert told == [], told
"""


def test_processes_that_write_at_the_same_time_do_not_mix(tmp_path: Path):
    path = tmp_path / "sm_90-0.cubin"
    command = [sys.executable, "-c", WRITER, str(path)]
    running = [subprocess.Popen([*command, str(number)], env={**os.environ}) for number in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_was_run_is_among_what_is_compiled():
    assert set(kernels.RUN_ON) <= set(kernels.COMPILED_FOR)
