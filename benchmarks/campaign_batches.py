"""The batches of the campaign: programs, samples and budgets of several kinds, all from a seed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import count as count_from
from random import Random
from typing import Any, TypeAlias

from batt.check.batches import random_sample
from batt.check.generate import random_source
from batt.check.shared_decks import shared_sources
from batt.errors import BattError
from batt.front import Deck, load_deck
from batt.ir import Literal, Operand, Program, Slot
from batt.jobs import samples_of
from batt.ops import EVERY_OP, PYTHON, Op
from batt.own.inputs import random_grid
from batt.runtime import Limits, Sample, Split
from batt.tasks import load_tasks

Programs: TypeAlias = Iterator[Program]

AMPLE = Limits(steps=20_000, max_items=20_000)
"""The usual budget; programs are short, and a few of them grow without end."""
TIGHT = (Limits(steps=150, max_items=30), Limits(steps=700, max_items=300))
"""Budgets that many programs exceed."""
WIDE = Limits(steps=1_000_000, max_items=300_000)
"""The budget of large values. It is beyond the steps of a GPU's threads, so that warps run the rest."""
TASKS = ("arc1-training", "arc2-training")
SOLVERS_OF_A_BATCH = 40
"""Solvers that the programs of a batch are made from. Those made from one share most of their steps."""
SOLVERS_OF_A_POOL = 12
MOST_ITEMS = 100_000
LARGE_SIDE = 64
WORDS = "words"
"""The kind of batch whose programs call new words."""
SPREAD = 1_000_003
"""Seeds of programs are this far apart from batch to batch: more than a batch tries."""


@dataclass(frozen=True, slots=True)
class BatchKind:
    """Where the programs and samples of a batch come from. `samples` is the part of the usual number that it has."""

    name: str
    programs: Callable[[int], Programs]
    sample: Callable[[Random], Sample]
    budgets: tuple[Limits, ...]
    samples: float = 1.0


@dataclass(frozen=True, slots=True)
class Made:
    """Distinct programs and distinct samples of a batch, with the digests of both, and the budget."""

    kind: str
    programs: dict[str, Program]
    samples: tuple[Sample, ...]
    limits: Limits
    program_digests: list[int]
    sample_digests: list[int]


