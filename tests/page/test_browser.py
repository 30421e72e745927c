"""The page in a real browser. Left out with a message where Chromium or Playwright is missing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import batt
from batt.front import Deck
from batt.jobs import Results
from batt.page.document import page_file
from batt.page.overview import RunInfo
from batt.page.server import PageServer
from batt.page.sources import StoredSource
from batt.store import state_of
from batt.tasks import Tasks
from page.conftest import HOSTILE

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium"),
]

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
Open = Callable[..., Any]


def wait(page: Any, condition: str, patience_ms: int = 60_000) -> None:
    """Wait until a condition holds. Playwright's own way to wait needs what the page's policy forbids."""
    for _ in range(patience_ms // 50):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


@pytest.fixture(scope="module")
def file(results: Results, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("file") / "page.html"
    path.write_text(page_file(results, RunInfo.of_stored(state_of(folder))))
    return path.as_uri()


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    server = PageServer(StoredSource(folder)).start()
    yield server.address
    server.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Open]:
    """Open a page. At the end of the test, its console must be clean, and nothing fetched from elsewhere."""
    troubles: list[str] = []
    contexts: list[Any] = []

    def opened(address: str, viewport: dict[str, int] = WIDE, scheme: str = "light") -> Any:
        contexts.append(browser.new_context(viewport=viewport, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        own = address if address.startswith("http") else "file:"
        page.on("request", lambda request: request.url.startswith((own, "data:")) or troubles.append(request.url))
        page.goto(address)
        page.wait_for_selector("html[data-ready=yes]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture(params=["file", "served"])
def address(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


def test_a_click_opens_a_task_with_programs_and_steps(visit: Open, address: str):
    page = visit(address)
    assert page.inner_text("#state") == "finished"
    page.click("button[aria-label^='Task mirror']")
    page.wait_for_selector("article.candidate")
    assert "x = vmirror(I)" in page.inner_text("article.candidate pre >> nth=0")
    page.click("text=Steps on train 0 >> nth=0")
    assert "x = vmirror(I)" in page.inner_text("ol.steps >> nth=0")
    assert "2 cells differ" in str(page.get_attribute("article:last-of-type canvas >> nth=0", "aria-label"))


def test_a_solver_is_shown_before_its_helpers(visit: Open, tasks: Tasks, tmp_path: Path):
    source = "def turned(x):\n    return vmirror(x)\n\n\ndef solve_mirror(I):\n    return turned(I)\n"
    results = batt.evaluate(Deck.from_sources({"solve_mirror": source}), tasks, engine="reference")
    (tmp_path / "page.html").write_text(page_file(results, RunInfo("finished")))
    page = visit((tmp_path / "page.html").as_uri())
    page.click("button[aria-label^='Task mirror']")
    page.wait_for_selector("article.candidate")
    assert page.inner_text("article.candidate pre >> nth=0").startswith("def solve_mirror(I):")
    page.click("text=Its helper")
    assert page.inner_text("article.candidate details pre") == "def turned(x):\n    return vmirror(x)"


def test_a_name_that_looks_like_html_stays_text(visit: Open, address: str):
    page = visit(address)
    assert HOSTILE in page.inner_text("#slowest-solvers")
    page.click("button[aria-label^='Task mirror']")
    page.wait_for_selector("article.candidate")
    assert HOSTILE in page.inner_text("#task-body")
    assert page.evaluate("[...document.scripts].filter(each => each.textContent === 'alert(1)').length") == 0


def test_the_keyboard_does_all(visit: Open, address: str):
    page = visit(address)
    page.focus(".tile >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector("article.candidate")
    assert page.inner_text("#task-heading") == "Task mirror"
    page.keyboard.press("ArrowRight")
    wait(page, "document.getElementById('task-heading').textContent === 'Task trap'")
    page.keyboard.press("Escape")
    wait(page, "!document.getElementById('task').open")
    page.focus("#matrix-box")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#matrix-cell") == "solve_fails on trap: failed"
    page.keyboard.press("Enter")
    wait(page, "document.getElementById('task').open")


def test_filters_and_search_choose_tasks(visit: Open, file: str):
    page = visit(file)
    page.fill("#search", "trap")
    assert page.locator(".tile:visible").count() == 1
    page.fill("#search", "")
    page.click("text=Others 0")
    assert page.locator(".tile:visible").count() == 0


def test_an_address_names_a_task(visit: Open, file: str):
    page = visit(f"{file}#task=trap")
    page.wait_for_selector("article.candidate")
    assert page.inner_text("#task-heading") == "Task trap"


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_is_wider_than_the_window(visit: Open, file: str, viewport: dict[str, int]):
    page = visit(file, viewport)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of axe-core, from the npm registry."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    made = npm and subprocess.run([npm, "pack", "--silent", "axe-core@4"], cwd=folder, capture_output=True, text=True)
    if not made or made.returncode:
        pytest.skip("axe-core cannot be fetched with npm")
    with tarfile.open(folder / made.stdout.split()[-1]) as archive:
        found = archive.extractfile("package/axe.min.js")
        assert found
        return found.read().decode()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_page_is_accessible(visit: Open, address: str, axe: str, viewport: dict[str, int], scheme: str):
    page = visit(address, viewport, scheme)
    page.evaluate(axe)
    assert findings(page) == []
    page.click("button[aria-label^='Task mirror']")
    page.wait_for_selector("article.candidate")
    page.click("text=Steps on train 0 >> nth=0")
    assert findings(page) == []


def findings(page: Any) -> list[tuple[str, str]]:
    """What axe-core finds that is serious."""
    found = page.evaluate("axe.run(document)")["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]


def test_the_numbers_of_a_running_run_move(visit: Open):
    command = [sys.executable, "-m", "batt", "run", "--page", "--quiet", "--engine", "reference", "-c", "20"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        try:
            assert run.stderr
            found = re.search(r"http://\S+", run.stderr.readline())
            assert found
            page = visit(found[0])
            read = "Number(document.querySelector('#figures dd').textContent.replaceAll(',', ''))"
            before = page.evaluate(read)
            wait(page, f"{read} > {before}")
            assert page.inner_text("#state") == "running"
            assert "process" in page.inner_text("#load")
            page.wait_for_selector(".tile.state-5", timeout=120_000)
            page.close()
        finally:
            run.terminate()
