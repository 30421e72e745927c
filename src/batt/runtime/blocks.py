"""Blocks of records as bytes: compressed columns of finished evaluations.

A block is a head, a zlib stream, and bytes as they are, which hardly compress. The stream holds the columns one after
the other: the ranges of consecutive numbers, status with error and equality, the upper bytes of differing cells,
height, width, and a bit for each evaluation that has a hash. After it come the lowest bytes of differing cells, and the
hashes. A column of wide numbers is written byte plane by byte plane, which compresses better, and only with as many
bytes as its largest number needs.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Equality
from batt.runtime.evaluations import Integers
from batt.runtime.outcome import ERROR_KINDS, RAN
from batt.runtime.outputs import NO_FUNCTIONS, PackedOutputs
from batt.runtime.records import RECORD_TYPE

LEVEL = 1
"""Of zlib. A higher level takes up to twice the time for a few percent of the bytes."""
COLUMNS = ("differing", "height", "width")
HEAD = struct.Struct(f"<III2B{len(COLUMNS)}B")
"""The numbers of evaluations, ranges and hashes, and the bytes that a number of each column takes."""
WIDTHS = (1, 2, 4, 8)
ERROR_AT, EQUAL_AT = 2, 6
"""The bits of a byte at which the kind of error and the equality begin; the status is below."""
_STATUS, _ERROR = (1 << ERROR_AT) - 1, (1 << EQUAL_AT - ERROR_AT) - 1


class Damaged(Exception):
    """Stored bytes are not what was written."""


def pack_records(numbers: Integers, records: npt.NDArray[Any], with_hash: npt.NDArray[np.bool_]) -> bytes:
    """Return records, in ascending order of their numbers, as bytes; hashes only of those in `with_hash`."""
    starts = np.flatnonzero(np.diff(numbers, prepend=-2) != 1)
    firsts = numbers[starts]
    columns = [
        # How far each range begins after the start of the one before it, and how long it is.
        np.diff(firsts, prepend=0),
        np.diff(starts, append=len(numbers)),
        *[np.ascontiguousarray(records[name]) for name in COLUMNS],
    ]
    assert columns[0].min() >= 0, "numbers ascend"
    widths = [_width(int(column.max())) for column in columns]
    gaps, lengths, differing, height, width = [_planes(*each) for each in zip(columns, widths, strict=True)]
    ends = records["status"] | records["error"] << ERROR_AT | records["equal"] << EQUAL_AT
    hashes = records["hash"][with_hash]
    lowest, upper = differing[: len(numbers)], differing[len(numbers) :]
    stream = _deflated([gaps, lengths, ends, upper, height, width, np.packbits(with_hash)])
    return b"".join([HEAD.pack(len(numbers), len(starts), len(hashes), *widths), *stream, lowest.data, hashes.data])


def unpack_records(data: bytes, total: int) -> tuple[Integers, npt.NDArray[Any]]:
    """Return the numbers and records of a block of a run of `total` evaluations; raise Damaged if it is none."""
    if len(data) < HEAD.size:
        raise Damaged("cut off")
    count, ranges, hashes, *widths = HEAD.unpack(data[: HEAD.size])
    hashes_at = len(data) - 8 * hashes
    lowest_at = hashes_at - count
    is_possible = 0 < ranges <= count <= total and hashes <= count and {*widths} <= {*WIDTHS}
    if not is_possible or lowest_at < HEAD.size:
        raise Damaged("a head of impossible numbers")
    size = ranges * sum(widths[:2]) + count * sum(widths[2:]) + -(-count // 8)
    stream = BytesIO(inflate(data[HEAD.size : lowest_at], size))
    gaps, lengths = [_wide(stream.read(ranges * width), width) for width in widths[:2]]
    numbers = _numbers(gaps, lengths, count, total)
    records = np.zeros(count, RECORD_TYPE)
    ends = np.frombuffer(stream.read(count), np.uint8)
    records["status"], records["error"], records["equal"] = ends & _STATUS, ends >> ERROR_AT & _ERROR, ends >> EQUAL_AT
    # One byte of differing cells is not in the stream.
    planes = [stream.read(count * size) for size in (widths[2] - 1, *widths[3:])]
    planes[0] = data[lowest_at:hashes_at] + planes[0]
    for name, plane, width in zip(COLUMNS, planes, widths[2:], strict=True):
        column = _wide(plane, width)
        if column.max() > np.iinfo(records[name].dtype).max:
            raise Damaged(f"a number too large for the column {name}")
        records[name] = column
    with_hash = np.unpackbits(np.frombuffer(stream.read(), np.uint8), count=count).astype(bool)
    if int(with_hash.sum()) != hashes or not _are_sound(records):
        raise Damaged("columns of impossible values")
    records["hash"][with_hash] = np.frombuffer(data, "<u8", hashes, hashes_at)
    return numbers, records


def pack_numbers(numbers: Integers) -> bytes:
    """Return numbers that are not negative as bytes."""
    width = _width(int(numbers.max(initial=0)))
    return bytes([width]) + b"".join(_deflated([_planes(numbers, width)]))


def unpack_numbers(data: bytes, count: int) -> Integers:
    """Return the `count` numbers of `pack_numbers`; raise Damaged if these are none."""
    width = data[0] if data else 0
    if width not in WIDTHS:
        raise Damaged("numbers of an impossible width")
    return _wide(inflate(data[1:], count * width), width).astype(np.int64)


def pack_outputs(outputs: Sequence[bytes]) -> bytes:
    """Return the wire bytes of outputs as one block."""
    sizes = np.fromiter(map(len, outputs), "<u4", len(outputs))
    return struct.pack("<Q", int(sizes.sum(dtype=np.int64))) + zlib.compress(sizes.tobytes() + b"".join(outputs), LEVEL)


def unpack_outputs(data: bytes, count: int) -> PackedOutputs:
    """Return the `count` outputs of a block; raise Damaged if it does not hold them."""
    if len(data) < 8:
        raise Damaged("cut off")
    (size,) = struct.unpack("<Q", data[:8])
    body = inflate(data[8:], 4 * count + size)
    ends = np.cumsum(np.frombuffer(body, "<u4", count), dtype=np.uint64)
    if count and int(ends[-1]) != size:
        raise Damaged("outputs of other sizes")
    return PackedOutputs.of(np.frombuffer(body, np.uint8, size, 4 * count), ends, NO_FUNCTIONS)


def inflate(data: bytes, size: int) -> bytes:
    """Decompress exactly `size` bytes; raise Damaged if there are fewer or more."""
    stream = zlib.decompressobj()
    try:
        body = stream.decompress(data, size + 1)
    except zlib.error as error:
        raise Damaged(str(error)) from None
    if len(body) != size or not stream.eof:
        raise Damaged("another length than the head says")
    return body


def _deflated(parts: Iterable[Any]) -> Iterable[bytes]:
    """Yield all parts as one zlib stream."""
    stream = zlib.compressobj(LEVEL)
    for part in parts:
        yield stream.compress(part)
    yield stream.flush()


def _width(most: int) -> int:
    return next(each for each in WIDTHS if most < 1 << 8 * each)


def _planes(column: npt.NDArray[Any], width: int) -> npt.NDArray[np.uint8]:
    """Return the first bytes of all numbers, then the second bytes, and so on."""
    planes: npt.NDArray[np.uint8] = column.astype(f"<u{width}").view(np.uint8).reshape(-1, width).T.ravel()
    return planes


def _wide(data: bytes, width: int) -> npt.NDArray[Any]:
    """Return the numbers of `_planes`."""
    rows = np.frombuffer(data, np.uint8).reshape(width, -1).T
    numbers: npt.NDArray[Any] = rows.copy().view(f"<u{width}").ravel()
    return numbers


def _numbers(gaps: npt.NDArray[Any], lengths: npt.NDArray[Any], count: int, total: int) -> Integers:
    """Return the numbers of ranges, if they ascend, are `count`, and are below `total`; else raise Damaged."""
    if max(int(gaps.max()), int(lengths.max())) > total or int(lengths.sum()) != count or int(gaps.sum()) > total:
        raise Damaged("ranges of impossible numbers")
    firsts, lengths = np.cumsum(gaps.astype(np.int64)), lengths.astype(np.int64)
    if (firsts[1:] <= (firsts + lengths)[:-1]).any() or firsts[-1] + lengths[-1] > total or not lengths.all():
        raise Damaged("ranges that overlap")
    return np.repeat(firsts - np.cumsum(lengths) + lengths, lengths) + np.arange(count)


def _are_sound(records: npt.NDArray[Any]) -> bool:
    """Tell whether these have the numbers of statuses, errors and equalities."""
    sound = np.isin(records["status"], RAN) & (records["error"] < len(ERROR_KINDS))
    return bool((sound & np.isin(records["equal"], list(Equality))).all())
