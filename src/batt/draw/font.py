"""A font of strokes on a raster of 5 by 9."""

from __future__ import annotations

from typing import TypeAlias

Stroke: TypeAlias = tuple[int, int, int, int]

EM = 10
"""The size of the font, in steps of its raster; a character advances by 6 of them."""

BASELINE = 6
"""The row of the raster on which letters stand."""

# Each word is a character and its rows from the top: one base-32 digit for five dots, the highest bit leftmost.
_GLYPHS = """
A4ahhvhh Buhhuhhu Cehggghe Duhhhhhu Evgguggv Fvgguggg Gehgnhhe Hhhhvhhh Ie44444e J72222ic Khikokih Lggggggv Mhrllhhh
Nhhpljhh Oehhhhhe Puhhuggg Qehhhlid Ruhhukih Sfgge11u Tv444444 Uhhhhhhe Vhhhhha4 Whhhllrh Xhha4ahh Yhha4444 Zv1248gv
a00e1fhf bggmphhu c00egghe d11djhhf e00ehvge f698s888 g00fhhhf1e hggmphhh i40c444e j2062222ic kggikoki lc44444e
m00qllll n00mphhh o00ehhhe p00uhhhugg q00fhhhf11 r00mpggg s00fge1u t88s8896 u00hhhjd v00hhha4 w00hhlla x00ha4ah
y00hhhhf1e z00v248v 0ehjlphe 14c4444e 2eh1248v 3v2421he 426aiv22 5vgu11he 668guhhe 7v124888 8ehhehhe 9ehhf12c
!4444404 "aa #aavavaa $4fke5u4 %op248j3 &cik8lid '44 (2488842 )8422248 *04lel4 +044v44 ,000000448 -000e .0000004
/01248g :0040004 ;004000448 <248g842 =00v0v >8421248 ?eh12404 @ehnlmge [e88888e ]e22222e \\0g8421 ^4ah _0000000v
`84 {2448442 |44444444 }8442448 ~008l2 …000000l ×000a4a ·0004 →042v24 —000v –000e −000e ✓0012k8 ✗0ha4ah �vhhhhhv
"""
_ROWS = {word[0]: [int(digit, 32) for digit in word[1:]] for word in _GLYPHS.split()}


def strokes(char: str) -> tuple[Stroke, ...]:
    """Return a character as strokes (x, y, to x, to y) between neighbouring dots; a lone dot is a stroke to itself."""
    if char == " ":
        return ()
    rows = _ROWS.get(char, _ROWS["�"])
    dots = {(x, y) for y, row in enumerate(rows) for x in range(5) if row & (16 >> x)}
    found: list[Stroke] = []
    for x, y in sorted(dots):
        steps = [(1, 0), (0, 1)]
        # A diagonal connects two dots only if no corner between them does.
        steps += [(dx, 1) for dx in (-1, 1) if dots.isdisjoint({(x + dx, y), (x, y + 1)})]
        found += [(x, y, x + dx, y + dy) for dx, dy in steps if (x + dx, y + dy) in dots]
    joined = {end for a, b, c, d in found for end in ((a, b), (c, d))}
    return (*found, *[(x, y, x, y) for x, y in sorted(dots - joined)])
