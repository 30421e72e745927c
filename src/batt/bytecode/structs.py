"""Structs that Python and native code share: declared in C++, with their types in NumPy and ctypes."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # The worker processes of the reference tier start faster without it.
    import numpy as np

_SCALARS: dict[str, tuple[str, Any]] = {
    "u8": ("u1", ctypes.c_uint8),
    "u32": ("<u4", ctypes.c_uint32),
    "u64": ("<u8", ctypes.c_uint64),
    "i64": ("<i8", ctypes.c_int64),
    "Addr": ("<u8", ctypes.c_uint64),
}
_VALUE = ("<u8", 2)
"""A `Value` of native/core/value.h: 16 bytes that Python does not look into."""
_DECLARATION = re.compile(r"(?P<type>[\w* ]*[\w*]) (?P<names>\w+(?:, \w+)*)(?:\s+// .*)?")


@dataclass(frozen=True)
class Struct:
    """A struct as its declarations in C++: `u64 room, used  // in bytes`.

    A field that is a struct itself, one of `nested`, is in Python one field for each of its own: `budget.steps` is
    `budget_steps`.
    """

    name: str
    note: str
    declarations: tuple[str, ...]
    nested: tuple[Struct, ...] = ()

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Names and types in C++, in order."""
        found: list[tuple[str, str]] = []
        nested = {struct.name: struct for struct in self.nested}
        for each in self.declarations:
            declared = _DECLARATION.fullmatch(each)
            if declared is None:
                raise ValueError(f"no declaration of fields: {each!r}")
            kind = declared["type"]
            for name in declared["names"].split(", "):
                if kind in nested:
                    found += [(f"{name}_{part}", inner) for part, inner in nested[kind].fields]
                else:
                    found.append((name, kind))
        return tuple(found)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type in NumPy, without gaps. C++ asserts its size, so every field is at the same place there."""
        import numpy as np

        return np.dtype([(name, *_numpy(kind)) for name, kind in self.fields])

    @cached_property
    def size_bytes(self) -> int:
        """The size, without gaps."""
        return sum([_size_bytes(kind) for _, kind in self.fields])

    @cached_property
    def ctype_fields(self) -> tuple[tuple[str, Any], ...]:
        """The fields of a structure of ctypes. Addresses are void pointers."""
        pointer = ctypes.c_void_p
        return tuple([(name, pointer if kind.endswith("*") else _SCALARS[kind][1]) for name, kind in self.fields])

    def text(self) -> str:
        """Return the struct in C++."""
        lines = [re.sub(r"^(.*?)(\s+// .*)?$", r"  \1;\2", each) for each in self.declarations]
        size = f'static_assert(sizeof({self.name}) == {self.size_bytes}, "Python counts on it");'
        return "\n".join([f"// {self.note}", f"struct {self.name} {{", *lines, "};", size])


def _size_bytes(kind: str) -> int:
    if kind == "Value":
        return 16
    return ctypes.sizeof(ctypes.c_void_p if kind.endswith("*") else _SCALARS[kind][1])


def _numpy(kind: str) -> tuple[Any, ...]:
    if kind == "Value":
        return _VALUE
    return ("<u8",) if kind.endswith("*") else (_SCALARS[kind][0],)
