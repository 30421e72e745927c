"""Find the kinds of the slots of a program: likely ones, and certain ones."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from batt.analysis.domain import CERTAIN, LIKELY, Domain
from batt.analysis.values import FUNCTION, SET, TUPLE, UNKNOWN, AbstractValue
from batt.analysis.walk import Walk
from batt.ir import Literal, Operand, Program
from batt.ir.graph import Builder, Graph, NodeKind, Slice, inputs_of
from batt.ops import Op
from batt.passes.specialize import NotFirstOrder
from batt.passes.specialize.specializer import Specializer
from batt.passes.specialize.values import AlwaysRaises, Data, Group, Symbol, is_function
from batt.types import Kind


@dataclass(frozen=True, slots=True)
class SlotKind:
    """The kind that a slot's value likely has, and the narrowest kind that it certainly has; ANY if none is known."""

    likely: Kind
    certain: Kind


def slot_kinds(program: Program) -> tuple[SlotKind, ...]:
    """Return the kinds of all slots of a solver: its parameters, then its steps.

    A step that always fails has no value: ANY, as for what the compiler cannot follow.
    """
    specializer = Specializer(Builder())
    slots: list[Symbol] = [specializer.leaf(NodeKind.INPUT, name) for name in inputs_of(program.arity)]
    with suppress(AlwaysRaises, NotFirstOrder):
        specializer.fill(program, slots)
    entries = tuple(specializer.frame.entries)
    built = specializer.builder.graph()
    graph = Graph(built.nodes, built.bodies, (Slice("", entries, entries[-1] if entries else 0),))
    found = [_kinds(program, slots, graph, domain) for domain in (LIKELY, CERTAIN)]
    return tuple([SlotKind(likely, certain) for likely, certain in zip(*found, strict=True)])


def _kinds(program: Program, slots: list[Symbol], graph: Graph, domain: Domain) -> list[Kind]:
    values = Walk(graph, domain).top.values
    known: list[AbstractValue] = []
    for slot in slots:
        if isinstance(slot, Data):
            node = graph.nodes[slot.node]
            leaf = domain.constant(node.value) if node.kind is NodeKind.CONST else UNKNOWN
            leaf = domain.input(node.value) if node.kind is NodeKind.INPUT else leaf
            known.append(values.get(slot.node, leaf))
        elif isinstance(slot, Group):
            known.append(SET if slot.is_set else TUPLE)
        else:
            known.append(FUNCTION if is_function(slot) else UNKNOWN)

    def value(operand: Operand) -> AbstractValue:
        return domain.constant(operand.value) if isinstance(operand, Literal) else known[operand.index]

    for step in program.steps[len(slots) - program.arity :]:
        # Where the compiler stopped, only the ops that are called by name tell what they give.
        op = step.callee.value if isinstance(step.callee, Literal) else None
        args = [value(arg) for arg in step.args]
        is_called = isinstance(op, Op) and len(args) == op.arity
        known.append(domain.call(op, args) if is_called and isinstance(op, Op) else UNKNOWN)
    return [each.kind if each.shapes else Kind.ANY for each in known]
