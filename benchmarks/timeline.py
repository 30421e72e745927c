"""Measure where the time of a run goes: the GPU, the threads of the CPU, and the thread that hands out blocks.

python3 benchmarks/timeline.py [--engines cuda,cpu] [--decks first-132,re-arc] [--power 7] [--passes 2]

`evaluate` runs the deck on a GPU, as users do. For each pass there is a line for each kind of work: how often it was
done, for how many evaluations, the seconds of all threads together, and the seconds in which at least one of them did
it. A line then has the time before the first evaluations began, and the time after the last new ones were handed out.
The last lines show how many threads ran launches and blocks, on average, in each fortieth of the run. A launch that is
under way may wait for another one on the same GPU.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from batt.bench.growth import TASKS, sized
from batt.bench.measure import LIMITS
from batt.jobs import evaluate, samples_of
from batt.jobs.sink import Sink
from batt.runtime.context import Loaded
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.cuda import kernels, launch
from batt.runtime.cuda.launch import LaunchSlot, Prepared
from batt.runtime.cuda.opening import Cards
from batt.runtime.cuda.slot_memory import SlotMemory
from batt.runtime.futures import FirstDone
from batt.runtime.ladder import Ladder
from batt.runtime.waiting import Waiting
from batt.tasks import load_tasks
from sizes import DECKS

Count = Callable[..., int]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of work of one thread, for some evaluations."""

    label: str
    begun_s: float
    ended_s: float
    evaluations: int


