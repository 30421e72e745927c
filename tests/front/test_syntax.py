"""Text is cut and parsed piece by piece, within limits."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batt.errors import SourceError
from batt.front import syntax
from batt.front.syntax import MAX_LINE_CHARS, MAX_PIECE_LINES, Piece, cut, parse, parse_all

GOOD = "def solve_a(I):\n    return I\n"


def pieces(text: str) -> list[str]:
    return [piece.text for piece in cut(text, "deck.py")]


def mistake_of(text: str, lines_before: int = 0) -> SourceError:
    parsed = parse(Piece("deck.py", text, lines_before))
    assert isinstance(parsed, SourceError)
    return parsed


def test_a_text_is_cut_before_each_top_level_definition():
    head, a, b = "from dsl import *\n\n", GOOD + "\n\n", "def solve_b(I):\n    return I"
    assert pieces(head + a + b) == [head, a, b]


def test_pieces_know_how_many_lines_stand_before_them():
    found = list(cut("# 1\n# 2\n" + GOOD + "\n" + GOOD, "deck.py"))
    assert [piece.lines_before for piece in found] == [0, 2, 5]
    assert {piece.file for piece in found} == {"deck.py"}


@pytest.mark.parametrize("keyword", ["class A:\n    x = 1\n", "async def f(I):\n    return I\n"])
def test_classes_and_async_definitions_are_pieces_of_their_own(keyword: str):
    assert pieces(GOOD + keyword + GOOD) == [GOOD, keyword, GOOD]


def test_nothing_is_cut_from_an_empty_text():
    assert pieces("") == []


@pytest.mark.parametrize("name", ["define(I)", "defx = 1", "classes = 1", "asyncx = 2", "    def inner(I):\n"])
def test_other_lines_are_no_cut(name: str):
    assert pieces(f"{GOOD}{name}\n") == [f"{GOOD}{name}\n"]


def test_decorators_stay_with_their_definition():
    decorated = "@a\n@b(1,\n2)\n" + GOOD
    assert pieces(GOOD + decorated + GOOD) == [GOOD, decorated, GOOD]


def test_a_decorator_at_the_end_of_a_text_is_a_piece():
    assert pieces(GOOD + "@a\n@b\n") == [GOOD, "@a\n@b\n"]


@pytest.mark.parametrize(
    "opaque",
    [
        '"""\ndef x\n"""',
        "'''\ndef x\n@y\nclass z\n'''",
        '"""\\"""\ndef x\n"""',
        '""""\ndef x\n"""',
        '"""\n\'\'\'\ndef x\n"""',
        "r'''\\'''\ndef x\n'''",
        "'a\\\ndef x'",
        '"\'" """\ndef x\n"""',
        '# it\'s\n    """\ndef x\n"""',
        "'#' '''\ndef x\n'''",
        "'' '''\ndef x\n'''",
    ],
)
def test_a_definition_inside_a_string_is_no_cut(opaque: str):
    definition = f"def solve_a(I):\n    {opaque}\n    return I\n"
    assert pieces(definition + GOOD) == [definition, GOOD]
    assert all(isinstance(parsed, list) for _, parsed in parse_all(definition + GOOD, "deck.py"))


@pytest.mark.parametrize("line", ["# it's", '# """', "x = 'open", 'x = "open', "x = 'a\\\\' # '", 'x = \'"""\''])
def test_comments_and_strings_of_one_line_end_with_it(line: str):
    assert pieces(f"{line}\n{GOOD}") == [f"{line}\n", GOOD]


def test_a_string_that_is_never_closed_takes_the_rest():
    text = f'def solve_b(I):\n    """\n    return I\n{GOOD}'
    assert pieces(GOOD + text) == [GOOD, text]
    mistake = mistake_of(text, lines_before=2)
    assert str(mistake.place) == "deck.py:4:5"
    # Python counts lines from the start of the piece, a person from the start of the file.
    assert mistake.message.startswith("unterminated triple-quoted string literal (detected at line ")
    assert int(mistake.message.rpartition(" ")[2].rstrip(")")) >= 7


SOUP = st.lists(
    st.sampled_from(['"""', "'''", '"', "'", "#", "\\", "\n", "\ndef f(I):\n", "\n@d\n", "\nclass A:\n", " ", "x", "("])
).map("".join)


@given(SOUP)
def test_pieces_together_are_the_text_and_know_their_lines(text: str):
    lines = 0
    for piece in cut(text, "f"):
        assert piece.text
        assert piece.lines_before == lines
        lines += piece.text.count("\n")
    assert "".join(pieces(text)) == text


