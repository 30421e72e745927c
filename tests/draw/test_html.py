"""HTML for notebooks is a fragment, HTML for files a whole page."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from batt.draw import Picture, Scene, html, svg
from batt.draw.html import FITTING, html_page
from scenes import value_scene


class Tags(HTMLParser):
    """The tags that a document opens, and the text of its title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)

    def handle_data(self, data: str) -> None:
        self.title += data if self.opened[-1:] == ["title"] and "svg" not in self.opened else ""


def test_a_fragment_holds_the_drawing_and_shrinks_with_the_page() -> None:
    scene = value_scene(((1,),), "<x>")
    assert svg(scene, FITTING) in html(scene)
    assert "<x>" not in html(scene)
    assert Tags(html(scene)).opened[:2] == ["div", "svg"]


def test_a_page_has_a_head_with_its_encoding_and_title() -> None:
    page = html_page(Scene("a <b> on 1 × 2", value_scene(1).rows))
    assert page.startswith("<!DOCTYPE html>")
    tags = Tags(page)
    assert tags.opened[:5] == ["html", "head", "meta", "title", "body"]
    assert tags.title.strip() == "a <b> on 1 × 2"
    assert page.index('<meta charset="utf-8">') < page.index("×")


def test_a_saved_file_is_a_page_and_a_notebook_gets_the_fragment(tmp_path: Path) -> None:
    picture = Picture(value_scene(((1, 2),)))
    picture.save(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text("utf-8")
    assert page == html_page(picture.scene)
    assert picture._repr_html_() in page
    assert "<html" not in picture._repr_html_()
