"""The ops of an image by their numbers, with a user's own ops, and the header that native code reads for those.

Own ops that have native code come after those of the language. A library with them is built when they are used.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Sequence
from pathlib import Path

from batt.bytecode.forms import Form, op_form
from batt.bytecode.opcodes import FORMS, OPS_BY_NUMBER, family_rows, table_digest
from batt.ops import Op

OWN_HEADER = "batt_own_table.h"
"""The header that `native/generated/opcodes.h` includes if BATT_OWN_OPS is defined."""


class Table:
    """Ops by their numbers: those of the language, then own ops with native code, which lies in `folder`.

    `salt` tells apart tables whose ops have the same names but other bodies. An op that is `refused` keeps its number,
    but no image holds it.
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
        """32 bits that change with any op. A library built for another table is refused."""
        return table_digest() ^ self._own_digest

    def form(self, opcode: int) -> Form | None:
        """Return the record of an instruction, or None if no instruction has that number."""
        if len(OPS_BY_NUMBER) <= opcode < len(self.ops):
            return op_form(opcode, self.ops[opcode])
        return FORMS.get(opcode)

    def header(self) -> str:
        """Return the text of the header with the own ops."""
        counted = f"#define BATT_OWN_COUNT {len(self.own)}\n#define BATT_OWN_DIGEST 0x{self._own_digest:08x}u\n"
        return f"// A user's own ops.\n{self._rows}\n{counted}"


STANDARD = Table()
"""The ops of the language alone."""
