"""Record calls of every new word by its reference body: `python tests/word_vectors.py [FAMILY …]`.

The recorded calls are what later bodies are held against, so record a family again only where its meaning changes.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from batt.check.ways import signatures
from batt.ops import METER, RAISABLE, WORDS, Op, families
from batt.ops.table import DEMONSTRATIONS
from batt.own.inputs import random_grid, random_value
from batt.types import OrderedSet, ordered
from batt.types.kinds import Grid

FOLDER = Path(__file__).parent / "data" / "words"
CALLS = 80
SHARE_ODD = 0.2
MOST_SIDE = 8
ODD: tuple[Any, ...] = (
    *(None, (), OrderedSet(), -1, 0, 256, (0, 3), ((1, 2), (3,)), ((1, None),), ((0, 256),)),
    *(OrderedSet([(1, (0, 0))]), OrderedSet([(0, 1), (70_000, 0)]), ((((1,),), ((2,),)),), (((1,),),)),
)


def demonstrations(rng: Random) -> tuple[tuple[Grid, Grid], ...]:
    """Random pairs: unrelated grids, outputs of one size, or outputs made of the inputs."""
    inputs = [random_grid(rng, MOST_SIDE) for _ in range(rng.randint(1, 4))]
    match rng.randrange(4):
        case 0:
            return tuple([(each, random_grid(rng, MOST_SIDE)) for each in inputs])
        case 1:
            output = random_grid(rng, MOST_SIDE)
            return tuple([(each, tuple([tuple(rng.sample(row, len(row))) for row in output])) for each in inputs])
        case 2:
            return tuple([(each, tuple([row * 2 for row in each])) for each in inputs])
    return tuple([(each, tuple([tuple([cell or 3 for cell in row]) for row in each])) for each in inputs])


def argument(word: Op, name: str, kind: Any, rng: Random) -> Any:
    """A random argument of a word, small enough to be recorded."""
    if name == DEMONSTRATIONS:
        return demonstrations(rng)
    if kind.value == "grid":
        return random_grid(rng, MOST_SIDE)
    value = random_value(kind, rng)
    while len(json.dumps(written(value))) > 4_000:
        value = random_value(kind, rng)
    return value


def written(value: Any) -> Any:
    """A value as a vector writes it."""
    if isinstance(value, tuple):
        return {"t": [written(item) for item in value]}
    if isinstance(value, frozenset):
        return {"s": [written(item) for item in ordered(value)]}
    return value


def record(word: Op) -> list[dict[str, Any]]:
    """Random calls of a word with what they give, each once."""
    rng = Random(word.name)
    found: dict[str, dict[str, Any]] = {}
    while len(found) < CALLS:
        params = rng.choice(signatures(word)).params
        args = [argument(word, *each, rng) for each in zip(word.params, params, strict=True)]
        if rng.random() < SHARE_ODD:
            args[rng.randrange(word.arity)] = rng.choice(ODD)
        METER.reset()
        try:
            out = written(word(*args))
        except RAISABLE as error:
            out = {"error": type(error).__name__}
        call = [written(arg) for arg in args]
        found.setdefault(
            json.dumps(call), {"id": f"{word.name}-{len(found)}", "fn": word.name, "args": call, "out": out}
        )
    return list(found.values())


def main(names: list[str]) -> None:
    """Record the calls of these families, or of all."""
    for family, words in families(WORDS).items():
        if not names or family in names:
            lines = [json.dumps(each, separators=(",", ":")) + "\n" for word in words for each in record(word)]
            (FOLDER / f"{family}.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
