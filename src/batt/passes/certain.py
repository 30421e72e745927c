"""What is certain of values: their coarse shapes, the shapes that ops certainly give, and those they certainly refuse.

A shape is a set of letters, as a bit mask: all that the value can be. Every entry of the tables follows from the op's
reference body and is tested against it; what is not certain whatever else is given is left out. Knows no graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from batt.ops import OPS, Op
from batt.types import Function

LETTERS = "inepgtzsf"
"""int, None, empty tuple, pair of ints, tuple of tuples that all have items, other tuple, empty set, other set, fn."""


def shape(letters: str) -> int:
    """The mask of these letters."""
    return sum([1 << LETTERS.index(letter) for letter in letters])


def shape_of(value: Any) -> int:
    """The shape of a value, one bit."""
    if isinstance(value, int):
        return INT
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], int):
            return PAIR
        rows = all(isinstance(item, tuple) and item for item in value)
        return shape("g" if rows else "t") if value else EMPTY
    if isinstance(value, frozenset):
        return shape("s" if value else "z")
    return shape("f" if isinstance(value, Function) else "n")


INT, NONE, EMPTY, PAIR, GRID = shape("i"), shape("n"), shape("e"), shape("p"), shape("g")
TUPLES, SETS, FUNCTION, ANY = shape("epgt"), shape("zs"), shape("f"), shape(LETTERS)
_FILLED_TUPLES, _FILLED = shape("pgt"), shape("pgts")


def _table(text: str) -> dict[str, list[str]]:
    """Lines of `key: words` as a table; a key may stand on several lines."""
    found: dict[str, list[str]] = {}
    for line in text.strip().splitlines():
        key, _, words = line.partition(":")
        found.setdefault(key.strip(), []).extend(words.split())
    return found


_REFUSED = _table("""
    in: size.container contained.container combine.a combine.b difference.a remove.container totuple.container
    in: product.b pair.a pair.b apply.container mapply.container papply.a papply.b mpapply.a mpapply.b prapply.b
    in: order.container maximum.container minimum.container valmax.container valmin.container sfilter.container
    in: mfilter.container height.piece vupscale.grid hconcat.a hconcat.b
    inp: merge.containers sizefilter.container colorfilter.objs palette.element numcolors.element colorcount.element
    inp: replace.grid switch.grid recolor.patch fill.patch paint.obj underfill.patch underpaint.obj cover.patch
    inp: move.obj asobject.grid width.piece shape.piece portrait.piece toobject.patch ofcolor.grid box.patch
    inp: partition.grid toindices.patch ulcorner.patch urcorner.patch llcorner.patch lrcorner.patch corners.patch
    inp: centerofmass.patch shift.patch normalize.patch vline.patch hline.patch backdrop.patch delta.patch
    inp: hmatching.a hmatching.b vmatching.a vmatching.b hupscale.grid upscale.element occurrences.obj
    inp: hperiod.obj vperiod.obj
    inpg: rapply.functions
    inpz: vmirror.piece dmirror.piece cmirror.piece compress.grid
    inps: asindices.grid
    inep: square.piece
    inz: hmirror.piece
    ins: dedupe.tup
    inzs: vconcat.a vconcat.b crop.grid subgrid.grid trim.grid tophalf.grid bottomhalf.grid
    inpzs: rot90.grid rot180.grid rot270.grid lefthalf.grid righthalf.grid
    inez: other.container first.container last.container argmax.container argmin.container extract.container
    inezs: mostcommon.container leastcommon.container hfrontier.location vfrontier.location
    inepz: mostcolor.element leastcolor.element color.obj fgpartition.grid outbox.patch inbox.patch uppermost.patch
    inepz: lowermost.patch leftmost.patch rightmost.patch center.patch bordering.patch manhattan.a manhattan.b
    inepz: adjacent.a adjacent.b position.a position.b gravitate.source gravitate.destination subgrid.patch
    inepzs: fill.grid paint.grid underfill.grid underpaint.grid cover.grid move.grid index.grid toobject.grid
    inepzs: objects.grid frontiers.grid downscale.grid hsplit.grid vsplit.grid cellwise.a occurrences.grid
    inezg: index.loc connect.a connect.b
    inegzs: canvas.dimensions shoot.start shoot.direction dneighbors.loc ineighbors.loc neighbors.loc
    inegzs: crop.start crop.dims
    inepgt: intersection.a intersection.b insert.container
    negzs: add.a add.b subtract.a subtract.b multiply.a multiply.b divide.a divide.b invert.n double.n halve.n
    negzs: increment.x decrement.x crement.x sign.x
    nepgtzs: repeat.num interval.start interval.stop interval.step even.n positive.x downscale.factor hsplit.n
    nepgtzs: vsplit.n power.n
    inepgtzs: valmax.compfunc valmin.compfunc extract.condition
    iepgtzs: argmax.compfunc argmin.compfunc
