"""The page of a run as one file that fetches nothing. Details are compressed blocks, decoded when they are opened."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import Any

from batt.jobs import Results
from batt.jobs.matrix import Matrix, matrix_of
from batt.page.assets import SCRIPTS, STYLES, asset
from batt.page.details import all_details
from batt.page.overview import RunInfo, overview, wall_tasks

DETAILED_TASKS = 1_000
"""The most tasks with details, those with the best state first."""
DETAIL_CHARACTERS = 7_000_000
"""The most characters of all details together, so that the file stays below 10 MB."""
BLOCK = "application/octet-stream"
"""The type of a script element that a browser does not run."""


def page_file(results: Results, info: RunInfo) -> str:
    """Return the page as the text of one file."""
    matrix = matrix_of(results)
    blocks = [_block("overview", packed(overview(results, matrix, info)))]
    blocks += [_block(f"task-{task}", text) for task, text in _detail_blocks(results, matrix)]
    scripts = [asset(name) for name in SCRIPTS]
    styles = [asset(name) for name in STYLES]
    replaced = {
        "title": escape(f"{results.deck.name} on {results.tasks.name}"),
        "policy": escape(_policy(scripts, styles)),
        "styles": "\n".join([f"<style>{text}</style>" for text in styles]),
        "blocks": "\n".join(blocks),
        "scripts": "\n".join([f"<script>{text}</script>" for text in scripts]),
    }
    return filled(asset("page.html"), replaced)


def filled(template: str, values: dict[str, str]) -> str:
    """Return a template with each {{name}} replaced by the value of that name."""
    # One pass: a value may hold what looks like a name.
    parts = template.split("{{")
    made = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}}")
        made += [values[name], rest]
    return "".join(made)


def packed(plain: Any) -> str:
    """Return plain data as compressed JSON in base64, which holds nothing that HTML would read."""
    text = json.dumps(plain, separators=(",", ":"))
    made = zlib.compressobj(9, wbits=-15)
    return b64encode(made.compress(text.encode()) + made.flush()).decode("ascii")


def _detail_blocks(results: Results, matrix: Matrix) -> Iterator[tuple[int, str]]:
    """Yield the positions of tasks and their details, as many as there is room for."""
    states = matrix.tasks
    tasks = sorted(wall_tasks(matrix), key=lambda task: -int(states[task]))[:DETAILED_TASKS]
    room = DETAIL_CHARACTERS
    for task, details in zip(tasks, all_details(results, matrix, tasks), strict=True):
        text = packed(details)
        room -= len(text)
        if room < 0:
            return
        yield task, text


def _block(name: str, text: str) -> str:
    return f'<script type="{BLOCK}" id="{name}">{text}</script>'


def _policy(scripts: list[str], styles: list[str]) -> str:
    """Return a content-security policy that allows exactly these scripts and styles, and no request at all."""
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hashes(texts: list[str]) -> str:
    return " ".join([f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'" for text in texts])
