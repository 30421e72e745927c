"""Scenes for tests of drawing."""

from __future__ import annotations

from typing import Any

from batt.draw import Panel, PanelRow, Scene


def value_scene(value: Any, title: str = "") -> Scene:
    """Return the scene of a single value."""
    return Scene("", (PanelRow((Panel(title, value),)),))