@given(SOUP)
@example('"""\n"""\\"""')
def test_any_text_is_statements_or_one_mistake_within_it(text: str):
    for piece, parsed in parse_all(text, "f"):
        if isinstance(parsed, SourceError):
            assert 0 < parsed.place.line - piece.lines_before <= len(piece.lines)
            assert 0 < parsed.place.column <= len(parsed.line) + 1


DOCSTRING = st.lists(st.sampled_from(["\ndef f", "\n@x", "a", "'", '"', "\\\\", "\\'", '\\"', "#", " "]))


@given(st.lists(st.tuples(DOCSTRING, st.sampled_from(['"', "'"])), min_size=1, max_size=5))
def test_the_statements_of_all_pieces_are_those_of_the_text(docs: list[tuple[list[str], str]]):
    closed = [("".join([part for part in parts if part != quote]), quote * 3) for parts, quote in docs]
    texts = [f"def f(I):\n    {quotes}{doc}{quotes}\n    return I\n" for doc, quotes in closed]
    text = "K = 1  # it's\n".join(texts)
    found = [node for piece in cut(text, "f") for node in ast.parse(piece.text).body]
    assert [ast.dump(node) for node in found] == [ast.dump(node) for node in ast.parse(text).body]


@pytest.mark.parametrize("text", [GOOD.replace("\n", "\r\n"), GOOD.replace("\n", "\r"), "\ufeff" + GOOD])
def test_line_ends_and_byte_order_marks_do_not_matter(text: str):
    assert [piece.text for piece, _ in parse_all(text, "deck.py")] == [GOOD]


def test_what_python_warns_of_is_not_our_concern():
    assert isinstance(parse(Piece("f", "def f(I):\n    '\\d'\n    return 1(I)\n", 0)), list)


@pytest.mark.parametrize(
    ("text", "place", "message", "line"),
    [
        ("x = (\n", "1:5", "'(' was never closed", "x = ("),
        ("x = )\n", "1:5", "unmatched ')'", "x = )"),
        ("def f(I):\n    x = I I\n", "2:11", "invalid syntax", "    x = I I"),
        ("é = ñ ü\n", "1:7", "invalid syntax", "é = ñ ü"),
        ("def f(I):\n\tx = $\n", "2:6", "invalid syntax", "\tx = $"),
        ("x = 'a\n", "1:5", "unterminated string literal (detected at line 1)", "x = 'a"),
        ("def f(I):\n  x = 1\n y = 1\n", "3:7", "unindent does not match any outer indentation level", " y = 1"),
        ("x = 1\n y = 1\n", "2:1", "unexpected indent", " y = 1"),
    ],
)
def test_what_is_not_python_is_told_in_its_words(text: str, place: str, message: str, line: str):
    mistake = mistake_of(text)
    assert str(mistake.place) == f"deck.py:{place}"
    assert mistake.message == message
    assert mistake.line == line


def test_a_definition_without_a_body_is_told_at_its_own_end():
    mistake = mistake_of("def f(I):\n\n\n", lines_before=40)
    assert str(mistake.place) == "deck.py:41:10"
    assert mistake.line == "def f(I):"
    assert mistake.message == "expected an indented block after function definition on line 41"


def test_line_numbers_in_pythons_words_count_from_the_start_of_the_file():
    mistake = mistake_of("x = (\n[1)\n", lines_before=40)
    assert mistake.message == "closing parenthesis ')' does not match opening parenthesis '['"
    mistake = mistake_of("x = [\n1)\n", lines_before=40)
    assert mistake.message == "closing parenthesis ')' does not match opening parenthesis '[' on line 41"
    assert str(mistake.place) == "deck.py:42:2"


@pytest.mark.parametrize(
    ("odd", "shown"),
    [
        ("\0", r"'\x00'"),
        ("\x07", r"'\x07'"),
        ("\x0b", r"'\x0b'"),
        ("\x1b", r"'\x1b'"),
        ("\x7f", r"'\x7f'"),
        ("\x9b", r"'\x9b'"),
        ("\u202e", r"'\u202e'"),
        ("\u2066", r"'\u2066'"),
        ("\ud800", r"'\ud800'"),
        ("\udfff", r"'\udfff'"),
    ],
)
def test_characters_that_are_not_text_are_told_with_their_place(odd: str, shown: str):
    mistake = mistake_of(f"def f(I):\n    é = I{odd}\n", lines_before=7)
    assert str(mistake.place) == "deck.py:9:10"
    assert mistake.message == f"the character {shown} is not text"


def test_controls_of_a_terminal_are_refused_in_comments_and_docstrings():
    for text in ('def f(I):\n    """\x1b]0;x\x07"""\n    return I\n', "def f(I):\n    return I  # \x9b2J\n"):
        assert "is not text" in mistake_of(text, lines_before=0).message


def test_tabs_form_feeds_and_marks_of_direction_are_text():
    text = 'def f(I):\n\f\n    """\u200f\t\u200e"""\n    return\tI\n'
    assert isinstance(parse(Piece("deck.py", text, 0)), list)


