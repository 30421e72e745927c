"""A real Dask cluster: three workers, one killed, one stopped for a while, one joining late, one of another version."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import dask
import pytest

import batt
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import Results, export
from batt.runtime import Status
from batt.runtime.cluster import dispatch, link, tier
from batt.runtime.cluster.local import LocalCluster
from batt.runtime.tier import CLUSTER, CPU, Part
from batt.store import Session
from batt.tasks import Tasks
from native_library import needs_library

pytestmark = needs_library

ANOTHER = """
import sys
sys.meta_path[:] = [each for each in sys.meta_path if "editable" not in type(each).__module__]
sys.path.insert(0, {folder!r})
import asyncio, batt, dask
from distributed import Worker
assert batt.__file__.startswith({folder!r})
dask.config.set({config!r})
async def main():
    async with Worker({address!r}, nthreads=1, local_directory={folder!r}, dashboard=False) as worker:
        await worker.finished()
asyncio.run(main())
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A cluster of two workers, each with one thread."""
    made = LocalCluster(2, 1).open()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def certificates(cluster: LocalCluster, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The certificates of the cluster, configured as a user does it."""
    config = {"distributed.comm.require-encryption": True}
    for role in ("ca-file", "client.cert", "client.key", "worker.cert", "worker.key"):
        path = tmp_path / role
        path.write_text(getattr(cluster.security, f"tls_{role.replace('.', '_').replace('-', '_')}"))
        config[f"distributed.comm.tls.{role}"] = str(path)
    with dask.config.set(config):
        yield config


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tier, "MOST_BLOCK", 400)
    monkeypatch.setattr(dispatch, "OVERDUE_FIRST_S", 1.0)
    monkeypatch.setattr(dispatch, "OVERDUE_S", 1.0)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return batt.load_deck()[:40]


@pytest.fixture(scope="module")
def tasks() -> Tasks:
    return batt.load_tasks("arc1-training").select(None, 150)


@pytest.fixture(scope="module")
def local(deck: Deck, tasks: Tasks) -> Results:
    return batt.evaluate(deck, tasks)


def rows(results: Results, folder: Path) -> bytes:
    export(results, folder / "rows.jsonl")
    return (folder / "rows.jsonl").read_bytes()


class Scene:
    """What happens after some blocks of a run."""

    def __init__(self, **events: Callable[[], object]) -> None:
        self.events = {int(after.removeprefix("after_")): event for after, event in events.items()}
        self.blocks = 0

    def __call__(self, part: object) -> None:
        self.blocks += 1
        if self.blocks in self.events:
            self.events[self.blocks]()


def test_a_run_survives_a_killed_a_stopped_and_a_late_worker(
    cluster: LocalCluster, deck: Deck, tasks: Tasks, local: Results, tmp_path: Path
):
    killed, stopped = [child.process.pid for child in cluster.children[1:]]
    awake = threading.Timer(4.0, os.kill, (stopped, signal.SIGCONT))
    lines: list[str] = []
    seen: list[str] = []

    def watch(part: Part) -> None:
        scene(part)
        new = part.worker not in seen
        seen.append(part.worker)
        if len(set(seen)) < 3:
            # The third one needs a moment to get ready.
            time.sleep(0.1)
        elif new:
            os.kill(killed, signal.SIGKILL)

    scene = Scene(after_4=cluster.add_worker, after_5=lambda: (os.kill(stopped, signal.SIGSTOP), awake.start()))
    found = batt.evaluate(deck, tasks, cluster=cluster.address, on_block=watch, tell=lines.append)
    awake.join()
    assert rows(found, tmp_path) == rows(local, tmp_path)
    assert found.steps == local.steps
    assert len(found.tiers.by_worker) == 3
    assert any("does not answer; its blocks are handed out again" in line for line in lines)
    assert any("is gone" in line for line in lines)


def test_the_cluster_is_there_for_the_next_run_which_can_be_cut_and_gone_on_with(
    cluster: LocalCluster, deck: Deck, tasks: Tasks, local: Results, tmp_path: Path
):
    lines: list[str] = []

    def cut() -> None:
        raise KeyboardInterrupt

    with Session.begin(tmp_path / "run", deck, tasks) as session:
        part = session.evaluate(cluster=cluster.address, on_block=Scene(after_5=cut), tell=lines.append)
    assert lines[0].startswith("the cluster has ")
    assert 0 < (part.records["status"] != Status.NOT_RUN).sum() < len(part)
    with Session.resume(tmp_path / "run") as session:
        found = session.evaluate(cluster=cluster.address)
    assert rows(found, tmp_path) == rows(local, tmp_path)
    assert found.tiers.finished[CLUSTER] == len(found)


def test_a_worker_of_another_version_is_refused(
    cluster: LocalCluster, certificates: dict[str, str], deck: Deck, tasks: Tasks, local: Results, tmp_path: Path
):
    package = Path(batt.__file__).parent
    shutil.copytree(package, tmp_path / "batt", ignore=shutil.ignore_patterns("__pycache__", "decks", "*.so"))
    changed = tmp_path / "batt" / "ops" / "mirrors.py"
    changed.write_text(changed.read_text("utf-8") + "\n# changed\n", "utf-8")
    code = ANOTHER.format(folder=str(tmp_path), config=certificates, address=cluster.address)
    other = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    lines: list[str] = []
    try:
        until_s = time.monotonic() + 60.0
        while not any("is not used" in line for line in lines) and time.monotonic() < until_s:
            assert other.poll() is None
            found = batt.evaluate(deck[:2], tasks, cluster=cluster.address, tell=lines.append)
    finally:
        other.kill()
        other.wait()
    refused = [line for line in lines if "is not used" in line]
    assert "it has batt " in refused[0]
    assert "and this run batt " in refused[0]
    assert found.records.tobytes() == local.records[: len(found)].tobytes()
    assert refused[0].split()[1] not in found.tiers.by_worker


def test_when_all_workers_die_the_run_goes_on_here(
    cluster: LocalCluster, deck: Deck, tasks: Tasks, local: Results, tmp_path: Path
):
    lines: list[str] = []

    def kill() -> None:
        for child in cluster.children[1:]:
            child.kill()

    found = batt.evaluate(deck, tasks, cluster=cluster.address, on_block=Scene(after_4=kill), tell=lines.append)
    assert rows(found, tmp_path) == rows(local, tmp_path)
    assert "no worker of the cluster is left; running here until one joins" in lines
    assert found.tiers.finished[CPU] > 0


# While Dask tries to connect to a dead scheduler, it may drop a socket that is open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_when_the_scheduler_dies_the_run_goes_on_here(
    cluster: LocalCluster, deck: Deck, tasks: Tasks, local: Results, tmp_path: Path
):
    cluster.add_worker()
    lines: list[str] = []
    kill = cluster.children[0].kill
    found = batt.evaluate(deck, tasks, cluster=cluster.address, on_block=Scene(after_3=kill), tell=lines.append)
    assert rows(found, tmp_path) == rows(local, tmp_path)
    assert "no worker of the cluster is left; running here until one joins" in lines
    gc.collect()


def test_a_scheduler_that_does_not_answer_is_said(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(link, "CONNECT_S", 0.5)
    with pytest.raises(UsageError, match=f"the Dask scheduler at {cluster.address} does not answer: "):
        batt.evaluate(batt.load_deck()[:1], "arc1-training", cluster=cluster.address)
