"""The cases of `batt bench`. Owns their names and decks; which evaluations they pick is in committed manifests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from batt.bench import rearc
from batt.bench.manifest import Pairs, check_source, limited, pairs_of, product, read_manifest
from batt.bench.prototype import prototype_deck
from batt.bench.variants import variant_deck
from batt.errors import UsageError
from batt.front import BUILT_IN, Deck, load_deck
from batt.jobs import samples_of
from batt.runtime import Sample
from batt.tasks import load_tasks

CASES = ("prototype", "prototype-many", "sizes", "built-in", "re-arc", "re-arc-all", "variants")
STANDARD = ("prototype", "sizes", "built-in", "re-arc")
"""What is measured where no case is named."""
VARIANTS = 20_000
STEPS = 10_000_000
"""The step budget of every case. It is part of what a case is, so it does not follow the default of a run."""

DECKS: dict[str, Callable[[], Deck]] = {
    "prototype": prototype_deck,
    BUILT_IN: load_deck,
    "re-arc": rearc.verifiers,
    "variants": lambda: variant_deck((rearc.verifiers(), load_deck()), VARIANTS),
}
NEED_REARC = ("re-arc", "variants")


@dataclass(frozen=True, slots=True)
class Spec:
    """What a case is, in words that another process can resolve: a part of a manifest, or a deck on tasks.

    Where `limit` is given, only about that many of the evaluations: those of samples that are evenly spread.
    """

    case: str
    part: str = ""
    deck: str = ""
    tasks: str = ""
    limit: int | None = None
    ops: str | None = None

    @property
    def name(self) -> str:
        """The name of the case, with its part where it has several."""
        return f"{self.case}/{self.part}" if self.part else self.case


@dataclass(frozen=True, slots=True)
class Case:
    """Evaluations to measure: solvers and samples by position."""

    spec: Spec
    title: str
    deck: Deck
    samples: tuple[Sample, ...]
    pairs: Pairs
    whole: int
    """Evaluations of the case without a limit."""

    def __len__(self) -> int:
        return len(self.pairs[0])

    def shown(self, number: int) -> str:
        """An evaluation as a person reads it."""
        sample = self.samples[int(self.pairs[1][number])]
        return f"{self.deck[int(self.pairs[0][number])].name} on {sample.task} {sample.part.value} {sample.index}"


def specs_named(names: Sequence[str], limit: int | None = None) -> list[Spec]:
    """The specs of cases, or of single parts of them such as `sizes/10 tasks`."""
    found: list[Spec] = []
    for name in names:
        case, _, wanted = name.partition("/")
        if case not in CASES:
            raise UsageError(f"no case {case!r}; there are: {', '.join(CASES)}")
        parts = [part["name"] for part in read_manifest(case)["parts"]]
        if wanted and wanted not in parts:
            raise UsageError(f"no part {wanted!r} of {case}; there are: {', '.join(parts)}")
        found += [Spec(case, part, limit=limit) for part in parts if not wanted or part == wanted]
    return found


def why_skipped(spec: Spec) -> str | None:
    """Why a case cannot be measured here; None where it can."""
    if spec.deck or read_manifest(spec.case)["deck"]["name"] not in NEED_REARC or rearc.is_installed():
        return None
    return f"{spec.name}: skipped, since re-arc is not installed: pip install --no-deps reasoning-gym"


def resolve(spec: Spec) -> Case:
    """The evaluations of a case; DataError where they are not those that its manifest was made of."""
    if spec.deck:
        deck, samples = load_deck(spec.deck, ops=spec.ops), samples_of(load_tasks(spec.tasks))
        pairs, title = product(len(deck), np.arange(len(samples))), f"{deck.name} on {spec.tasks}"
    else:
        manifest = read_manifest(spec.case)
        part = next(each for each in manifest["parts"] if each["name"] == spec.part)
        deck, samples = _source(spec.case)
        pairs, title = pairs_of(manifest, part, deck, samples), manifest["title"]
    chosen = pairs if spec.limit is None else limited(pairs, spec.limit)
    # An engine packs every sample that it is given, so it is given those that are used.
    used = np.flatnonzero(np.bincount(chosen[1], minlength=len(samples)))
    place = np.zeros(len(samples), np.int64)
    place[used] = np.arange(len(used))
    kept = tuple([samples[position] for position in used.tolist()])
    return Case(spec, title, deck, kept, (chosen[0], place[chosen[1]]), len(pairs[0]))


def listing() -> Iterator[tuple[str, str, int, str]]:
    """Every part of every case: its name, its title, its evaluations and its hash."""
    for case in CASES:
        manifest = read_manifest(case)
        for part in manifest["parts"]:
            yield Spec(case, part["name"]).name, manifest["title"], part["evaluations"], part["hash"]


@cache
def _source(case: str) -> tuple[Deck, tuple[Sample, ...]]:
    """The deck and the samples of a case, checked."""
    manifest = read_manifest(case)
    deck, samples = DECKS[manifest["deck"]["name"]](), samples_of(load_tasks(manifest["tasks"]["name"]))
    check_source(manifest, deck, samples)
    return deck, samples
