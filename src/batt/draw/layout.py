"""Lay out a scene as shapes: every size and distance of a picture is defined here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from batt.draw import palette
from batt.draw.blocks import ADVANCE, Box, Line, Shape, ShapeBlock, Text, above, beside, framed, line_breaks
from batt.draw.reading import BLANK, Cell, Raster, View, read
from batt.draw.scene import Arrow, Caption, Mark, Panel, PanelRow, Part, Scene, many_lines, one_line
from batt.errors import never
from batt.types.kinds import Grid

PAGE_WIDTH = 1020
TITLE, LABEL, NOTE = 16, 12, 10
RASTERS_WIDTH = 340
TEXT_COLUMNS, TEXT_LINES, CAPTION_LINES = 44, 14, 8


def lay_out(scene: Scene) -> ShapeBlock:
    """Lay out the scene on one card: its title, then its rows as tiles that flow from left to right."""
    tiles = [_row(row) for row in scene.rows]
    lines = []
    for line in line_breaks([tile.width + 28 for tile in tiles], PAGE_WIDTH, 12):
        height = max(tile.height for tile in tiles[line]) + 28
        boxes = [Box(0.5, 0.5, 0, height, palette.TILE, 8, _tile_line(row)) for row in scene.rows[line]]
        lines.append(beside([framed(tile, 14, box) for tile, box in zip(tiles[line], boxes, strict=True)], 12))
    title = _text(one_line(scene.title, 80), TITLE, palette.TEXT, bold=True)
    card = Box(0.5, 0.5, 0, 0, palette.CARD, 12, palette.CARD_LINE)
    return framed(above([title, above(lines, 12)], 14), 16, card)


def thumbnail(grids: Sequence[Grid], side: int) -> ShapeBlock:
    """Lay out grids with arrows between them, without titles and notes; the largest is at most about `side` wide."""
    rasters = [raster for grid in grids for raster in read(grid).rasters]
    largest = max((max(raster.height, raster.width) for raster in rasters), default=1)
    blocks = [raster_block(raster, max(2, min(side // 8, side // largest))) for raster in rasters]
    between = [_part(Arrow(), None, 0)] * len(blocks)
    return beside([part for each in zip(between, blocks, strict=True) for part in each][1:], 8)


def _tile_line(row: PanelRow) -> str:
    return palette.BAD if row.is_failed else palette.TILE_LINE


def raster_block(raster: Raster, pitch: int) -> ShapeBlock:
    """Return the cells as boxes of size `pitch`, with thin lines around non-blank cells and rings on wrong ones."""
    shapes: list[Shape] = []
    labels: list[Shape] = []
    for y, row in enumerate(raster.rows):
        x = 0
        for cell, run in groupby(row):
            width = len(list(run))
            shapes.append(Box(x * pitch, y * pitch, width * pitch + 1, pitch + 1, palette.fill(cell)))
            if cell == BLANK or isinstance(cell, str):
                labels += [_cell_label(cell, (x + i) * pitch, y * pitch, pitch) for i in range(width)]
            x += width
    # Adjacent boxes of one colour in the list let a device draw them as one.
    shapes.sort(key=lambda shape: shape.fill if isinstance(shape, Box) else "")
    shapes += _cell_lines(raster, pitch)
    rings = _rings(raster, pitch)
    return ShapeBlock(raster.width * pitch + 1, raster.height * pitch + 1, (*shapes, *rings, *labels))


def _rings(raster: Raster, pitch: int) -> Iterator[Line]:
    """Yield a ring on each wrong cell, visible on every colour: a dark dot, a light one, one of the cell's colour."""
    spots = sorted(raster.wrong)
    for color, size in ((palette.RING_EDGE, 0.8), (palette.RING, 0.62), ("", 0.34)):
        for i, j in spots:
            x, y = j * pitch + (pitch + 1) / 2, i * pitch + (pitch + 1) / 2
            yield Line(x, y, x, y, color or palette.fill(raster.rows[i][j]), pitch * size)


def _cell_label(cell: Cell, x: float, y: float, pitch: int) -> Shape:
    """Return a dot for a blank cell, the text of any other."""
    middle = (pitch + 1) / 2
    if isinstance(cell, str):
        size = pitch * 0.62
        return Text(x + middle, y + middle + size * 0.35, cell, size, palette.BAD, centered=True, mono=True)
    return Line(x + middle, y + middle, x + middle, y + middle, palette.BLANK_DOT, max(1.5, pitch / 7))


def _cell_lines(raster: Raster, pitch: int) -> Iterator[Box]:
    """Yield the lines between and around cells, each as long as possible."""
    solid = [[cell != BLANK for cell in row] for row in raster.rows]
    for start, end, place in _edges(solid):
        yield Box(start * pitch, place * pitch, (end - start) * pitch + 1, 1, palette.CELL_LINE)
    for start, end, place in _edges([list(column) for column in zip(*solid, strict=True)]):
        yield Box(place * pitch, start * pitch, 1, (end - start) * pitch + 1, palette.CELL_LINE)


