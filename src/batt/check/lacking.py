"""How a check of the machine ends where it does not end well."""

from __future__ import annotations

from batt.errors import BattError


class Lacking(BattError):
    """What a check needs is not there; the message says what to do about it."""


class Wrong(BattError):
    """A check has found something wrong."""
