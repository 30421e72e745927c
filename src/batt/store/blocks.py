"""Blocks of records as bytes: compressed columns, in ascending order of the evaluations' numbers.

A block is a head, a zlib stream, and hashes as they are, which hardly compress. The stream holds the columns one after
the other: the steps from number to number, status, error, equality, differing cells, height, width, and a bit for each
evaluation that has a hash. A column of wide numbers is written byte plane by byte plane, which compresses better.
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
HEAD = struct.Struct("<QIIB")
"""The first number, the number of evaluations, that of hashes, and the bytes of a step."""
WIDTHS = (1, 2, 4, 8)

_BYTES = (("status", 1), ("error", 1), ("equal", 1), ("differing", 4), ("height", 2), ("width", 2))


class Damaged(Exception):
    """Stored bytes are not what was written."""


def pack_records(numbers: Integers, records: npt.NDArray[Any], with_hash: npt.NDArray[np.bool_]) -> bytes:
    """Return records as bytes. `numbers` ascend; those not in `with_hash` are written without their hash."""
    steps = np.diff(numbers, prepend=numbers[0])
    most = int(steps.max())
    width = next(each for each in WIDTHS if most < 1 << 8 * each)
    hashes = records["hash"][with_hash]
    columns = [_planes(steps.astype(f"<u{width}"), width)]
    columns += [_planes(records[name], size) for name, size in _BYTES]
    columns.append(np.packbits(with_hash).tobytes())
    head = HEAD.pack(int(numbers[0]), len(numbers), len(hashes), width)
    return head + zlib.compress(b"".join(columns), LEVEL) + hashes.tobytes()


def unpack_records(data: bytes, total: int) -> tuple[Integers, npt.NDArray[Any]]:
    """Return the numbers and records of a block of a run of `total` evaluations; raise Damaged if it is none."""
    if len(data) < HEAD.size:
        raise Damaged("cut off")
    first, count, hashes, width = HEAD.unpack(data[: HEAD.size])
    bits = -(-count // 8)
    size = count * (width + sum([bytes_ for _, bytes_ in _BYTES])) + bits
    hashes_at = len(data) - 8 * hashes
    if not 0 < count <= total or hashes > count or width not in WIDTHS or hashes_at < HEAD.size:
        raise Damaged("a head of impossible numbers")
    body = inflate(data[HEAD.size : hashes_at], size)
    at = width * count
    steps = _wide(body[:at], width)
    steps[0] = 0
    records = np.zeros(count, RECORD_TYPE)
    for name, bytes_ in _BYTES:
        records[name] = _wide(body[at : at + bytes_ * count], bytes_)
        at += bytes_ * count
    with_hash = np.unpackbits(np.frombuffer(body, np.uint8, bits, at), count=count).astype(bool)
    numbers = first + np.cumsum(steps, dtype=np.int64)
    if int(with_hash.sum()) != hashes or numbers[-1] >= total or (steps[1:] == 0).any() or not _are_sound(records):
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


def _planes(column: npt.NDArray[Any], size: int) -> bytes:
    """Return the first bytes of all numbers, then the second bytes, and so on."""
    planes: bytes = np.ascontiguousarray(column).view(np.uint8).reshape(-1, size).T.tobytes()
    return planes


def _wide(data: bytes, size: int) -> npt.NDArray[Any]:
    """Return the numbers of `_planes`."""
    rows = np.frombuffer(data, np.uint8).reshape(size, -1).T
    numbers: npt.NDArray[Any] = rows.copy().view(f"<u{size}").ravel()
    return numbers


def _are_sound(records: npt.NDArray[Any]) -> bool:
    """Tell whether records hold numbers that statuses, errors and equalities have."""
    statuses = [each for each in Status if each is not Status.NOT_RUN]
    sound = np.isin(records["status"], statuses) & (records["error"] < len(ERROR_KINDS))
    return bool((sound & np.isin(records["equal"], list(Equality))).all())