""")
"""Arguments by the letters that the op refuses, whatever its other arguments are."""

_REFUSED_GIVEN = _table("""
    nepgtzs element=gs: upscale.factor
    nepgtzs grid=g: hupscale.factor
    nepgtzs grid=pgts: vupscale.factor
    inezg patch=pgts: shift.directions
    inezg obj=pgts: move.offset
    inepzs a=g: cellwise.b
    in a=pgts: difference.b
    in b=pgts: product.a prapply.a
    inepgtzs container=pgts: apply.function mapply.function sfilter.condition mfilter.function
    iepgtzs container=pgts: order.compfunc
    inepgtzs a=pgts b=pgts: papply.function mpapply.function prapply.function
""")
"""The same where it must also be certain that other arguments, by name, have these letters: else it is not read."""


class Rule(NamedTuple):
    """A call whose arguments all have these shapes raises; the argument at `position` is to blame."""

    position: int
    shapes: tuple[int, ...]


def _rules() -> dict[str, tuple[Rule, ...]]:
    found: dict[str, tuple[Rule, ...]] = {}
    for key, places in (_REFUSED | _REFUSED_GIVEN).items():
        letters, *conditions = key.split()
        for place in places:
            name, param = place.split(".")
            given = dict([condition.split("=") for condition in conditions], **{param: letters})
            shapes = tuple([shape(given.get(each, LETTERS)) for each in OPS[name].params])
            found[name] = (*found.get(name, ()), Rule(OPS[name].params.index(param), shapes))
    return found


RULES: Mapping[str, tuple[Rule, ...]] = _rules()


def refused(op: Op, args: Sequence[int]) -> int | None:
    """The position of the argument for which a call certainly raises, None where it may succeed."""
    if not all(args):
        # An argument that is never made: the call is never reached.
        return None
    if op.name == "greater":
        return _incomparable(*args)
    for rule in RULES.get(op.name, ()):
        if not any(arg & ~allowed for arg, allowed in zip(args, rule.shapes, strict=True)):
            return rule.position
    return None


def _incomparable(a: int, b: int) -> int | None:
    """Ints, tuples and sets are comparable each among themselves, None not at all."""
    if (a | b) & FUNCTION or any(a & kind and b & kind for kind in (INT, TUPLES, SETS)):
        return None
    return 0 if a == NONE else 1


_SOME = "e>e p>ept g>eg t>epgt s>sz z>z"
_DRAWN = "g>g t>gt"
_PICKED = "p>i g>pgt t>inepgtzsf s>inepgtzsf e>i z>i"
_GIVEN = _table(f"""
    *>i: size contained equality greater flip even positive height width portrait square numcolors colorcount
    *>i: vline hline bordering hmatching vmatching adjacent manhattan hperiod vperiod
    *>s: initset insert hfrontier vfrontier outbox inbox corners neighbors dneighbors ineighbors
    *>sz: product prapply sizefilter colorfilter intersection ofcolor objects fgpartition frontiers toobject
    *>sz: connect shoot delta occurrences
    *>p: shape center position gravitate
    *>epgt: ulcorner urcorner llcorner lrcorner centerofmass interval papply mpapply vupscale hconcat
    *>egt: canvas hsplit vsplit crop subgrid trim compress hupscale
    *>eg: pair lefthalf righthalf
    i>p *>t: toivec tojvec
    i>i *>p: invert double halve increment decrement crement sign
    g>s *>sz: asindices asobject palette partition
    e>z z>z *>s: backdrop recolor.patch
    e>z z>z s>s g>gs t>gts: toindices
    e>e z>z *>s: shift normalize box
    e>e z>e p>p g>g t>t s>pgt: order totuple
    e>e z>e p>pt g>g t>pgt: dedupe
    e>e z>z s>s *>pgt: apply.container rapply
    e>e z>z s>sz *>epgt: mapply.container mfilter
    e>e z>z s>sz g>pgt *>epgt: merge
    {_SOME}: sfilter difference remove.container
    {_PICKED}: first last other extract argmax argmin mostcommon leastcommon maximum minimum
    e>e z>e g>g *>gt: replace switch
    {_DRAWN}: fill paint underfill underpaint cover move cellwise downscale
    e>e g>g t>eg: rot90 rot270
    e>e g>g t>gt: rot180
    e>e p>p g>g t>t s>s: hmirror
    e>e g>g t>egt s>s: vmirror dmirror cmirror
    e>e z>z s>sz *>egt: upscale
    e>e g>eg *>epgt: tophalf bottomhalf
    i>ept p>eg g>eg t>eg *>et: repeat
