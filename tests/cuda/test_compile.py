"""The kernel compiles for every card that the texts name, by both generations of NVRTC; none of it needs a GPU."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from batt.bytecode.image import ImageBuilder
from batt.ops import EVERY_OP, OPS
from batt.own import load_ops
from batt.own.building import sources, write_headers
from batt.runtime.cuda import columns, kernels, states
from batt.runtime.cuda.modes import THREADS, WARPS
from own_example import EXAMPLE

LIBRARIES = {12: "cuda_nvrtc/lib/libnvrtc.so.12", 13: "cu13/lib/libnvrtc.so.13"}
"""By version of CUDA, below the folder `nvidia` of the installed packages."""

FIRST = {12: (5, 0), 13: (7, 5)}
"""The oldest capability that a version compiles for."""

FORMS = {
    "lanes": THREADS.options,
    "together": WARPS.options,
    "lanes, words": (*THREADS.options, *kernels.NEW_WORDS),
    "together, words": (*WARPS.options, *kernels.NEW_WORDS),
}

QUICK = [(12, "6.0", "lanes, words"), (13, "7.5", "together")]
"""Both compilers, the oldest card of each, and both modes: all the way to a cubin takes long."""


CASES = [
    (version, capability, form)
    for version, first in FIRST.items()
    for capability in kernels.COMPILED_FOR
    for form in FORMS
    if tuple(map(int, capability.split("."))) >= first
]


def nvrtc(version: int) -> ctypes.CDLL:
    """The compiler; where there is none for this system the test is left out, but not in continuous integration."""
    spec = importlib.util.find_spec("nvidia")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    for path in (Path(folder, LIBRARIES[version]) for folder in folders):
        if path.is_file():
            return ctypes.CDLL(str(path))
    reason = f"no NVRTC {version} is installed, and there may be none for {sys.platform} (see the extra `test`)"
    if os.environ.get("CI") or os.environ.get("BATT_WERROR") == "ON":
        pytest.fail(reason)
    pytest.skip(reason)


def text_of(library: ctypes.CDLL, program: ctypes.c_void_p, name: str) -> bytes:
    """What `nvrtcGet<name>` gives."""
    size = ctypes.c_size_t()
    assert getattr(library, f"nvrtcGet{name}Size")(program, ctypes.byref(size)) == 0
    data = ctypes.create_string_buffer(size.value)
    assert getattr(library, f"nvrtcGet{name}")(program, data) == 0
    return data.raw


def compiled(library: ctypes.CDLL, text: str, options: list[str]) -> tuple[bytes, str]:
    """The cubin, and what the compiler says; no cubin where it fails."""
    program = ctypes.c_void_p()
    encoded = [option.encode() for option in options]
    assert library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"evaluate.cu", 0, None, None) == 0
    try:
        status = library.nvrtcCompileProgram(program, len(encoded), (ctypes.c_char_p * len(encoded))(*encoded))
        log = text_of(library, program, "ProgramLog").rstrip(b"\0").decode()
        return (b"" if status else text_of(library, program, "CUBIN")), log
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def target(capability: str) -> str:
    return f"-arch=sm_{capability.replace('.', '')}"


def options(library: ctypes.CDLL, capability: str, form: str = "lanes") -> list[str]:
    major, minor = ctypes.c_int(), ctypes.c_int()
    assert library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)) == 0
    chosen = kernels.options(f"{major.value}.{minor.value}", FORMS[form])
    return [*chosen, f"-I{kernels.source().folder}", target(capability)]


@pytest.mark.parametrize(("version", "capability", "form"), CASES)
def test_the_compiler_has_nothing_to_say(version: int, capability: str, form: str):
    library = nvrtc(version)
    _, log = compiled(library, kernels.source().text, [*options(library, capability, form), "-fdevice-syntax-only"])
    assert [line for line in log.splitlines() if line.strip() and "Architectures prior to" not in line] == []


@pytest.mark.parametrize(
    ("version", "capability", "form"),
    [pytest.param(*case, marks=() if case in QUICK else pytest.mark.slow) for case in CASES],
)
def test_the_kernel_becomes_a_cubin(version: int, capability: str, form: str):
    library = nvrtc(version)
    cubin, log = compiled(library, kernels.source().text, options(library, capability, form))
    assert cubin[:4] == b"\x7fELF", log
    assert kernels.ENTRY.encode() in cubin
    assert (kernels.STAGE_ENTRY.encode() in cubin) == form.startswith("together")
    assert (b"op_inpaint" in cubin) == form.endswith("words")


COLUMN_OPTIONS = {
    "objects": columns.op_options(OPS["objects"], columns.ONE_OP),
    "any op": columns.op_options(OPS["apply"], columns.ANY_OP),
    "packing": columns.PACK_OPTIONS,
}


@pytest.mark.parametrize("version", list(LIBRARIES))
@pytest.mark.parametrize("kernel", list(COLUMN_OPTIONS))
def test_the_compiler_has_nothing_to_say_of_columns(version: int, kernel: str):
    library = nvrtc(version)
    told = [*options(library, "9.0"), *COLUMN_OPTIONS[kernel], "-fdevice-syntax-only"]
    assert compiled(library, kernels.source(columns.SOURCE).text, told)[1] == ""


@pytest.mark.parametrize("version", list(LIBRARIES))
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "hmirror" else pytest.mark.slow) for name in EVERY_OP]
)
def test_the_kernel_of_an_op_becomes_a_cubin(version: int, name: str):
    library = nvrtc(version)
    told = [*options(library, "9.0"), *columns.op_options(EVERY_OP[name], columns.form_of(EVERY_OP[name]))]
    cubin, log = compiled(library, kernels.source(columns.SOURCE).text, told)
    assert cubin[:4] == b"\x7fELF", log
    assert columns.ENTRY.encode() in cubin


@pytest.mark.parametrize("version", list(LIBRARIES))
@pytest.mark.parametrize("kernel", ["objects", "any op"])
def test_the_compiler_has_nothing_to_say_of_states(version: int, kernel: str):
    library = nvrtc(version)
    told = [*options(library, "9.0"), *COLUMN_OPTIONS[kernel], "-fdevice-syntax-only"]
    assert compiled(library, kernels.source(states.SOURCE).text, told)[1] == ""


@pytest.mark.parametrize("version", list(LIBRARIES))
def test_the_kernel_of_states_becomes_a_cubin(version: int):
    library = nvrtc(version)
    told = [*options(library, "9.0"), *columns.op_options(OPS["hmirror"], columns.ONE_OP)]
    cubin, log = compiled(library, kernels.source(states.SOURCE).text, told)
    assert cubin[:4] == b"\x7fELF", log
    assert states.ENTRY.encode() in cubin


@pytest.mark.parametrize("version", list(LIBRARIES))
def test_own_ops_are_compiled_with_the_kernel(version: int, tmp_path: Path):
    library = nvrtc(version)
    made = sources(tuple(load_ops(EXAMPLE / "my_ops.py").values()))
    write_headers(made, tmp_path)
    told = [
        *options(library, "9.0"),
        *kernels.op_options(ImageBuilder(made.table(tmp_path)).image()),
        "-fdevice-syntax-only",
    ]
    assert compiled(library, kernels.source().text, told)[1] == ""
    header = tmp_path / "batt_own_ops.h"
    header.write_text(header.read_text("utf-8").replace("op_majority", "op_other"), "utf-8")
    assert "op_majority" in compiled(library, kernels.source().text, told)[1]


@pytest.mark.parametrize("version", list(LIBRARIES))
def test_a_mistake_is_found_and_told(version: int):
    cubin, log = compiled(nvrtc(version), "int broken", [target("9.0")])
    assert cubin == b""
    assert 'error: expected a ";"' in log


def test_a_compiler_that_is_not_there_fails_only_in_continuous_integration(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("BATT_WERROR", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no NVRTC 13 is installed"):
        nvrtc(13)
    for name, value in (("CI", "true"), ("BATT_WERROR", "ON")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            with pytest.raises(pytest.fail.Exception, match="no NVRTC 13 is installed"):
                nvrtc(13)
