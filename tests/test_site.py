"""The site of the documentation is built without a warning, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("material", reason="MkDocs Material is not installed: pip install '.[test]'")

ROOT = Path(__file__).parents[1]
LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\" >]+)|<link\b[^>]*\bhref=\"?([^\" >]+)")
"""What a browser loads by itself: scripts, pictures, style sheets, icons."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. Broken links, missing headings and pages outside the navigation are errors."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    ended = subprocess.run(
        [*command, "-f", ROOT / "docs" / "site" / "mkdocs.yml", "-d", folder],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


def test_every_page_is_in_the_site(site: Path):
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} | {"index", "CONTRIBUTING", "CHANGELOG"}
    assert {page.stem for page in site.glob("*.html")} == pages | {"404"}


def test_the_front_page_is_the_readme(site: Path):
    (title,) = re.findall(r"^# (.*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert re.search(rf"<h1[^>]*>{title}", (site / "index.html").read_text("utf-8"))


def test_nothing_is_loaded_from_elsewhere(site: Path):
    pages = [page for page in site.rglob("*.html") if page.name != "404.html"]
    loaded = [(page, "".join(each)) for page in pages for each in LOADED.findall(page.read_text("utf-8"))]
    assert len(loaded) > 5 * len(pages)
    assert [name for _, name in loaded if "//" in name] == []
    files = [
        (page.parent / re.sub(r"[?#].*", "", name)).resolve() for page, name in loaded if not name.startswith("data:")
    ]
    assert [file for file in files if not file.exists()] == []
