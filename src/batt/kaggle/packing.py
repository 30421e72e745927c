"""Make a pack: a folder with all that a notebook without network needs. It appears only when it is complete."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from batt.errors import UsageError
from batt.files import write_text
from batt.front import Deck
from batt.kaggle.commands import check_modules
from batt.kaggle.compiling import Compiled, compile_kernels, compiler_of
from batt.kaggle.notebook import ANYONE, NOTEBOOK, as_text, dataset_metadata, kernel_metadata, notebook, readme
from batt.kaggle.own_wheel import OwnWheel, own_wheel
from batt.kaggle.wheels import digest_of, download, glibc_of, requirements

CUDA = {"12": "cuda12", "13": "cuda13", "none": ""}
"""The extra of batt for each version of CUDA."""
COMPETITION = "arc-prize-2025"
DATASET, MANIFEST, DECK = "dataset", "batt-pack.json", "deck.jsonl"


@dataclass(frozen=True, slots=True)
class PackRequest:
    """The content of a pack. `deck` is None for the built-in deck, which batt's wheel has."""

    pythons: tuple[str, ...]
    cuda: str = "12"
    deck: Deck | None = None
    wheel: Path | None = None
    user: str = ANYONE
    competition: str = COMPETITION


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack that was made: its folder, and what is in it.

    `glibc` is the oldest version of glibc that batt's wheel runs with, as auditwheel finds it, `all_glibc` that of all
    wheels together. `compiler` is the version of NVRTC that compiled the kernels.
    """

    folder: Path
    wheel: str
    glibc: str
    all_glibc: str
    wheels: dict[str, int]
    compiler: str
    kernels: tuple[Compiled, ...]
    solvers: int | None
    total_bytes: int

    @property
    def plain(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {**asdict(self), "folder": str(self.folder)}


def make_pack(target: Path, request: PackRequest, tell: Callable[[str], object] = lambda line: None) -> Pack:
    """Write a pack to the folder `target`, which must be new or empty; call `tell` with what is being done."""
    check_modules()
    with _new_folder(target) as folder:
        dataset = folder / DATASET
        dataset.mkdir()
        tell("making batt's wheel")
        own = own_wheel(dataset, request.wheel)
        counts = _add_wheels(dataset, own, request, tell)
        compiler, compiled = _add_kernels(dataset, tell)
        if request.deck is not None:
            request.deck.save(dataset / DECK)
        floors = [glibc_of(path) for path in dataset.glob("*.whl")]
        _add_texts(folder, request)
        made = Pack(
            target,
            own.path.name,
            own.glibc,
            ".".join(map(str, max(floors))),
            counts,
            compiler,
            tuple(compiled),
            None if request.deck is None else len(request.deck),
            sum([path.stat().st_size for path in folder.rglob("*") if path.is_file()]),
        )
        _add_manifest(dataset, made)
    return made


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Yield a folder beside `target` that takes its name when all went well, and is removed otherwise."""
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: is not a folder")
    if target.is_dir() and any(target.iterdir()):
        raise UsageError(f"{target}: is not empty; name a new folder")
    place = target.absolute()
    if not place.parent.is_dir():
        raise UsageError(f"{target}: {place.parent} is not a folder")
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror}") from None
    try:
        yield folder
        folder.chmod(0o755)
        # An empty folder is replaced.
        os.replace(folder, place)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _add_wheels(dataset: Path, own: OwnWheel, request: PackRequest, tell: Callable[[str], object]) -> dict[str, int]:
    """Download wheels and list them for each Python; return how many each Python has."""
    counts = {}
    extras = {"": "", "-cuda": CUDA[request.cuda]} if CUDA[request.cuda] else {"": ""}
    for python in request.pythons:
        tell(f"downloading wheels for Python {python}")
        for suffix, extra in extras.items():
            # With the extra, a package may have another version: each list has a folder of its own.
            with tempfile.TemporaryDirectory(prefix=".wheels.", dir=dataset) as scratch:
                download(own.path, extra, python, own.glibc, Path(scratch))
                wheels = list(Path(scratch).glob("*.whl"))
                write_text(dataset / f"requirements-{python}{suffix}.txt", requirements(wheels))
                for path in wheels:
                    os.replace(path, dataset / path.name)
            counts[python] = len(wheels)
    return counts


def _add_kernels(dataset: Path, tell: Callable[[str], object]) -> tuple[str, list[Compiled]]:
    """Compile the kernels if there is a compiler among the wheels; return its version and what came of it."""
    found = sorted(dataset.glob("nvidia_cuda_nvrtc*.whl"))
    if not found:
        return "", []
    tell("compiling the GPU kernels; this takes minutes")
    with compiler_of(found[-1]) as compiler:
        return compiler.version, compile_kernels(compiler, dataset)


def _add_texts(folder: Path, request: PackRequest) -> None:
    """Write the notebook, and what Kaggle and people must know."""
    beside = folder / "notebook"
    beside.mkdir()
    write_text(beside / NOTEBOOK, as_text(notebook()))
    write_text(beside / "kernel-metadata.json", as_text(kernel_metadata(request.user, request.competition)))
    write_text(folder / DATASET / "dataset-metadata.json", as_text(dataset_metadata(request.user)))
    write_text(folder / "README.md", readme(request.user, request.competition))


def _add_manifest(dataset: Path, made: Pack) -> None:
    """Write what the dataset holds, with the hash of each file."""
    hashes = {path.name: digest_of(path) for path in sorted(dataset.iterdir())}
    about = {key: value for key, value in made.plain.items() if key != "folder"}
    write_text(dataset / MANIFEST, as_text({**about, "sha256": hashes}))