def _edges(solid: list[list[bool]]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, row) of each run of columns where the cell above or below the edge over that row is solid."""
    nothing = [False] * len(solid[0])
    for place, (before, after) in enumerate(zip([nothing, *solid], [*solid, nothing], strict=True)):
        start = 0
        for is_edge, run in groupby(a or b for a, b in zip(before, after, strict=True)):
            end = start + len(list(run))
            if is_edge:
                yield start, end, place
            start = end


def _row(row: PanelRow) -> ShapeBlock:
    views = [read(part.value, part.wrong) if isinstance(part, Panel) else None for part in row.parts]
    pitch = _pitch([view for view in views if view])
    blocks = [_part(part, view, pitch) for part, view in zip(row.parts, views, strict=True)]
    lines = [beside(blocks[line], 14) for line in line_breaks([b.width for b in blocks], PAGE_WIDTH, 14)]
    title = _text(one_line(row.title, 60), LABEL, palette.TEXT, bold=True)
    return above([title, above(lines, 14), _caption(row.caption)], 10)


def _pitch(views: Sequence[View]) -> int:
    """Return the cell size that suits the largest raster of a row."""
    sides = [max(raster.height, raster.width) for view in views for raster in view.rasters]
    return max(4, min(20, 210 // max(sides, default=1)))


def _part(part: Part, view: View | None, pitch: int) -> ShapeBlock:
    match part:
        case Panel():
            return _panel(part, view or read(part.value, part.wrong), pitch)
        case Arrow():
            ends = ((0, 6), (18, 0), (18, 12))
            return ShapeBlock(26, 12, tuple(Line(x, y, 24, 6, palette.ARROW, 2) for x, y in ends))
    never(part)


def _panel(panel: Panel, view: View, pitch: int) -> ShapeBlock:
    body = _rasters(view, pitch) if view.rasters else _code(view.text)
    columns = max(24, int(body.width / (LABEL * ADVANCE)))
    title = _text(one_line(panel.title, columns), LABEL, palette.FAINT_TEXT, centered=True)
    return above([title, body], 6, 0.5)


def _rasters(view: View, pitch: int) -> ShapeBlock:
    """Lay out one raster at full size, or several smaller ones that flow, each over its note."""
    if len(view.rasters) > 1 or view.more:
        pitch = max(4, min(pitch, 12))
    blocks = [
        above([raster_block(raster, pitch), _text(note, NOTE, palette.FAINT_TEXT, centered=True)], 5, 0.5)
        for raster, note in zip(view.rasters, view.notes, strict=True)
    ]
    lines = [beside(blocks[line], 12, 0) for line in line_breaks([b.width for b in blocks], RASTERS_WIDTH, 12)]
    more = _text(f"… and {view.more:,} more" if view.more else "", NOTE, palette.FAINT_TEXT)
    return above([*lines, more], 10)


def _code(text: str) -> ShapeBlock:
    """Lay out wrapped text in a box."""
    lines = [
        _text(line, LABEL, palette.TEXT, mono=True) if line else ShapeBlock(1, LABEL)
        for line in many_lines(text, TEXT_COLUMNS, TEXT_LINES)
    ]
    return framed(above(lines, 5), 8, Box(0, 0, 0, 0, palette.CARD, 5))


def _caption(caption: Caption | None) -> ShapeBlock:
    """Lay out the mark of a caption and its text beside it."""
    if caption is None:
        return ShapeBlock(0, 0)
    color = {Mark.NONE: palette.FAINT_TEXT, Mark.EQUAL: palette.GOOD}.get(caption.mark, palette.BAD)
    lines = many_lines(caption.text, TEXT_COLUMNS, CAPTION_LINES)
    # An error may point at source with a caret, which needs a fixed-width font.
    is_mono = caption.mark is Mark.ERROR
    texts = [_text(line, LABEL, color, mono=is_mono) if line else ShapeBlock(1, LABEL) for line in lines]
    return beside([*_mark(caption.mark, color), above(texts, 4)], 7, 0)


def _mark(mark: Mark, color: str) -> list[ShapeBlock]:
    match mark:
        case Mark.NONE:
            return []
        case Mark.EQUAL:
            strokes = ((1, 7, 4, 10), (4, 10, 10, 2))
        case Mark.DIFFERENT:
            strokes = ((2, 2, 10, 10), (2, 10, 10, 2))
        case Mark.ERROR:
            strokes = ((5, 1, 5, 7), (5, 11, 5, 11))
        case _:
            never(mark)
    return [ShapeBlock(11, LABEL, tuple(Line(*ends, color, 2) for ends in strokes))]


def _text(
    text: str, size: int, color: str, *, centered: bool = False, bold: bool = False, mono: bool = False
) -> ShapeBlock:
    """Lay out one line of text; an empty block if it is empty."""
    if not text:
        return ShapeBlock(0, 0)
    width = len(text) * size * ADVANCE
    start = width / 2 if centered else 0
    return ShapeBlock(width, size, (Text(start, size * 0.85, text, size, color, centered, bold, mono),))
