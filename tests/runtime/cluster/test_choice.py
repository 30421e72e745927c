"""What `--cluster` names."""

from __future__ import annotations

import pytest

from batt.errors import UsageError
from batt.runtime.cluster import choice
from batt.runtime.cluster.choice import ClusterChoice, read_cluster
from batt.runtime.options import read_options


@pytest.mark.parametrize(
    "text", ["tcp://host:8786", "tls://10.0.0.1:8786", "host:8786", "tcp://[::1]:8786", "scheduler.json", "/a b/s.json"]
)
def test_an_address_or_a_scheduler_file_is_taken_as_it_is(text: str):
    assert read_cluster(text) == ClusterChoice(text)
    assert str(read_cluster(text)) == text


def test_local_starts_some_processes():
    assert read_cluster("local:3") == ClusterChoice(processes=3)
    assert str(read_cluster("local:3")) == "local:3"


@pytest.mark.parametrize("text", ["", "local", "local:", "local:x", "host", "tcp://host", "local:-1"])
def test_anything_else_is_refused(text: str):
    with pytest.raises(UsageError, match="--cluster takes the address of a Dask scheduler"):
        read_cluster(text)


@pytest.mark.parametrize("count", ["0", "257"])
def test_a_number_of_processes_has_limits(count: str):
    with pytest.raises(UsageError, match=f"starts 1 to 256 workers, got {count}"):
        read_cluster(f"local:{count}")


def test_without_dask_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(choice, "find_spec", lambda name: None if name == "distributed" else object())
    with pytest.raises(UsageError, match=r"--cluster needs distributed; .*: pip install '.\[cluster\]'"):
        read_cluster("local:2")


def test_engine_devices_and_threads_are_those_of_the_workers():
    options = read_options(cluster="host:1", engine="cuda", devices="0,1", workers=3)
    assert options.cluster == ClusterChoice("host:1", engine="cuda", devices=(0, 1), threads=3)
    assert options.devices is None
    assert options.engine_name == "cluster"
    with pytest.raises(UsageError, match="the number of workers must be at least 1"):
        read_options(cluster="host:1", workers=0)
