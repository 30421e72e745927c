"""Write a schedule as text: the stage, then every body and slice with its instructions."""

from __future__ import annotations

from batt.codegen.plan import VALUED
from batt.codegen.schedule import Action, Instruction, Ref, Schedule, Space
from batt.ir.graph import INPUTS, Graph
from batt.types import form


def text(graph: Graph, made: Schedule) -> str:
    """The schedule for people: the stage, then every body and slice with its instructions."""
    stage = [f"    {_written(graph, made, each.instruction)}  ({each.level.value})" for each in made.stage]
    parts = ["\n".join([f"stage: {len(stage)} entries", *stage])]
    for code in (*made.bodies, *made.slices):
        head = f"{code.name}: {code.slots} slots, {code.counters} counters"
        end = f"    return {_ref(graph, made, code.result)}"
        lines = [f"    {_written(graph, made, each)}" for each in code.instructions]
        parts.append("\n".join([head, *lines, end]))
    return "\n\n".join(parts) + "\n"


def _written(graph: Graph, made: Schedule, each: Instruction) -> str:
    """One instruction: `R2 := objects(I, #1, #0, #0)`."""
    node = graph.nodes[each.node]
    if each.action is Action.RECHARGE:
        return f"charge {_ref(graph, made, each.counter)}"
    operands = ", ".join([_ref(graph, made, operand) for operand in each.operands])
    if node.kind not in VALUED:
        done = f"{node.kind.value} {node.value}" + (f" + items({operands})" if operands else "")
    else:
        bodies = " ".join([f"b{body}" for body in node.bodies])
        done = f"{node.op.name if node.op else node.kind.value}{f'[{bodies}]' if bodies else ''}({operands})"
    targets = ", ".join([_ref(graph, made, ref) for ref in (each.destination, each.counter) if ref])
    return f"{targets} := {done}" if targets else done


def _ref(graph: Graph, made: Schedule, ref: Ref | None) -> str:
    if ref is None:
        return "nothing"
    match ref.space:
        case Space.CONSTANT:
            return f"#{form(graph.nodes[made.constants[ref.number]].value, limit=80)}"
        case Space.INPUT:
            return INPUTS[ref.number]
        case space:
            return f"{space.value}{ref.number}"
