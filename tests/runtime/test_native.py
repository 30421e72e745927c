"""The native library: where it is found, what is refused, and that what it hands out is given back."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batt.bytecode.abi import Stop
from batt.bytecode.image import Image, ImageBuilder
from batt.codegen.direct import encode_solver
from batt.errors import InternalError, UsageError
from batt.runtime import Equality, Sample, Status
from batt.runtime import native as native_module
from batt.runtime.batch import pack_samples
from batt.runtime.evaluations import Block
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import (
    SAMPLE_TYPE,
    VARIABLE,
    Budget,
    NativeBatch,
    NativeProgram,
    NativeWorker,
    file_name,
    library,
    missing,
    places,
)
from batt.runtime.sorting import run_sorted, sort_results
from handmade import MIRROR, RAISES, program, sample
from native_library import needs_library

BUDGET = Budget(100_000, 100_000, 10**9)
SOURCES = Path(__file__).parents[2] / "native"


def image_of(*programs: tuple[str, ...]) -> Image:
    builder = ImageBuilder()
    for number, lines in enumerate(programs):
        builder.slice(f"s{number}", encode_solver(builder, program(*lines)))
    return builder.image()


def loaded(image: Image) -> NativeProgram:
    return NativeProgram(library(), image.words, image.pool)


def loaded_batch(*samples: Sample) -> NativeBatch:
    batch = pack_samples(samples)
    return NativeBatch(library(), batch.data, batch.ends, batch.rows)


@needs_library
def test_the_library_is_there():
    assert missing() is None
    assert library() is library()
    assert str(places()[0].parent) in repr(library()) or len(places()) > 1


def test_the_variable_names_the_only_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "lib.so"))
    assert places() == (tmp_path / "lib.so",)
    monkeypatch.delenv(VARIABLE)
    assert [place.name for place in places()] == [file_name()] * 2
    assert places()[0].parent.name == "batt"


@pytest.mark.parametrize(
    ("system", "name"),
    [("linux", "libbatt_native.so"), ("darwin", "libbatt_native.dylib"), ("win32", "batt_native.dll")],
)
def test_every_system_has_its_name(monkeypatch: pytest.MonkeyPatch, system: str, name: str):
    monkeypatch.setattr(sys, "platform", system)
    assert file_name() == name


def test_a_library_that_is_not_there_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "lib.so"))
    told = missing()
    assert told == (
        f"the native library is missing (looked for {tmp_path / 'lib.so'});"
        " reinstall it, in batt's source folder: pip install --force-reinstall --no-deps --no-cache-dir ."
    )
    with pytest.raises(UsageError, match=f"^{re.escape(told)}$"):
        library()


def test_a_file_that_is_no_library_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "lib.so").write_text("nothing")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "lib.so"))
    assert "cannot be loaded" in str(missing())
    assert "pip install" in str(missing())


@needs_library
@pytest.mark.parametrize(
    ("changed", "value", "told"),
    [
        ("bytecode.table.table_digest", lambda: 7, "was built from another table of ops; reinstall"),
        ("bytecode.abi.interface", lambda: 99, "this batt needs 00000063; reinstall"),
        ("runtime.native._PROTOTYPES", {"batt_fly": (None, ())}, "is not a native library of this batt; reinstall"),
    ],
)
def test_a_library_that_does_not_match_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, changed: str, value: object, told: str
):
    # A copy, since the one that is loaded is kept.
    shutil.copy(library().path, tmp_path / "lib.so")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "lib.so"))
    monkeypatch.setattr(f"batt.{changed}", value)
    assert told in str(missing())
    with pytest.raises(UsageError, match="reinstall"):
        library()


@needs_library
def test_a_worker_gives_results_in_order_and_counts_them():
    with_helpers = loaded(image_of(MIRROR, RAISES))
    assert with_helpers.slices == 2
    batch = loaded_batch(sample(), sample(((5, 6),)))
    worker = NativeWorker(library(), WorkerMemory(1 << 26))
    done, results = worker.run(with_helpers, batch, np.array([0, 1, 0]), np.array([0, 0, 1]), BUDGET)
    assert (done, worker.done.value) == (3, 3)
    assert results["status"].tolist() == [Status.OK, Status.RAISED, Status.OK]
    assert results["equal"].tolist() == [Equality.YES, Equality.NO, Equality.NO]
    assert results["differing"].tolist() == [0, 2, 2]
    # Others may have become idle before the first evaluation begins: it runs all the same.
    for stop, count in ((Stop.AT_ONCE, 0), (Stop.AFTER_THIS, 1)):
        worker.stop.value = stop
        done, _ = worker.run(with_helpers, batch, np.array([0, 1, 0]), np.array([0, 0, 1]), BUDGET)
        assert done == count


@needs_library
def test_numbers_out_of_range_run_nothing():
    made, batch, worker = (
        loaded(image_of(MIRROR)),
        loaded_batch(sample()),
        NativeWorker(library(), WorkerMemory(1 << 26)),
    )
    for slices, samples in (([0, 1], [0, 0]), ([0, 0], [0, 1])):
        assert worker.run(made, batch, np.array(slices), np.array(samples), BUDGET)[0] == 0


@needs_library
def test_a_block_that_is_run_and_sorted_at_once_gives_the_same():
    made = loaded(image_of(MIRROR, RAISES, ("x = multiply(9223372036854775807, size(I))", "x = multiply(x, x)")))
    batch, worker = loaded_batch(sample(), sample(((5, 6),))), NativeWorker(library(), WorkerMemory(1 << 26))
    slice_of = np.array([2, -1, 1, 0])
    # Every second of larger arrays: they need not be contiguous.
    solvers, samples = np.repeat([3, 2, 0, 3, 0, 2], 2)[::2], np.repeat([0, 0, 0, 1, 1, 1], 2)[::2]
    block = Block(np.arange(6) + 9, solvers, samples)
    _, results = worker.run(made, batch, slice_of[solvers], samples, BUDGET)
    for more in ((), (Status.RAISED,)):
        wanted = sort_results(library(), block, results, more)
        found = run_sorted(worker, made, batch, slice_of, block, BUDGET, None, more)
        assert found.ran is block
        assert found.records.tolist() == wanted.records.tolist()
        for name in ("steps", "kept", "unfinished"):
            assert getattr(found, name).tolist() == getattr(wanted, name).tolist()
        assert len(found.times_ns) == len(found.kept) == (2 if more else 4)
        assert found.unfinished_results["cause"].tolist() == results["cause"][found.unfinished].tolist()


@needs_library
@pytest.mark.parametrize(("solver", "number"), [(2, 0), (-1, 0), (1, 0), (3, 0), (0, 1), (0, -1)])
def test_a_block_with_a_number_out_of_range_runs_nothing(solver: int, number: int):
    made, batch = loaded(image_of(MIRROR)), loaded_batch(sample())
    worker, slice_of = NativeWorker(library(), WorkerMemory(1 << 26)), np.array([0, -1, 1])
    block = Block(np.arange(2), np.array([0, solver]), np.array([0, number]))
    found = run_sorted(worker, made, batch, slice_of, block, BUDGET)
    assert (len(found.ran), len(found.records), len(found.unfinished), len(found.unfinished_results)) == (0, 0, 0, 0)


@needs_library
def test_bytecode_that_is_malformed_is_an_error_of_batt():
    image = image_of(MIRROR)
    with pytest.raises(InternalError, match=r"^the native library refuses bytecode at word 0: not bytecode of this"):
        NativeProgram(library(), b"\0" * len(image.words), image.pool)
    with pytest.raises(InternalError, match="refuses bytecode at word"):
        NativeProgram(library(), image.words[:-4], image.pool)
    with pytest.raises(InternalError, match="refuses a batch"):
        NativeBatch(library(), b"\xff", np.array([1], np.uint64), np.zeros(0, SAMPLE_TYPE))
    with pytest.raises(InternalError, match="refuses a batch"):
        NativeBatch(library(), b"\x01", np.array([1], np.uint64), np.ones(1, SAMPLE_TYPE))


@needs_library
def test_what_is_closed_or_forgotten_is_freed_once(monkeypatch: pytest.MonkeyPatch):
    freed: list[str] = []
    call = native_module.Library.call

    def recorded(self: native_module.Library, name: str, *args: object) -> object:
        freed.extend([name] if name.endswith("_free") else [])
        return call(self, name, *args)

    monkeypatch.setattr(native_module.Library, "call", recorded)
    made, batch, worker = (
        loaded(image_of(MIRROR)),
        loaded_batch(sample()),
        NativeWorker(library(), WorkerMemory(1 << 26)),
    )
    assert not made.closed
    made.close()
    made.close()
    assert made.closed
    assert freed == ["batt_program_free"]
    del batch, worker
    assert sorted(freed) == ["batt_batch_free", "batt_program_free", "batt_worker_free"]


@needs_library
def test_a_worker_takes_less_where_there_is_not_so_much(monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []
    call = native_module.Library.call

    def scarce(self: native_module.Library, name: str, *args: Any) -> object:
        if name == "batt_worker_new":
            asked.append(args[0]._obj.arena_bytes)
            if asked[-1] > most:
                return None
        return call(self, name, *args)

    monkeypatch.setattr(native_module.Library, "call", scarce)
    most = 1 << 28
    assert NativeWorker(library(), WorkerMemory(1 << 30)).memory.arena_bytes == 1 << 28
    assert asked == [1 << 30, 1 << 29, 1 << 28]
    most = 0
    with pytest.raises(UsageError, match="not enough memory for a worker of 67,108,864 bytes; use fewer workers"):
        NativeWorker(library(), WorkerMemory(1 << 30))
