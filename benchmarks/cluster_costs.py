"""What one block costs on a cluster: bytes moved, CPU time of this process, CPU time of Dask's scheduler.

python3 benchmarks/cluster_costs.py [TASKS …]

It prints the figures that benchmarks/cluster_simulation.py takes, of the first 132 solvers of the
built-in deck. Times are CPU times.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from distributed import Client

import batt
from batt.bench.frozen import first_132
from batt.jobs.evaluation import Gathering
from batt.jobs.keeping import Keep
from batt.jobs.matching import match_all
from batt.jobs.prepare import prepare
from batt.runtime.cluster import worker
from batt.runtime.cluster.local import LocalCluster
from batt.runtime.cluster.messages import BlockReply, Load, Order
from batt.runtime.context import Loaded
from batt.runtime.options import Options
from batt.runtime.tier import CLUSTER, Part
from batt.store import Session
from batt.store.manifest import Choices
from batt.store.writer import StoreSink

CALLS = 2_000


def cpu_s(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU time of all threads of this process for some work, and its result."""
    before = time.process_time()
    found = work()
    return time.process_time() - before, found


def measure_blocks(sources: list[str]) -> None:
    """Print what blocks and replies take."""
    deck, tasks = first_132(), batt.load_tasks(*sources)
    evaluations = match_all(deck, tasks)
    for outputs in (False, True):
        options = Options(engine="cpu", outputs=outputs, compiled=True, share=True)
        job = prepare(deck.programs, options).on(evaluations)
        loaded = Loaded.of(job, outputs)
        load = Load.of(job, options, loaded.packed)
        loaded.close()
        if not outputs:
            print(f"deck {len(load.data[load.deck]):,} bytes, samples {len(load.data[load.samples]):,} bytes")
        for digest, data in load.data.items():
            worker.keep(digest, data)
        block = evaluations.block(0, evaluations.total)
        order = Order.of(load, block, False, 1)
        worker_s, answer = cpu_s(lambda order=order: worker.run(order))
        count = len(block)
        print(f"outputs {outputs}: {count:,} evaluations, worker {1e6 * worker_s / count:.2f} µs each")
        print(f"  order {len(order.columns) / count:.3f} bytes, reply {len(answer) / count:.2f} bytes each")
        decode_s, reply = cpu_s(lambda answer=answer, count=count: BlockReply.unpacked(answer, count))
        print(f"  decoding {1e6 * decode_s / count:.3f} µs each")
        if not outputs:
            measure_keeping(deck, tasks, Part(CLUSTER, block, reply.records, reply.steps))


def measure_keeping(deck: batt.Deck, tasks: batt.Tasks, part: Part) -> None:
    """Print what it takes to keep results in memory, and in the file of a run."""
    count = len(part.block)
    run = Gathering(deck.programs, match_all(deck, tasks), Options())
    took_s, _ = cpu_s(lambda: run.on_part(part))
    print(f"  keeping in memory {1e6 * took_s / count:.3f} µs each")
    for keep in Keep:
        with tempfile.TemporaryDirectory() as folder:
            with Session.begin(folder, deck, tasks, Choices(keep=keep)) as session:
                sink = StoreSink(session._file, session.evaluations, keep, session.loaded, {})

                def store(sink: StoreSink = sink) -> None:
                    sink.put(part)
                    sink.finish()

                took_s, _ = cpu_s(store)
            size = sum([each.stat().st_size for each in os.scandir(folder)])
        print(f"  storing, --keep {keep.value}: {1e6 * took_s / count:.3f} µs each, file {size / count:.2f} bytes each")


async def measure_scheduler() -> None:
    """Print the CPU time of the scheduler and of this process for one call."""
    cluster = LocalCluster(2, 1).open()
    scheduler = cluster.children[0].process.pid
    try:
        async with Client(cluster.address, security=cluster.security, asynchronous=True) as client:
            data = np.random.default_rng(0).bytes(100)
            before_s, own_s = scheduler_cpu_s(scheduler), time.process_time()
            for start in range(0, CALLS, 100):
                calls = [client.submit(len, data, key=f"call-{start + number}", pure=False) for number in range(100)]
                await asyncio.gather(*calls)
            took_s, own_s = scheduler_cpu_s(scheduler) - before_s, time.process_time() - own_s
    finally:
        cluster.close()
    print(f"a call: scheduler {1e3 * took_s / CALLS:.2f} ms, this process {1e3 * own_s / CALLS:.2f} ms")


def scheduler_cpu_s(pid: int) -> float:
    """Return the CPU time that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    measure_blocks(sys.argv[1:] or ["arc1-training"])
    asyncio.run(measure_scheduler())
