"""Draw a scene in the terminal.

A cell is two columns of its colour, or half a character if that is too wide. Without colour a cell is its digit, so
that a picture in a log or a pipe loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from io import StringIO

from rich.color import Color
from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from batt.draw import palette
from batt.draw.blocks import line_breaks
from batt.draw.reading import BLANK, PLACE, Cell, Raster, View, read
from batt.draw.scene import Arrow, Caption, Mark, Panel, PanelRow, Part, Scene, many_lines, one_line
from batt.errors import never

FAINT, STRONG = Style(color=palette.ARROW), Style(bold=True)
MARKS = {Mark.NONE: FAINT, Mark.EQUAL: Style(color="green"), Mark.DIFFERENT: Style(color="red")}
TEXT_COLUMNS, TEXT_LINES, CAPTION_LINES = 60, 16, 8
ASCII = str.maketrans("╭╮╰╯─│→✓✗…×·▀▄", "++++-|>*x~x.^_")


class Ink(Enum):
    """The colours that the terminal supports."""

    COLOR = auto()
    FEW_COLORS = auto()
    DIGITS = auto()


@dataclass(frozen=True, slots=True)
class Lines:
    """A rectangle of text."""

    lines: tuple[Text, ...]

    @property
    def width(self) -> int:
        """Return the columns of the widest line."""
        return max((line.cell_len for line in self.lines), default=0)


def terminal(scene: Scene, width: int | None = None, is_dense: bool = False) -> TerminalScene:
    """Return a rich renderable of the scene, as wide as the console or `width`. If dense, a cell has one column."""
    return TerminalScene(scene, width, is_dense)


@dataclass(frozen=True, slots=True)
class TerminalScene:
    """A scene that a rich console can print."""

    scene: Scene
    width: int | None
    is_dense: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = max(8, min(self.width or options.max_width, options.max_width))
        for line in _TerminalWriter(_ink(console), room, self.is_dense).scene(self.scene).lines:
            line.no_wrap, line.overflow = True, "crop"
            line.rstrip()
            if options.ascii_only:
                line.plain = line.plain.translate(ASCII).encode("ascii", "replace").decode()
            yield line


def render_text(scene: Scene, width: int = 100, color: bool = False) -> str:
    """Return the scene as text, with escape codes for its colours or with digits instead."""
    file = StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=color,
        color_system="truecolor" if color else None,
        no_color=not color,
        legacy_windows=False,
        # In a notebook rich would display the text and leave the file empty.
        force_jupyter=False,
    )
    console.print(terminal(scene))
    return file.getvalue()


def _ink(console: Console) -> Ink:
    if console.no_color or console.color_system is None:
        return Ink.DIGITS
    return Ink.COLOR if console.color_system in ("truecolor", "256") else Ink.FEW_COLORS


@dataclass(frozen=True, slots=True)
class _TerminalWriter:
    """Writes the parts of a scene within `room` columns, a cell in two columns or, if dense, in one."""

    ink: Ink
    room: int
    is_dense: bool = False

    def scene(self, scene: Scene) -> Lines:
        rows = [self.row(row) for row in scene.rows]
        lines = [_beside(rows[line], 4, 0) for line in line_breaks([row.width for row in rows], self.room, 4)]
        title = _line(one_line(scene.title, self.room), STRONG)
        return _above([title, *lines], 1)

    def row(self, row: PanelRow) -> Lines:
        parts = self.parts(row)
        lines = [_beside(parts[line], 2, 0.5) for line in line_breaks([part.width for part in parts], self.room, 2)]
        style = STRONG + MARKS[Mark.DIFFERENT] if row.is_failed else STRONG
        title = _line(one_line(row.title, self.room), style)
        return _above([title, _above(lines, 1), self.caption(row.caption)], 0)

    def parts(self, row: PanelRow) -> list[Lines]:
        """Return the parts of a row, dense if that lets them fit side by side."""
        spacious = [self.part(part) for part in row.parts]
        if _total(spacious, 2) <= self.room:
            return spacious
        dense = [replace(self, is_dense=True).part(part) for part in row.parts]
        return dense if _total(dense, 2) <= self.room else spacious

    def part(self, part: Part) -> Lines:
        match part:
            case Panel():
                view = read(part.value, part.wrong)
                body = self.rasters(view) if view.rasters else self.text(view.text)
                title = _line(one_line(part.title, min(self.room, max(24, body.width))), FAINT)
                return _above([title, body], 0)
            case Arrow():
                return _line("→", FAINT)
        never(part)

    def caption(self, caption: Caption | None) -> Lines:
        if caption is None:
            return Lines(())
        style = MARKS.get(caption.mark, MARKS[Mark.DIFFERENT])
        columns = max(4, min(self.room, TEXT_COLUMNS) - 2)
        text = Lines(tuple(Text(line, style) for line in many_lines(caption.text, columns, CAPTION_LINES)))
        return text if caption.mark is Mark.NONE else _beside([_line(caption.mark.value, style), text], 1, 0)

    def text(self, text: str) -> Lines:
        return Lines(tuple(map(Text, many_lines(text, min(self.room, TEXT_COLUMNS), TEXT_LINES))))

    def rasters(self, view: View) -> Lines:
        blocks = [self.raster(raster, note) for raster, note in zip(view.rasters, view.notes, strict=True)]
        lines = [_beside(blocks[line], 1, 0) for line in line_breaks([b.width for b in blocks], self.room, 1)]
        return _above([*lines, _line(f"… and {view.more:,} more" if view.more else "", FAINT)], 0)

    def raster(self, raster: Raster, note: str) -> Lines:
        """Return the cells in a frame, over their note; only the note if the terminal is too narrow."""
        room = self.room - 2
        if raster.width > room:
            return self.text(f"{raster.note}, too wide to show")
        if self.ink is Ink.DIGITS:
            cells = _digits(raster, is_dense=self.is_dense or raster.width * 2 >= room)
        elif raster.width * 2 <= room and not self.is_dense:
            cells = [
                Text.assemble(*[_cell(cell, self.ink, (i, j) in raster.wrong) for j, cell in enumerate(row)])
                for i, row in enumerate(raster.rows)
            ]
        else:
            cells = _half_blocks(raster)
        edge = "─" * cells[0].cell_len
        side = ("│", FAINT)
        framed = [Text.assemble(side, line, side) for line in cells]
        frame = Lines((Text(f"╭{edge}╮", FAINT), *framed, Text(f"╰{edge}╯", FAINT)))
        return _above([frame, _line(note, FAINT)], 0)


def _digits(raster: Raster, is_dense: bool) -> list[Text]:
    """Return the cells without colour, separated by spaces unless dense; a star before each wrong one."""
    rows = [[_digit(cell) for cell in row] for row in raster.rows]
    if is_dense:
        return [Text("".join(row)) for row in rows]
    marked = [["*" if (i, j) in raster.wrong else " " for j in range(raster.width)] for i in range(raster.height)]
    return [Text("".join(map(str.__add__, marks, row)) + " ") for marks, row in zip(marked, rows, strict=True)]


def _digit(cell: Cell) -> str:
    """Return one character for a cell: a dot for 0, the digit of any other colour, a space for blank."""
    if isinstance(cell, str):
        return cell if len(cell) == 1 else "?"
    return {0: ".", PLACE: "#", BLANK: " "}.get(cell, str(cell))


def _cell(cell: Cell, ink: Ink, is_wrong: bool) -> tuple[str, Style]:
    """Return a cell as two columns of its colour; with its digit if the terminal may show two colours alike.

    A wrong cell has a ring of two brackets, or a star beside its digit.
    """
    if cell == BLANK:
        return "· ", FAINT
    fill = palette.fill(cell)
    text = cell if isinstance(cell, str) else str(cell) if ink is Ink.FEW_COLORS and cell != PLACE else ""
    if is_wrong:
        text = f"{text}*" if len(text) == 1 else text or "()"
    return text.ljust(2), Style(color=palette.contrast(fill), bgcolor=fill, bold=is_wrong)


def _half_blocks(raster: Raster) -> list[Text]:
    """Return two rows of cells per line, one column each."""
    below: tuple[Cell, ...] = (BLANK,) * raster.width
    rows = [*raster.rows, below]
    return [
        Text.assemble(*[_half_block(upper, lower) for upper, lower in zip(*rows[y : y + 2], strict=True)])
        for y in range(0, raster.height, 2)
    ]


def _half_block(upper: Cell, lower: Cell) -> tuple[str, Style]:
    if upper == BLANK:
        return (" ", Style.null()) if lower == BLANK else ("▄", Style(color=palette.fill(lower)))
    color = Color.parse(palette.fill(upper))
    bgcolor = None if lower == BLANK else Color.parse(palette.fill(lower))
    return "▀", Style.from_color(color, bgcolor)


def _total(blocks: Sequence[Lines], gap: int) -> int:
    return sum(block.width + gap for block in blocks) - gap


def _line(text: str, style: Style) -> Lines:
    return Lines((Text(text, style),) if text else ())


def _above(blocks: Sequence[Lines], gap: int) -> Lines:
    """Place blocks from top to bottom, with empty lines between those that are not empty."""
    lines: list[Text] = []
    for block in blocks:
        if lines and block.lines:
            lines += [Text()] * gap
        lines += block.lines
    return Lines(tuple(lines))


def _beside(blocks: Sequence[Lines], gap: int, align: float) -> Lines:
    """Place blocks from left to right, aligned at their tops or middles."""
    height = max(len(block.lines) for block in blocks)
    made = [Text() for _ in range(height)]
    column = 0
    for block in blocks:
        top = int((height - len(block.lines)) * align)
        for line, text in zip(made[top:], block.lines, strict=False):
            line.pad_right(column - line.cell_len)
            line.append_text(text)
        column += block.width + gap
    return Lines(tuple(made))
