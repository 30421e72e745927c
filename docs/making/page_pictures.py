"""Write the pictures of the page of a run: `make page-pictures`. Needs Playwright, and Chromium on the PATH.

They are pictures of a real run: the built-in deck on the training tasks of ARC-1.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import batt
from batt.page.document import page_file
from batt.page.monitor import RunMonitor
from batt.page.overview import RunInfo

DOCS = Path(__file__).parents[1]
PICTURES = ("page-wall.png", "page-task.png")
WINDOW = {"width": 1200, "height": 720}
TASK = "a699fb00"


def run_page() -> str:
    """Run the deck, and return its page."""
    monitor = RunMonitor()
    results = batt.evaluate("built-in", "arc1-training", engine="cpu", progress=monitor)
    monitor.end()
    return page_file(results, RunInfo("finished", [], [monitor.session()]))


def main() -> None:
    """Write the pictures: the wall, and a task with the steps of a solver."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "page.html"
        file.write_text(run_page(), "utf-8")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(viewport=WINDOW, color_scheme="light").new_page()
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-ready=yes]")
        page.evaluate("document.getElementById('tasks').scrollIntoView()")
        page.wait_for_timeout(500)
        page.screenshot(path=DOCS / PICTURES[0])
        page.set_viewport_size({"width": 1200, "height": 1040})
        page.click(f"button[aria-label^='Task {TASK}']")
        page.click("text=Steps on train 0 >> nth=0")
        page.evaluate("document.querySelector('article.candidate').scrollIntoView()")
        page.wait_for_timeout(500)
        page.screenshot(path=DOCS / PICTURES[1])
        browser.close()


if __name__ == "__main__":
    main()
