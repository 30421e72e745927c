"""Blocks are composed without overlap."""

from __future__ import annotations

from batt.draw.blocks import Box, ShapeBlock, above, beside, framed, line_breaks

SMALL = ShapeBlock(10, 4, (Box(0, 0, 10, 4, "#000000"),))
LARGE = ShapeBlock(20, 8, (Box(0, 0, 20, 8, "#FFFFFF"),))


def test_beside_goes_right_and_centres() -> None:
    block = beside([SMALL, LARGE], 3)
    assert (block.width, block.height) == (33, 8)
    assert [(shape.x, shape.y) for shape in block.walk()] == [(0, 2), (13, 0)]


def test_above_goes_down_and_skips_what_is_empty() -> None:
    block = above([SMALL, ShapeBlock(0, 0), LARGE], 3, 0.5)
    assert (block.width, block.height) == (20, 15)
    assert [(shape.x, shape.y) for shape in block.walk()] == [(5, 0), (0, 7)]


def test_a_frame_is_at_least_as_large_as_its_box() -> None:
    block = framed(SMALL, 2, Box(0, 0, 5, 30, "#FFFFFF"))
    assert (block.width, block.height) == (14, 30)


def test_lines_break_where_the_room_ends() -> None:
    assert line_breaks([5, 5, 5, 50, 1], 11, 1) == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]
    assert line_breaks([], 11, 1) == []
