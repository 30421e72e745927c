"""The campaign counts distinct pairs once, sees every difference, and goes on where it ended."""

from __future__ import annotations

import numpy as np

import campaign
from campaign import DIFFERENT, OK, Plan, compare
from native_library import needs_library

pytestmark = needs_library
PLAN = Plan("cpu,cpu-direct", programs=12, samples=9, gpu_memory=0.8)


def test_a_batch_compares_every_program_on_every_sample():
    batch, digests = compare(PLAN, 5)
    assert batch.programs == len(digests) == len(np.unique(digests))
    assert batch.compared + batch.not_compared == batch.programs * 9 == sum(batch.by_status.values())
    assert (batch.different, compare(PLAN, 5)[1].tolist()) == (0, digests.tolist())


def test_a_difference_is_counted_shown_and_told_by_the_exit_code(tmp_path, capsys, monkeypatch):
    true_results = campaign._results

    def planted(engine, deck, samples, limits):
        records, steps = true_results(engine, deck, samples, limits)
        steps[7] += engine.name == "cpu"
        return records, steps

    monkeypatch.setattr(campaign, "_results", planted)
    batch, digests = compare(PLAN, 5)
    assert batch.different == 1
    assert "seed 5, sample 7: cpu gives" in capsys.readouterr().out
    campaign._keep(tmp_path, batch, digests)
    assert campaign.main([str(tmp_path)]) == DIFFERENT
    assert (
        f"in all: {batch.programs} distinct programs, {batch.compared} comparisons, 1 different"
        in capsys.readouterr().out
    )


def test_a_campaign_runs_a_seed_once_for_the_same_engines(tmp_path, capsys):
    command = [str(tmp_path), "--minutes", "0.0001", "--programs", "3", "--samples", "3", "--processes", "1"]
    assert [campaign.main(command), campaign.main(command)] == [OK, OK]
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["cpu-cpu-direct.0.json", "cpu-cpu-direct.1.json"]


def test_unknown_engines_and_folders_are_refused(tmp_path, capsys):
    assert campaign.main([str(tmp_path), "--minutes", "1", "--engines", "cpu,abacus"]) == campaign.BAD_INPUT
    assert campaign.main([str(tmp_path / "none")]) == campaign.BAD_INPUT
    assert "abacus" in capsys.readouterr().err
