"""Two checkouts whose `batt` commands are run side by side, each with its own Python, native library and cache.

This file and the scripts that use it do not import batt: they also run where only the checkouts have it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LABELS = ("old", "new")
LIBRARY = {"win32": "batt_native.dll", "darwin": "libbatt_native.dylib"}.get(sys.platform, "libbatt_native.so")
BUILD = Path("build", "compared")
"""The folder in a checkout for its library and its cache; git ignores it."""
LIBRARY_VARIABLE = "BATT_NATIVE_LIBRARY"
SHOWN_LINES = 15
"""Lines of a failed command's output that an error message shows."""


class CheckoutError(Exception):
    """A checkout cannot be used, or a command in it failed."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder with batt's source, and the Python that runs it. `library` None: what that Python's environment has."""

    label: str
    folder: Path
    python: str
    library: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables for a command. What the caller's PYTHONPATH holds comes after the source."""
        kept = {name: value for name, value in os.environ.items() if name != LIBRARY_VARIABLE}
        path = os.pathsep.join(filter(None, [str(self.folder / "src"), kept.get("PYTHONPATH")]))
        library = {LIBRARY_VARIABLE: str(self.library)} if self.library else {}
        return kept | {"PYTHONPATH": path, "BATT_CACHE_DIR": str(self.folder / BUILD / "cache")} | library

    def batt(self, *arguments: str) -> list[str]:
        """Return the command line that runs `batt` with these arguments."""
        return [self.python, "-m", "batt", *arguments]

    def run_python(self, code: str, *arguments: str) -> str:
        """Run Python `code` in the checkout's environment. Return what it prints."""
        return run([self.python, "-c", code, *arguments], f"{self.label}: Python", self.environment)


def run(
    command: Sequence[str], what: str, environment: dict[str, str] | None = None, allowed: Sequence[int] = ()
) -> str:
    """Run `command` and return its standard output. Raise CheckoutError unless it exits with 0 or an `allowed` code."""
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CheckoutError(f"{what}: {command[0]} cannot be run: {error.strerror}") from None
    if done.returncode and done.returncode not in allowed:
        raise CheckoutError(failure(what, done.returncode, done.stderr or done.stdout, command))
    return done.stdout


def failure(what: str, code: int, output: str, command: Sequence[str]) -> str:
    """Describe a command that failed, with the end of its `output`."""
    end = "\n".join([f"  {line}" for line in output.strip().splitlines()[-SHOWN_LINES:]])
    return f"{what} failed with exit code {code}: {' '.join(command)}\n{end}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name the checkouts."""
    for label in LABELS:
        parser.add_argument(label, metavar=label.upper(), help="a checkout's folder, or a git revision")
    parser.add_argument(
        "--python", metavar="FILE",
        help="the Python that runs both (default: .venv/bin/python of the checkout, else the one that runs this)",
    )  # fmt: skip
    parser.add_argument(
        "--no-build", dest="build", action="store_false",
        help="use the native library of each environment instead of building one with CMake",
    )  # fmt: skip


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[tuple[Checkout, Checkout]]:
    """Prepare the checkouts that the arguments name; remove those that were made."""
    with ExitStack() as stack:
        old, new = [_prepare(label, getattr(args, label), args, stack) for label in LABELS]
        yield old, new


def _prepare(label: str, named: str, args: argparse.Namespace, stack: ExitStack) -> Checkout:
    folder = stack.enter_context(source_folder(named))
    if not (folder / "src" / "batt").is_dir():
        raise CheckoutError(f"{label}: {folder} is no checkout of batt: it has no folder src/batt")
    if not Path(named).is_dir() and not args.python:
        print(f"{label}: making an environment for {named}", file=sys.stderr)
        pure = {**os.environ, "BATT_PURE": "1"} if args.build else None
        run(["make", "-C", str(folder), ".venv/tested-with"], f"{label}: make", pure)
    own = folder / ".venv" / "bin" / "python"
    python = args.python or (str(own) if own.exists() else sys.executable)
    found = Checkout(label, folder, python, _build(label, folder) if args.build else None)
    _check_source(found)
    return found


@contextmanager
def source_folder(named: str) -> Iterator[Path]:
    """Yield a folder as it is, or a git revision checked out into a temporary folder."""
    if Path(named).is_dir():
        yield Path(named).resolve()
        return
    git = ["git", "-C", str(ROOT)]
    try:
        run([*git, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}"], "git")
    except CheckoutError:
        raise CheckoutError(f"{named} is neither a folder nor a git revision of {ROOT}") from None
    with tempfile.TemporaryDirectory(prefix="batt-checkout-") as parent:
        folder = Path(parent) / "batt"
        run([*git, "worktree", "add", "--detach", str(folder), named], "git worktree add")
        try:
            yield folder
        finally:
            run([*git, "worktree", "remove", "--force", str(folder)], "git worktree remove")


def _build(label: str, folder: Path) -> Path:
    """Build the native library of a checkout with CMake, as far as it has changed. Return its path."""
    if shutil.which("cmake") is None:
        raise CheckoutError(f"{label}: CMake is not installed; install it, or give --no-build")
    print(f"{label}: building the native library of {folder}", file=sys.stderr)
    target = folder / BUILD / "native"
    run(["cmake", "-S", str(folder), "-B", str(target)], f"{label}: cmake")
    run(["cmake", "--build", str(target)], f"{label}: cmake --build")
    library = target / LIBRARY
    if not library.is_file():
        raise CheckoutError(f"{label}: CMake built no {library}")
    return library


def _check_source(checkout: Checkout) -> None:
    """Refuse a Python that imports batt from elsewhere, as one with an editable install does."""
    expected = (checkout.folder / "src" / "batt" / "__init__.py").resolve()
    found = Path(checkout.run_python("import batt; print(batt.__file__)").strip()).resolve()
    if found != expected:
        raise CheckoutError(
            f"{checkout.label}: {checkout.python} imports batt from {found.parent}, not from {expected.parent}; make "
            "an environment in the checkout (make .venv/tested-with), or give a Python without batt: --python FILE"
        )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Align rows of cells, the first row being the heads: the first two columns to the left, others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([cell.ljust(width) if at < 2 else cell.rjust(width)
                   for at, (cell, width) in enumerate(zip(row, widths, strict=True))])
        for row in rows
    ]  # fmt: skip
    return "\n".join([line.rstrip() for line in lines])
