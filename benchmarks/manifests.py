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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

import batt.bench
from batt.bench.cases import CASES, RE_ARC, STEPS, Manifest, deck_digest, deck_of, hash_of, round_of, samples_digest
from batt.bench.frozen import FIRST_132
from batt.errors import UsageError
from batt.files import write_bytes
from batt.front import Deck
from batt.jobs import own_task, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options, Sample, usable_cores
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder
from batt.tasks import Tasks, load_tasks

Mask: TypeAlias = npt.NDArray[np.bool_]
"""Marks evaluations among all: every solver on every sample, solver by solver."""

FOLDER = Path(batt.bench.__file__).parent / "manifests"
TASKS = "arc1-training"
SEED = 0
FOREIGN = 46
LOWEST = 0.95
TIMES = {"prototype-many": (100, 2_500)}
"""How often a case runs all its evaluations, by part; once if it is not here."""
TITLES = {
    "prototype": "the prototype's four programs × ARC-1 training",
    "prototype-many": "the prototype's four programs × ARC-1 training, over and over: for rates beyond a start",
    "sizes": "the first 132 solvers of the built-in deck on few and many samples",
    FIRST_132: "the first 132 solvers of the built-in deck × ARC-1 training",
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
    "sizes": {"name": FIRST_132},
    FIRST_132: {"name": FIRST_132},
    "re-arc": {"name": RE_ARC},
    "re-arc-all": {"name": RE_ARC},
}


def make(case: str) -> Manifest:
    """Return the manifest of a case."""
    deck, tasks = deck_of(DECKS[case]), load_tasks(TASKS)
    samples = samples_of(tasks)
    match case:
        case "sizes":
            picks = _sizes(len(deck), samples, tasks)
        case "re-arc":
            picks = {"": _drawn(deck, samples, tasks)}
        case "re-arc-all":
            picks = {"all": None, "lowest 95 %": _lowest(deck, samples)}
        case _:
            picks = {f"{times:,} times" if times > 1 else "": None for times in TIMES.get(case, (1,))}
    return manifest_of(case, TITLES[case], DECKS[case], deck, samples, picks, TIMES.get(case, (1,) * len(picks)))


def manifest_of(
    case: str,
    title: str,
    named: Manifest,
    deck: Deck,
    samples: Sequence[Sample],
    picks: Mapping[str, Mask | None],
    times: Sequence[int],
) -> Manifest:
    """Return the manifest of a case, given the evaluations of each part, or None for all, and how often they run."""
    parts = []
    for (name, mask), count in zip(picks.items(), times, strict=True):
        kept = None if mask is None else pack_mask(mask)
        pairs = round_of(kept, len(deck), len(samples))
        digest = hash_of(deck, samples, pairs, count)
        evaluations = len(pairs[0]) * count
        parts.append({"name": name, "evaluations": evaluations, "hash": digest, "times": count, "kept": kept})
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


def pack_mask(mask: Mask) -> str:
    """Return a mask as text."""
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes(), 9)).decode()


def _sizes(solvers: int, samples: Sequence[Sample], tasks: Tasks) -> dict[str, Mask | None]:
    """Pick all solvers on few and many samples and tasks, and single evaluations, all evenly spread."""
    picks: dict[str, Mask | None] = {}
    for count in (3, 10, 50, 200):
        picks[f"{count} samples"] = np.tile(_evenly(len(samples), count), solvers)
    for count in (10, 50, 200):
        chosen = {tasks.ids[at] for at in np.flatnonzero(_evenly(len(tasks), count)).tolist()}
        picks[f"{count} tasks"] = np.tile([sample.task in chosen for sample in samples], solvers)
    for word, count in (("small", 100), ("medium", 10_000), ("large", 200_000)):
        picks[f"{word} batch"] = _evenly(solvers * len(samples), count)
    return picks


def _drawn(deck: Deck, samples: Sequence[Sample], tasks: Tasks) -> Mask:
    """Pick each solver on all samples of its own task, and on `FOREIGN` others."""
    chooser = random.Random(SEED)
    masks = []
    for name in deck.names:
        own = own_task(name, tasks.ids)
        masks.append(np.array([sample.task == own for sample in samples]))
        masks[-1][chooser.sample(np.flatnonzero(~masks[-1]).tolist(), FOREIGN)] = True
    return np.concatenate(masks)


def _lowest(deck: Deck, samples: Sequence[Sample]) -> Mask:
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
    mask = np.zeros(len(seen.steps), bool)
    mask[np.argsort(seen.steps, kind="stable")[: int(LOWEST * len(mask))]] = True
    return mask


def _evenly(total: int, count: int) -> Mask:
    """Mark `count` of `total` positions, evenly spread."""
    mask = np.zeros(total, bool)
    mask[np.arange(count) * total // count] = True
    return mask


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
