"""The cases of `batt bench`: committed manifests that name a deck, tasks and the evaluations to measure.

A manifest holds digests of its deck and tasks, and the parts of the case. A part marks its evaluations among all of the
deck on the tasks; its hash is that of their ids. `benchmarks/manifests.py` makes manifests.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np

from batt.bench import rearc
from batt.bench.frozen import FIRST_132, first_132
from batt.errors import DataError, UsageError
from batt.front import Deck, load_deck
from batt.ir.program import Helper
from batt.jobs import samples_of
from batt.runtime import Sample
from batt.runtime.evaluations import Integers
from batt.tasks import load_tasks
from batt.types import form

CASES = ("prototype", "prototype-many", "sizes", FIRST_132, "re-arc", "re-arc-all")
STANDARD = ("prototype", "sizes", FIRST_132, "re-arc")
"""The cases that are measured if none is named."""
FORMER = {"built-in": FIRST_132}
"""Cases by former names. `benchmarks/alternate.py` gives one name to two checkouts, of which one may be older."""
RE_ARC = "re-arc"
"""The name of the deck of re-arc's verifiers, which another package ships."""
STEPS = 10_000_000
"""The step budget of every case. It belongs to the case, so it does not follow the default of a run."""
REMAKE = "make the manifests again with: python benchmarks/manifests.py"

Pairs: TypeAlias = tuple[Integers, Integers]
"""The solver and the sample of every evaluation, by position."""
Manifest: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Spec:
    """A case in words that another process can resolve: a part of a manifest, or a deck on tasks.

    `limit` keeps only about that many evaluations, those of evenly spread samples.
    """

    case: str
    part: str = ""
    deck: str = ""
    tasks: str = ""
    limit: int | None = None
    ops: str | None = None

    @property
    def name(self) -> str:
        """Return the name of the case, with its part if it has several."""
        return f"{self.case}/{self.part}" if self.part else self.case


@dataclass(frozen=True, slots=True)
class BenchCase:
    """Evaluations to measure, as positions of solvers and samples; `whole` counts those of the case without a limit."""

    spec: Spec
    title: str
    deck: Deck
    samples: tuple[Sample, ...]
    pairs: Pairs
    whole: int

    def __len__(self) -> int:
        return len(self.pairs[0])

    def shown(self, number: int) -> str:
        """Name the solver and the sample of an evaluation."""
        sample = self.samples[int(self.pairs[1][number])]
        return f"{self.deck[int(self.pairs[0][number])].name} on {sample.task} {sample.part.value} {sample.index}"


def specs_named(names: Sequence[str], limit: int | None = None) -> list[Spec]:
    """Return the specs of cases, or of single parts such as `sizes/10 tasks`."""
    found: list[Spec] = []
    for name in names:
        case, _, wanted = name.partition("/")
        if case not in CASES and case not in FORMER:
            raise UsageError(f"no case {case!r}; there are: {', '.join(CASES)}")
        parts = [part["name"] for part in read_manifest(case)["parts"]]
        if wanted and wanted not in parts:
            raise UsageError(f"no part {wanted!r} of {case}; there are: {', '.join(parts)}")
        found += [Spec(case, part, limit=limit) for part in parts if not wanted or part == wanted]
    return found


def why_skipped(spec: Spec) -> str | None:
    """Return why a case cannot be measured here, or None."""
    if spec.deck or read_manifest(spec.case)["deck"]["name"] != RE_ARC or rearc.is_installed():
        return None
    return f"{spec.name}: skipped, since re-arc is not installed: pip install --no-deps reasoning-gym"


def listing() -> Iterator[tuple[str, str, int, str]]:
    """Yield the name, the title, the number of evaluations and the hash of every part of every case."""
    for case in CASES:
        manifest = read_manifest(case)
        for part in manifest["parts"]:
            yield Spec(case, part["name"]).name, manifest["title"], part["evaluations"], part["hash"]


def resolve(spec: Spec) -> BenchCase:
    """Return the evaluations of a case. Raise DataError if they are not those that its manifest was made of."""
    if spec.deck:
        deck, samples = load_deck(spec.deck, ops=spec.ops), samples_of(load_tasks(spec.tasks))
        pairs, title = product(len(deck), np.arange(len(samples))), f"{deck.name} on {spec.tasks}"
    else:
        manifest = read_manifest(spec.case)
        part = next(each for each in manifest["parts"] if each["name"] == spec.part)
        deck, samples = _source(spec.case)
        pairs, title = pairs_of(manifest, part, deck, samples), manifest["title"]
    chosen = pairs if spec.limit is None else limited(pairs, spec.limit)
    # Engines pack every sample that they are given, so they are given only those that are used.
    used = np.flatnonzero(np.bincount(chosen[1], minlength=len(samples)))
    place = np.zeros(len(samples), np.int64)
    place[used] = np.arange(len(used))
    kept = tuple([samples[position] for position in used.tolist()])
    return BenchCase(spec, title, deck, kept, (chosen[0], place[chosen[1]]), len(pairs[0]))