def made(seed: int, programs: int, samples: int) -> Made:
    """Make the batch of a seed with so many programs, and with so many samples or the part of them that it is for."""
    kind = KINDS[seed % len(KINDS)]
    own = distinct(kind.programs(seed), programs)
    rng = Random(f"samples {seed}")
    shown = distinct_samples(lambda: kind.sample(rng), max(1, int(samples * kind.samples)))
    limits = kind.budgets[seed // len(KINDS) % len(kind.budgets)]
    named = {f"p{number}": program for number, program in enumerate(own.values())}
    return Made(kind.name, named, tuple(shown.values()), limits, list(own), list(shown))


def distinct(programs: Programs, count: int) -> dict[int, Program]:
    """Return the first `count` different programs by digest, or fewer if half of many are known already."""
    found: dict[int, Program] = {}
    for tried, program in enumerate(programs):
        if len(found) == count or tried == 2 * count + 100:
            break
        found.setdefault(digest(program.text), program)
    return found


def distinct_samples(make: Callable[[], Sample], count: int) -> dict[int, Sample]:
    """Return `count` different samples by digest."""
    found: dict[int, Sample] = {}
    while len(found) < count:
        sample = make()
        found.setdefault(digest(repr((sample.demonstrations, sample.input, sample.expected))), sample)
    return found


def digest(text: str) -> int:
    """Return 64 bits of a digest of `text`."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "little")


def random_programs(seed: int, words: bool = False) -> Programs:
    """Yield random programs."""
    for number in count_from(seed * SPREAD):
        yield from _read({"p": random_source(number, words)})


def random_programs_with_words(seed: int) -> Programs:
    """Yield random programs that call new words."""
    return random_programs(seed, words=True)


def pooled_programs(seed: int) -> Programs:
    """Yield programs in groups. Those of a group share steps with values of up to `MOST_ITEMS` items."""
    rng = Random(f"pools {seed}")
    while True:
        yield from _read(shared_sources(rng, SOLVERS_OF_A_POOL, int(10 ** rng.uniform(2, 5))))


def _read(sources: Mapping[str, str]) -> Programs:
    yield from Deck.from_sources(sources).programs.values()


def changed_solvers(seed: int) -> Programs:
    """Yield solvers of the built-in deck with two to four random changes."""
    rng = Random(f"changes {seed}")
    chosen = rng.sample(_solvers(), SOLVERS_OF_A_BATCH)
    while True:
        yield changed(rng.choice(chosen), rng)


@cache
def _solvers() -> tuple[Program, ...]:
    return tuple(load_deck().programs.values())


def changed(program: Program, rng: Random) -> Program:
    """Return the program with two to four operands replaced by others, mostly of the same type."""
    for _ in range(rng.randint(2, 4)):
        at = rng.randint(0, len(program.steps))
        if at == len(program.steps):
            program = replace(program, result=_other(program.result, program.arity + at, rng))
            continue
        step = program.steps[at]
        operands = [step.callee, *step.args]
        place = rng.choice([number for number, each in enumerate(operands) if each is not None] or [0])
        if (given := operands[place]) is not None:
            operands[place] = _other(given, program.arity + at, rng, is_callee=place == 0)
            callee, *args = operands
            steps = (*program.steps[:at], replace(step, callee=callee, args=tuple(args)), *program.steps[at + 1 :])
            program = replace(program, steps=steps)
    return program


def _other(operand: Operand | None, slots: int, rng: Random, is_callee: bool = False) -> Operand:
    """Return another operand for one at a place that can read the first `slots` slots."""
    match operand:
        case Literal(bool() as value):
            return Literal(not value)
        case Literal(int() as value):
            return Literal(rng.choice((value + 1, value - 1, rng.randint(0, 10), -value, rng.randint(-40, 300))))
        case Literal((int(), int()) as value):
            return Literal(rng.choice((value[::-1], (rng.randint(-3, 12), rng.randint(-3, 12)))))
        case Literal(Op() as op) if _alike().get(_type_of(op)):
            return Literal(rng.choice(_alike()[_type_of(op)]))
        case Literal() | None:
            return operand or Literal(())
    return operand if is_callee else Slot(rng.randrange(slots))


@cache
def _alike() -> dict[Any, list[Op]]:
    """Return the ops by their types."""
    found: dict[Any, list[Op]] = defaultdict(list)
    for each in EVERY_OP.values():
        if each.group != PYTHON:
            found[_type_of(each)].append(each)
    return found


def _type_of(op: Op) -> tuple[int, Any]:
    return op.arity, op.signatures[0].result


def real_sample(rng: Random) -> Sample:
    """Return a sample of a real task of any size; a random one if there are no tasks."""
    real = _real_samples()
    return rng.choice(real) if real else random_sample(rng)


@cache
def _real_samples() -> tuple[Sample, ...]:
    found: list[Sample] = []
    for name in TASKS:
        try:
            found += samples_of(load_tasks(name))
        except BattError:
            continue
    return tuple(found)


def large_sample(rng: Random) -> Sample:
    """Return a sample whose input has up to `LARGE_SIDE` rows and columns, often of many objects."""
    height, width = rng.randint(20, LARGE_SIDE), rng.randint(20, LARGE_SIDE)
    colours = rng.sample(range(10), rng.choice((2, 3, 5, 10)))
    filled = rng.choice((0.02, 0.1, 0.3, 0.6, 1.0))
    row = [0] * width
    rows = []
    for _ in range(height):
        if rng.random() < 0.8:
            row = [rng.choice(colours) if rng.random() < filled else 0 for _ in range(width)]
        rows.append(tuple(row))
    grid = tuple(rows)
    shown = tuple([(random_grid(rng), random_grid(rng)) for _ in range(rng.randint(1, 3))])
    return Sample("large", Split.TEST, 0, shown, grid, rng.choice((None, grid, grid[::-1])))


_PLAIN = BatchKind("random", random_programs, random_sample, (AMPLE, TIGHT[0], AMPLE, TIGHT[1], AMPLE, AMPLE))
_WORDS = BatchKind(WORDS, random_programs_with_words, random_sample, (AMPLE, AMPLE, TIGHT[1]))
_CHANGED = BatchKind("changed", changed_solvers, real_sample, (AMPLE, AMPLE, AMPLE, TIGHT[1]))
_SMALL = (_PLAIN, _CHANGED, _WORDS, _PLAIN, _CHANGED, _WORDS, _PLAIN)
KINDS = (
    *_SMALL,
    BatchKind("random, large", random_programs, large_sample, (WIDE,), samples=0.1),
    *_SMALL,
    BatchKind("changed, large", changed_solvers, large_sample, (WIDE,), samples=0.1),
    *_SMALL,
    BatchKind("pooled", pooled_programs, random_sample, (WIDE,), samples=0.02),
)
"""The kinds of batches in turn, by the seed."""
