"""The ops that an image speaks of. Owns the numbers of a user's own ops, and the header that tells native code of them.

Own ops that have native code come after those of the language. A library that serves them is built when they are used.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Sequence
from pathlib import Path

from batt.bytecode.forms import Form, op_form
from batt.bytecode.opcodes import FORMS, OPS_BY_NUMBER, family_rows, table_digest
from batt.ops import Op

OWN_HEADER = "batt_own_table.h"
"""What `native/generated/opcodes.h` includes where BATT_OWN_OPS is defined."""


class Table:
    """Ops by their numbers: those of the language, then own ones with native code, which lies in `folder`.

    `salt` tells apart tables whose ops have the same names and other bodies. What is `refused` keeps its number, which
    stands in no image.
    """

    def __init__(
        self, own: Sequence[Op] = (), folder: Path | None = None, salt: str = "", refused: Container[str] = ()
    ) -> None:
        self.own = tuple(own)
        self.folder = folder
        self.salt = salt
        self.ops = (*OPS_BY_NUMBER, *self.own)
        self.numbers = {each: number for number, each in enumerate(self.ops) if each.name not in refused}
        self._rows = family_rows("own", self.own, len(OPS_BY_NUMBER))
        self._own_digest = zlib.crc32(f"{self._rows}\n{salt}".encode()) if self.own else 0

    @property
    def digest(self) -> int:
        """32 bits that change with any op: code built for another table is refused."""
        return table_digest() ^ self._own_digest

    def form(self, opcode: int) -> Form | None:
        """What an instruction has; None where there is none of that number."""
        if len(OPS_BY_NUMBER) <= opcode < len(self.ops):
            return op_form(self.ops[opcode].arity)
        return FORMS.get(opcode)

    def header(self) -> str:
        """The text of the header that tells native code of the own ops."""
        counted = f"#define BATT_OWN_COUNT {len(self.own)}\n#define BATT_OWN_DIGEST 0x{self._own_digest:08x}u\n"
        return f"// A user's own ops.\n{self._rows}\n{counted}"


STANDARD = Table()
"""The ops of the language alone."""
