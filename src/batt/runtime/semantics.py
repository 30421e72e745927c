"""The version of the semantics: what decides the outcome of an evaluation, as a digest of the code that defines it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources

DEFINING = ("batt.types", "batt.ops", "batt.ir", "batt.front")
"""The packages that define what a deck means: values, primitives, programs, and how source text becomes programs."""
MODULES = (("batt.runtime", "outcome.py"), ("batt.runtime", "records.py"), ("batt.bytecode", "wire.py"))
"""Modules that define budgets, records and the bytes of outputs."""


@cache
def semantics_version() -> str:
    """Return a digest that changes whenever the code that defines an outcome does. Engines are not part of it."""
    made = sha256()
    folders = [(name, resources.files(name)) for name in DEFINING]
    files = [(name, each) for name, folder in folders for each in folder.iterdir() if each.name.endswith(".py")]
    files += [(name, resources.files(name) / file) for name, file in MODULES]
    for name, each in sorted(files, key=lambda found: (found[0], found[1].name)):
        made.update(f"{name} {each.name}\n".encode() + sha256(each.read_bytes()).digest())
    return made.hexdigest()[:16]


@cache
def batt_version() -> str:
    """Return the version of batt that is installed."""
    # It takes long to import, and only what is stored needs it.
    from importlib import metadata

    try:
        return metadata.version("arc-batt")
    except metadata.PackageNotFoundError:
        return "unknown"
