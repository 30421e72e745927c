"""The events of a live page as JSON, made once for all open pages."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from typing import Any

from batt.page.sources import PageSource

EVERY_S = 1.0
"""The time between two events."""
FRESH_S = 0.5
"""An event that is not older than this serves another page, too."""


class EventTexts:
    """The events of a source as texts. All methods may be called by any thread."""

    def __init__(self, source: PageSource) -> None:
        self.source = source
        self._lock = threading.Lock()
        self._text = ""
        self._made_s = float("-inf")

    def text(self) -> str:
        """Return the event of now, or one that was made just before."""
        with self._lock:
            if time.monotonic() - self._made_s >= FRESH_S:
                self._text = _as_json(self.source.event() | {"is_last": False})
                self._made_s = time.monotonic()
            return self._text

    def last(self) -> str:
        """Return the event of now, marked as the last one of its stream."""
        return _as_json(self.source.event() | {"is_last": True})


def _as_json(event: Mapping[str, Any]) -> str:
    return json.dumps(event, separators=(",", ":"))
