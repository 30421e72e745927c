"""Make the committed manifests of `batt bench`, in a few minutes: python benchmarks/manifests.py [CASE…]

Nothing here looks at a time: foreign samples are drawn by a fixed seed, and the cut of `re-arc-all` follows the steps
that the engine counts, which are a part of the language and the same on every machine.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import batt.bench
from batt.bench.cases import CASES, DECKS, STEPS, Case, Spec
from batt.bench.columns import Column, Kind
from batt.bench.manifest import manifest_bytes, manifest_of, pack_mask, product
from batt.bench.native import NativeRunner
from batt.errors import UsageError
from batt.files import write_bytes
from batt.front import BUILT_IN, Deck
from batt.jobs import own_task, samples_of
from batt.runtime import Limits, Options, Sample, usable_cores
from batt.tasks import Tasks, load_tasks

FOLDER = Path(batt.bench.__file__).parent / "manifests"
TASKS = "arc1-training"
SEED = 0
FOREIGN = 46
LOWEST = 0.95
TIMES = (100, 2_500)
TITLES = {
    "prototype": "the prototype's four programs × ARC-1 training",
    "prototype-many": "the prototype's four programs × ARC-1 training, over and over: for rates beyond a start",
    "sizes": "the built-in deck on few and many samples",
    "built-in": "the built-in deck × ARC-1 training",
    "re-arc": f"re-arc's verifiers on their own samples and {FOREIGN} others of ARC-1 training each",
    "re-arc-all": "re-arc's verifiers × ARC-1 training",
    "variants": "20,000 variants of both decks on 8 samples",
}


def make(case: str) -> dict[str, Any]:
    """The manifest of a case."""
    deck_name = {"sizes": BUILT_IN, "re-arc-all": "re-arc", "prototype-many": "prototype"}.get(case, case)
    deck, tasks = DECKS[deck_name](), load_tasks(TASKS)
    samples = samples_of(tasks)
    everything = {"rule": "all"}
    match case:
        case "sizes":
            picks = _sizes(samples, tasks)
        case "prototype-many":
            picks = {f"{times:,} times": {"rule": "repeated", "times": times} for times in TIMES}
        case "re-arc":
            picks = {"": _drawn(deck, samples, tasks)}
        case "re-arc-all":
            picks = {"all": everything, "lowest 95 %": _lowest(deck, samples)}
        case "variants":
            picks = {"": {"rule": "samples", "ids": _ids(_spread(samples, 8))}}
        case _:
            picks = {"": everything}
    return manifest_of(case, TITLES[case], deck_name, TASKS, deck, samples, picks)


def _sizes(samples: Sequence[Sample], tasks: Tasks) -> dict[str, dict[str, Any]]:
    picks: dict[str, dict[str, Any]] = {}
    for count in (3, 10, 50, 200):
        picks[f"{count} samples"] = {"rule": "samples", "ids": _ids(_spread(samples, count))}
    for count in (10, 50, 200):
        picks[f"{count} tasks"] = {"rule": "tasks", "ids": _spread(tasks.ids, count)}
    for word, count in (("small", 100), ("medium", 10_000), ("large", 200_000)):
        picks[f"{word} batch"] = {"rule": "spread", "count": count}
    return picks


def _drawn(deck: Deck, samples: Sequence[Sample], tasks: Tasks) -> dict[str, Any]:
    """Each solver on all samples of its own task, and on as many others as are drawn for it."""
    chooser = random.Random(SEED)
    steps = []
    for name in deck.names:
        own = own_task(name, tasks.ids)
        at_home = [at for at, sample in enumerate(samples) if sample.task == own]
        abroad = [at for at, sample in enumerate(samples) if sample.task != own]
        chosen = sorted(at_home + chooser.sample(abroad, FOREIGN))
        steps.append([after - before for before, after in zip([0, *chosen], chosen, strict=False)])
    return {"rule": "pairs", "solvers": list(deck.names), "samples": _ids(samples), "steps": steps}


def _lowest(deck: Deck, samples: tuple[Sample, ...]) -> dict[str, Any]:
    """The evaluations of fewest steps: of equal ones those that come first."""
    pairs = product(len(deck), np.arange(len(samples)))
    case = Case(Spec("re-arc-all"), "", deck, samples, pairs, len(pairs[0]))
    options = Options(limits=Limits(steps=STEPS, wall_s=600))
    done = NativeRunner(case, Column(Kind.CPU, usable_cores()), options).run(None)
    if done.steps is None or done.handed_down.any():
        raise UsageError(f"steps are not known of all evaluations: {dict(done.fallbacks)}")
    count = int(LOWEST * len(done.steps))
    order = np.argsort(done.steps, kind="stable")
    mask = np.zeros(len(done.steps), bool)
    mask[order[:count]] = True
    most = int(done.steps[order[count - 1]])
    return {"rule": "lowest", "share": LOWEST, "most_steps": most, "kept": pack_mask(mask)}


def _ids(samples: Sequence[Sample]) -> list[tuple[str, str, int]]:
    return [(sample.task, sample.part.value, sample.index) for sample in samples]


def _spread(items: Sequence[Any], count: int) -> list[Any]:
    return [items[at * len(items) // count] for at in range(count)]


def main(names: Sequence[str]) -> None:
    """Write the manifests of these cases, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or CASES:
        if name not in CASES:
            raise UsageError(f"no case {name!r}; there are: {', '.join(CASES)}")
        path = FOLDER / f"{name}.json.gz"
        write_bytes(path, manifest_bytes(make(name)))
        print(f"{path}: {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
