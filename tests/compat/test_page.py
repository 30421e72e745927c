"""The examples of the pages about legacy names and lazy batches give what these say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from native_library import needs_library

DOCS = Path(__file__).parents[2] / "docs"


@needs_library
@pytest.mark.parametrize(("page", "count"), [("compat.md", 40), ("lazy.md", 15)])
def test_every_example_gives_what_the_page_says(page: str, count: int):
    path = DOCS / page
    text = path.read_text("utf-8").replace("```python\n", "\n").replace("```\n", "\n")
    examples = doctest.DocTestParser().get_doctest(text, {}, page, str(path), 0)
    assert len(examples.examples) >= count
    told: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=told.append)
    assert results.failed == 0, "".join(told)
