"""The ladder: the loop that runs evaluations on tiers.

It hands out blocks, collects parts, defers to the next tier what one could not do, counts, guards, and closes. If a
device fails, its tiers leave, and their blocks are handed out again. The reference tier runs when all others are
closed, so that it has the machine to itself.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from batt.bytecode.abi import Cause
from batt.runtime.context import Context, Loaded, timed_out
from batt.runtime.counts import Counts
from batt.runtime.evaluations import Block, Integers
from batt.runtime.futures import FirstDone
from batt.runtime.job import Job
from batt.runtime.opening import TIERS, cluster_tier, new_cards, soon_switching
from batt.runtime.options import Options
from batt.runtime.tallies import Counted, Counting
from batt.runtime.tier import (
    ASKED,
    CPU,
    CUDA_THREADS,
    CUDA_WARPS,
    ENGINES,
    REFERENCE,
    Leaving,
    MakePart,
    Observer,
    Part,
    Tier,
    TierName,
    next_tier,
)
from batt.runtime.waiting import GIVE_UP_AFTER, Waiting

if TYPE_CHECKING:
    from batt.runtime.cluster.tier import Workers
    from batt.runtime.cuda.opening import Cards

POLL_S = 0.02


class Ladder:
    """One run of a job on tiers, by default those of the engine that the options name.

    The observer gets each evaluation once; those that no tier of the run can do are only counted. `without` says why
    GPUs are not used, and `notes` are all lines for people. With `beside`, the CPU takes new evaluations even if there
    are GPUs, else only what they defer. With `counting`, the CPU counts, and `counted` is set after the run. The
    workers of a `cluster` run what they can. What is `loaded` already is neither loaded nor closed.
    """

    def __init__(
        self,
        job: Job,
        options: Options,
        tiers: Sequence[TierName] | None = None,
        observer: Observer | None = None,
        *,
        beside: bool = True,
        counting: Counting | None = None,
        cluster: Workers | None = None,
        loaded: Loaded | None = None,
    ) -> None:
        self.job = job
        self.options = options
        self.observer = observer or Observer()
        self.counts = Counts()
        self.notes: list[str] = []
        self.without: list[str] = []
        self._lines: SimpleQueue[str] = SimpleQueue()
        self.context = Context(
            job,
            options,
            tuple(ENGINES[options.engine] if tiers is None else tiers),
            tell=self._lines.put,
            is_there=lambda name: any(tier.name is name for tier in self._tiers),
            is_any_new=lambda: self._waiting.is_any_new,
            observer=self.observer,
            counting=counting,
        )
        self._waiting = Waiting(job.evaluations, beside, options.workers)
        self._tiers: list[Tier] = []
        self._cards: Cards | None = None
        self._under_way: dict[Future[MakePart], tuple[Tier, Block]] = {}
        self._done = FirstDone()
        self._cluster = cluster
        self._given = loaded
        self._loaded: Loaded | None = None
        self._refuses = False
        self._failed_once: Integers = np.empty(0, np.int64)
        self._unseen: Part | None = None

    @property
    def counted(self) -> Counted | None:
        """Return what native code counted, if the run counts."""
        return self.context.counted

    def run(self) -> None:
        """Run all evaluations, or until the observer or an interrupt raises; then close everything."""
        if not self.job.evaluations.total:
            return
        names = self.context.tiers
        keep = False
        try:
            if any(name.is_native for name in names):
                self._open_native()
                self._loop()
                self._close_tiers(keep=True)
            if REFERENCE in names and (self._waiting.deferred(REFERENCE) or not names[0].is_native):
                self._open_reference()
                self._loop()
        except KeyboardInterrupt:
            keep = True
            raise
        finally:
            self._close(keep)

    def _open_native(self) -> None:
        """Begin to open GPUs, load the samples meanwhile, then open the cpu tier."""
        names = self.context.tiers
        with soon_switching(CUDA_THREADS in names):
            if CUDA_THREADS in names:
                self._cards = new_cards(self.context)
                self._cards.begin()
                for opening in self._cards.opening:
                    self._done.watch(opening)
                if self._cards.missing.reason:
                    self._leave(self._cards.missing)
            loaded = self._loaded = self._given or Loaded.of(self.job, self.options.outputs)
        if not self.job.image.stage_entries:
            # Without staged values, branches are predicted better if one program runs many times in a row.
            has_gpus = self._cards is not None and bool(self._cards.opening) and CPU in names
            self._waiting.by_solver(loaded.packed.input_bytes, has_gpus and self._cluster is None)
        self._refuses = bool(loaded.refused.any() or (self.job.slice_of < 0).any())
        self.context.loaded.set_result(loaded)
        self._open_cluster(is_reference=False)
        self._tiers += [TIERS[name](self.context) for name in names if name in TIERS and name.is_native]

    def _open_reference(self) -> None:
        if not self._waiting.at:
            # All evaluations of a program in a row.
            self._waiting.by_solver(np.zeros(len(self.job.evaluations.samples), np.int64))
        self._open_cluster(is_reference=True)
        self._tiers.append(TIERS[REFERENCE](self.context))

    def _open_cluster(self, is_reference: bool) -> None:
        if self._cluster is not None:
            self._tiers.append(cluster_tier(self.context, self._cluster, is_reference))

    def _loop(self) -> None:
        self._hand_out()
        # Do not wait for a device to open if no new evaluations are left.
        while self._under_way or (self._cards is not None and self._cards.opening and self._waiting.new):
            ended = self._done.wait(POLL_S)
            self.observer.on_poll()
            for tier in self._tiers:
                tier.guard(time.monotonic())
            for future in [each for each in ended if each in self._under_way]:
                self._ended(future)
            self._add_opened()
            self._hand_out()
            if self._cards is not None and self._cluster is None:
                self._tiers = self._cards.needed(self._tiers, list(self._under_way.values()), self._waiting)

    def _hand_out(self) -> None:
        """Give every tier as much as it takes: clusters first, then GPUs, of several the one with the fewest blocks."""
        self._pass_on()
        waiting = self._waiting
        busy = Counter([id(tier) for tier, _ in self._under_way.values()])
        waiting.under_way = Counter([tier.name for tier, _ in self._under_way.values()])
        waiting.workers = Counter([tier.name for tier in self._tiers])
        waiting.workers[CUDA_THREADS] += self._cards.workers_opening if self._cards is not None else 0
        while True:
            for tier in sorted(self._tiers, key=lambda each: (ASKED.index(each.name), busy[id(each)])):
                block = tier.take(waiting)
                if block is not None:
                    break
            else:
                return
            if self._submit(tier, block):
                busy[id(tier)] += 1
                waiting.under_way[tier.name] += 1

    def _submit(self, tier: Tier, block: Block) -> bool:
        """Submit a block to a tier, without refused evaluations and given-up programs; return False if none remain."""
        if self._refuses and tier.is_native:
            block = self._without_refused(tier.name, block)
        if tier.name is CPU and block.cause is Cause.THREAD_LIMIT and len(block):
            # They waited for warps, but none has run them.
            self._count(CUDA_THREADS, Cause.THREAD_LIMIT, block, CPU)
            block = block.because(Cause.HEAVY if self._waiting.is_weighed else None)
        programs = self._waiting.given_up_on(tier.name, GIVE_UP_AFTER)
        if programs and (given_up := np.isin(block.solvers, programs)).any():
            self._keep(timed_out(tier.name, self.job, self.options, block[given_up]))
            block = block[~given_up]
        if len(block):
            future = tier.submit(block)
            self._under_way[future] = tier, block
            self._done.watch(future)
        return bool(len(block))

    def _ended(self, future: Future[MakePart]) -> None:
        tier, block = self._under_way[future]
        # Not by what `result` raises: this thread may be told to end too.
        error = future.exception()
        leaving = None if error is None else tier.leaving(error, self._tiers)
        if leaving is not None:
            del self._under_way[future]
            self._lost(tier.name, block, leaving)
            return
        part = future.result()()
        # Only now is it forgotten: an interrupt before this line leaves it to `_close`.
        self._unseen = part
        del self._under_way[future]
        self._collect(tier.collect(part))

    def _collect(self, part: Part) -> None:
        """Keep what is finished, defer what the tier deferred, and let the rest wait again."""
        waiting, tier = self._waiting, part.tier
        for program in np.unique(part.block.solvers).tolist() if waiting.patience else ():
            waiting.patience.pop((tier, program), None)
        self._keep(part)
        waiting.learn(part)
        for cause, block in part.deferred.items():
            self._defer(tier, cause, block)
        if part.timed_out is not None:
            waiting.patience[tier, int(part.timed_out.solvers[0])] += 1
            self._keep(timed_out(tier, self.job, self.options, part.timed_out))
        if part.rest is not None and len(part.rest):
            idle = self.options.workers - sum([each.name is tier for each, _ in self._under_way.values()])
            waiting.give_back(tier, part.rest, max(1, idle))

    def _keep(self, part: Part) -> None:
        self._unseen = part
        if len(part.block):
            self.observer.on_part(part)
        self.counts.add_part(part)
        self._unseen = None

    def _without_refused(self, tier: TierName, block: Block) -> Block:
        """Return the block without what native code refuses, which is deferred to the reference tier."""
        assert self._loaded is not None
        refused, by_reason = self._loaded.refusals(self.job, block)
        if not by_reason:
            return block
        for reason, chosen in by_reason.items():
            self.counts.deferred_to_reference[reason] += len(chosen)
            self.observer.on_deferred(tier, reason, chosen)
        self._waiting.defer(REFERENCE, Cause.REFUSED, block[refused])
        return block[~refused]

    def _defer(self, tier: TierName, cause: Cause, block: Block) -> None:
        """Defer a block to the next tier, if this run has one."""
        there = {each.name for each in self._tiers} | ({REFERENCE} & {*self.context.tiers})
        target = next_tier(tier, cause, there)
        self._count(tier, cause, block, REFERENCE if target is None else target)
        if target is not None:
            self._waiting.defer(target, cause, block)

    def _count(self, tier: TierName, cause: Cause, block: Block, target: TierName) -> None:
        if tier.is_gpu and target is not CUDA_WARPS:
            self.counts.deferred_by_gpus[cause.text] += len(block)
        if target is REFERENCE:
            self.counts.deferred_to_reference[cause.text] += len(block)
        if target is not CUDA_WARPS:
            self.observer.on_deferred(tier, cause.text, block)

    def _add_opened(self) -> None:
        """Add the tiers of devices that were opened, or go on without them, while new evaluations are left.

        A device that is not needed now may be later: what another one fails to run is new again.
        """
        while self._cards is not None and self._waiting.new and (opened := self._cards.next_opened()):
            self._pass_on()
            tiers, leaving = opened
            self._tiers += tiers
            if leaving.reason:
                self._leave(leaving)

    def _lost(self, tier: TierName, block: Block, leaving: Leaving) -> None:
        """Let the block of a tier that failed wait again, and go on without the tier.

        Evaluations that were in two failed launches may be the cause, and are deferred to the CPU.
        """
        again = np.zeros(len(block), bool)
        if leaving.is_broken:
            again = np.isin(block.numbers, self._failed_once)
            self._failed_once = np.concatenate([self._failed_once, block.numbers])
        self._tiers = [each for each in self._tiers if each not in leaving.tiers]
        if again.any():
            self._defer(tier, Cause.FAILED_TWICE, block[again])
        if not again.all() and tier is CUDA_WARPS:
            self._defer(tier, Cause.LAUNCH_FAILED, block[~again])
        elif not again.all():
            self._waiting.give_back(tier, block[~again])
        if leaving.reason:
            self._leave(leaving)

    def _leave(self, leaving: Leaving) -> None:
        self.without.append(leaving.reason)
        self._note(leaving.line)

    def _pass_on(self) -> None:
        """Pass on the lines that other threads told: only this thread calls the observer."""
        while not self._lines.empty():
            self._note(self._lines.get())

    def _note(self, line: str) -> None:
        self.notes.append(line)
        self.observer.on_note(line)

    def _close_tiers(self, keep: bool) -> None:
        """Close all tiers; with `keep`, report what they had finished."""
        # If the samples were not loaded, no device waits for them any more.
        self.context.loaded.cancel()
        for tier in self._tiers:
            tier.close()
        self._tiers.clear()
        if self._cards is not None:
            self._cards.close()
            self._cards = None
        ended, self._under_way = self._under_way, {}
        whole = [each.result()() for each in ended if not each.cancelled() and each.exception() is None]
        if self._unseen is not None and not any(part is self._unseen for part in whole):
            whole.append(self._unseen)
        for part in [each for each in whole if len(each.block)] if keep else ():
            # If the observer interrupts the run again, it still gets the other parts.
            with suppress(KeyboardInterrupt):
                self.observer.on_part(part)
            self.counts.add_part(part)
        self._pass_on()

    def _close(self, keep: bool) -> None:
        """Close all tiers, and free what they share."""
        try:
            self._close_tiers(keep)
        finally:
            if self._loaded is not None and self._loaded is not self._given:
                self._loaded.close()
            self._loaded = None
