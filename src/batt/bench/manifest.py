"""Committed manifests. Owns their format, how they become evaluations, and the hashes that keep both from drifting.

A manifest names a deck and tasks with digests of their content, and its parts say which evaluations are run: by ids,
or by a rule that leaves no choice. The hash of a part is that of the ids it resolves to.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, TypeAlias

import numpy as np

from batt.errors import DataError
from batt.front import Deck
from batt.ir.program import Helper
from batt.runtime import Sample
from batt.runtime.evaluations import Integers
from batt.types import form

Pairs: TypeAlias = tuple[Integers, Integers]
"""The solver and the sample of every evaluation, by position."""

REMAKE = "make the manifests anew with: python benchmarks/manifests.py"


def deck_digest(deck: Deck) -> str:
    """A digest of the names of solvers and of what they do."""
    return _digest(f"{solver.name} {Helper(solver.name, solver.program).digest}" for solver in deck)


def samples_digest(samples: Sequence[Sample]) -> str:
    """A digest of the ids of samples and of their grids."""
    parts = ((*_id(each), each.demonstrations, each.input, each.expected) for each in samples)
    return _digest(f"{task} {part} {index} {form(shown, 10**9)} {form(grid, 10**9)} {form(wanted, 10**9)}"
                   for task, part, index, shown, grid, wanted in parts)  # fmt: skip


def pairs_digest(deck: Deck, samples: Sequence[Sample], pairs: Pairs) -> str:
    """A digest of evaluations by the ids of their solvers and samples."""
    names, ids = deck.names, [f"{task} {part} {index}" for task, part, index in map(_id, samples)]
    columns = zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)
    return _digest(f"{names[solver]} {ids[sample]}" for solver, sample in columns)


def read_manifest(name: str) -> dict[str, Any]:
    """The committed manifest of a case."""
    data = (resources.files("batt.bench") / "manifests" / f"{name}.json.gz").read_bytes()
    found: dict[str, Any] = json.loads(gzip.decompress(data))
    return found


def manifest_bytes(manifest: dict[str, Any]) -> bytes:
    """A manifest as its file holds it; the same bytes for the same manifest."""
    return gzip.compress(json.dumps(manifest, separators=(",", ":")).encode(), 9, mtime=0)


def manifest_of(case: str, title: str, deck_name: str, tasks_name: str, deck: Deck, samples: Sequence[Sample],
                picks: dict[str, dict[str, Any]]) -> dict[str, Any]:  # fmt: skip
    """The manifest of a case, given how the evaluations of each part are picked."""
    parts = []
    for name, pick in picks.items():
        pairs = picked(pick, deck, samples)
        digest = _hash_of(pick, deck, samples, pairs)
        parts.append({"name": name, "evaluations": len(pairs[0]), "hash": digest, "pick": pick})
    return {
        "case": case,
        "title": title,
        "deck": {"name": deck_name, "solvers": len(deck), "digest": deck_digest(deck)},
        "tasks": {"name": tasks_name, "samples": len(samples), "digest": samples_digest(samples)},
        "parts": parts,
    }


def check_source(manifest: dict[str, Any], deck: Deck, samples: Sequence[Sample]) -> None:
    """Refuse a deck or tasks that are not those of the manifest."""
    found = {"deck": deck_digest(deck), "tasks": samples_digest(samples)}
    for what, digest in found.items():
        if digest != manifest[what]["digest"]:
            raise DataError(f"case {manifest['case']}: the {what} {manifest[what]['name']} changed; {REMAKE}")


def pairs_of(manifest: dict[str, Any], part: dict[str, Any], deck: Deck, samples: Sequence[Sample]) -> Pairs:
    """The evaluations of a part, checked against its hash."""
    pairs = picked(part["pick"], deck, samples)
    if len(pairs[0]) != part["evaluations"] or _hash_of(part["pick"], deck, samples, pairs) != part["hash"]:
        raise DataError(f"case {manifest['case']}: its evaluations are not those of the manifest's hash; {REMAKE}")
    return pairs


def _hash_of(pick: dict[str, Any], deck: Deck, samples: Sequence[Sample], pairs: Pairs) -> str:
    """The hash of a part; of evaluations that are repeated, those of one round and how many rounds there are."""
    if pick["rule"] != "repeated":
        return pairs_digest(deck, samples, pairs)
    one = len(pairs[0]) // pick["times"]
    return _digest([pairs_digest(deck, samples, (pairs[0][:one], pairs[1][:one])), str(pick["times"])])


def picked(pick: dict[str, Any], deck: Deck, samples: Sequence[Sample]) -> Pairs:
    """What a rule picks of a deck on samples."""
    at = {_id(sample): position for position, sample in enumerate(samples)}
    match pick:
        case {"rule": "all"}:
            return product(len(deck), np.arange(len(samples)))
        case {"rule": "repeated", "times": times}:
            # Round after round: neighbours in a round are different samples.
            solvers, positions = product(len(deck), np.arange(len(samples)))
            return np.tile(solvers, times), np.tile(positions, times)
        case {"rule": "samples", "ids": ids}:
            return product(len(deck), np.array([at[task, part, index] for task, part, index in ids], np.int64))
        case {"rule": "tasks", "ids": ids}:
            wanted = set(ids)
            return product(len(deck), np.flatnonzero([sample.task in wanted for sample in samples]))
        case {"rule": "spread", "count": count}:
            return spread(product(len(deck), np.arange(len(samples))), count)
        case {"rule": "lowest", "kept": kept}:
            pairs = product(len(deck), np.arange(len(samples)))
            mask = unpack_mask(kept, len(pairs[0]))
            return pairs[0][mask], pairs[1][mask]
        case {"rule": "pairs", "solvers": solvers, "samples": ids, "steps": steps}:
            places = {name: position for position, name in enumerate(deck.names)}
            positions = np.array([at[task, part, index] for task, part, index in ids], np.int64)
            chosen = [positions[np.cumsum(each)] for each in steps]
            owners = np.array([places[name] for name in solvers], np.int64)
            return np.repeat(owners, [len(each) for each in chosen]), np.concatenate(chosen)
    raise DataError(f"a manifest with an unknown rule: {pick.get('rule')!r}; {REMAKE}")


def product(solvers: int, positions: Integers) -> Pairs:
    """Every solver on each of these samples, solver by solver."""
    return np.repeat(np.arange(solvers), len(positions)), np.tile(positions, solvers)


def spread(pairs: Pairs, count: int) -> Pairs:
    """That many of the evaluations, evenly spread; all where there are no more."""
    total = len(pairs[0])
    if count >= total:
        return pairs
    chosen = np.arange(count) * total // count
    return pairs[0][chosen], pairs[1][chosen]


def limited(pairs: Pairs, count: int) -> Pairs:
    """About that many of the evaluations: all those of samples that are evenly spread; single ones where they are few.

    Engines work out what solvers share once per sample, so a part of a sample's evaluations would tell little.
    """
    samples = np.unique(pairs[1])
    kept = count * len(samples) // len(pairs[0])
    if kept < 1 or count >= len(pairs[0]):
        return spread(pairs, count)
    mask = np.isin(pairs[1], samples[np.arange(kept) * len(samples) // kept])
    return pairs[0][mask], pairs[1][mask]


def pack_mask(mask: Any) -> str:
    """A mask as text."""
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes(), 9)).decode()


def unpack_mask(text: str, count: int) -> Any:
    """The mask of a text."""
    bits = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    return np.unpackbits(bits, count=count).astype(bool)


def _id(sample: Sample) -> tuple[str, str, int]:
    return sample.task, sample.part.value, sample.index


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
