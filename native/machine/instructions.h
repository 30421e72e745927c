// Read instructions and their operands; run routines that need no frame.
#pragma once
#include "frames.h"
#include "kernels.h"

namespace batt {

struct Instruction {
  u32 code, operands, target, counter, immediates;
  Addr at;  // the immediates; the operands follow them
};

BATT_INLINE Instruction read_instruction(const Machine& m, Addr at) {
  u32 head = mem<u32>(m.vm, at, 0);
  return Instruction{head & 0xffffu,        head >> 16, mem<u32>(m.vm, at, 1), mem<u32>(m.vm, at, 2),
                     mem<u32>(m.vm, at, 3), at + 16};
}

BATT_INLINE u32 immediate(Machine& m, const Instruction& i, u32 k) { return mem<u32>(m.vm, i.at, k); }
BATT_INLINE i64 immediate64(Machine& m, const Instruction& i) {
  return static_cast<i64>(immediate(m, i, 0) | static_cast<u64>(immediate(m, i, 1)) << 32);
}

BATT_INLINE Value operand(Machine& m, const Spaces& spaces, const Instruction& i, u32 k) {
  return operand_at(m.vm, spaces.at, i.at, i.immediates + k);
}

BATT_DEVICE_NOINLINE Value make_tuple(Machine& m, const Spaces& spaces, const Instruction& i) {
  if (!charge(m.vm, 1)) return none();
  Addr at = alloc<Value>(m.vm, i.operands);
  if (stopped(m.vm)) return none();
  for (u32 k = 0; k < i.operands; k++) mem<Value>(m.vm, at, k) = operand(m, spaces, i, k);
  return tuple_at(m.vm, at, i.operands);
}

BATT_INLINE void charge_operands(Machine& m, const Spaces& spaces, const Instruction& i) {
  i64 steps = immediate64(m, i);
  for (u32 k = 0; k < i.operands; k++) steps += items(m.vm, operand(m, spaces, i, k));
  charge(m.vm, steps);
}

// A leaf routine, ready to run: its first instruction, its operands and its counters.
struct Leaf {
  Addr code;
  Spaces spaces;
  Addr counters;
  u32 end;  // where its values end on the value stack
};
BATT_INLINE Leaf leaf_of(Machine& m, const Routine& routine, u32 base) {
  Spaces spaces = spaces_of(m, base, base + routine.params);
  return Leaf{m.program.code + 4ull * routine.start, spaces, spaces.at[SLOT] + sizeof(Value) * routine.slots,
              base + routine.params + routine.slots + routine.counters};
}

// A host's way to run instructions that a plain leaf does not have; there is none here.
struct NoLoops {
  BATT_INLINE bool operator()(Machine&, const Leaf&, const Instruction&, Value&) const { return false; }
};

// Run a leaf routine without a frame. The caller made room for its values. `run_loop` runs loops, if it can.
template <class RunLoop = NoLoops> BATT_HOT_INLINE Value run_leaf(Machine& m, const Leaf& leaf,
                                                                  RunLoop run_loop = RunLoop()) {
  Vm& vm = m.vm;
  const Spaces& spaces = leaf.spaces;
  for (Addr at = leaf.code; !stopped(vm);) {
    u32 head = mem<u32>(vm, at), opcode = head & 0xffffu, target = mem<u32>(vm, at, 1), counter = mem<u32>(vm, at, 2);
    i64 before = vm.steps_left;
    if (opcode < OP_COUNT) {
      Value made = call_kernel(vm, opcode, Operands{at + 16, spaces.at});
      if (target != NOTHING) mem<Value>(vm, spaces.at[SLOT], target) = made;
      if (counter != NOTHING) mem<Value>(vm, leaf.counters, counter) = integer(before - vm.steps_left);
      at += 16 + 4 * (head >> 16);
    } else if (opcode == code::RETURN) {
      return operand_at(vm, spaces.at, at + 16, 0);
    } else if (opcode == code::RECHARGE) {
      charge(vm, int_of(mem<Value>(vm, leaf.counters, counter)));
      at += 16;
    } else {
      Instruction i = read_instruction(m, at);
      Value made = none();
      if (opcode == code::TUPLE) made = make_tuple(m, spaces, i);
      else if (opcode == code::CHARGE || !run_loop(m, leaf, i, made)) charge_operands(m, spaces, i);
      if (target != NOTHING) mem<Value>(vm, spaces.at[SLOT], target) = made;
      if (counter != NOTHING) mem<Value>(vm, leaf.counters, counter) = integer(before - vm.steps_left);
      at += 16 + 4 * (i.immediates + i.operands);
    }
  }
  return none();
}

}  // namespace batt
