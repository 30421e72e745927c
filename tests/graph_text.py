"""Read printed graphs back, so that tests can write graphs as text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from batt.errors import SourceError
from batt.ir.graph import Body, Graph, Node, NodeKind, Slice
from batt.ops import EVERY_OP, Op
from batt.source import Place
from batt.types import Kind, OrderedSet

MAX_NESTING = 200
"""Tuples and sets within one another in a constant; the literals of a deck cannot be nested more deeply."""

# Numbers are short enough for Python to read them at once; longer ints are printed in hexadecimal.
_TOKEN = re.compile(
    r"(?P<space>[ \t\r]+)|(?P<node>%[0-9]{1,9})|(?P<body>@[0-9]{1,9})|(?P<int>-?(?:0x[0-9a-f]+|[0-9]{1,1300}))"
    r'|(?P<word>[^\W\d]\w*)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>->|[=(){}\[\],;:])'
)
_OP_KINDS = (NodeKind.CALL, NodeKind.LOOP)
_WORD_KINDS = (NodeKind.INPUT, NodeKind.SELECT, NodeKind.RAISE)
_INT_KINDS = (NodeKind.ARG, NodeKind.CHARGE, NodeKind.LIMIT)
_KINDS = {kind.value: kind for kind in NodeKind}
_HINTS = {kind.value: kind for kind in Kind}


def from_text(text: str) -> Graph:
    """The graph that a text prints; raises SourceError with line and column where the text is malformed.

    Numbers are names: where some are missing, the gaps are closed. Whether the graph is a good one is not looked at.
    """
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            reader.read(_Line(line, number))
    return reader.graph()


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of a line; its kind is a group of the pattern, or `end`."""

    kind: str
    text: str
    column: int

    @property
    def number(self) -> int:
        """The number of a node or body, or the int."""
        text = self.text.lstrip("%@")
        return int(text, 16 if "x" in text else 10)


class _Line:
    """One line of text, and how far it has been read."""

    def __init__(self, text: str, number: int) -> None:
        self.text = text
        self.number = number
        self.tokens: list[_Token] = []
        self.at = column = 0
        while column < len(text):
            found = _TOKEN.match(text, column)
            if found is None:
                self.fail(f"unexpected {text[column]!a}", _Token("", "", column))
            if found.lastgroup != "space":
                self.tokens.append(_Token(str(found.lastgroup), found.group(), column))
            column = found.end()
        self.tokens.append(_Token("end", "the end of the line", len(text)))

    def fail(self, message: str, token: _Token) -> NoReturn:
        """End the reading at a token."""
        raise SourceError(message, Place("graph", self.number, token.column + 1), self.text)

    @property
    def next(self) -> _Token:
        """The token to be read."""
        return self.tokens[self.at]

    def take(self, kind: str, expected: str) -> _Token:
        """Read a token of that kind."""
        token = self.next
        if token.kind != kind:
            self.fail(f"expected {expected}, got {token.text}", token)
        # The end of the line stays there to be met again.
        self.at += kind != "end"
        return token

    def accept(self, mark: str) -> bool:
        """Read that mark, if it comes next."""
        found = self.next.kind == "mark" and self.next.text == mark
        self.at += found
        return found

    def expect(self, mark: str) -> None:
        """Read that mark."""
        if not self.accept(mark):
            self.fail(f"expected {mark}, got {self.next.text}", self.next)

    def value(self, depth: int = 0) -> Any:
        """Read a constant: an int, None, a tuple or a set."""
        opening = self.next
        if depth > MAX_NESTING:
            self.fail(f"nested deeper than {MAX_NESTING} levels", opening)
        if self.accept("{"):
            return OrderedSet(self._items("}", depth))
        if self.accept("("):
            items = self._items(")", depth)
            if len(items) == 1 and self.tokens[self.at - 2].text != ",":
                self.fail("a tuple of one has a comma: (x,)", opening)
            return tuple(items)
        if opening.text == "None":
            return self.take("word", "None") and None
        return self.take("int", "a constant").number

    def _items(self, closing: str, depth: int) -> list[Any]:
        items: list[Any] = []
        while not self.accept(closing):
            if items:
                self.expect(",")
                if closing == ")" and len(items) == 1 and self.accept(closing):
                    break
            items.append(self.value(depth + 1))
        return items


