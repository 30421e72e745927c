"""The version of everything that could change an outcome, as a digest of code: part of the key of what is cached.

An outcome is defined by the primitives and the interpreter, but an engine computed it, so the compiler and native code
count, too: what a mended engine computes differently must not come from the cache. Comments, docstrings and formatting
do not count, nor do the modules that only read, show or store.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

from batt.errors import UsageError
from batt.runtime import native
from batt.runtime.cuda import kernels

DECIDING = ("types", "ops", "ir", "bytecode", "analysis", "passes", "codegen", "compiler", "runtime", "cache")
"""The packages of batt whose code counts: those that define outcomes, and those that compute them."""


class SemanticSources:
    """The files whose content decides outcomes, of the package at `root`."""

    def __init__(self, root: Path) -> None:
        files = sorted([file for name in DECIDING for file in (root / name).rglob("*.py")])
        self.modules = [(file.relative_to(root).as_posix(), file.read_bytes()) for file in files]
        self.native = _native()

    @property
    def digest(self) -> bytes:
        """Return a digest of the bytes of all files."""
        made = sha256(self.native)
        for name, data in self.modules:
            made.update(f"{name} {len(data)}\n".encode() + data)
        return made.digest()

    @property
    def version(self) -> bytes:
        """Return a digest of what the code does, as far as its syntax tells."""
        made = sha256(self.native)
        for name, data in self.modules:
            made.update(f"{name} {meaning(data)}\n".encode())
        return made.digest()[:16]


def outcome_version(known: Callable[[bytes], bytes | None], remember: Callable[[bytes, bytes], None]) -> bytes:
    """Return the version. Parsing all files takes half a second, so `remember` it by their bytes, which are `known`."""
    sources = _sources()
    digest = sources.digest
    found = known(digest)
    if found is None:
        found = sources.version
        remember(digest, found)
    return found


@cache
def _sources() -> SemanticSources:
    return SemanticSources(Path(__file__).resolve().parents[1])


def meaning(source: bytes) -> str:
    """Return the syntax tree of a module as text, without docstrings and places."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                del node.body[0]
    return ast.dump(tree)


def _native() -> bytes:
    """Return a digest of the native library and of the source of the GPU kernel, as far as they are installed."""
    made = sha256()
    library = next((path for path in native.places() if path.is_file()), None)
    if library is not None:
        made.update(sha256(library.read_bytes()).digest())
    try:
        made.update(kernels.source().digest)
    except UsageError:
        made.update(b"no kernel")
    return made.digest()
