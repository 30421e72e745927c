"""A log of compute-sanitizer is summed up by kind and place."""

from __future__ import annotations

import re

import campaign
import sanitized
from batt.runtime.cuda import launch, opening
from batt.runtime.cuda_warps import tier
from batt.runtime.waiting import Waiting
from fake_cards import ROOMY, Cards
from native_library import needs_library
from small_launches import small_launches

__all__ = ["small_launches"]

LOG = """\
========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at begin(Machine&)+0x1c0 in /native/machine/run.h:41
=========     and Read access at run_one+0x70 in /native/machine/execute.h:12 [64 hazards]
=========
========= Error: Race reported between Write access at begin(Machine&)+0x1d0 in /native/machine/run.h:41
=========     and Read access at run_one+0x90 in /native/machine/execute.h:12 [3 hazards]
=========
========= Invalid __global__ read of size 4 bytes
=========     at batt_evaluate+0x40 in /native/cuda/evaluate.cu:9
=========     by thread (0,0,0) in block (0,0,0)
========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)
"""


def test_reports_are_counted_by_kind_and_place(tmp_path, capsys):
    (tmp_path / "log").write_text(LOG)
    assert sanitized.main(["--summary", str(tmp_path / "log")]) == 1
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.split(maxsplit=1) == ["2", "Race reported write run.h:41 / read execute.h:12"]
    assert second.split(maxsplit=1) == ["1", "Invalid __global__ read of size 4 bytes evaluate.cu:9"]
    assert last == "2 kinds by place; RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)"


def test_a_hazard_is_within_a_warp_or_between_warps(tmp_path, capsys):
    hazard = """\
========= Error: Potential WAW hazard detected at __shared__ 0x10 in block (0,0,0) :
=========     Write Thread (1,0,0) at batt_evaluate+0x1c0 in /native/machine/run.h:41
=========     Write Thread ({},0,0) at batt_evaluate+0x1c0 in /native/machine/run.h:41
=========     Current Value : 7, Incoming Value : {}
"""
    (tmp_path / "log").write_text(hazard.format(0, 7) + hazard.format(0, 7) + hazard.format(40, 9))
    sanitized.main(["--summary", str(tmp_path / "log")])
    first, second, _ = capsys.readouterr().out.splitlines()
    assert first.split(maxsplit=1)[1] == (
        "Potential WAW hazard detected within a warp write run.h:41 / write run.h:41 the same value"
    )
    assert second.split(maxsplit=1)[1] == "Potential WAW hazard detected between warps write run.h:41 / write run.h:41"


def test_a_clean_log_is_told(tmp_path, capsys):
    (tmp_path / "log").write_text("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n")
    assert sanitized.main(["--summary", str(tmp_path / "log")]) == 0
    assert capsys.readouterr().out == "0 kinds by place; ERROR SUMMARY: 0 errors\n"


@needs_library
def test_warps_run_a_few_evaluations_too(monkeypatch, small_launches, capsys):
    cards = Cards(monkeypatch, card=ROOMY)

    class Seen(campaign.Ladder):
        def run(self):
            cards.ladder = self
            super().run()

    monkeypatch.setattr(campaign, "Ladder", Seen)
    monkeypatch.setattr(sanitized, "_with_line_numbers", lambda: None)
    # What the script changes is restored after the test.
    changed = [(tier, "GPU_FROM"), (opening, "GPU_FROM"), (launch, "LEAST_AGAIN"), (Waiting, "for_idle_cpu")]
    for owner, name in (*changed, (launch, "SLOTS"), (launch, "THREAD_SLOTS")):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    given = ["--engines", "cuda-warps,cpu", "--seconds", "0", "--programs", "6", "--samples", "4", "--seed", "1"]
    assert sanitized.main(given) == 0
    by_warps = re.search(r"'cuda-warps on cuda_warps': (\d+)", capsys.readouterr().out)
    assert by_warps is not None
    assert 0 < int(by_warps[1]) <= 24
