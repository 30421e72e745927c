"""A deck as a page for browsing and as a table."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from batt.front import Deck, load_deck
from batt.report.gallery import DRAWN_PAIRS, gallery_page
from batt.tasks import Tasks, load_tasks, tasks_from_dict
from handmade import MIRROR, SAME, plain_tasks, source

MAX_BYTES_PER_SOLVER = 5_000_000 / 400
EMPTY = {"meta", "input"}


class Parsed(HTMLParser):
    """The elements of a page, each with its attributes and with the text inside it; all must be closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.open: list[tuple[str, list[str]]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text: list[str] = []
        self.elements.append((tag, dict(attrs), text))
        if tag not in EMPTY:
            self.open.append((tag, text))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, text in self.open:
            text.append(data)

    def texts(self, tag: str) -> list[str]:
        """The text of every element of a kind."""
        return ["".join(text) for name, _, text in self.elements if name == tag]

    def values(self, name: str) -> list[str]:
        """The values of an attribute."""
        return [value for _, attributes, _ in self.elements if (value := attributes.get(name)) is not None]


@pytest.fixture(scope="module")
def tasks() -> Tasks:
    return tasks_from_dict(plain_tasks())


def test_every_solver_of_the_built_in_deck_has_a_card_with_its_idea_its_task_and_its_source():
    deck = load_deck()
    page = gallery_page(deck, load_tasks("arc1-training"))
    parsed = Parsed(page)
    assert parsed.texts("h3") == list(deck.names)
    assert parsed.texts("pre") == [solver.source for solver in deck]
    for card, solver in zip(parsed.texts("article"), deck, strict=True):
        assert solver.idea
        assert solver.idea in card
        assert f"{len(solver.program.steps)} step" in card
    assert parsed.texts("article")[0].count("train 0") == 1
    assert len(parsed.texts("svg")) == DRAWN_PAIRS * len(deck)
    assert len(page.encode()) < MAX_BYTES_PER_SOLVER * len(deck)


def test_the_contents_lead_to_every_group_and_solver(tasks: Tasks):
    deck = Deck.from_sources({"solve a/b": source("solve", *MIRROR), "sölve&": source("solve", *SAME)})
    parsed = Parsed(gallery_page(deck, tasks))
    links = [each for each in parsed.values("href") if each.startswith("#")]
    assert sorted(links) == sorted([f"#{each}" for each in parsed.values("id")])
    assert len(set(links)) == 3


def test_text_of_a_deck_never_becomes_markup(tasks: Tasks):
    hostile = '</pre><script>alert("x")</script>'
    text = f"def solve(I):\n    '{hostile}'\n    return vmirror(I)\n"
    deck = Deck.from_sources({hostile: text, "solve_plain": source("solve", *SAME)})
    deck.name = hostile
    parsed = Parsed(gallery_page(deck, tasks))
    plain = Parsed(gallery_page(Deck.from_sources({"solve_plain": source("solve", *SAME)}), tasks))
    assert parsed.texts("script") == plain.texts("script")
    assert parsed.texts("h3") == [hostile, "solve_plain"]
    assert parsed.texts("title")[0] == f"Deck {hostile}"
    assert hostile in parsed.texts("pre")[0]


def test_a_page_loads_nothing(tasks: Tasks):
    parsed = Parsed(gallery_page(Deck.from_sources({"solve_mirror": source("solve", *MIRROR)}), tasks))
    assert parsed.values("src") == []
    assert all(each.startswith("#") for each in parsed.values("href"))
    assert "url(" not in "".join(parsed.texts("style"))


def test_only_a_task_that_is_known_is_drawn(tasks: Tasks):
    deck = Deck.from_sources({name: source("solve", *MIRROR) for name in ("solve_mirror", "solve_other")})
    drawn, other = Parsed(gallery_page(deck, tasks)).texts("article")
    assert "task mirror train 0" in drawn
    assert "task" not in other
