from __future__ import annotations

import re
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from batt.cli import paging
from batt.cli.paging import read_at
from batt.errors import UsageError
from cli.conftest import Batt


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (None, ("127.0.0.1", 0)),
        ("0.0.0.0", ("0.0.0.0", 0)),
        ("localhost:8000", ("localhost", 8000)),
        ("[::1]:80", ("::1", 80)),
        ("[::1]", ("::1", 0)),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str | None, address: tuple[str, int]):
    assert read_at(text) == address


@pytest.mark.parametrize("text", ["host:port", "host:70000", ":80", "::1", ""])
def test_other_addresses_are_refused(text: str):
    if not text:
        assert read_at(text) == ("127.0.0.1", 0)
        return
    with pytest.raises(UsageError, match="--at takes an address such as"):
        read_at(text)


def test_a_run_with_a_page_prints_its_address_and_ends(batt: Batt, deck_file: str, tasks_file: str):
    ended = batt("run", deck_file, "--tasks", tasks_file, "--engine", "reference", "--quiet", "--page")
    assert ended.code == 0
    assert re.search(r"batt: the live page is at http://127\.0\.0\.1:\d+/[\w-]{20,}/\n", ended.err)


def test_a_stored_run_is_served_until_an_interrupt(
    batt: Batt, deck_file: str, tasks_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    batt("run", deck_file, "--tasks", tasks_file, "--engine", "reference", "--quiet", "--out", tmp_path / "run")
    told: list[str] = []
    pages: list[bytes] = []

    def visit() -> None:
        (address,) = re.findall(r"http://\S+", told[0])
        with urllib.request.urlopen(address) as answer:
            pages.append(answer.read())

    monkeypatch.setattr("batt.cli.report.tell_note", told.append)
    monkeypatch.setattr("batt.cli.report.wait_for_interrupt", visit)
    assert batt("report", tmp_path / "run", "--serve").code == 0
    assert b"<title>" in pages[0]


def test_waiting_ends_with_an_interrupt(monkeypatch: pytest.MonkeyPatch):
    def interrupt(self: threading.Event, timeout: float | None = None) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Event, "wait", interrupt)
    paging.wait_for_interrupt()


def test_options_of_pages_that_do_not_go_together_are_refused(
    refused: Callable[..., str], deck_file: str, tasks_file: str, tmp_path: Path
):
    run = ("run", deck_file, "--tasks", tasks_file)
    assert "add --page" in refused(*run, "--at", "127.0.0.1:8000")
    assert "--at takes an address" in refused(*run, "--page", "--at", "here:there")
    assert "nothing to do" in refused("report", tmp_path)
    assert "add --serve" in refused("report", tmp_path, "-o", tmp_path / "page.html", "--at", "127.0.0.1:8000")
