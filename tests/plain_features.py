"""Plain Python definitions of the features of parts, to compare native code with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from batt.ops import EVERY_OP
from batt.types.kinds import Grid

Place = tuple[int, int]
Cells = dict[Place, int]
"""The colour of each cell of a part, by place."""
Row = dict[str, object]


def parts_of(grid: Grid, form: str) -> list[Cells]:
    """Return the parts of a grid in order."""
    if form == "colours":
        return [{place: colour for colour, place in part} for part in EVERY_OP["partition"](grid)]
    if form in ("panels", "pieces"):
        rows, columns = _panel_ranges(grid) if form == "panels" else _piece_ranges(grid)
        return [{(i, j): grid[i][j] for i in down for j in across} for down in rows for across in columns]
    flags = [flag == "T" for flag in form]
    return [{place: colour for colour, place in part} for part in EVERY_OP["objects"](grid, *flags)]


def _piece_ranges(grid: Grid) -> tuple[list[range], list[range]]:
    height, width = len(grid), len(grid[0])
    short, long = sorted((height, width))
    is_wide = width > height
    if height == width:
        down = across = 2 if height % 2 == 0 else 1
    else:
        count = long // short if long % short == 0 else 2 if long % 2 == 0 else 1
        down, across = (1, count) if is_wide else (count, 1)
    return _equal(height, down), _equal(width, across)


def _equal(length: int, count: int) -> list[range]:
    return [range(at, at + length // count) for at in range(0, length, length // count)]


def _panel_ranges(grid: Grid) -> tuple[list[range], list[range]]:
    """Return the rows and columns of the panels: the best by count, equal sizes and a colour other than 0."""
    lines = [
        {i: row[0] for i, row in enumerate(rows) if len(set(row)) == 1} for rows in (grid, (*zip(*grid, strict=True),))
    ]
    found, best = ([range(len(grid))], [range(len(grid[0]))]), -1
    for colour in sorted({colour for each in lines for colour in each.values()}):
        down, across = (
            _runs([at for at in range(length) if each.get(at) != colour])
            for each, length in zip(lines, (len(grid), len(grid[0])), strict=True)
        )
        is_even = len({*map(len, down)}) == 1 == len({*map(len, across)})
        rank = 4 * (len(down) * len(across) > 1) + 2 * is_even + (colour != 0)
        if down and across and rank > best:
            found, best = (down, across), rank
    return found


def _runs(numbers: Sequence[int]) -> list[range]:
    found: list[range] = []
    for number in numbers:
        if found and found[-1].stop == number:
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found


def features_of(grid: Grid, parts: Sequence[Cells]) -> list[Row]:
    """Return the features of each part, by name."""
    rows = [_alone(grid, parts, number) for number in range(len(parts))]
    for row, part in zip(rows, parts, strict=True):
        row |= _beside(grid, parts, rows, row, part)
    for row in rows:
        row |= _compared(rows, row)
    return rows


def _box(part: Iterable[Place]) -> tuple[int, int, int, int]:
    rows, columns = zip(*part, strict=True)
    return min(rows), min(columns), max(rows), max(columns)


def _sign(x: int) -> int:
    return (x > 0) - (x < 0)


def _frequent(colours: Iterable[int], choose: Callable[..., int]) -> int:
    counts = Counter(colours)
    wanted = choose(counts.values())
    return min(colour for colour, count in counts.items() if count == wanted)


def _around(place: Place, diagonal: bool) -> set[Place]:
    i, j = place
    steps = {(0, 1), (1, 0), (0, -1), (-1, 0)}
    if diagonal:
        steps |= {(1, 1), (1, -1), (-1, 1), (-1, -1)}
    return {(i + di, j + dj) for di, dj in steps}


def hole_regions(part: Cells) -> list[set[Place]]:
    """Return the regions of the box that are not of the part and do not reach the edge of the box."""
    top, left, bottom, right = _box(part)
    free = {(i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)} - set(part)
    regions: list[set[Place]] = []
    while free:
        region, todo = set(), [free.pop()]
        while todo:
            place = todo.pop()
            region.add(place)
            for each in _around(place, False) & free:
                free.discard(each)
                todo.append(each)
        if not any(i in (top, bottom) or j in (left, right) for i, j in region):
            regions.append(region)
    return regions


def turned(part: Cells) -> dict[str, Cells]:
    """Return a part, moved to the upper left, under the eight turns and mirrorings."""
    top, left, bottom, right = _box(part)
    h, w = bottom - top, right - left
    moves: dict[str, Callable[[int, int], Place]] = {
        "identity": lambda i, j: (i, j),
        "vmirror": lambda i, j: (i, w - j),
        "hmirror": lambda i, j: (h - i, j),
        "rot180": lambda i, j: (h - i, w - j),
        "dmirror": lambda i, j: (j, i),
        "rot90": lambda i, j: (j, h - i),
        "rot270": lambda i, j: (w - j, i),
        "cmirror": lambda i, j: (w - j, h - i),
    }
    return {name: {move(i - top, j - left): colour for (i, j), colour in part.items()} for name, move in moves.items()}


def _class(part: Cells, row: Row) -> int:
    top, left, _, right = _box(part)
    diagonals = all(i - top == j - left for i, j in part) or all(i - top == right - j for i, j in part)
    tests = [
        len(part) == 1,
        row["is_full"] and row["height"] == 1,
        row["is_full"] and row["width"] == 1,
        len(part) == row["height"] == row["width"] and diagonals,
        row["is_full"] and row["is_square"],
        row["is_full"],
        row["is_frame"],
        True,
    ]
    return [bool(each) for each in tests].index(True)


def _alone(grid: Grid, parts: Sequence[Cells], number: int) -> Row:
    part = parts[number]
    top, left, bottom, right = _box(part)
    height, width = bottom - top + 1, right - left + 1
    to_bottom, to_right = len(grid) - 1 - bottom, len(grid[0]) - 1 - right
    cells = [colour for line in grid for colour in line]
    colour = _frequent(part.values(), max)
    background = _frequent(cells, max)
    shared = [len(_around(place, False) & set(part)) for place in part]
    regions = hole_regions(part)
    edge = {
        (i, j)
        for i in range(top, bottom + 1)
        for j in range(left, right + 1)
        if i in (top, bottom) or j in (left, right)
    }
    corners = {(0, 0), (0, len(grid[0]) - 1), (len(grid) - 1, 0), (len(grid) - 1, len(grid[0]) - 1)}
    forms = turned(part)
    kept = {name for name, form in forms.items() if form == forms["identity"]}
    pictures = {name: frozenset(form.items()) for name, form in forms.items()}
    row: Row = {
        "number": number, "parts": len(parts), "size": len(part), "height": height, "width": width,
        "area": height * width, "top": top, "left": left, "bottom": bottom, "right": right,
        "to_bottom": to_bottom, "to_right": to_right, "middle_row": top + height // 2,
        "middle_column": left + width // 2, "vertical": _sign(top - to_bottom), "horizontal": _sign(left - to_right),
        "colour": colour, "least_colour": _frequent(part.values(), min), "colours": len(set(part.values())),
        "colour_cells": list(part.values()).count(colour), "colour_in_grid": cells.count(colour),
        "is_background": int(colour == background), "gaps": height * width - len(part), "holes": len(regions),
        "hole_cells": sum(map(len, regions)), "edges": sum(4 - each for each in shared), "ends": shared.count(1),
        "forks": sum(each >= 3 for each in shared), "is_square": int(height == width),
        "is_full": int(len(part) == height * width), "is_line": int(1 in (height, width)),
        "aspect": _sign(height - width), "is_frame": int(height >= 3 and width >= 3 and set(part) == edge),
        "symmetries": len(kept) - 1, "shape": frozenset(forms["identity"]),
        "turned_shape": frozenset(frozenset(form) for form in forms.values()), "picture": pictures["identity"],
        "turned_picture": frozenset(pictures.values()),
        "borders": [top, left, to_bottom, to_right].count(0), "at_corner": int(bool(corners & set(part))),
        "size_odd": len(part) % 2, "height_odd": height % 2, "width_odd": width % 2, "grid_height": len(grid),
        "grid_width": len(grid[0]), "grid_colours": len(set(cells)), "background": background,
    }  # fmt: skip
    row["shape_class"] = _class(part, row)
    row |= {name: int(name in kept) for name in ("vmirror", "hmirror", "dmirror", "cmirror", "rot90", "rot180")}
    return row


def _beside(grid: Grid, parts: Sequence[Cells], rows: Sequence[Row], row: Row, part: Cells) -> Row:
    others = [each for each in parts if each is not part]
    near = {place for each in part for place in _around(each, True)} - set(part)
    beside = {place for each in part for place in _around(each, False)} - set(part)
    colours = {grid[i][j] for i, j in near if 0 <= i < len(grid) and 0 <= j < len(grid[0])} - {row["background"]}
    top, left, bottom, right = _box(part)
    boxes = [_box(each) for each in others]
    mine = (top, left, bottom, right)
    inside_mine = {place for region in hole_regions(part) for place in region}
    apart = [max(0, t - bottom - 1, top - b - 1) + max(0, c - right - 1, left - r - 1) for t, c, b, r in boxes]
    return {
        "touches": sum(bool(near & set(each)) for each in others),
        "adjoins": sum(bool(beside & set(each)) for each in others),
        "touched_colours": len(colours),
        "touched_colour": min(colours) if len(colours) == 1 else -1,
        "boxes_inside": sum(_holds(mine, box) and box != mine for box in boxes),
        "boxes_around": sum(_holds(box, mine) and box != mine for box in boxes),
        "encloses": sum(set(each) <= inside_mine for each in others),
        "enclosed": sum(set(part) <= {place for region in hole_regions(each) for place in region} for each in others),
        "row_mates": sum(t <= bottom and top <= b for t, _, b, _ in boxes),
        "column_mates": sum(c <= right and left <= r for _, c, _, r in boxes),
        "nearest": min(apart, default=-1),
    }


def _holds(box: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return box[0] <= other[0] and box[1] <= other[1] and box[2] >= other[2] and box[3] >= other[3]


def _compared(rows: Sequence[Row], row: Row) -> Row:
    found: Row = {}
    for name in ("size", "colour", "shape", "turned_shape", "picture", "top", "left"):
        counts = Counter(each[name] for each in rows)
        same = counts[row[name]]
        found[f"same_{name}"] = same
        found[f"unique_{name}"] = int(same == 1)
        found[f"common_{name}"] = int(same == max(counts.values()))
    for name in ("size", "height", "width", "area", "top", "left", "colours", "holes"):
        values = {each[name] for each in rows}
        found[f"{name}_rank"] = sum(value < row[name] for value in values)
        found[f"{name}_rank_down"] = sum(value > row[name] for value in values)
    return found
