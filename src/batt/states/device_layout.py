"""Lay out the candidates of many tasks for launches: which rows each op has, and whose they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from batt.bytecode.opcodes import CALLERS, OPS_BY_NUMBER
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.cuda.states import SEGMENT_TYPE
from batt.states.applying import ROUND
from batt.states.native import Handles
from batt.states.native_batch import BatchCalls, Parts, RowLayout
from batt.states.threads import KeptThreads


@dataclass(frozen=True, slots=True)
class OpGroup:
    """The candidates that call one op: its number, and `places` are its first row, its rows, its first argument, its
    first segment and its segments.
    """

    code: int
    places: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class LaunchLayout:
    """The arguments of all candidates by op, the segments of tasks by op, and the first row of each candidate.

    `called` are the groups that callees belong to, as positions among all; `numbers` those of `groups`, which
    have rows.
    """

    called: Handles
    numbers: list[int]
    groups: list[OpGroup]
    arguments: Handles
    segments: npt.NDArray[np.void]
    first_rows: Handles

    def marked(self, groups: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
        """Mark the callees of some groups."""
        chosen = np.zeros(1 + int(self.called.max()), np.uint8)
        chosen[np.array(self.numbers)[groups]] = 1
        return chosen[self.called]


def lay_out(
    batch: BatchCalls,
    parts: Parts,
    samples: npt.NDArray[np.uint64],
    threads: KeptThreads,
    take: Callable[[int], Handles],
) -> LaunchLayout:
    """Lay out the candidates of some parts by op, then by part; `take` gives the memory for their arguments."""
    codes = np.unique(batch.calls.callees["code"])
    # Ops that call functions take longest: they begin first.
    codes = np.array(sorted(codes.tolist(), key=lambda code: OPS_BY_NUMBER[code].name not in CALLERS), np.int64)
    positions = {code: place for place, code in enumerate(codes.tolist())}
    groups = np.array([positions[code] for code in batch.calls.callees["code"].tolist()], np.uint32)
    counts = np.zeros((len(parts), len(codes)), np.uint32)
    runs = chunks(parts, threads.count, 1)

    def count(worker: ThreadWorker, some: slice) -> None:
        batch.lay_out(parts[some], RowLayout(groups, counts[some], counts[some]), counts_only=True)

    threads.map(count, runs)
    by_group = counts.T.astype(np.int64)
    of_rows = by_group * samples.astype(np.int64)
    first_row = (np.cumsum(of_rows) - of_rows.reshape(-1)).reshape(of_rows.shape)
    first_candidate = np.cumsum(by_group, axis=1) - by_group
    arity = np.array([OPS_BY_NUMBER[code].arity for code in codes.tolist()], np.int64)
    sizes = by_group.sum(axis=1) * arity
    starts = np.cumsum(sizes) - sizes
    arguments = take(int(sizes.sum()))
    first_rows = np.empty(len(batch.calls), np.uint32)
    layout = RowLayout(
        groups,
        np.ascontiguousarray(first_candidate.T.astype(np.uint32)),
        np.ascontiguousarray(first_row.T.astype(np.uint32)),
        starts.astype(np.uint64),
        arguments,
        first_rows,
    )
    threads.map(lambda worker, some: batch.lay_out(parts[some], layout.part(some), counts_only=False), runs)
    op, part = np.nonzero(by_group)
    segments = np.zeros(len(op), SEGMENT_TYPE)
    segments["first_row"] = first_row[op, part] - first_row[op, 0]
    segments["first_candidate"] = first_candidate[op, part]
    segments["samples"] = samples[part]
    segment_counts = np.bincount(op, minlength=len(codes))
    places = zip(
        *(first_row[:, 0].tolist(), of_rows.sum(axis=1).tolist(), starts.tolist()),
        *((np.cumsum(segment_counts) - segment_counts).tolist(), segment_counts.tolist()),
        strict=True,
    )
    found = [
        (number, OpGroup(code, each))
        for number, (code, each) in enumerate(zip(codes.tolist(), places, strict=True))
        if each[1]
    ]
    return LaunchLayout(
        groups, [number for number, _ in found], [group for _, group in found], arguments, segments, first_rows
    )


def split_rows(parts: Parts, samples: npt.NDArray[np.uint64], most: int) -> tuple[Parts, Parts]:
    """Split parts so that the first have at most `most` rows, but at least one candidate. Return (first, rest)."""
    ends = np.cumsum(parts["count"] * samples)
    whole = int(np.searchsorted(ends, most, side="right"))
    if whole == len(parts):
        return parts, parts[:0]
    left = most - (int(ends[whole - 1]) if whole else 0)
    count = max(left // int(samples[whole]), 0 if whole else 1)
    if not count:
        return parts[:whole], parts[whole:]
    first, rest = parts[: whole + 1].copy(), parts[whole:].copy()
    first["count"][-1] = count
    rest["start"][0] += count
    rest["count"][0] -= count
    return first, rest if rest["count"][0] else rest[1:]


def joined(parts: Parts) -> Parts:
    """Join parts of the same task that follow one another."""
    if not len(parts):
        return parts
    is_first = np.append(True, parts["set"][1:] != parts["set"][:-1])
    made: Parts = parts[is_first].copy()
    made["count"] = np.add.reduceat(parts["count"], np.flatnonzero(is_first))
    return made


def chunks(parts: Parts, threads: int, each: int = 4) -> list[slice]:
    """Split parts into runs of about the same number of candidates, `each` for each thread."""
    ends = np.cumsum(parts["count"].astype(np.int64))
    size = min(ROUND, -(-int(ends[-1]) // (each * threads)))
    found: list[slice] = []
    at = 0
    while at < len(parts):
        before = int(ends[at - 1]) if at else 0
        end = max(at + 1, int(np.searchsorted(ends, before + size, side="right")))
        found.append(slice(at, end))
        at = end
    return found
