"""Blocks of records as bytes: compressed columns of finished evaluations.

A block is a head, a zlib stream, and hashes as they are, which hardly compress. The stream holds the columns one after
the other: the steps from number to number, status, error, equality, differing cells, height, width, and a bit for each
evaluation that has a hash. A column of wide numbers is written byte plane by byte plane, which compresses better, and
only with as many bytes as its largest number needs.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime import ERROR_KINDS, Equality, Status
from batt.runtime.evaluations import Integers
from batt.runtime.outputs import NO_FUNCTIONS, PackedOutputs
from batt.runtime.records import RECORD_TYPE

LEVEL = 1
"""Of zlib. A higher level takes up to twice the time for a few percent of the bytes."""
COLUMNS = ("status", "error", "equal", "differing", "height", "width")
HEAD = struct.Struct(f"<QIIB{len(COLUMNS)}B")
"""The first number, the number of evaluations, that of hashes, and the bytes that a number of each column takes."""
WIDTHS = (1, 2, 4, 8)


class Damaged(Exception):
    """Stored bytes are not what was written."""


def pack_records(numbers: Integers, records: npt.NDArray[Any], with_hash: npt.NDArray[np.bool_]) -> bytes:
    """Return records as bytes. Those that are not in `with_hash` are written without their hash."""
    steps = np.diff(numbers, prepend=numbers[0])
    # As numbers without a sign: 0, -1, 1, -2, 2 …
    columns = [(steps << 1) ^ (steps >> 63), *[records[name] for name in COLUMNS]]
    widths = [_width(int(column.max())) for column in columns]
    planes = [_planes(column, width) for column, width in zip(columns, widths, strict=True)]
    hashes = records["hash"][with_hash]
    head = HEAD.pack(int(numbers[0]), len(numbers), len(hashes), *widths)
    return head + zlib.compress(b"".join([*planes, np.packbits(with_hash).tobytes()]), LEVEL) + hashes.tobytes()


def unpack_records(data: bytes, total: int) -> tuple[Integers, npt.NDArray[Any]]:
    """Return the numbers and records of a block of a run of `total` evaluations; raise Damaged if it is none."""
    if len(data) < HEAD.size:
        raise Damaged("cut off")
    first, count, hashes, *widths = HEAD.unpack(data[: HEAD.size])
    hashes_at = len(data) - 8 * hashes
    if not 0 < count <= total or hashes > count or not {*widths} <= {*WIDTHS} or hashes_at < HEAD.size:
        raise Damaged("a head of impossible numbers")
    bits = -(-count // 8)
    body = inflate(data[HEAD.size : hashes_at], count * sum(widths) + bits)
    columns = []
    at = 0
    for width in widths:
        columns.append(_wide(body[at : at + width * count], width))
        at += width * count
    with_hash = np.unpackbits(np.frombuffer(body, np.uint8, bits, at), count=count).astype(bool)
    signed = columns[0].astype(np.int64)
    numbers = first + np.cumsum((signed >> 1) ^ -(signed & 1))
    records = np.zeros(count, RECORD_TYPE)
    for name, column in zip(COLUMNS, columns[1:], strict=True):
        if column.max() > np.iinfo(records[name].dtype).max:
            raise Damaged(f"a number too large for the column {name}")
        records[name] = column
    if int(with_hash.sum()) != hashes or not _are_sound(numbers, records, total):
        raise Damaged("columns of impossible values")
    records["hash"][with_hash] = np.frombuffer(data, "<u8", hashes, hashes_at)
    return numbers, records


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


def _width(most: int) -> int:
    return next(each for each in WIDTHS if most < 1 << 8 * each)


def _planes(column: npt.NDArray[Any], width: int) -> bytes:
    """Return the first bytes of all numbers, then the second bytes, and so on."""
    planes: bytes = column.astype(f"<u{width}").view(np.uint8).reshape(-1, width).T.tobytes()
    return planes


def _wide(data: bytes, width: int) -> npt.NDArray[Any]:
    """Return the numbers of `_planes`."""
    rows = np.frombuffer(data, np.uint8).reshape(width, -1).T
    numbers: npt.NDArray[Any] = rows.copy().view(f"<u{width}").ravel()
    return numbers


def _are_sound(numbers: Integers, records: npt.NDArray[Any], total: int) -> bool:
    """Tell whether these can be evaluations of a run, each once, with the numbers of statuses, errors, equalities."""
    if numbers.min() < 0 or numbers.max() >= total or len(np.unique(numbers)) < len(numbers):
        return False
    statuses = [each for each in Status if each is not Status.NOT_RUN]
    sound = np.isin(records["status"], statuses) & (records["error"] < len(ERROR_KINDS))
    return bool((sound & np.isin(records["equal"], list(Equality))).all())
