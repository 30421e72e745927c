"""A scene that shows itself: in a terminal, in a notebook, in a file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from batt.draw.html import html, html_page
from batt.draw.png import png
from batt.draw.scene import Scene
from batt.draw.svg import svg
from batt.draw.terminal import TerminalScene, render_text, terminal
from batt.errors import UsageError
from batt.files import write_bytes, write_text

SUFFIXES = (".svg", ".png", ".html", ".txt")


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A scene. Printing draws it, a notebook shows it, `save` writes it as SVG, PNG, HTML or text."""

    scene: Scene

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture in the format of the file's suffix."""
        target = Path(path)
        match target.suffix.lower():
            case ".svg":
                write_text(target, svg(self.scene))
            case ".png":
                write_bytes(target, png(self.scene))
            case ".html":
                write_text(target, html_page(self.scene))
            case ".txt":
                write_text(target, render_text(self.scene))
            case suffix:
                raise UsageError(f"{target}: cannot draw {suffix or 'without a suffix'}; use {', '.join(SUFFIXES)}")

    def draw(self) -> None:
        """Draw it on standard output."""
        Console(highlight=False, markup=False, emoji=False, force_jupyter=False).print(self)

    def __rich__(self) -> TerminalScene:
        return terminal(self.scene)

    def __repr__(self) -> str:
        return render_text(self.scene)

    def _repr_html_(self) -> str:
        return html(self.scene)
