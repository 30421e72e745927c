"""The parts of a page that are run: files to write, sessions, commands; and why others are not."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

PART = re.compile(
    r"(?:^<!-- (?P<kind>file|not run): (?P<why>[^>]+) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
END = "=== end of the command ==="
REASONS = {"GPU", "Slurm", "network"}
"""What a command may need that a test has not: time are hours of a core."""


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


def script(page: str) -> Iterator[str]:
    """Yield lines of shell: the files and commands of a page in order, with the line END after each command.

    Commands that serve a page until an interrupt get one after a while.
    """
    yield "set -e"
    for part in parts(page):
        if part.not_run:
            continue
        if part.file:
            yield f"printf %s {shlex.quote(part.text)} > {part.file}"
        if part.text.startswith("import batt\n"):
            yield f"python -c {shlex.quote(part.text)}"
        for command in commands(part):
            serves = "--serve" in command.text or "--page" in command.text
            yield f"timeout -s INT 60 {command.text} || [[ $? =~ ^(124|130)$ ]]" if serves else command.text
            yield f"echo {shlex.quote(END)}"


def check_printed(page: str, printed: str) -> None:
    """Assert that what the commands of a page printed is what it shows."""
    run = [command for part in parts(page) if not part.not_run for command in commands(part)]
    texts = printed.split(f"{END}\n")
    assert len(texts) == len(run) + 1
    for command, text in zip(run, texts[:-1], strict=True):
        assert re.search(pattern(command.shown), text, re.DOTALL), f"{command.text}\n{text}"


def pattern(shown: str) -> str:
    """Return a pattern for what a page shows: `…` stands for anything."""
    return re.escape(shown.rstrip()).replace("…", ".*")
