"""Graphs and images that are verified as they are compiled, where that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import batt.analysis.infer
import batt.compiler
import batt.passes.simplify
import batt.passes.specialize
from batt.bytecode.image import Image, ImageBuilder
from batt.check.engines import ENGINES, Engine
from batt.codegen.plan import StagePlan
from batt.compiler import compile_deck, encode_programs
from batt.errors import InternalError
from batt.ir.graph import Graph, Node, NodeKind
from batt.jobs.prepare import prepare
from batt.runtime.options import Options
from encoding import encode_deck
from handmade import deck
from native_library import needs_library

SOLVER = deck(solve_a=("x = vmirror(I)",))


PASSES = {"specialize": batt.passes.specialize, "simplify": batt.passes.simplify, "infer": batt.analysis.infer}


@pytest.fixture(params=PASSES)
def bad_pass(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that leaves a node behind which nothing reads."""
    home = PASSES[request.param]
    run: Callable[..., Any] = getattr(home, request.param)

    def broken(graph: Graph) -> Graph:
        return replace(graph, nodes=(*graph.nodes, Node(NodeKind.TUPLE)))

    def bad(given: Any) -> Any:
        made = run(given)
        return replace(made, graph=broken(made.graph)) if request.param == "specialize" else broken(made)

    monkeypatch.setattr(home, request.param, bad)


@pytest.fixture
def bad_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A builder of images whose last routine returns a slot that is not there."""
    image = ImageBuilder.image

    def bad(self: ImageBuilder) -> Image:
        made = image(self)
        return replace(made, words=made.words[:-4] + (65536).to_bytes(4, "little"))

    monkeypatch.setattr(ImageBuilder, "image", bad)


@pytest.fixture
def not_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users have it."""
    monkeypatch.setattr(batt.compiler, "VERIFY", False)


def test_what_tests_compile_is_verified():
    assert batt.compiler.VERIFY


@pytest.mark.usefixtures("bad_pass")
def test_a_pass_that_breaks_a_rule_is_found():
    with pytest.raises(InternalError, match=r"not a .* graph: "):
        compile_deck(SOLVER)


@pytest.mark.usefixtures("bad_pass", "not_by_default")
def test_a_graph_is_not_looked_at_unless_asked_for():
    compile_deck(SOLVER)
    with pytest.raises(InternalError, match=r"not a .* graph: "):
        compile_deck(SOLVER, verify=True)


@pytest.mark.usefixtures("bad_builder", "not_by_default")
def test_an_image_is_verified_where_asked_for():
    programs = SOLVER.programs
    made = compile_deck(SOLVER)
    encode_deck(made, StagePlan())
    encode_programs(programs)
    for compiled in (True, False):
        prepare(programs, Options(compiled=compiled, share=False))
        with pytest.raises(InternalError, match=r"bad image: .*: no slot 65536"):
            prepare(programs, Options(compiled=compiled, share=False, verify=True))
    with pytest.raises(InternalError, match=r"bad image: .*: no slot 65536"):
        encode_programs(programs, verify=True)
    with pytest.raises(InternalError, match=r"bad image: .*: no slot 65536"):
        encode_deck(made, StagePlan(), verify=True)


@needs_library
@pytest.mark.usefixtures("bad_builder", "not_by_default")
@pytest.mark.parametrize("engine", [ENGINES[name] for name in ("cpu", "cpu-noshare", "cpu-direct")])
def test_comparing_engines_verifies_what_it_compiles(engine: Engine):
    with pytest.raises(InternalError, match="bad image: "):
        engine.open(SOLVER, [])
