"""What the campaign keeps of its batches, and their totals."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[Any]
Kept: TypeAlias = tuple["Batch", Numbers, Numbers]
"""A batch, the digests of its programs, and those of its samples."""


@dataclass(frozen=True, slots=True)
class Pair:
    """How many evaluations of two engines were compared, could not be compared, and differed."""

    compared: int
    not_compared: int
    different: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of a batch. `pairs` are by the engine that was compared with the last one.

    `by_status` and `by_steps` count the evaluations of the last engine, `tiers` what each tier finished. `callers` are
    programs that called a new word on the reference engine; they are counted in batches of such programs.
    """

    seed: int
    engines: str
    label: str
    kind: str
    programs: int
    samples: int
    pairs: dict[str, Pair]
    by_status: dict[str, int]
    by_steps: dict[str, int]
    tiers: dict[str, int]
    cpu_s: float
    wall_s: float
    callers: int = 0

    @property
    def last(self) -> str:
        """Return the engine that the others are compared with."""
        return self.engines.split(",")[-1].strip()


def by_power(steps: Numbers) -> dict[str, int]:
    """Count steps by power of ten: `1e3` counts those from 1,000 to 9,999."""
    powers = np.floor(np.log10(np.maximum(steps, 1))).astype(int)
    values, counts = np.unique(powers, return_counts=True)
    return {f"1e{value}": count for value, count in zip(values.tolist(), counts.tolist(), strict=True)}


def keep(folder: Path, batch: Batch, programs: Numbers, samples: Numbers) -> None:
    """Append a batch to the files of its engines and label, and print a line."""
    stem = "-".join([*batch.engines.split(","), *batch.label.split()])
    with open(folder / f"{stem}.digests", "ab") as file:
        # A digest of 32 bits suffices for the samples: if two are taken for one, a pair too few is counted.
        file.write(programs.astype("<u8").tobytes() + samples.astype("<u4").tobytes())
    with open(folder / f"{stem}.jsonl", "a", encoding="utf-8") as file:
        print(json.dumps(asdict(batch), separators=(",", ":")), file=file)
    compared = ", ".join([f"{name} {each.compared:,}" for name, each in batch.pairs.items()])
    different = sum([each.different for each in batch.pairs.values()])
    times = f"{batch.cpu_s:.1f} s CPU, {batch.wall_s:.1f} s"
    print(f"seed {batch.seed}, {batch.kind}: {compared} compared, {different} different, {times}", flush=True)


def kept(folder: Path) -> Iterator[Kept]:
    """Yield the batches of a folder, those of its folders included."""
    for path in sorted(folder.rglob("*.jsonl")):
        data, at = path.with_suffix(".digests").read_bytes(), 0
        for line in path.read_text("utf-8").splitlines():
            told = json.loads(line)
            pairs = {name: Pair(**each) for name, each in told.pop("pairs").items()}
            batch = Batch(**told, pairs=pairs)
            programs = np.frombuffer(data, "<u8", batch.programs, at)
            at += programs.nbytes
            samples = np.frombuffer(data, "<u4", batch.samples, at)
            at += samples.nbytes
            yield batch, programs, samples


def repeated(batches: Sequence[Kept]) -> int:
    """Count the pairs of program and sample that are in more than one batch, each as often as it is repeated."""
    if not batches:
        return 0
    programs = np.concatenate([each for _, each, _ in batches])
    owners = np.repeat(np.arange(len(batches)), [len(each) for _, each, _ in batches])
    order = np.argsort(programs, kind="stable")
    programs, owners = programs[order], owners[order]
    starts = np.flatnonzero(np.concatenate([[True], programs[1:] != programs[:-1]]))
    sizes = np.diff([*starts, len(programs)])
    found = 0
    by_owners: dict[tuple[int, ...], int] = {}
    for start, size in zip(starts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        key = tuple(owners[start : start + size].tolist())
        if key not in by_owners:
            shown = np.concatenate([batches[owner][2] for owner in key])
            by_owners[key] = len(shown) - len(np.unique(shown))
        found += by_owners[key]
    return found


def print_totals(folder: Path) -> bool:
    """Print the totals by engines, by kind of batch and in all; return True if nothing differed."""
    batches = list(kept(folder))
    different = 0
    by_pair: dict[tuple[str, str], list[Kept]] = defaultdict(list)
    for each in batches:
        for engine in each[0].pairs:
            by_pair[f"{engine} against {each[0].last}", each[0].label].append(each)
    for (name, label), own in sorted(by_pair.items()):
        engine = name.split(" against ")[0]
        pairs = [batch.pairs[engine] for batch, _, _ in own]
        different += sum([pair.different for pair in pairs])
        print(f"{name}{f', {label}' if label else ''}: {_counts(own, pairs)}")
    for what in ("kind", "by_status", "by_steps", "tiers"):
        found: Counter[str] = Counter()
        for batch, _, _ in batches:
            told = getattr(batch, what)
            found.update({told: batch.programs * batch.samples} if isinstance(told, str) else told)
        print(f"{what.replace('_', ' ')}: " + ", ".join([f"{key} {value:,}" for key, value in sorted(found.items())]))
    if batches:
        pairs = sum([batch.programs * batch.samples for batch, _, _ in batches])
        programs = len(np.unique(np.concatenate([each for _, each, _ in batches])))
        compared = sum([pair.compared for batch, _, _ in batches for pair in batch.pairs.values()])
        cpu_s = sum([batch.cpu_s for batch, _, _ in batches])
        print(f"in all: {len(batches):,} batches, {cpu_s:,.0f} s of CPU time, {programs:,} distinct programs, ", end="")
        print(f"{pairs - repeated(batches):,} distinct pairs of program and sample")
        print(f"{compared:,} comparisons, {different:,} different")
    return not different


def _counts(batches: Sequence[Kept], pairs: Sequence[Pair]) -> str:
    programs = len(np.unique(np.concatenate([each for _, each, _ in batches])))
    compared, different = (sum([getattr(pair, name) for pair in pairs]) for name in ("compared", "different"))
    left_out = sum([pair.not_compared for pair in pairs])
    told = f"{compared:,} compared, {left_out:,} not compared, {different:,} different"
    callers = sum([batch.callers for batch, _, _ in batches])
    return f"{len(batches):,} batches, {programs:,} distinct programs ({callers:,} call new words), {told}"
