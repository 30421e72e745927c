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
AIMED = ("ground", "mask", "direction", "directions")
STEPS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
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
            return tuple([(each, shuffled(output, rng)) for each in inputs])
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


def random_arguments(word: Op, rng: Random) -> list[Any]:
    """Random arguments of a word, most of which it takes."""
    params = rng.choice(signatures(word)).params
    args = [argument(word, *each, rng) for each in zip(word.params, params, strict=True)]
    if word.params[-2:] == ("a", "b"):
        return [*args[:-1], shuffled(args[-2], rng)] if rng.random() > SHARE_ODD else args
    return aimed(word, args, rng) if set(AIMED) & set(word.params) else args


def shuffled(grid: Grid, rng: Random) -> Grid:
    """A grid of the same size."""
    return tuple([tuple(rng.sample(row, len(row))) for row in grid])


def aimed(word: Op, args: list[Any], rng: Random) -> list[Any]:
    """The arguments with most colours and directions such as the word is made for."""
    grid = args[0]
    if "mask" in word.params:
        grid = args[0] = masked(rng)
    for at, name in enumerate(word.params):
        if rng.random() < SHARE_ODD:
            continue
        if name in ("ground", "mask", "value", "wall") and grid:
            args[at] = rng.choice(rng.choice(grid))
        elif name in ("direction", "axis", "axes"):
            args[at] = rng.choice(STEPS)
        elif name == "directions":
            several = rng.sample(STEPS, rng.randint(0, 8))
            args[at] = rng.choice((rng.choice(STEPS), OrderedSet(several), tuple(several)))
    return args


def masked(rng: Random) -> Grid:
    """A grid that repeats or is symmetric about some axis, with masked cells."""
    height, width = rng.randint(1, MOST_SIDE), rng.randint(1, MOST_SIDE)
    tall, wide = rng.randint(1, 4), rng.randint(1, 4)
    top, left = rng.randint(height - 2, height), rng.randint(width - 2, width)
    colours = rng.sample(range(9), rng.randint(2, 5))
    cells = [[rng.choice(colours) for _ in range(width)] for _ in range(height)]
    fold = rng.choice((lambda i, j: (i % tall, j % wide), lambda i, j: (min(i, abs(top - i)), min(j, abs(left - j)))))
    holes = rng.randint(0, 8)
    hidden = {(rng.randrange(height), rng.randrange(width)) for _ in range(holes)}
    return tuple(
        [
            tuple(
                [9 if (i, j) in hidden else cells[fold(i, j)[0] % height][fold(i, j)[1] % width] for j in range(width)]
            )
            for i in range(height)
        ]
    )


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
        args = random_arguments(word, rng)
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
