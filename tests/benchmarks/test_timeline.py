"""The benchmark of what each part of a run does."""

from __future__ import annotations

import re

import pytest

import timeline
from batt.jobs.sink import Sink
from batt.runtime.context import Loaded
from batt.runtime.ladder import Ladder
from native_library import needs_library
from timeline import Span, Timeline

pytestmark = needs_library


def test_work_of_several_threads_is_added_up_and_counted_once():
    spans = [Span("cpu", 0.0, 2.0, 1), Span("cpu", 1.0, 3.0, 1), Span("cpu", 5.0, 6.0, 1)]
    made = Timeline()
    made.begun_s, made.spans = 0.0, spans
    line, *_ = made.lines(10.0)
    assert re.sub(r"\s+", " ", line.strip()) == "cpu 3 × 3 5.000 s of threads 4.000 s longest 2000.0 ms"
    (chart,) = made.chart(10.0, bins=10)
    assert chart.split()[1:] == ["1.0", "2.0", "1.0", "0.0", "0.0", "1.0", "0.0", "0.0", "0.0", "0.0"]


def test_a_run_is_measured_from_its_first_to_its_last_evaluation(capsys: pytest.CaptureFixture[str]):
    real = Sink.__init__, Ladder._ended, Loaded.__dict__["of"]
    assert timeline.main(["--engines", "cpu", "--power", "3", "--passes", "1"]) == 0
    assert (Sink.__init__, Ladder._ended, Loaded.__dict__["of"]) == real
    lines = capsys.readouterr().out.splitlines()
    assert re.match(r"first-132, 1,056 evaluations, cpu, pass 1: [\d,]+/s; \{'cpu': 1056\}$", lines[0])
    work = {line.split("  ")[1].strip(): line for line in lines[1:-2]}
    assert re.search(r" × +1,056 ", work["cpu blocks"])
    assert {"pack and load samples", "hand out", "collect", "keep records", "close"} <= set(work)
    assert lines[-2].startswith("  before the first evaluations ")
    assert len(re.findall(r"\d+\.\d", lines[-1])) == 40
