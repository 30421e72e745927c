"""Find the ops that an image uses, in its code and in its constants."""

from __future__ import annotations

from batt.bytecode.image import Image
from batt.bytecode.layout import layout_of
from batt.bytecode.wired import scan
from batt.ops import NEW_WORDS, Op


def ops_of(image: Image) -> frozenset[Op]:
    """Return the ops that instructions of an image call and that its constants hold."""
    layout = layout_of(image)
    found: set[int] = set()
    at, end = layout.code_at, len(layout.words)
    while at < end:
        head = layout.words[at]
        found.add(head & 0xFFFF)
        at += 4 + layout.words[at + 3] + (head >> 16)
    for offset in layout.constants:
        found |= scan(image.pool, offset, image.table).ops
    ops = image.table.ops
    return frozenset([ops[number] for number in found if number < len(ops)])


def has_new_words(image: Image) -> bool:
    """Tell whether an image uses a new word."""
    return not ops_of(image).isdisjoint(NEW_WORDS.values())
