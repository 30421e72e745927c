"""Make the committed manifests of `batt bench`, in a few minutes: python benchmarks/manifests.py [CASE…]

Nothing here looks at a time: foreign samples are drawn by a fixed seed, and the cut of `re-arc-all` follows the steps
that the engine counts, which are a part of the language and the same on every machine.
"""

from __future__ import annotations

import base64
import gzip
import json
import random
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import batt.bench
from batt.bench.cases import CASES, RE_ARC, STEPS, Manifest, deck_digest, deck_of, hash_of, picked, samples_digest
from batt.errors import UsageError
from batt.files import write_bytes
from batt.front import BUILT_IN, Deck
from batt.jobs import own_task, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options, Sample, usable_cores
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder
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
}
PROTOTYPE = {
    "solve_p1": """
def solve_p1(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    O = subgrid(x2, I)
    return O
""",
    "solve_p2": """
def solve_p2(I):
    x1 = objects(I, T, T, T)
    x2 = fork(equality, height, width)
    x3 = mfilter(x1, x2)
    O = fill(I, THREE, x3)
    return O
""",
    "solve_p3": """
def solve_p3(I):
    x1 = objects(I, T, F, F)
    x2 = colorfilter(x1, ZERO)
    x3 = rbind(bordering, I)
    x4 = compose(flip, x3)
    x5 = mfilter(x2, x4)
    O = fill(I, FOUR, x5)
    return O
""",
    "solve_p4": """
def solve_p4(I):
    x1 = hmirror(I)
    x2 = rot90(I)
    x3 = rot90(x2)
    x4 = hconcat(x1, x3)
    x5 = vmirror(x4)
    x6 = replace(x5, ZERO, FIVE)
    O = upscale(x6, TWO)
    return O
""",
}
"""The four programs that the prototype of the native engine was measured with."""
DECKS: dict[str, Manifest] = {
    "prototype": {"name": "prototype", "sources": PROTOTYPE},
    "prototype-many": {"name": "prototype", "sources": PROTOTYPE},
    "sizes": {"name": BUILT_IN},
    "built-in": {"name": BUILT_IN},
    "re-arc": {"name": RE_ARC},
    "re-arc-all": {"name": RE_ARC},
}


def make(case: str) -> Manifest:
    """Return the manifest of a case."""
    deck, tasks = deck_of(DECKS[case]), load_tasks(TASKS)
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
        case _:
            picks = {"": everything}
    return manifest_of(case, TITLES[case], DECKS[case], deck, samples, picks)


def manifest_of(
    case: str, title: str, named: Manifest, deck: Deck, samples: Sequence[Sample], picks: dict[str, Manifest]
) -> Manifest:
    """Return the manifest of a case, given how the evaluations of each part are picked."""
    parts = []
    for name, pick in picks.items():
        pairs = picked(pick, deck, samples)
        digest = hash_of(pick, deck, samples, pairs)
        parts.append({"name": name, "evaluations": len(pairs[0]), "hash": digest, "pick": pick})
    return {
        "case": case,
        "title": title,
        "deck": {**named, "solvers": len(deck), "digest": deck_digest(deck)},
        "tasks": {"name": TASKS, "samples": len(samples), "digest": samples_digest(samples)},
        "parts": parts,
    }


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return the content of a manifest's file: the same bytes for the same manifest."""
    return gzip.compress(json.dumps(manifest, separators=(",", ":")).encode(), 9, mtime=0)


def pack_mask(mask: Any) -> str:
    """Return a mask as text."""
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes(), 9)).decode()


def _sizes(samples: Sequence[Sample], tasks: Tasks) -> dict[str, Manifest]:
    picks: dict[str, Manifest] = {}
    for count in (3, 10, 50, 200):
        picks[f"{count} samples"] = {"rule": "samples", "ids": _ids(_spread(samples, count))}
    for count in (10, 50, 200):
        picks[f"{count} tasks"] = {"rule": "tasks", "ids": _spread(tasks.ids, count)}
    for word, count in (("small", 100), ("medium", 10_000), ("large", 200_000)):
        picks[f"{word} batch"] = {"rule": "spread", "count": count}
    return picks


def _drawn(deck: Deck, samples: Sequence[Sample], tasks: Tasks) -> Manifest:
    """Pick each solver on all samples of its own task, and on `FOREIGN` others."""
    chooser = random.Random(SEED)
    steps = []
    for name in deck.names:
        own = own_task(name, tasks.ids)
        at_home = [at for at, sample in enumerate(samples) if sample.task == own]
        abroad = [at for at, sample in enumerate(samples) if sample.task != own]
        chosen = sorted(at_home + chooser.sample(abroad, FOREIGN))
        steps.append([after - before for before, after in zip([0, *chosen], chosen, strict=False)])
    return {"rule": "pairs", "solvers": list(deck.names), "samples": _ids(samples), "steps": steps}


def _lowest(deck: Deck, samples: Sequence[Sample]) -> Manifest:
    """Pick the evaluations of fewest steps: of equal ones those that come first."""
    options = Options(
        engine="cpu", limits=Limits(steps=STEPS, wall_s=600), compiled=True, share=False, workers=usable_cores()
    )
    job = prepare(deck.programs, options).on(Evaluations(samples, len(deck)))
    seen = Collected(job.evaluations.total)
    ladder = Ladder(job, options, observer=seen)
    ladder.run()
    if (seen.times_ns < 0).any():
        raise UsageError(f"steps are not known of all evaluations: {dict(ladder.counts.deferred_to_reference)}")
    count = int(LOWEST * len(seen.steps))
    order = np.argsort(seen.steps, kind="stable")
    mask = np.zeros(len(seen.steps), bool)
    mask[order[:count]] = True
    most = int(seen.steps[order[count - 1]])
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
