"""A worker of a cluster: it keeps decks and samples by their digests, and runs blocks on a ladder of its own.

Dask calls these functions by name in the process of a worker. Each process runs one block at a time.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np

from batt.bytecode.abi import Cause
from batt.errors import BattError, UsageError
from batt.runtime import cuda
from batt.runtime.cluster.messages import (
    DONE,
    UNDONE,
    BlockReply,
    DeckOfRun,
    Order,
    SamplesOfRun,
    digest_of,
    unpacked_object,
)
from batt.runtime.context import Loaded
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.ladder import Ladder
from batt.runtime.native import missing
from batt.runtime.options import Options
from batt.runtime.outcome import Status
from batt.runtime.records import put, take, unfilled
from batt.runtime.semantics import batt_version, semantics_version
from batt.runtime.tier import ENGINES, REFERENCE, Observer, Part, TierName

MOST_KEPT = 4
"""The decks and sample sets that a process keeps: those of two runs, or two spans of one."""
_CAUSES = {cause.text: cause for cause in Cause}


@dataclass(frozen=True, slots=True)
class Version:
    """The versions that all workers of a run must share."""

    batt: str
    semantics: str

    def __str__(self) -> str:
        return f"batt {self.batt} (semantics {self.semantics})"


@dataclass(frozen=True, slots=True)
class NotKept:
    """The answer of a worker that no longer has the deck or the samples of a block: other runs needed the room."""


def version() -> Version:
    """Return the version of this process."""
    return Version(batt_version(), semantics_version())


def lacking(digests: Sequence[str]) -> list[str]:
    """Return those of the digests whose data this process does not have. It keeps the others longest."""
    return [each for each in digests if _KEPT.find(each) is None]


def keep(digest: str, data: bytes) -> None:
    """Keep a deck or samples; raise UsageError if this process cannot run the deck."""
    if digest_of(data) != digest:
        raise UsageError("data that arrived damaged")
    _KEPT.put(digest, unpacked_object(data))


def run(order: Order) -> bytes | BattError | NotKept:
    """Run a block. Return the packed reply, the error of the user's own op, or that data is missing."""
    with _KEPT.lock:
        try:
            reply = _KEPT.run(order)
        except BattError as error:
            return error
        return reply if isinstance(reply, NotKept) else reply.packed()


class _Kept:
    """The data that this process keeps, and the native program and samples of the latest block."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.things: OrderedDict[str, DeckOfRun | SamplesOfRun] = OrderedDict()
        self._loaded: tuple[tuple[str, str], Loaded] | None = None

    def put(self, digest: str, thing: DeckOfRun | SamplesOfRun) -> None:
        if isinstance(thing, DeckOfRun):
            tiers_here(thing.options)
        self.things[digest] = thing
        while len(self.things) > MOST_KEPT:
            self.things.popitem(last=False)

    def find(self, digest: str) -> DeckOfRun | SamplesOfRun | None:
        if digest in self.things:
            self.things.move_to_end(digest)
        return self.things.get(digest)

    def run(self, order: Order) -> BlockReply | NotKept:
        deck, samples = self.find(order.deck), self.find(order.samples)
        if not isinstance(deck, DeckOfRun) or not isinstance(samples, SamplesOfRun):
            return NotKept()
        tiers = [tier for tier in tiers_here(deck.options) if tier is not REFERENCE]
        options = replace(deck.options, workers=order.threads)
        if order.is_reference or not tiers:
            return _run_reference(deck, samples, order, options)
        return self._run_native(deck, samples, order, options, tiers)

    def _run_native(
        self, deck: DeckOfRun, samples: SamplesOfRun, order: Order, options: Options, tiers: Sequence[TierName]
    ) -> BlockReply:
        evaluations = Evaluations(samples, len(deck.programs), *order.pairs)
        job = deck.job.on(evaluations)
        key = order.deck, order.samples
        if self._loaded is None or self._loaded[0] != key:
            if self._loaded is not None:
                self._loaded[1].close()
            self._loaded = None
            self._loaded = key, Loaded.of(job, options.outputs, samples.packed)
        replying = Replying(evaluations.total, options.outputs)
        Ladder(job, options, tiers, replying, loaded=self._loaded[1]).run()
        return replying.reply(is_reference=False)


_KEPT = _Kept()


def tiers_here(options: Options) -> tuple[TierName, ...]:
    """Return the tiers of the engine that this process uses; raise UsageError if the named engine is missing."""
    name = options.engine
    why = None if name == "reference" else missing()
    no_gpu = cuda.missing(options.devices) if name == "cuda" or (name == "auto" and cuda.in_sight()) else ""
    if name == "auto":
        return ENGINES["reference" if why else "cuda" if no_gpu is None else "cpu"]
    if why or (name == "cuda" and no_gpu):
        raise UsageError(f"engine {name!r} is not available there: {why or no_gpu}")
    return ENGINES[name]


def _run_reference(deck: DeckOfRun, samples: SamplesOfRun, order: Order, options: Options) -> BlockReply:
    """Run a block on the reference tier, whose processes get only the samples of the block."""
    solvers, sample_of = order.pairs
    used, places = np.unique(sample_of, return_inverse=True)
    chosen = tuple([samples[each] for each in used.tolist()])
    evaluations = Evaluations(chosen, len(deck.programs), solvers, places.reshape(-1).astype(np.int64))
    replying = Replying(evaluations.total, options.outputs)
    Ladder(deck.job.on(evaluations), options, (REFERENCE,), replying).run()
    return replying.reply(is_reference=True)


class Replying(Observer):
    """Collects what a ladder finishes and defers.

    What times out is left to the run itself, because a worker may have been slow for other reasons. So are outputs of
    the reference tier with functions that only one of its processes can number.
    """

    def __init__(self, total: int, outputs: bool) -> None:
        self.started_s = time.monotonic()
        self.states = np.full(total, UNDONE, np.uint8)
        self.records = unfilled(total)
        self.steps = np.zeros(total, np.int64)
        self.wires: list[bytes] | None = [b""] * total if outputs else None

    def on_part(self, part: Part) -> None:
        """Keep finished evaluations."""
        done = part.records["status"] != Status.TIMED_OUT
        self.states[part.numbers] = UNDONE
        if not done.any() or (part.tier is REFERENCE and part.outputs is not None and part.outputs.functions.helpers):
            return
        chosen = np.flatnonzero(done)
        numbers: Integers = part.numbers[chosen]
        put(self.records, numbers, take(part.records, chosen))
        self.steps[numbers] = part.steps[chosen]
        self.states[numbers] = DONE
        if self.wires is not None and part.outputs is not None:
            for number, wire in zip(numbers.tolist(), part.outputs.only(chosen).wires, strict=True):
                self.wires[number] = wire

    def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
        """Keep the cause; that of the last tier counts."""
        self.states[block.numbers] = _CAUSES.get(why, Cause.REFUSED)

    def reply(self, is_reference: bool) -> BlockReply:
        """Return all of it."""
        done = np.flatnonzero(self.states == DONE)
        wires = None if self.wires is None else [self.wires[place] for place in done.tolist()]
        return BlockReply(
            is_reference,
            time.monotonic() - self.started_s,
            self.states,
            take(self.records, done),
            self.steps[done],
            None if wires is None else np.array([len(wire) for wire in wires], np.uint32),
            b"" if wires is None else b"".join(wires),
        )