""")
"""Ops by what they certainly give, from the shape of one argument: the first, or the one that is named."""


def _made() -> dict[str, tuple[int, tuple[int, ...]]]:
    """By op: the position of the argument that decides, and what each of its letters gives."""
    found = {}
    for text, places in _GIVEN.items():
        steps = dict([step.split(">") for step in text.split()])
        by_letter = tuple([shape(steps.get(letter, steps.get("*", ""))) for letter in LETTERS])
        for place in places:
            name, _, param = place.partition(".")
            found[name] = (OPS[name].params.index(param) if param else 0, by_letter)
    return found


MADE: Mapping[str, tuple[int, tuple[int, ...]]] = _made()


def made(op: Op, args: Sequence[int]) -> int:
    """All that a call that succeeds can give."""
    match op.name:
        case "add" | "subtract" | "multiply" | "divide":
            return (INT if args[0] & args[1] & INT else 0) | (PAIR if (args[0] | args[1]) & ~INT else 0)
        case "identity":
            return args[0]
        case "both" | "either":
            return args[0] | args[1]
        case "branch":
            return args[1] | args[2]
        case "astuple":
            return tuple_shape(args)
        case "hconcat" if args[0] == args[1] == GRID:
            return GRID
        case "vconcat":
            return _joined(*args)
        case "combine":
            return _combined(*args)
    position, by_letter = MADE.get(op.name, (0, (ANY,) * len(LETTERS)))
    return reduce(or_, [shapes for at, shapes in enumerate(by_letter) if args[position] >> at & 1], 0)


def tuple_shape(items: Sequence[int]) -> int:
    """The shape of a tuple display of items of these shapes."""
    if not items:
        return EMPTY
    found = 0 if all(each == INT for each in items) and len(items) == 2 else shape("t")
    if len(items) == 2 and items[0] & items[1] & INT:
        found |= PAIR
    if all(each & _FILLED_TUPLES for each in items):
        found = GRID if all(each & ~_FILLED_TUPLES == 0 for each in items) else found | GRID
    return found


def _joined(a: int, b: int) -> int:
    """One tuple after the other."""
    found = (b & TUPLES if a & EMPTY else 0) | (a & TUPLES if b & EMPTY else 0)
    if a & _FILLED_TUPLES and b & _FILLED_TUPLES:
        # Where one of the two is no grid, neither is the whole; two lone ints make a pair.
        found |= GRID if a & b & GRID else 0
        found |= shape("pt") if (a | b) & shape("pt") else 0
    return found


def _combined(a: int, b: int) -> int:
    found = 0
    if a & TUPLES:
        found |= _joined(a & TUPLES, made(OPS["totuple"], (b,)))
    if a & SETS:
        found |= (shape("s") if (a | b) & _FILLED else 0) | (shape("z") if a & shape("z") and b & shape("ez") else 0)
    return found