@pytest.mark.parametrize("digits", [4_301, 9_000])
def test_an_integer_that_python_does_not_read_is_told_as_too_wide(digits: int):
    mistake = mistake_of(f"def f(I):\n    x = {'1' * digits}\n", lines_before=3)
    assert mistake.message == "the integer does not fit in 64 bits"
    assert str(mistake.place) == "deck.py:5:9"


def test_expressions_too_deep_for_python_are_told_at_the_longest_line():
    mistake = mistake_of(f"def f(I):\n    x = {'-' * 9_000}1\n", lines_before=3)
    assert str(mistake.place) == "deck.py:5:1"
    assert mistake.message == "expressions are nested too deeply"


def test_a_line_may_be_as_long_as_the_limit():
    assert isinstance(parse(Piece("f", f"x = 1 #{'x' * (MAX_LINE_CHARS - 7)}\n" * 2, 0)), list)


def test_a_longer_line_is_refused():
    mistake = mistake_of(f"y = 1\nx = 1 #{'x' * (MAX_LINE_CHARS - 6)}\n", lines_before=1)
    assert str(mistake.place) == "deck.py:3:1"
    assert mistake.message == "line of 10,001 characters; the limit is 10,000"


def test_a_definition_of_too_many_lines_is_refused():
    assert isinstance(parse(Piece("f", "x = 1\n" * MAX_PIECE_LINES, 0)), list)
    mistake = mistake_of("x = 1\n" * (MAX_PIECE_LINES + 1), lines_before=1)
    assert str(mistake.place) == "deck.py:2:1"
    assert mistake.message == "definition larger than 20,000 lines or 2,000,000 characters"


def test_a_definition_of_too_many_characters_is_refused():
    mistake = mistake_of((f"x = 1 #{'x' * 1_000}\n") * 2_000)
    assert mistake.message == "definition larger than 20,000 lines or 2,000,000 characters"


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_definition_that_is_too_large_because_of_an_open_string_says_so(quotes: str):
    text = f"def f(I):\n    {quotes}open\n" + GOOD * MAX_PIECE_LINES
    mistakes = [parsed for _, parsed in parse_all(GOOD + text, "deck.py") if isinstance(parsed, SourceError)]
    assert [str(mistake).split("\n")[0] for mistake in mistakes] == [
        "deck.py:3:1: definition larger than 20,000 lines or 2,000,000 characters; is a string left open?"
    ]


@pytest.mark.parametrize("link", ["(I)(I)\n", ".a.a.a\n", "+1+1+1\n", "(')')()\n", "# )))\n()"])
def test_a_statement_over_many_lines_has_a_limit(link: str):
    count = syntax.MAX_STATEMENT_CHARS // len(link) + 10
    for opening, closing in (("(", ")"), ("((", "))"), ("[{", "}]")):
        mistake = mistake_of(f"x = 1\ny = 1\nx = {opening}I\n{link * count}{closing}\n")
        assert str(mistake.place) == "deck.py:3:1"
        assert mistake.message.startswith("statement of 100,")
        assert mistake.message.endswith(" characters; the limit is 100,000")


def test_a_statement_continued_by_backslashes_has_the_same_limit():
    mistake = mistake_of("x = I\\\n" + "(I)\\\n" * 20_000)
    assert mistake.message.startswith("definition larger than 20,000 lines")
    mistake = mistake_of("x = I\\\n" + "(I)(I)(I)(I)\\\n" * 10_000)
    assert mistake.message.startswith("statement of 140,")


def test_many_statements_may_be_longer_together_than_one():
    text = "def f(I):\n    x = (I,\n    '''\n(((''', # (\n    )\n"
    assert isinstance(parse(Piece("f", text * 3_000, 0)), list)


def test_a_piece_holds_just_one_definition_when_asked():
    text = "\n@a(\n1)\ndef f(I):\n    return I\n\nK = 1\n"
    piece = Piece("deck.py", text, 10)
    parsed = parse(piece)
    assert isinstance(parsed, list)
    assert isinstance(parsed[0], ast.FunctionDef)
    assert piece.only(parsed[0]) == Piece("deck.py", "@a(\n1)\ndef f(I):\n    return I", 11)


def test_places_count_characters_where_trees_count_bytes():
    piece = Piece("deck.py", "é = 'ü', x, y\n", 3)
    parsed = parse(piece)
    assert isinstance(parsed, list)
    names = [node for node in ast.walk(parsed[0]) if isinstance(node, ast.Name)]
    assert {name.id: str(piece.place_of(name)) for name in names} == {
        "é": "deck.py:4:1",
        "x": "deck.py:4:10",
        "y": "deck.py:4:13",
    }
