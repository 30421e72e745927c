"""`batt ops`: the table of primitives."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from batt.ops import EVERY_OP, OPS


def test_every_primitive_has_a_line(batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "300")
    ended = batt("ops")
    assert (ended.code, ended.err) == (0, "")
    for op in OPS.values():
        assert f"{op.name}({', '.join(op.params)})" in ended.out
        assert op.doc.split("\n")[0] in ended.out


def test_json_holds_every_primitive_with_its_signatures_and_examples(batt: Callable[..., Any]):
    entries = {entry["name"]: entry for entry in json.loads(batt("ops", "--json").out)}
    assert list(entries) == list(EVERY_OP)
    for name, op in EVERY_OP.items():
        assert entries[name]["family"] == op.family
        assert entries[name]["params"] == list(op.params)
        assert len(entries[name]["signatures"]) == len(op.signatures)
        assert len(entries[name]["examples"]) == len(op.examples) > 0
        assert entries[name]["cost"]


@pytest.mark.parametrize("name", list(OPS))
def test_one_primitive_is_explained_with_its_example(batt: Callable[..., Any], name: str):
    ended = batt("ops", name)
    assert ended.code == 0
    for part in (f"{name}(", OPS[name].doc, "step cost:", f">>> {OPS[name].examples[0].call}"):
        assert part in ended.out


def test_one_primitive_comes_as_a_list_of_one(batt: Callable[..., Any]):
    assert [entry["name"] for entry in json.loads(batt("ops", "vmirror", "--json").out)] == ["vmirror"]


def test_an_unknown_primitive_is_refused_with_what_is_close(refused: Callable[..., str]):
    assert refused("ops", "vmiror").startswith("batt: no primitive 'vmiror'; did you mean vmirror or ")
    assert refused("ops", "xyzzy") == "batt: no primitive 'xyzzy'\n"
    assert refused("ops", "") == "batt: no primitive ''\n"
