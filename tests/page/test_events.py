from __future__ import annotations

import json
from itertools import count

import pytest

from batt.page import events
from batt.page.events import EventTexts
from batt.page.sources import StoredSource


@pytest.fixture
def source(folder, monkeypatch: pytest.MonkeyPatch):
    """A stored run whose events are counted."""
    made = StoredSource(folder)
    plain, number = made.event(), count(1)
    monkeypatch.setattr(made, "event", lambda: plain | {"number": next(number)})
    yield made
    made.close()


def test_pages_that_are_open_together_share_an_event(source):
    texts = EventTexts(source)
    assert texts.text() is texts.text()
    assert json.loads(texts.text())["number"] == 1


def test_an_older_event_is_made_again(source, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(events, "FRESH_S", 0.0)
    texts = EventTexts(source)
    assert [json.loads(texts.text())["number"] for _ in range(3)] == [1, 2, 3]


def test_the_last_event_is_of_now_and_says_so(source):
    texts = EventTexts(source)
    first, last = json.loads(texts.text()), json.loads(texts.last())
    assert (first["is_last"], last["is_last"]) == (False, True)
    assert (first["number"], last["number"]) == (1, 2)