class _Reader:
    """What the lines so far define and refer to."""

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}
        self.hints: dict[int, Kind] = {}
        self.bodies: dict[int, Body] = {}
        self.slices: list[Slice] = []
        self.references: list[tuple[_Line, _Token]] = []
        self.without_hint: list[_Line] = []

    def read(self, line: _Line) -> None:
        """Read one line."""
        if line.next.kind == "node":
            self._node(line, self._defined(line, self.nodes))
        elif line.next.kind == "body":
            self._body(line, self._defined(line, self.bodies))
        else:
            self._slice(line)
        line.take("end", "the end of the line")

    def graph(self) -> Graph:
        """The graph of all lines, its numbers without gaps."""
        for line, token in self.references:
            if token.number not in (self.nodes if token.kind == "node" else self.bodies):
                line.fail(f"{token.text} is not defined", token)
        if self.hints and self.without_hint:
            self.without_hint[0].fail("no hint, where other nodes have one", self.without_hint[0].next)
        node_places = {number: place for place, number in enumerate(sorted(self.nodes))}
        body_places = {number: place for place, number in enumerate(sorted(self.bodies))}

        def placed(numbers: Sequence[int]) -> tuple[int, ...]:
            return tuple([node_places[number] for number in numbers])

        nodes = [
            node._replace(args=placed(node.args), bodies=tuple([body_places[body] for body in node.bodies]))
            for _, node in sorted(self.nodes.items())
        ]
        bodies = [
            Body(body.params, placed(body.entries), node_places[body.result]) for _, body in sorted(self.bodies.items())
        ]
        slices = [replace(each, entries=placed(each.entries), result=node_places[each.result]) for each in self.slices]
        hints = [hint for _, hint in sorted(self.hints.items())]
        return Graph(tuple(nodes), tuple(bodies), tuple(slices), tuple(hints))

    def _defined(self, line: _Line, known: dict[int, Any]) -> int:
        token = line.take(line.next.kind, "a number")
        if token.number in known:
            line.fail(f"{token.text} is defined twice", token)
        line.expect("=")
        return token.number

    def _reference(self, line: _Line, kind: str) -> int:
        token = line.take(kind, f"a {kind}")
        self.references.append((line, token))
        return token.number

    def _node(self, line: _Line, number: int) -> None:
        word = line.take("word", "a kind of node")
        kind = _KINDS.get(word.text) or line.fail(f"{word.text} is no kind of node", word)
        op, value = self._detail(line, kind)
        bodies = self._bodies(line) if line.accept("[") else ()
        node = Node(kind, op, (), bodies, value)
        if line.accept("("):
            opening = line.at
            node = node._replace(args=self._operands(line))
            commas = [token.text for token in line.tokens[opening : line.at - 1] if token.kind == "mark"]
            if ";" in commas and commas.index(";") + 1 != node.own_operands:
                line.fail(f"a {kind.value} node reads {node.own_operands} operands before the semicolon", word)
        self.nodes[number] = node
        if line.accept(":"):
            hint = line.take("word", "a kind of value")
            self.hints[number] = _HINTS.get(hint.text) or line.fail(f"{hint.text} is no kind of value", hint)
        else:
            self.without_hint.append(line)

    def _detail(self, line: _Line, kind: NodeKind) -> tuple[Op | None, Any]:
        """The op or the value of a node."""
        if kind in _OP_KINDS:
            name = line.take("word", "a primitive")
            return EVERY_OP.get(name.text) or line.fail(f"{name.text} is no primitive", name), None
        if kind in _WORD_KINDS:
            return None, line.take("word", "a word").text
        if kind in _INT_KINDS:
            return None, line.take("int", "an int").number
        return None, line.value() if kind is NodeKind.CONST else None

    def _bodies(self, line: _Line) -> tuple[int, ...]:
        found = [self._reference(line, "body")]
        while not line.accept("]"):
            line.expect(",")
            found.append(self._reference(line, "body"))
        return tuple(found)

    def _operands(self, line: _Line) -> tuple[int, ...]:
        found: list[int] = []
        has_semicolon = False
        while not line.accept(")"):
            if found and not has_semicolon and line.accept(";"):
                has_semicolon = True
            elif found:
                line.expect(",")
            found.append(self._reference(line, "node"))
        return tuple(found)

    def _body(self, line: _Line, number: int) -> None:
        word = line.take("word", "body")
        if word.text != "body":
            line.fail(f"expected body, got {word.text}", word)
        line.expect("(")
        params = line.take("int", "a number of parameters").number
        line.expect(")")
        line.expect(":")
        entries = []
        while not line.accept("->"):
            entries.append(self._reference(line, "node"))
        self.bodies[number] = Body(params, tuple(entries), self._reference(line, "node"))

    def _slice(self, line: _Line) -> None:
        name = self._name(line)
        line.expect(":")
        entries: list[int] = []
        lines: list[int] = []
        while not line.accept("->"):
            if line.next.kind == "int" and len(lines) == len(entries):
                lines.append(line.take("int", "a line").number)
                line.expect(":")
            elif lines:
                lines.append(lines[-1])
            entries.append(self._reference(line, "node"))
        self.slices.append(Slice(name, tuple(entries), self._reference(line, "node"), tuple(lines)))

    def _name(self, line: _Line) -> str:
        if line.next.kind != "quoted":
            return line.take("word", "a node, a body or the name of a slice").text
        token = line.take("quoted", "a name")
        try:
            return str(json.loads(token.text))
        except ValueError:
            line.fail("a name in quotes is written as JSON writes it", token)
