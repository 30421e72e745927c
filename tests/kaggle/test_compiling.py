"""Kernels are compiled by the NVRTC of a wheel, without a GPU, into files that the cache of kernels accepts."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path

import pytest

from batt.errors import UsageError
from batt.kaggle.compiling import compile_kernels, compiler_of, opened_compiler
from batt.runtime.cuda import kernels
from batt.runtime.cuda.modes import WARPS

LIBRARIES = {12: "cuda_nvrtc/lib/libnvrtc.so.12", 13: "cu13/lib/libnvrtc.so.13"}
SMALL = kernels.Source('extern "C" __global__ void batt_evaluate() {}', Path("/nowhere"), b"small")


def nvrtc(version: int) -> Path:
    spec = importlib.util.find_spec("nvidia")
    for folder in [] if spec is None else list(spec.submodule_search_locations or []):
        if Path(folder, LIBRARIES[version]).is_file():
            return Path(folder, LIBRARIES[version])
    pytest.skip(f"no NVRTC {version} is installed")


@pytest.mark.parametrize(("version", "has_oldest"), [(12, True), (13, False)])
def test_the_cache_finds_what_was_compiled_and_the_rest_is_told(
    version: int, has_oldest: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kernels, "COMPILED_FOR", ("6.0", "12.0"))
    monkeypatch.setattr(kernels, "source", lambda: SMALL)
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    compiler = opened_compiler(nvrtc(version))
    oldest, newest = compile_kernels(compiler, tmp_path)
    for more in ((), WARPS.options, kernels.NEW_WORDS, (*WARPS.options, *kernels.NEW_WORDS)):
        found = kernels.cached("12.0", compiler.version, more)
        assert found is not None
        assert found.name in newest.files
        assert b"\x7fELF" in found.read_bytes()
    assert newest.reason == ""
    if has_oldest:
        assert len(oldest.files) == 6
    else:
        assert oldest.files == ()
        assert oldest.reason == f"NVRTC {compiler.version} does not compile for it"
    assert len(list(tmp_path.iterdir())) == len(oldest.files) + len(newest.files)


def test_what_does_not_compile_is_an_error_with_the_compilers_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernels, "COMPILED_FOR", ("9.0",))
    broken = kernels.Source("int broken", Path("/nowhere"), b"broken")
    with pytest.raises(UsageError, match=r'cannot be compiled for compute capability 9\.0: (?s:.*)expected a ";"'):
        compile_kernels(opened_compiler(nvrtc(12)), tmp_path, broken)
    assert list(tmp_path.iterdir()) == []


def test_the_compiler_is_taken_from_its_wheel(tmp_path: Path):
    library = nvrtc(13)
    wheel = tmp_path / "nvidia_cuda_nvrtc-13-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as opened:
        opened.write(library, "nvidia/cu13/lib/libnvrtc.so.13")
        opened.writestr("nvidia/cu13/lib/libnvrtc.alt.so.13", "another")
        opened.writestr("nvidia/cu13/lib/libnvrtc-builtins.so.13.4", "what it needs")
    with compiler_of(wheel) as compiler:
        assert compiler.version == opened_compiler(library).version
        assert "9.0" in compiler.capabilities
        beside = {path.name for path in compiler.library.parent.iterdir()}
        assert beside == {"libnvrtc.so.13", "libnvrtc-builtins.so.13.4"}


def test_a_wheel_without_a_compiler_is_refused(tmp_path: Path):
    wheel = tmp_path / "nvidia_cuda_nvrtc-13-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as opened:
        opened.writestr("nvidia/readme", "")
    with pytest.raises(UsageError, match="holds 0 libraries of NVRTC"), compiler_of(wheel):
        pass
