"""Keep the images of decks on disk, and find them by the content of the programs.

A file is used only if the native loader accepts its image and its names are those of the programs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from batt.bytecode.image import HEADER_WORDS, ROUTINE_WORDS, Encoded, Image
from batt.bytecode.table import STANDARD, Table
from batt.compiler import verifies
from batt.errors import InternalError
from batt.ir import Helper, Program
from batt.kept import is_kept, kept
from batt.runtime.native import NativeProgram, library
from batt.runtime.options import Options

MADE_BY = (
    *("analysis", "bytecode", "codegen", "compiler", "errors", "importing", "ir", "jobs/images", "jobs/prepare"),
    *("ops", "passes", "source", "types"),
)
"""The code that decides what an image is."""


LEAST_STEPS = 1_000
"""The steps of programs whose image is kept; fewer are encoded as fast as a file is read."""


@dataclass(frozen=True, slots=True)
class ImageFile:
    """An image as it is kept: what `Encoded` and `Image` hold, without the table of ops."""

    words: bytes
    pool: bytes
    slices: tuple[str, ...]
    helpers: Mapping[int, Helper]
    refused: Mapping[str, str]

    @classmethod
    def of(cls, made: Encoded) -> ImageFile:
        """Return an image as it is kept."""
        image = made.image
        return cls(image.words, image.pool, image.slices, dict(image.helpers), dict(made.refused))

    @property
    def encoded(self) -> Encoded:
        """Return the image and where its programs are."""
        image = Image(self.words, self.pool, self.slices, self.helpers)
        return Encoded(image, {name: number for number, name in enumerate(self.slices)}, self.refused)

    def is_sound(self, programs: Mapping[str, Program]) -> bool:
        """Tell whether native code accepts the image, and whether it is one of these programs."""
        if not (isinstance(self.words, bytes) and isinstance(self.pool, bytes) and self._fits(programs)):
            return False
        try:
            program = NativeProgram(library(), self.words, self.pool)
        except InternalError:
            return False
        found = program.slices
        program.close()
        return found == len(self.slices) and self._has_helpers()

    def _fits(self, programs: Mapping[str, Program]) -> bool:
        """Tell whether every program either has a slice or is refused for a reason."""
        if not (isinstance(self.slices, tuple) and isinstance(self.helpers, dict) and isinstance(self.refused, dict)):
            return False
        reasons = all(isinstance(each, str) for each in self.refused.values())
        return reasons and self.slices == tuple([name for name in programs if name not in self.refused])

    def _has_helpers(self) -> bool:
        """Tell whether the routines with a name are those of the helpers. The loader has checked their table."""
        words = np.frombuffer(self.words, "<u4")
        first, count = HEADER_WORDS + int(words[5]), int(words[6])
        rows = words[first : first + ROUTINE_WORDS * count].reshape(-1, ROUTINE_WORDS)
        named = rows[:, 6].nonzero()[0].tolist()
        return sorted(self.helpers) == named and all(
            isinstance(helper := self.helpers[number], Helper)
            and self.pool[int(at) : int(at + size)] == helper.name.encode()
            and helper.arity == params
            for number, (params, at, size) in zip(named, rows[named][:, [2, 5, 6]].tolist(), strict=True)
        )


def keeps_image(programs: Mapping[str, Program], options: Options, table: Table = STANDARD) -> bool:
    """Tell whether the image of these programs is kept: if they are many, and of a deck that is kept itself.

    The programs of a search are new each time. What is verified is made each time.
    """
    if table is not STANDARD or verifies(options.verify):
        return False
    found = programs.values()
    return sum([len(each.steps) for each in found]) >= LEAST_STEPS and all(each.known_digest for each in found)


def kept_image(programs: Mapping[str, Program], options: Options, make: Callable[[], Encoded]) -> Encoded:
    """Return the image of these programs in the form of `options` that was kept, else make it and keep it."""
    content = _content(programs, options)
    return kept(
        ImageFile, MADE_BY, content, lambda: ImageFile.of(make()), lambda found: found.is_sound(programs)
    ).encoded


def has_image(programs: Mapping[str, Program], options: Options) -> bool:
    """Tell whether the image of these programs in the form of `options` is kept already."""
    return keeps_image(programs, options) and is_kept(ImageFile, MADE_BY, _content(programs, options))


def _content(programs: Mapping[str, Program], options: Options) -> list[bytes]:
    form = "direct" if options.compiled is False else "staged" if options.share else "compiled"
    names = [name.encode("utf-8", "surrogatepass") for name in programs]
    return [form.encode(), *names, *[each.known_digest for each in programs.values()]]
