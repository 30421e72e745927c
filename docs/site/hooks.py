"""Put the pages of the root folder into the site, the README as its front page."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md"}
"""Where a page of the root folder is in the site."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root folder, with links that are right within the site."""
    for source, target in PAGES.items():
        text = (ROOT / source).read_text("utf-8").replace("](docs/", "](").replace("](README.md", "](index.md")
        files.append(File.generated(config, target, content=text))
    return files
