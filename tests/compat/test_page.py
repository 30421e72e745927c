"""The examples of the page about the legacy names give what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

from native_library import needs_library

PAGE = Path(__file__).parents[2] / "docs" / "compat.md"


@needs_library
def test_every_example_gives_what_the_page_says():
    text = PAGE.read_text("utf-8").replace("```python\n", "\n").replace("```\n", "\n")
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) > 50
    told: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=told.append)
    assert results.failed == 0, "".join(told)
