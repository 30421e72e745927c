"""Small programs, decks and tasks for tests of running, scoring and printing."""

from __future__ import annotations

from typing import Any

from batt.front import Deck
from batt.ir import Program
from batt.runtime import Limits, Sample, Split
from batt.runtime.evaluations import Evaluations, Integers

MIRROR = ("x = vmirror(I)",)
SAME = ("x = identity(I)",)
RAISES = ("x = first(())",)
STUCK = ("x = I", *["x = astuple(x, x)"] * 60, "x = initset(x)")
"""Cheap in steps, but the value that it hashes has 2**60 parts: only the clock can stop it."""


SLOW = ("f = power(increment, 900)", "f = power(f, 900)", "f = power(f, 900)", "x = f(size(I))")
"""Hundreds of millions of small steps: only the clock can stop it, if it has the `stopwatch` for limits."""


def stopwatch(wall_s: float) -> Limits:
    """Return limits of which only the time can be reached."""
    return Limits(steps=10**15, wall_s=wall_s)


HUNGRY = (*[f"x{n} = interval({n}, {1900000 + n}, 1)" for n in range(20)], "x = size(x19)")
"""Within the default budget, but all its values together take more than a gigabyte in plain Python."""


def source(name: str, *lines: str, params: str = "I") -> str:
    """A definition of these lines that returns x."""
    return "\n".join([f"def {name}({params}):", *[f"    {line}" for line in lines], "    return x", ""])


def program(*lines: str, params: str = "I") -> Program:
    """The program of these lines."""
    return Deck.from_sources({"solve": source("solve", *lines, params=params)})[0].program


def deck(**solvers: tuple[str, ...]) -> Deck:
    """A deck of solvers by name, each given as its lines."""
    return Deck.from_sources({name: source(name, *lines) for name, lines in solvers.items()})


def deck_using_s(**solvers: tuple[str, ...]) -> Deck:
    """Four solvers of each of these lines, which make a and b of S and I: they share all but the number they add."""
    numbered = {f"{name}{n}": (*lines, f"x = (b, a, {n})") for name, lines in solvers.items() for n in range(4)}
    return Deck.from_sources({name: source(name, *lines, params="S, I, C") for name, lines in numbered.items()})


def sample(grid: Any = ((1, 2),), expected: Any = ((2, 1),), index: int = 0) -> Sample:
    """A sample of a task with one demonstration."""
    return Sample("t", Split.TRAIN, index, ((((3, 4),), ((4, 3),)),), grid, expected)


def evaluations_of(solvers: int, samples: int, *columns: Integers, sizes: Integers | None = None) -> Evaluations:
    """Every one of `solvers` on every one of `samples`, or the pairs of two columns; the samples are all the same."""
    return Evaluations([sample()] * samples, solvers, *columns, sizes=sizes)


def pairs(*grids: tuple[Any, Any]) -> list[dict[str, Any]]:
    """Pairs as ARC's JSON has them; an output of None is left out."""
    return [{"input": i} if o is None else {"input": i, "output": o} for i, o in grids]


def plain_tasks(answers: bool = True) -> dict[str, Any]:
    """Two tasks: `mirror`, and `trap`, whose demonstrations the identity fits although the test wants a mirror."""
    return {
        "mirror": {
            "train": pairs(([[1, 2]], [[2, 1]]), ([[3, 4, 5]], [[5, 4, 3]])),
            "test": pairs(([[6, 7]], [[7, 6]] if answers else None)),
        },
        "trap": {
            "train": pairs(([[1, 1]], [[1, 1]]), ([[2, 3, 2]], [[2, 3, 2]])),
            "test": pairs(([[8, 9]], [[9, 8]]), ([[1, 0]], [[0, 1]] if answers else None)),
        },
    }
