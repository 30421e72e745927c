"""What is packaged: the native library, its headers, the install without a compiler, and the root folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import batt
from batt.bytecode.opcodes import OP_NUMBERS, OPS_BY_NUMBER, table_digest
from batt.runtime.native import library, missing
from native_library import needs_library

ROOT = Path(__file__).parents[1]
NATIVE = ROOT / "native"
PACKAGED = ("core", "cuda", "generated", "host", "machine", "ops", "states")
"""The folders of native/, which are all installed with the package: own ops are compiled with them."""

ON_HOST = ("host", "states")
"""Parts of one source, api.cpp, that only the host compiles."""

HEADERS = sorted(path for name in PACKAGED if name not in ON_HOST for path in (NATIVE / name).rglob("*.h"))
COMPILER = shutil.which(os.environ.get("CXX", "c++")) or shutil.which("g++") or shutil.which("clang++")

needs_compiler = pytest.mark.skipif(
    os.environ.get("BATT_PURE") == "1" and COMPILER is None, reason="BATT_PURE=1, and no C++ compiler"
)


def check_source(source: str, folder: Path = NATIVE) -> str:
    """What the compiler says about a C++ source text in a folder, with warnings as errors; nothing where it is good."""
    assert COMPILER is not None, "install a C++17 compiler, or set BATT_PURE=1"
    flags = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-I", str(folder), "-xc++", "-"]
    return subprocess.run([COMPILER, *flags], input=source, capture_output=True, text=True, check=False).stderr


@needs_library
def test_the_library_is_there_and_serves_this_table():
    assert missing() is None
    assert library().call("batt_table_digest") == table_digest()


@needs_compiler
@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.relative_to(NATIVE).as_posix())
def test_every_header_compiles_alone_without_a_warning(path: Path):
    assert check_source(f'#include "{path.relative_to(NATIVE).as_posix()}"\n') == ""


@needs_compiler
def test_the_interface_compiles_without_a_warning():
    assert check_source('#include "host/api.cpp"\n') == ""


KERNELS = """
#include "machine/run.h"
using namespace batt;
template <class Function, class Expected> constexpr bool same = false;
template <class Function> constexpr bool same<Function, Function> = true;
#define KERNEL_OF_KERNEL(name) static_assert(same<decltype(op_##name), Value(Vm&, const Value*)>);
#define KERNEL_OF_LOOP(name)
#define COST_OF_OWN(name) static_assert(same<decltype(cost_##name), i64(Vm&, const Value*)>);
#define COST_OF_ITEMS(name)
#define COST_OF_UNIT(name)
#define X(name, number, arity, cost, kind) KERNEL_OF_##kind(name) COST_OF_##cost(name)
BATT_OPS(X)
#undef X
constexpr u32 COUNT = 0
#define X(name, number, arity, cost, kind) + 1
BATT_OPS(X);
"""


@needs_compiler
def test_every_op_of_the_table_has_its_kernel_and_its_cost():
    assert check_source(KERNELS + f"static_assert(COUNT == {len(OPS_BY_NUMBER)});\n") == ""


@needs_compiler
def test_an_op_without_a_kernel_does_not_compile():
    assert "op_no_such_op" in check_source(KERNELS + "KERNEL_OF_KERNEL(no_such_op)\n")


def test_every_loop_is_known_to_the_machine():
    loops = re.findall(r"X\((\w+), \d+, \d+, \w+, LOOP\)", (NATIVE / "generated" / "opcodes.h").read_text("utf-8"))
    machine = "".join([path.read_text("utf-8") for path in sorted((NATIVE / "machine").glob("*.h"))])
    assert set(loops) <= set(OP_NUMBERS)
    assert [name for name in loops if not re.search(rf"\bOP_{name}\b", machine)] == []


def test_every_folder_of_native_code_is_in_the_package():
    assert {path.name for path in NATIVE.iterdir() if path.is_dir()} == set(PACKAGED)


def test_the_root_folder_holds_what_must_be_there():
    files = {path.name for path in ROOT.iterdir() if path.is_file() and not path.name.startswith(".")}
    texts = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"}
    assert files == texts | {"pyproject.toml", "CMakeLists.txt", "Makefile"}


@pytest.mark.slow
def test_without_a_compiler_the_wheel_is_plain_python(tmp_path: Path):
    wheel = built_wheel(tmp_path, CXX=str(tmp_path / "nowhere"), CC=str(tmp_path / "nowhere"))
    assert wheel.name == f"arc_batt-{batt.__version__}-py3-none-any.whl"
    assert not [name for name in names_in(wheel) if "libbatt_native" in name]
    assert ended_run(installed(wheel, tmp_path / "venv"), tmp_path) == "reference"


@pytest.mark.slow
def test_plain_python_can_be_asked_for(tmp_path: Path):
    assert built_wheel(tmp_path, BATT_PURE="1").name.endswith("-py3-none-any.whl")


@pytest.mark.slow
def test_a_library_that_is_asked_for_and_cannot_be_built_is_an_error(tmp_path: Path):
    with pytest.raises(subprocess.CalledProcessError):
        built_wheel(tmp_path, BATT_PURE="0", CXX=str(tmp_path / "nowhere"))


@pytest.mark.slow
@needs_compiler
def test_a_wheel_holds_the_library_and_the_headers_and_serves_every_python(tmp_path: Path):
    wheel = built_wheel(tmp_path, BATT_PURE="0")
    assert re.fullmatch(r"arc_batt-[\d.]+-py3-none-(?!any)\w+\.whl", wheel.name)
    names = names_in(wheel)
    assert {f"batt/native/{path.relative_to(NATIVE).as_posix()}" for path in HEADERS} < names
    assert "batt/native/host/api.cpp" in names
    assert ended_run(installed(wheel, tmp_path / "venv"), tmp_path) == "cpu"


def environment(**changes: str) -> dict[str, str]:
    """The environment as a fresh shell has it: no settings of this run's build."""
    own = ("BATT_PURE", "BATT_WERROR", "BATT_NATIVE_LIBRARY", "CXX", "CC", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if name not in own} | changes


def built_wheel(folder: Path, **changes: str) -> Path:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, env=environment(**changes), check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as opened:
        return set(opened.namelist())


def installed(wheel: Path, folder: Path) -> Path:
    """A fresh environment with the wheel and what it needs; its `batt` command."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", str(wheel)], env=environment(), check=True)
    return folder / "bin" / "batt"


def ended_run(command: Path, folder: Path) -> str:
    """Run the built-in deck on one task, away from the checkout; the engine that the exported rows name."""
    rows = folder / "rows.jsonl"
    options = ["-c", "1", "--quiet", "--with-engine", "--export", str(rows)]
    subprocess.run([str(command), "run", *options], cwd=folder, env=environment(), check=True)
    engines = set(re.findall(r'"engine": ?"([\w-]+)"', rows.read_text("utf-8")))
    (engine,) = engines
    return engine
