"""Transforms of tasks that keep their rule: the eight symmetries of a grid, and permutations of the colours.

The printed form of a transform ends the id of a task: `007bbfb7.rot90`, `007bbfb7.colours-0372914568`. So an id names
the transform, and an answer can be converted back without other data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import factorial
from random import Random

from batt.errors import UsageError
from batt.tasks.model import Pair, Task
from batt.types.kinds import Grid

COLOURS = 10
SAME = "identity"
PLAIN = tuple(range(COLOURS))

SYMMETRIES: dict[str, Callable[[Grid], Grid]] = {
    SAME: lambda grid: grid,
    "rot90": lambda grid: tuple(zip(*grid[::-1], strict=True)),
    "rot180": lambda grid: tuple([row[::-1] for row in grid[::-1]]),
    "rot270": lambda grid: tuple(zip(*grid, strict=True))[::-1],
    "hmirror": lambda grid: grid[::-1],
    "vmirror": lambda grid: tuple([row[::-1] for row in grid]),
    "dmirror": lambda grid: tuple(zip(*grid, strict=True)),
    "cmirror": lambda grid: tuple(zip(*[row[::-1] for row in grid[::-1]], strict=True)),
}
"""The eight symmetries by the names of the primitives that do the same."""

_PROBE: Grid = ((0, 1), (2, 3))
_BY_EFFECT = {turn(_PROBE): name for name, turn in SYMMETRIES.items()}
_SUFFIX = re.compile(rf"\.(?:({'|'.join(SYMMETRIES)})|colours-(\d{{{COLOURS}}}))\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Transform:
    """A symmetry of grids and a permutation of the colours: `colours[c]` is what colour c becomes."""

    symmetry: str = SAME
    colours: tuple[int, ...] = PLAIN

    def __post_init__(self) -> None:
        if self.symmetry not in SYMMETRIES:
            raise UsageError(f"unknown symmetry {self.symmetry!a}; the symmetries are {', '.join(SYMMETRIES)}")
        if tuple(sorted(self.colours)) != PLAIN:
            raise UsageError(f"{self.colours!a} is not a permutation of the colours 0 to {COLOURS - 1}")

    def grid(self, grid: Grid) -> Grid:
        """Transform a grid. Values that are no colours stay as they are."""
        turned = SYMMETRIES[self.symmetry](grid)
        if self.colours == PLAIN:
            return turned
        new = dict(enumerate(self.colours))
        return tuple([tuple([new.get(value, value) for value in row]) for row in turned])

    def task(self, task: Task) -> Task:
        """Transform all grids of a task, and append the printed form to its id."""
        train, test = [tuple([self._pair(pair) for pair in part]) for part in (task.train, task.test)]
        return Task(f"{task.id}{self}", train, test)

    def _pair(self, pair: Pair) -> Pair:
        return Pair(self.grid(pair.input), None if pair.output is None else self.grid(pair.output))

    @property
    def inverse(self) -> Transform:
        """Return the transform that turns back what this one does."""
        back = next(name for name, turn in SYMMETRIES.items() if turn(SYMMETRIES[self.symmetry](_PROBE)) == _PROBE)
        return Transform(back, tuple(sorted(PLAIN, key=lambda colour: self.colours[colour])))

    def invert(self, answer: Grid) -> Grid:
        """Convert an answer to a transformed task into an answer to the original task."""
        return self.inverse.grid(answer)

    def then(self, other: Transform) -> Transform:
        """Return the transform that does this one and then `other`."""
        symmetry = _BY_EFFECT[SYMMETRIES[other.symmetry](SYMMETRIES[self.symmetry](_PROBE))]
        return Transform(symmetry, tuple([other.colours[colour] for colour in self.colours]))

    def __str__(self) -> str:
        symmetry = "" if self.symmetry == SAME else f".{self.symmetry}"
        colours = "" if self.colours == PLAIN else f".colours-{''.join(map(str, self.colours))}"
        return symmetry + colours


def original(name: str) -> tuple[str, Transform]:
    """Return the id of the original task, and the transform that made task `name` from it."""
    transform = Transform()
    while match := _SUFFIX.search(name):
        symmetry, digits = match.groups()
        colours = tuple(map(int, digits)) if digits else PLAIN
        if match.start() == 0 or len({*colours}) < COLOURS:
            break
        # The last suffix was added last.
        transform = Transform(symmetry or SAME, colours).then(transform)
        name = name[: match.start()]
    return name, transform


@dataclass(frozen=True, slots=True)
class Augmentation:
    """The transforms of each task: every symmetry with every permutation, the identity included.

    `colours` permutations are drawn for each task, by `seed` and its id; they keep colour 0 if `keep_zero` is set.
    """

    symmetries: tuple[str, ...] = (SAME,)
    colours: int = 0
    seed: int = 0
    keep_zero: bool = True

    def __post_init__(self) -> None:
        for name in self.symmetries:
            Transform(name)
        most = factorial(COLOURS - self.keep_zero) - 1
        if not 0 <= self.colours <= most:
            raise UsageError(f"the number of permutations of the colours must be 0 to {most:,}, got {self.colours:,}")

    def __len__(self) -> int:
        return len(self.symmetries) * (1 + self.colours)

    def __str__(self) -> str:
        words = []
        if self.symmetries == tuple(SYMMETRIES):
            words.append("@symmetries")
        elif self.symmetries != (SAME,):
            words.append(f"@symmetries:{','.join([name for name in self.symmetries if name != SAME])}")
        if self.colours:
            seed, zero = f":seed={self.seed}" * (self.seed != 0), ":with-0" * (not self.keep_zero)
            words.append(f"@colours:{self.colours}{seed}{zero}")
        return "".join(words)

    def of(self, name: str) -> Iterator[Transform]:
        """Yield the transforms of the task `name`."""
        permutations = [PLAIN, *self._permutations(name)]
        for symmetry in self.symmetries:
            for colours in permutations:
                yield Transform(symmetry, colours)

    def _permutations(self, name: str) -> Iterable[tuple[int, ...]]:
        fixed = PLAIN[: int(self.keep_zero)]
        free = PLAIN[len(fixed) :]
        ranks = Random(f"{self.seed} {name}").sample(range(1, factorial(len(free))), self.colours)
        return [fixed + _permutation(rank, free) for rank in ranks]


def augmentation(
    symmetries: bool | Iterable[str] = False, colours: int = 0, seed: int = 0, keep_zero: bool = True
) -> Augmentation:
    """Return an augmentation with all symmetries, or those named; the identity is always included."""
    if isinstance(symmetries, str):
        symmetries = (symmetries,)
    chosen = (SYMMETRIES if symmetries else ()) if isinstance(symmetries, bool) else symmetries
    return Augmentation(tuple(dict.fromkeys((SAME, *chosen))), colours, seed, keep_zero)


FORMS = "symmetries, symmetries:rot90,vmirror, colours:5, colours:5:seed=1, colours:5:seed=1:with-0"
_WORDS = {
    "symmetries": re.compile(r"symmetries(?::([a-z0-9,]+))?", re.ASCII),
    "colours": re.compile(r"colours:(\d{1,9})(?::seed=(\d{1,18}))?(:with-0)?", re.ASCII),
}


def read_augmentation(words: Iterable[str]) -> Augmentation:
    """Read the words after each @ of a source, such as `symmetries` and `colours:5:seed=1`."""
    found: dict[str, re.Match[str]] = {}
    for word in words:
        kind = word.partition(":")[0]
        match = _WORDS[kind].fullmatch(word) if kind in _WORDS else None
        if match is None:
            raise UsageError(f"unknown augmentation {word!a}; expected one of: {FORMS}")
        if found.setdefault(kind, match) is not match:
            raise UsageError(f"the augmentation {kind} is given twice")
    asked, colours = found.get("symmetries"), found.get("colours")
    symmetries: bool | list[str] = asked is not None
    if asked is not None and asked[1]:
        symmetries = asked[1].split(",")
    if colours is None:
        return augmentation(symmetries)
    return augmentation(symmetries, int(colours[1]), int(colours[2] or 0), keep_zero=colours[3] is None)


def _permutation(rank: int, items: tuple[int, ...]) -> tuple[int, ...]:
    """Return permutation number `rank` of `items` in lexicographic order; 0 is the identity."""
    left, found = list(items), []
    while left:
        at, rank = divmod(rank, factorial(len(left) - 1))
        found.append(left.pop(at))
    return tuple(found)
