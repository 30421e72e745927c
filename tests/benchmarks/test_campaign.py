"""The campaign counts distinct pairs once, sees every difference, and goes on where it ended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import campaign
import campaign_totals
from batt.runtime import Status
from batt.runtime.cuda import launch
from batt.runtime.cuda.modes import THREADS, WARPS
from campaign import DIFFERENT, OK, Plan, compare
from campaign_batches import KINDS, made
from fake_cards import ROOMY, Cards
from native_library import needs_library
from small_launches import launch_warps_from, small_launches

__all__ = ["small_launches"]

pytestmark = needs_library
PLAN = Plan("cpu-direct,cpu", programs=12, samples=9, reference=0.2)


SEEDS = {kind.name: seed for seed, kind in enumerate(KINDS)}
"""A seed of each kind of batch."""


@pytest.mark.parametrize("seed", SEEDS.values())
def test_a_batch_compares_every_program_on_every_sample(seed):
    batch, programs, samples = compare(replace(PLAN, samples=100), seed)
    assert batch.kind == KINDS[seed].name
    assert (batch.programs, batch.samples) == (len(np.unique(programs)), len(np.unique(samples)))
    total = batch.programs * batch.samples
    direct, reference = batch.pairs["cpu-direct"], batch.pairs["reference"]
    assert direct.compared + direct.not_compared == total == sum(batch.by_status.values())
    assert sum(batch.by_steps.values()) == total == direct.not_compared + batch.tiers["cpu on cpu"]
    assert 0 < reference.compared <= total / 5
    assert direct.different == reference.different == 0


def test_a_batch_follows_from_its_seed():
    one, other = made(1, 12, 9), made(1, 12, 9)
    assert (one.program_digests, one.sample_digests) == (other.program_digests, other.sample_digests)
    assert not set(one.program_digests) & set(made(1 + len(KINDS), 12, 9).program_digests)


def test_large_batches_have_large_values():
    batch, _, _ = compare(Plan("cpu-direct,cpu", programs=40, samples=100), SEEDS["random, large"])
    assert batch.by_steps["1e4"] > 0.1 * sum(batch.by_steps.values())


@pytest.mark.parametrize("engine", campaign.ON_GPU)
def test_a_gpu_runs_its_part_in_its_own_way(engine, monkeypatch, small_launches):
    cards = Cards(monkeypatch, card=ROOMY)
    launch_warps_from(monkeypatch, 8)

    class Seen(campaign.Ladder):
        def run(self):
            cards.ladder = self
            super().run()

    monkeypatch.setattr(campaign, "Ladder", Seen)
    monkeypatch.setattr(launch, "SLOTS", launch.SLOTS)
    before = THREADS.steps, WARPS.arena_bytes
    batch, _, _ = compare(Plan(f"{engine},cpu", programs=30, samples=20), 0)
    assert batch.pairs[engine].compared + batch.pairs[engine].not_compared == batch.programs * batch.samples
    assert batch.pairs[engine].different == 0
    on_gpu = sum([count for name, count in batch.tiers.items() if name.startswith(f"{engine} on cuda")])
    assert on_gpu == batch.pairs[engine].compared > 0
    assert (batch.tiers.get(f"{engine} on cuda_warps", 0) > 0) == (engine == "cuda-warps")
    assert (THREADS.steps, WARPS.arena_bytes) == before


def test_a_difference_is_counted_shown_and_told_by_the_exit_code(tmp_path, capsys, monkeypatch):
    true_results = campaign._results

    def planted(engine, batch, jobs, tiers):
        records, steps = true_results(engine, batch, jobs, tiers)
        steps[7] += engine.name == "cpu-direct"
        return records, steps

    monkeypatch.setattr(campaign, "_results", planted)
    batch, programs, samples = compare(PLAN, 5)
    assert batch.pairs["cpu-direct"].different == 1
    assert "seed 5, program 0, sample 7: cpu-direct gives" in capsys.readouterr().out
    campaign_totals.keep(tmp_path, batch, programs, samples)
    assert campaign.main([str(tmp_path)]) == DIFFERENT
    assert "1 different" in capsys.readouterr().out.splitlines()[-1]


def test_pairs_of_two_batches_are_counted_once(tmp_path, capsys):
    batch, programs, samples = compare(PLAN, 5)
    campaign_totals.keep(tmp_path, batch, programs, samples)
    # The same programs again, on two of the same samples and on seven others.
    campaign_totals.keep(tmp_path, replace(batch, seed=6), programs, np.array([*samples[:2], *range(7)], np.uint64))
    assert campaign_totals.repeated(list(campaign_totals.kept(tmp_path))) == 2 * len(programs)
    assert campaign.main([str(tmp_path)]) == OK
    assert f"{len(programs)} distinct programs, {16 * len(programs)} distinct pairs" in capsys.readouterr().out


def test_a_campaign_runs_a_seed_once_for_the_same_engines(tmp_path, capsys):
    command = [str(tmp_path), "--minutes", "0.0001", "--programs", "3", "--samples", "3", "--processes", "1"]
    assert [campaign.main(command), campaign.main(command)] == [OK, OK]
    assert [batch.seed for batch, _, _ in campaign_totals.kept(tmp_path)] == [0, 1]


def test_a_batch_that_fails_is_named_and_the_campaign_goes_on(tmp_path, capsys):
    command = [str(tmp_path), "--minutes", "0.0001", "--samples", "3", "--processes", "1"]
    assert campaign.main([*command, "--programs", "2", "--reference", "2"]) == DIFFERENT
    assert "seed 0 failed: " in capsys.readouterr().out
    assert campaign.main([*command, "--programs", "2"]) == OK


def test_what_native_code_did_not_run_is_not_compared(monkeypatch):
    true_results = campaign._results

    def planted(engine, batch, jobs, tiers):
        records, steps = true_results(engine, batch, jobs, tiers)
        records["status"][:3] = Status.NOT_RUN
        return records, steps

    monkeypatch.setattr(campaign, "_results", planted)
    batch, _, _ = compare(replace(PLAN, reference=1.0), 5)
    total = batch.programs * batch.samples
    assert {name: pair.compared for name, pair in batch.pairs.items()} == {
        "cpu-direct": total - 3,
        "reference": total - 3,
    }


@pytest.mark.parametrize("engines", ["cpu,abacus", "cpu", "cpu,reference", "cuda-warps,abacus"])
def test_unknown_engines_are_refused(engines, tmp_path, capsys):
    assert campaign.main([str(tmp_path), "--minutes", "1", "--engines", engines]) == campaign.BAD_INPUT
    assert "error: " in capsys.readouterr().err


def test_an_unknown_folder_is_refused(tmp_path, capsys):
    assert campaign.main([str(tmp_path / "none")]) == campaign.BAD_INPUT
