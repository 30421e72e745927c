"""Why no GPU can be used: each cause is told apart, with what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from batt.runtime.cuda import NoGpu, devices, finding, in_sight, missing
from batt.runtime.cuda.device import compiler_version, cupy_version
from batt.runtime.cuda.finding import best_target, version_text
from fake_cupy import Card, FakeCupy

OLD_CARD, P100 = Card("Old Card", (5, 2)), Card("Tesla P100", (6, 0))
CUDA12 = {"compiler": (12, 9), "targets": (50, 60, 70, 75, 80, 90, 120), "runtime_version": 12090}


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (
            {"version": "13.6.0"},
            "CuPy 13.6.0 is too old, 14 is needed; uninstall it, then run in batt's source folder: pip install ",
        ),
        ({"version": "dev"}, "CuPy dev is too old"),
        ({"is_hip": True}, "CuPy is installed for AMD cards"),
        ({"count_error": 35, "driver_version": 0}, "no NVIDIA driver is installed"),
        (
            {"count_error": 35, "driver_version": 12020},
            "the NVIDIA driver is too old: it is for CUDA 12.2, CuPy for 13.2; update it, or pip uninstall "
            "cupy-cuda13x, then in batt's source folder: pip install '.[cuda12]'",
        ),
        ({"count_error": 35, "driver_version": 11040}, "it is for CUDA 11.4, CuPy for 13.2; update it$"),
        ({"count_error": 100}, "the NVIDIA driver finds no GPU; see nvidia-smi"),
        ({"cards": []}, "the NVIDIA driver finds no GPU; see nvidia-smi"),
        ({"count_error": 999}, "the NVIDIA driver does not respond (cudaError999: in words); see nvidia-smi"),
        ({"cards": [OLD_CARD]}, "Old Card is too old: its compute capability is 5.2, 6.0 is needed"),
        (
            {"cards": [P100]},
            "Tesla P100: NVRTC 13.4 does not compile for compute capability 6.0; pip uninstall cupy-cuda13x, then",
        ),
        (
            {"cards": [Card("Next", (13, 0))]},
            "Next: NVRTC 13.4 does not compile for compute capability 13.0; a newer one is needed; run in batt's",
        ),
        (
            {"no_compiler": True},
            'Fake Card: CuPy finds no NVRTC (Failure finding "libnvrtc.so.13"); pip install nvidia-cuda-nvrtc$',
        ),
        ({"no_compiler": True, "runtime_version": 12090}, "; pip install nvidia-cuda-nvrtc-cu12"),
    ],
)
def test_every_cause_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch, there: dict[str, Any], told: str):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    FakeCupy(**there).use(monkeypatch)
    found = missing()
    assert found is not None
    assert told.removesuffix("$") in found
    assert not told.endswith("$") or found.endswith(told.removesuffix("$"))


def test_one_card_that_fits_is_enough(monkeypatch: pytest.MonkeyPatch):
    FakeCupy([OLD_CARD, Card()]).use(monkeypatch)
    assert missing() is None
    assert [each.capability for each in devices()] == ["5.2", "9.0"]


def test_a_p100_is_used_with_cuda_12(monkeypatch: pytest.MonkeyPatch):
    FakeCupy([P100], **CUDA12).use(monkeypatch)
    assert missing() is None


def test_hidden_cards_are_told_with_the_variable_that_hides_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")
    FakeCupy(count_error=100).use(monkeypatch)
    assert missing() == "no GPU is visible: CUDA_VISIBLE_DEVICES is '7'; unset it, or name a GPU that is there"
    with pytest.raises(NoGpu, match="no GPU is visible"):
        devices()


def test_without_cupy_it_is_told_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    found = missing()
    assert found is not None
    assert found.startswith("CuPy is not installed; to use a GPU, run in batt's source folder: pip install '.[cuda13]'")


def test_a_folder_without_cupy_in_it_is_a_broken_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cupy", ModuleType("cupy"))
    assert "CuPy is broken (module 'cupy' has no attribute '__version__')" in str(missing())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("raise OSError('libcudart.so: cannot open')", "libcudart.so: cannot open"),
        ("raise ImportError('\\n====\\nFailed') from ImportError('\\nno core')", "no core"),
        ("import cupy_backends_that_are_not_there", "No module named 'cupy_backends_that_are_not_there'"),
        ("raise ValueError('numpy.dtype size changed')", "numpy.dtype size changed"),
        ("raise AttributeError", "AttributeError"),
    ],
)
def test_an_install_that_cannot_be_imported_is_broken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, text: str, told: str
):
    (tmp_path / "cupy.py").write_text(text)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert str(missing()).startswith(
        f"CuPy is broken ({told}); uninstall it, then run in batt's source folder: pip install "
    )


def test_a_device_that_does_not_answer_is_told():
    class Silent(FakeCupy):
        def getDeviceProperties(self, number: int) -> dict[str, Any]:
            raise RuntimeError("cudaErrorUnknown")

    with pytest.MonkeyPatch.context() as patch:
        Silent().use(patch)
        assert missing() == "GPU 0 does not respond (cudaErrorUnknown); see nvidia-smi"


@pytest.mark.parametrize(
    ("capability", "target"), [("9.0", "sm_90"), ("8.7", "sm_86"), ("8.9", "sm_89"), ("12.1", "sm_120")]
)
def test_code_is_made_for_the_card_or_the_next_lower_minor_number(capability: str, target: str):
    assert best_target(FakeCupy(), capability).name == target


def test_versions(monkeypatch: pytest.MonkeyPatch):
    FakeCupy(**CUDA12).use(monkeypatch)
    assert (cupy_version(), compiler_version()) == ("14.2.0", "12.9")
    assert [version_text(number) for number in (13020, 12090, 13000)] == ["13.2", "12.9", "13.0"]


def test_a_device_is_told_with_all_that_doctor_shows(monkeypatch: pytest.MonkeyPatch):
    FakeCupy([Card("NVIDIA Two", (8, 9), 5 << 30, 58)]).use(monkeypatch)
    (info,) = devices()
    assert (info.number, info.name, info.capability) == (0, "NVIDIA Two", "8.9")
    assert (info.total_bytes, info.free_bytes, info.sms) == (5 << 30, 5 << 30, 58)
    assert (info.driver, info.runtime, str(info)) == ("13.0", "13.2", "GPU 0 (NVIDIA Two)")


@pytest.mark.parametrize(
    ("names", "variable", "expected"),
    [
        ([], None, False),
        (["nvidiactl", "nvidia-uvm"], None, False),
        (["nvidia0"], None, True),
        (["nvidia0"], "0", True),
        (["nvidia0"], "", False),
        (["nvidia0"], "-1", False),
    ],
)
def test_a_gpu_is_in_sight_where_the_driver_has_a_file_for_it_and_it_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, names: list[str], variable: str | None, expected: bool
):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(finding, "GPU_FILES", ((str(tmp_path), "nvidia[0-9]*"), (str(tmp_path / "none"), "*")))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if variable is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", variable)
    for name in names:
        (tmp_path / name).touch()
    assert in_sight() == expected
