"""`batt run --cluster`: the option, and a run on workers that it starts itself."""

from __future__ import annotations

from pathlib import Path

from cli.conftest import Batt
from native_library import needs_library


@needs_library
def test_a_run_on_local_workers_writes_what_a_run_without_writes(
    batt: Batt, deck_file: str, tasks_file: str, tmp_path: Path
):
    plain, spread = tmp_path / "plain.jsonl", tmp_path / "spread.jsonl"
    common = (deck_file, "--tasks", tasks_file, "--outputs")
    assert batt("run", *common, "--export", plain).code == 0
    found = batt("run", *common, "--export", spread, "--cluster", "local:1", "--workers", "1")
    assert found.code == 0
    assert "batt: the cluster has 1 worker with 1 thread" in found.err
    assert spread.read_bytes() == plain.read_bytes()


def test_what_is_no_cluster_is_bad_input(batt: Batt, deck_file: str, tmp_path: Path):
    found = batt("run", deck_file, "--cluster", "here", "--out", tmp_path / "out")
    assert found.code == 2
    assert "--cluster takes the address of a Dask scheduler" in found.err
    assert not (tmp_path / "out").exists()
