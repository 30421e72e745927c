"""The sessions and rows that pages show are those that batt prints."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import sessions
from batt.bench.frozen import first_132
from native_library import needs_library

ROOT = Path(__file__).parents[1]

BEFORE = {
    "README.md": "from batt.bench.frozen import first_132; first_132().save('solvers.py')",
    "docs/cache.md": (
        "import batt; from pathlib import Path; from batt.bench.frozen import first_132;"
        "first_132()[:2].save('solvers.py')"
    ),
    "docs/card.md": "import batt; S = batt.load_tasks('arc1-training')['007bbfb7'].demonstrations; I, C = S[0]",
    "docs/differences.md": "from batt.dsl import *",
    "docs/differs.md": "import batt; from batt.bench.frozen import first_132; "
    "deck, tasks = first_132(), batt.load_tasks('arc1-training')[:1]",
    "docs/exports.md": (
        "import batt; from batt.bench.frozen import first_132; deck = first_132()[:30];"
        "tasks = batt.load_tasks('arc1-training').select([name.removeprefix('solve_') for name in deck.names[:8]])"
    ),
    "docs/infer.md": "import batt",
    "docs/interface.md": "",
    "docs/learn.md": "from batt.dsl import *",
    "docs/runs.md": (
        "import batt; from batt.store import Session; deck = batt.load_deck()[:20];"
        "tasks = batt.load_tasks('arc1-training').select([name.removeprefix('solve_') for name in deck.names[:12]]);"
        "session = Session.begin('results', deck, tasks); session.evaluate(); session.__exit__()"
    ),
    "docs/solve.md": (
        "import batt, json; from pathlib import Path; Path('tasks').mkdir();"
        "task = batt.load_tasks('arc1-training')['00d62c1b'];"
        "halves = {'train': task.train, 'test': task.test};"
        "plain = {name: [{'input': p.input, 'output': p.output} for p in pairs] for name, pairs in halves.items()};"
        "_ = Path('tasks/00d62c1b.json').write_text(json.dumps(plain))"
    ),
    "docs/states.md": (
        "import batt; from batt.bench.frozen import first_132;"
        "deck, task = first_132()[:15], batt.load_tasks('arc1-training')['05f2a901']"
    ),
    "docs/statistics.md": "import batt",
    "docs/submissions.md": (
        "import batt, json; from pathlib import Path;"
        "deck, tasks = batt.load_deck()[:20], batt.load_tasks('arc1-training')[:12];"
        "plain = {task.id: {'train': [{'input': p.input, 'output': p.output} for p in task.train],"
        " 'test': [{'input': p.input} for p in task.test]} for task in tasks};"
        "_ = Path('arc-agi_test_challenges.json').write_text(json.dumps(plain))"
    ),
    "docs/tasks.md": "import batt; answer = ((1, 0), (2, 3))",
}
"""What a page takes to be there, by page."""

WITH_COMMANDS = ("docs/exports.md", "docs/submissions.md")
"""Pages whose commands are run, too."""

LONG = ("docs/solve.md",)
"""Pages whose sessions take more than a few seconds."""


def shown_as(text: str) -> str:
    """A pattern for what a page shows: `…` stands for anything, and a GPU may have done the work."""
    text = re.sub(r"^Batt GPU: .*\n", "", text, flags=re.MULTILINE).rstrip()
    return re.escape(text).replace("…", ".*").replace("cpu>", "(cpu|cuda)>")


@needs_library
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.slow) if page in LONG else page for page in BEFORE]
)
def test_a_session_prints_what_the_page_shows(page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "cache"))
    if page == "docs/card.md":
        first_132().save("solvers.py")
        sessions.output("$ batt card --deck solvers.py --ids 25ff71a9 2dee498d 44f52bb0 27a28665 -f my_batt.py\n", {})
    names: dict[str, Any] = {}
    exec(BEFORE[page], names)
    text = (ROOT / page).read_text("utf-8")
    shown = [block for _, block in sessions.blocks(text) if block.startswith(">>> ") or page in WITH_COMMANDS]
    run = [each for block in shown for each in sessions.examples(block)]
    assert run
    for each in run:
        printed = sessions.output(each.text, names)
        if each.shown:
            assert re.fullmatch(shown_as(each.shown), printed.rstrip(), re.DOTALL), each.text
    # The module that the session of the cards imports is gone with its folder.
    sys.modules.pop("my_batt", None)


@pytest.mark.parametrize(("page", "differs"), [("docs/results.md", ""), ("docs/differs.md", "--differs equal,cells")])
def test_a_row_on_a_page_is_one_that_a_run_exports(page: str, differs: str):
    (row,) = re.findall(r"^```json\n(.*\n)```$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    exported = sessions.output(f"$ batt run --ids 007bbfb7 {differs} --export -\n", {})
    assert re.search(rf"^{shown_as(row)}", exported, re.MULTILINE)
