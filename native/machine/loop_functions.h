// Compile function values to leaf routines. A function that `compose`, `fork`, `lbind` and the like made from ops
// becomes instructions, so that a loop does not take it apart for each item. So do, on hosts, ops and helpers that are
// leaves.
#pragma once
#include "instructions.h"
#include "loop_kinds.h"

namespace batt {

// The instructions that apply a function. Functions that are too large, or that need more than kernels, are not
// compiled. It does not recurse, so that a GPU thread can run it.
class WrittenOut {
 public:
  // Compile `function`, which takes `params` arguments. False if it cannot be.
  BATT_DEVICE_NOINLINE bool write(const Machine& m, Value function, u32 params) {
    count = bound_count = slots = 0;
    arguments = params;
    u32 result = 0;
    return m.calls + MOST_DEPTH < MAX_CALLS && apply(m, function, result) && put(code::RETURN, NOTHING, &result, 1);
  }
  u32 slots, arguments;

  // The leaf for a machine whose arguments begin at `base`.
  BATT_INLINE Leaf leaf(Machine& m, u32 base) const {
    Spaces spaces = spaces_of(m, base, base + arguments);
    spaces.at[STAGE] = reinterpret_cast<Addr>(bound);  // compiled functions read no staged value
    // No instruction of theirs has a counter.
    return Leaf{reinterpret_cast<Addr>(written), spaces, 0, base + arguments + slots};
  }

 private:
  static constexpr u32 MOST_DEPTH = 12, MOST_WORDS = 256, MOST_BOUND = 32;
  u32 count, bound_count;
  u32 written[MOST_WORDS];
  Value bound[MOST_BOUND];

  // A function that is being applied, inside of `depth` calls, and its operands. `phase` counts the calls that were
  // written for it, and `first` is the result of the first.
  struct Applied {
    Value function;
    u32 operands[MAX_ARITY];
    u32 n, depth, phase, first;
  };

  // Write an instruction. `words` are its immediates, then its n operands.
  BATT_INLINE bool put(u32 opcode, u32 target, const u32* words, u32 n, u32 immediates = 0) {
    if (count + 4 + immediates + n > MOST_WORDS) return false;
    u32* to = written + count;
    to[0] = opcode | n << 16;
    to[1] = target;
    to[2] = NOTHING;
    to[3] = immediates;
    BATT_NO_UNROLL
    for (u32 k = 0; k < immediates + n; k++) to[4 + k] = words[k];
    count += 4 + immediates + n;
    return true;
  }

  BATT_INLINE bool put_op(u32 op, const u32* operands, u32 n, u32& result) {
    result = SLOT << 28 | slots;
    return OP_KIND[op] == KERNEL && put(op, slots++, operands, n);
  }

  BATT_INLINE bool bind(Value v, u32& word) {
    if (bound_count == MOST_BOUND) return false;
    word = STAGE << 28 | bound_count;
    bound[bound_count++] = v;
    return true;
  }

  // Put a fixed operand before or after the others.
  BATT_INLINE bool insert_bound(Applied& f, bool left, Value fixed) {
    u32 word;
    if (f.n == MAX_ARITY || !bind(fixed, word)) return false;
    if (left)
      for (u32 k = f.n; k; k--) f.operands[k] = f.operands[k - 1];
    f.operands[left ? 0 : f.n] = word;
    f.n++;
    return true;
  }

#ifndef __CUDACC__
  // The operand of a helper as one of the instructions that are written; false if it is staged.
  static bool renamed(u32 word, const u32* operands, u32 first_slot, u32& made) {
    u32 space = word >> 28, number = word & 0x0fffffffu;
    made = space == SLOT ? first_slot + number : space == ARGUMENT ? operands[number] : word;
    return space != STAGE;
  }

  // Write the instructions of a helper. A call takes one step beside theirs.
  bool put_helper(const Machine& m, u32 helper, const u32* operands, u32& result) {
    const Routine& routine = mem<Routine>(m.vm, m.program.routines, helper);
    const u32 one_step[2] = {1, 0};
    if (!routine.is_leaf || routine.is_leaf == NESTING || routine.counters) return false;
    if (!put(code::CHARGE, NOTHING, one_step, 0, 2)) return false;
    u32 first_slot = slots, words[MOST_WORDS];
    slots += routine.slots;
    for (Addr at = m.program.code + 4ull * routine.start;;) {
      Instruction i = read_instruction(m, at);
      u32 all = i.immediates + i.operands;
      if (all > MOST_WORDS) return false;
      for (u32 k = 0; k < all; k++) {
        words[k] = mem<u32>(m.vm, i.at, k);
        if (k >= i.immediates && !renamed(words[k], operands, first_slot, words[k])) return false;
      }
      if (i.code == code::RETURN) {
        result = words[0];
        return true;
      }
      u32 target = i.target == NOTHING ? NOTHING : first_slot + i.target;
      if (!put(i.code, target, words, i.operands, i.immediates)) return false;
      at += 4ull * (4 + all);
    }
  }
#endif

  // Write the calls of a function with the arguments; `result` becomes the operand of its result.
  BATT_INLINE bool apply(const Machine& m, Value function, u32& result) {
    const Vm& vm = m.vm;
    Applied stack[MOST_DEPTH + 1];
    stack[0] = Applied{function, {ARGUMENT << 28, ARGUMENT << 28 | 1}, arguments, 0, 0, 0};
    for (u32 height = 1; height;) {
      Applied& f = stack[height - 1];
      if (f.phase == 0 && (!is_fn(f.function) || f.n != fn_arity(f.function) || f.depth == MOST_DEPTH)) return false;
      u32 op = fn_number(f.function), phase = f.phase++;
      if (fn_kind(f.function) == FN_OP) {
        if (!put_op(op, f.operands, f.n, result)) return false;
        height--;
        continue;
      }
#ifndef __CUDACC__
      if (fn_kind(f.function) == FN_HELPER) {
        if (!put_helper(m, op, f.operands, result)) return false;
        height--;
        continue;
      }
#endif
      if (fn_kind(f.function) != FN_MADE) return false;
      Value p = mem<Value>(vm, f.function.bits, 0), q = mem<Value>(vm, f.function.bits, 1), next = p;
      Value third = OP_ARITY[op] == 3 ? mem<Value>(vm, f.function.bits, 2) : none();
      bool is_last = false, takes_result = false;
      switch (op) {
        case OP_compose:
          if (phase == 0) next = q;
          is_last = takes_result = phase == 1;
          break;
        case OP_chain:
          if (phase < 2) next = phase == 0 ? third : q;
          is_last = phase == 2;
          takes_result = phase > 0;
          break;
        case OP_fork:
          if (phase < 2) next = phase == 0 ? q : third;
          if (phase == 1) f.first = result;
          is_last = phase == 2;
          break;
        case OP_matcher:
          if (phase == 0) break;
          f.operands[0] = result;
          if (!bind(q, f.operands[1]) || !put_op(OP_equality, f.operands, 2, result)) return false;
          height--;
          continue;
        case OP_lbind:
        case OP_rbind:
          if (!insert_bound(f, op == OP_lbind, q)) return false;
          is_last = true;
          break;
        default: return false;
      }
      // The last call of a function replaces it; any other comes above it.
      if (!is_last) stack[height++] = f;
      Applied& called = stack[height - 1];
      called.function = next;
      called.depth++;
      called.phase = 0;
      if (takes_result || (op == OP_fork && is_last)) {
        called.n = takes_result ? 1 : 2;
        called.operands[0] = takes_result ? result : f.first;
        called.operands[1] = result;
      }
    }
    return true;
  }
};

}  // namespace batt