def read_manifest(name: str) -> Manifest:
    """Read the committed manifest of a case."""
    data = (resources.files("batt.bench") / "manifests" / f"{FORMER.get(name, name)}.json.gz").read_bytes()
    found: Manifest = json.loads(gzip.decompress(data))
    return found


@cache
def _source(case: str) -> tuple[Deck, tuple[Sample, ...]]:
    """Return the deck and the samples of a case, checked."""
    manifest = read_manifest(case)
    deck, samples = deck_of(manifest["deck"]), samples_of(load_tasks(manifest["tasks"]["name"]))
    check_source(manifest, deck, samples)
    return deck, samples


def deck_of(named: Manifest) -> Deck:
    """Return the deck that a manifest names, or whose source texts it holds."""
    if "sources" in named:
        return Deck.from_sources(named["sources"])
    return rearc.verifiers() if named["name"] == RE_ARC else first_132()


def check_source(manifest: Manifest, deck: Deck, samples: Sequence[Sample]) -> None:
    """Refuse a deck or tasks that are not those of the manifest."""
    found = {"deck": deck_digest(deck), "tasks": samples_digest(samples)}
    for what, digest in found.items():
        if digest != manifest[what]["digest"]:
            raise DataError(f"case {manifest['case']}: the {what} {manifest[what]['name']} changed; {REMAKE}")


def pairs_of(manifest: Manifest, part: Manifest, deck: Deck, samples: Sequence[Sample]) -> Pairs:
    """Return the evaluations of a part, checked against its hash."""
    times, pairs = part["times"], round_of(part["kept"], len(deck), len(samples))
    if len(pairs[0]) * times != part["evaluations"] or hash_of(deck, samples, pairs, times) != part["hash"]:
        raise DataError(f"case {manifest['case']}: its evaluations are not those of the manifest's hash; {REMAKE}")
    # Round after round: neighbours in a round are different samples.
    return pairs if times == 1 else (np.tile(pairs[0], times), np.tile(pairs[1], times))


def deck_digest(deck: Deck) -> str:
    """Return a digest of the names of solvers and of what they do."""
    return _digest(f"{solver.name} {Helper(solver.name, solver.program).digest}" for solver in deck)


def samples_digest(samples: Sequence[Sample]) -> str:
    """Return a digest of the ids of samples and of their grids."""
    lines = []
    for demonstrations, group in groupby(samples, lambda each: each.demonstrations):
        shown = form(demonstrations, 10**9)
        for each in group:
            grids = [form(grid, 10**9) for grid in (each.input, each.expected)]
            lines.append(" ".join([each.task, each.part.value, str(each.index), shown, *grids]))
    return _digest(lines)


def hash_of(deck: Deck, samples: Sequence[Sample], pairs: Pairs, times: int) -> str:
    """Return a digest of the ids of solvers and samples in `pairs`, one of `times` equal rounds."""
    names, ids = deck.names, [f"{each.task} {each.part.value} {each.index}" for each in samples]
    columns = zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)
    digest = _digest(f"{names[solver]} {ids[sample]}" for solver, sample in columns)
    return digest if times == 1 else _digest([digest, str(times)])


def round_of(kept: str | None, solvers: int, samples: int) -> Pairs:
    """Return every solver on every sample, or of these evaluations those that the bit mask `kept` marks."""
    every = product(solvers, np.arange(samples))
    if kept is None:
        return every
    bits = np.frombuffer(zlib.decompress(base64.b64decode(kept)), np.uint8)
    return _at(every, np.unpackbits(bits, count=len(every[0])).astype(bool))


def product(solvers: int, positions: Integers) -> Pairs:
    """Return every solver on each of the samples `positions`, solver by solver."""
    return np.repeat(np.arange(solvers), len(positions)), np.tile(positions, solvers)


def spread(pairs: Pairs, count: int) -> Pairs:
    """Return `count` of the evaluations, evenly spread; all if there are no more."""
    total = len(pairs[0])
    return pairs if count >= total else _at(pairs, np.arange(count) * total // count)


def limited(pairs: Pairs, count: int) -> Pairs:
    """Return about `count` of the evaluations: all those of evenly spread samples; single ones if `count` is small.

    Engines stage shared values once per sample, so a part of a sample's evaluations would say little.
    """
    samples = np.unique(pairs[1])
    kept = count * len(samples) // len(pairs[0])
    if kept < 1 or count >= len(pairs[0]):
        return spread(pairs, count)
    return _at(pairs, np.isin(pairs[1], samples[np.arange(kept) * len(samples) // kept]))


def _at(pairs: Pairs, chosen: Any) -> Pairs:
    return pairs[0][chosen], pairs[1][chosen]


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
