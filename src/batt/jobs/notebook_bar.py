"""Show the progress of a run in a notebook: its own bar where it has widgets, else an output that is replaced."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from batt.jobs.display import Clock, Display, progress_text

REPLACE_EVERY_S = 0.2


@contextmanager
def notebook_bar() -> Iterator[Display]:
    """Yield a function that shows progress in the notebook. Only notebooks have the modules that this imports."""
    try:
        widgets = import_module("ipywidgets")
    except ImportError:
        yield ReplacedOutput()
        return
    bar = WidgetBar(widgets)
    try:
        yield bar
    finally:
        bar.end()


class _Seldom(Display):
    """A display that is drawn at most five times a second, and at the end."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.told_s = float("-inf")

    def __call__(self, done: int, total: int) -> None:
        """Show the progress, if it is time."""
        rate, now = self.clock.rate(done), time.monotonic()
        if now - self.told_s >= REPLACE_EVERY_S or done == total:
            self.told_s = now
            self.draw(done, total, progress_text(done, total, rate, self.rate_text(rate)))

    def draw(self, done: int, total: int, text: str) -> None:
        """Show the progress and what it is in words."""
        raise NotImplementedError


class WidgetBar(_Seldom):
    """Progress by the widgets of the notebook: a bar, which turns green at the end, and a text beside it."""

    def __init__(self, widgets: Any) -> None:
        super().__init__()
        self.bar = widgets.IntProgress(value=0, min=0, max=1, description="evaluating")
        self.text = widgets.Label(value="")
        import_module("IPython.display").display(widgets.HBox([self.bar, self.text]))

    def draw(self, done: int, total: int, text: str) -> None:
        """Move the bar."""
        # The bar keeps its value within its bounds, so these come first.
        self.bar.max = max(total, 1)
        self.bar.value = done if total else 1
        self.text.value = text

    def end(self) -> None:
        """Colour the bar: green if all is done, else as a warning."""
        self.bar.bar_style = "success" if self.bar.value == self.bar.max else "warning"


class ReplacedOutput(_Seldom):
    """Progress for notebooks without widgets: one output that is replaced, with a text for those without HTML."""

    def __init__(self) -> None:
        super().__init__()
        show = import_module("IPython.display").display
        self.output = show(_bundle(0, 1, "evaluating"), raw=True, display_id=True)

    def draw(self, done: int, total: int, text: str) -> None:
        """Replace the output."""
        self.output.update(_bundle(done, total, text), raw=True)


def _bundle(done: int, total: int, text: str) -> dict[str, str]:
    return {"text/plain": text, "text/html": f'<progress value="{done}" max="{max(total, 1)}"></progress> {text}'}
