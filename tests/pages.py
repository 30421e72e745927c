"""The parts of a page that are run: files to write, sessions, commands; and why others are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

PART = re.compile(
    r"(?:^<!-- (?P<kind>file|not run): (?P<why>[^>]+) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
REASONS = {"GPU", "Slurm", "network"}
"""What a command may need that a test has not."""


class Part(NamedTuple):
    """A block of a page: its language and text, the file that it is, and why no test can run it."""

    language: str
    text: str
    file: str = ""
    not_run: str = ""


class Command(NamedTuple):
    """A command of a page, and what the page shows below it."""

    text: str
    shown: str = ""


def parts(page: str) -> Iterator[Part]:
    """Yield the blocks of a page in order."""
    for found in PART.finditer(page):
        why = found["why"] or ""
        file, not_run = (why, "") if found["kind"] == "file" else ("", why)
        yield Part(found["language"], found["text"], file, not_run)


def commands(part: Part) -> list[Command]:
    """Return the commands of a block: the lines of `sh`, and those of `console` after a `$`; a backslash joins two."""
    if part.language == "sh":
        lines = part.text.replace("\\\n", " ").splitlines()
        return [Command(re.sub(r"\s{2,}#.*", "", line).strip()) for line in lines if line.strip()]
    if part.language != "console":
        return []
    pieces = re.split(r"^\$ ", part.text, flags=re.MULTILINE)[1:]
    return [Command(*(piece.partition("\n")[::2])) for piece in pieces]


def pattern(shown: str) -> str:
    """Return a pattern for what a page shows: `…` stands for anything."""
    return re.escape(shown.rstrip()).replace("…", ".*")
