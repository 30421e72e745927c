from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from batt.jobs import Results
from batt.page import document
from batt.page.assets import SCRIPTS, STYLES, asset
from batt.page.document import filled, packed, page_file
from batt.page.overview import RunInfo
from batt.store import state_of
from page.conftest import HOSTILE


@pytest.fixture(scope="module")
def text(results: Results, folder: Path) -> str:
    return page_file(results, RunInfo.of_stored(state_of(folder)))


def block(text: str, name: str) -> Any:
    """The data of a block of the page."""
    found = re.search(f'<script type="{document.BLOCK}" id="{name}">([A-Za-z0-9+/=]*)</script>', text)
    assert found, name
    return json.loads(zlib.decompress(b64decode(found[1]), -15))


def test_the_file_holds_the_overview_and_every_task(text: str):
    shown = block(text, "overview")
    assert (shown["state"], shown["figures"]["correct"], shown["figures"]["done"]) == ("finished", 2, 28)
    assert [tile["id"] for tile in shown["wall"]["tiles"]] == ["mirror", "trap"]
    assert block(text, "task-0")["id"] == "mirror"
    assert block(text, "task-1")["id"] == "trap"


def test_the_overview_says_what_ran(text: str):
    rows = dict(block(text, "overview")["rows"])
    assert {"Deck", "Tasks", "Data", "Engine", "Machine", "Limits", "Deck hash", "Tasks hash", "Started"} <= rows.keys()


def test_the_matrix_is_sorted_by_name(text: str):
    shown = block(text, "overview")["matrix"]
    assert shown["solvers"] == sorted(shown["solvers"])
    assert dict(zip(shown["solvers"], shown["cells"], strict=True))["solve_fails"] == "11"


def test_failures_are_told_by_cause(text: str):
    causes = block(text, "overview")["causes"]
    assert causes["outcomes"] == {"ok": 21, "raised": 7, "over budget": 0, "timed out": 0, "not run": 0}
    assert sum(causes["errors"].values()) == 7


def test_the_run_knows_its_slowest_solvers(text: str):
    rows = block(text, "overview")["slowest"]["solvers"]
    assert sorted(row["solver"] for row in rows) == sorted([HOSTILE, "solve_fails", "solve_mirror", "solve_same"])
    assert all(row["evaluations"] == 7 and row["time_s"] > 0 for row in rows)


def test_names_of_solvers_are_never_html(text: str):
    assert HOSTILE not in text
    assert HOSTILE in block(text, "overview")["matrix"]["solvers"]


def test_the_file_names_no_other_file(text: str):
    own = text
    for name in (*SCRIPTS, *STYLES):
        own = own.replace(asset(name), "")
    assert re.findall(r"""(?:src|href)=["'](?!#|data:)""", own) == []
    assert "default-src &#x27;none&#x27;" in own
    assert "unsafe" not in own


def test_details_beyond_the_room_are_left_out(results: Results, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(document, "DETAIL_CHARACTERS", 0)
    text = page_file(results, RunInfo.of_stored(state_of(folder)))
    assert 'id="overview"' in text
    assert 'id="task-0"' not in text


def test_a_template_is_filled_in_one_pass():
    assert filled("a {{one}} b {{two}}", {"one": "{{two}}", "two": "2"}) == "a {{two}} b 2"


def test_packed_data_are_plain_characters():
    assert re.fullmatch("[A-Za-z0-9+/=]+", packed({"name": HOSTILE}))
