"""Measure the page of a run: how fast its file opens and scrolls in Chromium, and what the live page costs a run.

    python3 benchmarks/run_page.py open report.html  # seconds until it is drawn, frames while the wall scrolls
    python3 benchmarks/run_page.py cost --tasks 60   # CPU time of a run with a live page ÷ without one

Opening and scrolling need Playwright, and Chromium on the PATH.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from enum import Enum
from pathlib import Path
from typing import Any

READER = """
import sys, time, urllib.request
due_s = 0
for line in urllib.request.urlopen(sys.argv[1] + "events"):
    if line.startswith(b"data") and time.monotonic() > due_s:
        urllib.request.urlopen(sys.argv[1] + "overview").read()
        due_s = time.monotonic() + 12
"""
"""A client that takes what an open page takes, in a process of its own."""


class Kind(Enum):
    """How a run is watched."""

    PLAIN = "without a page"
    SERVED = "with a page"
    OPEN = "with an open page"


SCROLL = "() => new Promise(drawn => { scrollBy(0, 60); requestAnimationFrame(drawn); })"
GLIDE = """() => new Promise(done => {
  const gaps = [], end = document.getElementById("matrix");
  let last = null;
  const step = now => {
    if (last !== null) gaps.push(now - last);
    last = now;
    if (end.getBoundingClientRect().top <= innerHeight) return done(gaps);
    scrollBy(0, 30);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
"""Scrolls by 30 pixels a frame to the end of the wall, and gives the milliseconds between frames."""
AT_END = "() => document.getElementById('matrix').getBoundingClientRect().top <= innerHeight"


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="what", required=True)
    opened = parts.add_parser("open")
    opened.add_argument("file", type=Path)
    opened.add_argument("--times", type=int, default=5)
    cost = parts.add_parser("cost")
    cost.add_argument("--tasks", type=int, default=60)
    cost.add_argument("--passes", type=int, default=9)
    args = parser.parse_args()
    if args.what == "open":
        measure_opening(args.file, args.times)
    else:
        measure_cost(args.tasks, args.passes)


def measure_opening(file: Path, times: int) -> None:
    """Print the medians of opening and scrolling a file."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    opening_s: list[float] = []
    costliest_ms: list[float] = []
    longest_ms: list[float] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(times):
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            started_s = time.monotonic()
            page.goto(file.absolute().as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            opening_s.append(time.monotonic() - started_s)
            costliest_ms.append(max(frame_costs(page)))
            page.reload()
            page.wait_for_selector("html[data-ready=yes]")
            longest_ms.append(max(frame_gaps(page)))
            page.context.close()
        browser.close()
    size = file.stat().st_size / 1e6
    print(f"{file}: {size:.2f} MB, opens in {statistics.median(opening_s):.2f} s (median of {times})")
    print(f"scrolling: the costliest frame takes {statistics.median(costliest_ms):.1f} ms of the page's thread")
    print(f"scrolling: the longest time between two frames is {statistics.median(longest_ms):.1f} ms")


def frame_gaps(page: Any) -> list[float]:
    """Scroll the wall, and return the milliseconds between frames, which other processes of the machine prolong."""
    show_wall(page)
    return list(page.evaluate(GLIDE))


def show_wall(page: Any) -> None:
    """Scroll to the wall, and wait until it is drawn."""
    page.evaluate("document.getElementById('tasks').scrollIntoView()")
    page.wait_for_timeout(500)


def frame_costs(page: Any) -> list[float]:
    """Scroll the wall, and return the milliseconds of CPU time that the page's thread spends for each frame."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    show_wall(page)
    costs = []
    while not page.evaluate(AT_END):
        before_s = busy_s(session)
        page.evaluate(SCROLL)
        costs.append(1e3 * (busy_s(session) - before_s))
    return costs


def busy_s(session: Any) -> float:
    """Return the seconds of CPU time that tasks of the page's thread took."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def measure_cost(tasks: int, passes: int) -> None:
    """Print the CPU time of runs without a live page, with one, and with one that is open in a client; interleaved."""
    import batt

    deck, some = batt.load_deck(), batt.load_tasks("arc1-training")[:tasks]
    run(deck, some, Kind.PLAIN)
    spent_s: dict[Kind, list[float]] = {kind: [] for kind in Kind}
    for number in range(passes):
        for at in range(len(Kind)):
            kind = [*Kind][(number + at) % len(Kind)]
            spent_s[kind].append(run(deck, some, kind))
        print(f"pass {number}: " + ", ".join([f"{spent_s[kind][-1]:.2f} s {kind.value}" for kind in Kind]), flush=True)
    for kind in (Kind.SERVED, Kind.OPEN):
        ratios = [one / other for one, other in zip(spent_s[kind], spent_s[Kind.PLAIN], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4) if passes > 1 else [*ratios * 3]
        print(
            f"CPU time {kind.value} ÷ without: median {middle:.3f} of {passes} passes, "
            f"quartiles {low:.3f} to {high:.3f}"
        )


def run(deck: object, tasks: object, kind: Kind) -> float:
    """Return the CPU seconds of this process for a run."""
    import batt
    from batt.page.monitor import RunMonitor
    from batt.page.server import PageServer
    from batt.page.sources import MonitorSource

    if kind is Kind.PLAIN:
        started_s = time.process_time()
        batt.evaluate(deck, tasks, engine="cpu", workers=1)
        return time.process_time() - started_s
    monitor = RunMonitor()
    server = PageServer(MonitorSource(monitor, deck, tasks)).start()
    command = [sys.executable, "-c", READER, server.address]
    reader = subprocess.Popen(command, stderr=subprocess.DEVNULL) if kind is Kind.OPEN else None
    try:
        started_s = time.process_time()
        batt.evaluate(deck, tasks, engine="cpu", workers=1, progress=monitor)
        return time.process_time() - started_s
    finally:
        if reader is not None:
            reader.kill()
            reader.wait()
        server.close()


if __name__ == "__main__":
    main()
