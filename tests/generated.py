"""Samples of ARC-1 training tasks beyond their own pairs, made by re-arc's generators."""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from batt.tasks import Task, tasks_from_dict

COUNT = 50
TRIES = 400
EASIEST, HARDEST = 0.4, 0.6
"""The bounds of re-arc's difficulty."""


@cache
def generators() -> ModuleType | None:
    """re-arc's generators, imported without the rest of their package, which needs more packages; None if missing."""
    package = importlib.util.find_spec("reasoning_gym")
    if package is None or not package.submodule_search_locations:
        return None
    root = Path(package.submodule_search_locations[0])
    before = dict(sys.modules)
    for name, path in (("reasoning_gym", root), ("reasoning_gym.arc", root / "arc")):
        hollow = ModuleType(name)
        hollow.__path__ = [str(path)]
        sys.modules[name] = hollow
    try:
        return importlib.import_module("reasoning_gym.arc.rearc_utils.generators")
    finally:
        for name in sys.modules.keys() - before.keys():
            if name.partition(".")[0] == "reasoning_gym":
                del sys.modules[name]


def generated(ident: str, count: int = COUNT) -> Task:
    """A task of `count` distinct generated pairs: one to test, all others to show.

    Each pair has a seed of its own, so that a generator that fails on one changes no other.
    """
    made = generators()
    assert made is not None
    generate = getattr(made, f"generate_{ident}")
    pairs: dict[Any, Any] = {}
    for number in range(TRIES):
        try:
            found = generate(random.Random(f"held out {ident} {number}"), EASIEST, HARDEST)
        except Exception:  # a generator fails on some seeds, in its own ways
            continue
        grids = [tuple(map(tuple, found[key])) for key in ("input", "output")]
        pairs.setdefault(grids[0], grids[1])
        if len(pairs) == count:
            break
    listed = [{"input": given, "output": expected} for given, expected in pairs.items()]
    return tasks_from_dict({ident: {"train": listed[1:], "test": listed[:1]}})[0]