class Timeline:
    """All pieces of work of a run."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.begun_s = time.perf_counter()
        self._lock = Lock()

    @contextmanager
    def timed(self, owner: Any, name: str, label: Callable[..., str] | str, count: Count) -> Iterator[None]:
        """Time all calls of a method; `label` and `count` get its arguments, `count` also what it returns, first."""
        real = owner.__dict__[name]
        called = getattr(owner, name) if isinstance(real, classmethod) else real

        def timed(*given: Any, **named: Any) -> Any:
            begun_s = time.perf_counter()
            found = called(*given, **named)
            ended_s = time.perf_counter()
            told = label if isinstance(label, str) else label(*given, **named)
            with self._lock:
                self.spans.append(Span(told, begun_s, ended_s, count(found, *given, **named)))
            return found

        setattr(owner, name, staticmethod(timed) if isinstance(real, classmethod) else timed)
        try:
            yield
        finally:
            setattr(owner, name, real)

    def lines(self, wall_s: float) -> Iterator[str]:
        """Describe the work by its labels, in the order of their first spans."""
        for label in dict.fromkeys(each.label for each in sorted(self.spans, key=lambda each: each.begun_s)):
            spans = [each for each in self.spans if each.label == label]
            total = sum(each.ended_s - each.begun_s for each in spans)
            longest = max(each.ended_s - each.begun_s for each in spans)
            evaluations = sum(each.evaluations for each in spans)
            yield (
                f"  {label:<34} {len(spans):>7,} × {evaluations:>13,}  {total:8.3f} s of threads  "
                f"{_union(spans):8.3f} s  longest {1000 * longest:7.1f} ms"
            )
        work = [each for each in self.spans if each.label.startswith(("gpu ", "cpu "))]
        new = [each for each in self.spans if each.label.startswith("take new") and each.evaluations]
        if work and new:
            first, last = min(each.begun_s for each in work), max(each.ended_s for each in new)
            yield f"  before the first evaluations {first - self.begun_s:.3f} s, after the last new ones were taken " \
                f"{self.begun_s + wall_s - last:.3f} s, wall {wall_s:.3f} s"  # fmt: skip

    def chart(self, wall_s: float, bins: int = 40) -> Iterator[str]:
        """Draw how many threads did each kind of work, on average, in each of some equal parts of the run."""
        labels = [each for each in dict.fromkeys(each.label for each in self.spans) if each.startswith(("gpu", "cpu"))]
        for label in sorted(labels):
            busy = [0.0] * bins
            for each in self.spans:
                if each.label == label:
                    for at in range(bins):
                        begin = self.begun_s + at * wall_s / bins
                        both = min(each.ended_s, begin + wall_s / bins) - max(each.begun_s, begin)
                        busy[at] += max(0.0, both) / (wall_s / bins)
            yield f"  {label:<26} " + " ".join(f"{value:4.1f}" for value in busy)


def _union(spans: Sequence[Span]) -> float:
    total, until = 0.0, 0.0
    for each in sorted(spans, key=lambda each: each.begun_s):
        total += max(0.0, each.ended_s - max(each.begun_s, until))
        until = max(until, each.ended_s)
    return total


def _none(*_: Any, **__: Any) -> int:
    return 0


def _rows(_: Any, slot: Any, memory: Any, mode: Any, kernel: Any, results: Any, *__: Any) -> int:
    return len(results)


def _kernel(slot: Any, memory: Any, mode: Any, *_: Any) -> str:
    return f"gpu {mode.tier.name.lower()}, {mode.block} x {mode.threads}"


def _taken(block: Any, *_: Any) -> int:
    return 0 if block is None else len(block)


def _ran(_: Any, worker: Any, *__: Any) -> int:
    """Count what a thread ran of a block: the rest may go to idle threads."""
    return int(worker.native.done.value)


def _block(_: Any, slot: Any, block: Any, *__: Any) -> int:
    return len(block)


@contextmanager
def watched() -> Iterator[Timeline]:
    """Time the work of runs."""
    timeline = Timeline()
    with ExitStack() as stack:
        for owner, name, label, count in (
            (Sink, "__init__", "make room for records", _none),
            (Cards, "_open", "open a card", _none),
            (kernels, "load", "load a kernel", _none),
            (Prepared, "__init__", "upload programs and samples", _none),
            (Prepared, "slots", "size launches", _none),
            (Prepared, "warp_slots", "size launches", _none),
            (LaunchSlot, "prepare", "memory before launches", _none),
            (Cards, "_give_back", "give memory of cards back", _none),
            (Loaded, "of", "pack and load samples", _none),
            (LaunchSlot, "_run", _kernel, _rows),
            (LaunchSlot, "run", lambda slot, *_: f"launch of {slot.mode.tier.name.lower()}", _block),
            (ThreadWorker, "run", "cpu blocks", _ran),
            (LaunchSlot, "_place", "place rows", _none),
            (SlotMemory, "rows_for", "host memory for rows", _none),
            (LaunchSlot, "_allocate", "memory of a launch", _none),
            (launch, "sort_results", "sort results", _none),
            (Sink, "put", "keep records", _none),
            (Waiting, "last", "take new for a gpu", _taken),
            (Waiting, "first", "take new for the cpu", _taken),
            (Ladder, "_hand_out", "hand out", _none),
            (Ladder, "_ended", "collect", _none),
            (Ladder, "_close_tiers", "close", _none),
            (FirstDone, "wait", "wait for blocks", _none),
        ):
            stack.enter_context(timeline.timed(owner, name, label, count))
        yield timeline


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the timeline of each pass."""
    given = _parser().parse_args(arguments)
    tasks = load_tasks(TASKS)
    for name in given.decks.split(","):
        solvers, chosen = sized(DECKS[name](), tasks, int(10**given.power))
        total = len(solvers) * len(samples_of(chosen))
        for engine in given.engines.split(","):
            for number in range(given.passes):
                with watched() as timeline:
                    begun_s = time.perf_counter()
                    found = evaluate(solvers, chosen, engine=engine, limits=LIMITS)
                    wall_s = time.perf_counter() - begun_s
                counts = {tier.name.lower(): count for tier, count in found.tiers.finished.items()}
                print(f"{name}, {total:,} evaluations, {engine}, pass {number + 1}: {total / wall_s:,.0f}/s; {counts}")
                print(*timeline.lines(wall_s), *timeline.chart(wall_s), sep="\n", flush=True)
                del found
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default="cuda")
    parser.add_argument("--decks", default="first-132")
    parser.add_argument("--power", type=float, default=7, help="of ten: the number of evaluations")
    parser.add_argument("--passes", type=int, default=2)
    return parser


if __name__ == "__main__":
    sys.exit(main())
