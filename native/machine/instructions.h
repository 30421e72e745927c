// Instructions as they stand in the code, their operands, and routines that need no frame.
#pragma once
#include "frames.h"
#include "kernels.h"

namespace batt {

struct Instruction {
  u32 code, operands, target, counter, immediates;
  Addr at;  // of the immediates; the operands follow them
};

BATT_FN Instruction read_instruction(Machine& m, u32 pc) {
  Addr at = m.program.code + 4ull * pc;
  u32 head = mem<u32>(m.vm, at, 0);
  return Instruction{head & 0xffffu, head >> 16, mem<u32>(m.vm, at, 1), mem<u32>(m.vm, at, 2), mem<u32>(m.vm, at, 3), at + 16};
}

BATT_FN u32 immediate(Machine& m, const Instruction& i, u32 k) { return mem<u32>(m.vm, i.at, k); }
BATT_FN i64 immediate64(Machine& m, const Instruction& i) {
  return static_cast<i64>(immediate(m, i, 0) | static_cast<u64>(immediate(m, i, 1)) << 32);
}

BATT_FN Value operand(Machine& m, Registers r, const Instruction& i, u32 k) {
  u32 word = mem<u32>(m.vm, i.at, i.immediates + k), index = word & 0x0fffffffu;
  switch (word >> 28) {
    case SLOT: return stacked(m, r.slots + index);
    case CONSTANT: return mem<Value>(m.vm, m.program.constants, index);
    case INPUT: return m.inputs[index];
    case ARGUMENT: return stacked(m, r.base + index);
    default: return mem<Value>(m.vm, m.stage_values, index);
  }
}

BATT_BIG Value make_tuple(Machine& m, Registers r, const Instruction& i) {
  if (!charge(m.vm, 1)) return none();
  Addr at = alloc<Value>(m.vm, i.operands);
  if (stopped(m.vm)) return none();
  for (u32 k = 0; k < i.operands; k++) mem<Value>(m.vm, at, k) = operand(m, r, i, k);
  return tuple_at(m.vm, at, i.operands);
}

BATT_FN void charge_operands(Machine& m, Registers r, const Instruction& i) {
  i64 steps = immediate64(m, i);
  for (u32 k = 0; k < i.operands; k++) steps += items(m.vm, operand(m, r, i, k));
  charge(m.vm, steps);
}

// What an op's operands stand for. Its instruction has no immediates.
BATT_FN void read_operands(Machine& m, Registers r, Addr at, u32 n, Value* a) {
  for (u32 k = 0; k < n; k++) {
    u32 word = mem<u32>(m.vm, at, 4 + k), index = word & 0x0fffffffu;
    switch (word >> 28) {
      case SLOT: a[k] = stacked(m, r.slots + index); break;
      case CONSTANT: a[k] = mem<Value>(m.vm, m.program.constants, index); break;
      case INPUT: a[k] = m.inputs[index]; break;
      case ARGUMENT: a[k] = stacked(m, r.base + index); break;
      default: a[k] = mem<Value>(m.vm, m.stage_values, index);
    }
  }
}

// Run a leaf routine whose arguments stand at `base`: no frame, and nothing to come back to. The caller has made room.
BATT_BIG Value run_leaf(Machine& m, const Routine& routine, u32 base) {
  Vm& vm = m.vm;
  Registers r{base, base + routine.params};
  Value made;
  for (u32 pc = routine.start; !stopped(vm);) {
    Addr at = m.program.code + 4ull * pc;
    u32 head = mem<u32>(vm, at), opcode = head & 0xffffu, n = head >> 16, target = mem<u32>(vm, at, 1);
    if (opcode < OP_COUNT) {
      Value a[MAX_ARITY];
      read_operands(m, r, at, n, a);
      made = call_kernel(vm, opcode, a);
      pc += 4 + n;
    } else if (opcode == code::RETURN) {
      read_operands(m, r, at, 1, &made);
      return made;
    } else {
      Instruction i = read_instruction(m, pc);
      if (opcode == code::TUPLE) made = make_tuple(m, r, i);
      else charge_operands(m, r, i);
      pc += 4 + i.immediates + n;
    }
    if (target != NOTHING) stacked(m, r.slots + target) = made;
  }
  return none();
}

}  // namespace batt
