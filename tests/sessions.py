"""The examples of a page: files, Python sessions and commands, each with the output that the page shows."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

from batt.cli.main import main
from batt.errors import BattError

BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Example(NamedTuple):
    """Something to run, as the page writes it, and what it shows below."""

    text: str
    shown: str


def blocks(page: str) -> list[tuple[str, str]]:
    """The language and the text of every block of Python or commands."""
    return BLOCK.findall(page)


def examples(block: str) -> Iterator[Example]:
    """The examples of a session: lines that begin with `>>>`, `...` or `$`, and the lines up to the next one."""
    for part in re.split(r"^(?=>>> |\$ )", block, flags=re.MULTILINE):
        if part:
            given = re.match(r"(?:(?:>>>|\.\.\.|\$)(?: .*)?\n)+", part)
            assert given, f"not an example: {part!r}"
            yield Example(given[0], part[given.end() :])


def output(text: str, names: dict[str, Any]) -> str:
    """Run an example, and return what it prints; an error of batt prints its kind and message, as Python does."""
    printed = io.StringIO()
    if text.startswith("$ "):
        with redirect_stdout(printed), redirect_stderr(io.StringIO()):
            assert main(shlex.split(text)[2:]) == 0
        return printed.getvalue()
    source = "".join([line[4:] or "\n" for line in text.splitlines(keepends=True)])
    with redirect_stdout(printed):
        try:
            exec(compile(source, "<page>", "single"), names)
        except BattError as error:
            print(f"{type(error).__module__}.{type(error).__name__}: {error}")
    return printed.getvalue()
