// Compile function values to leaf routines. A function that `compose`, `fork`, `lbind` and the like made from ops
// becomes instructions, so that a loop does not take it apart for each item. Host only, where code may lie on the
// stack.
#pragma once
#include "instructions.h"
#include "loop_kinds.h"

namespace batt {

// The instructions that apply a function. Functions that are too large, or that need more than kernels, are not
// compiled.
class WrittenOut {
 public:
  WrittenOut(Machine& machine, Value function, u32 params) : m(machine), arguments(params) {
    u32 words[2] = {ARGUMENT << 28, ARGUMENT << 28 | 1}, result = 0;
    good = m.calls + MOST_DEPTH < MAX_CALLS && apply(function, words, params, 0, result) &&
           put(code::RETURN, NOTHING, &result, 1);
  }
  bool good;
  u32 slots = 0;

  Leaf leaf(u32 base) {
    Spaces spaces = spaces_of(m, base, base + arguments);
    spaces.at[STAGE] = reinterpret_cast<Addr>(bound);         // compiled functions read no staged value
    return Leaf{reinterpret_cast<Addr>(written), spaces, 0};  // no instruction of theirs has a counter
  }

 private:
  static constexpr u32 MOST_DEPTH = 12, MOST_WORDS = 256, MOST_BOUND = 32;
  Machine& m;
  u32 arguments, count = 0, bound_count = 0;
  u32 written[MOST_WORDS];
  Value bound[MOST_BOUND];

  bool put(u32 opcode, u32 target, const u32* operands, u32 n) {
    if (count + 4 + n > MOST_WORDS) return false;
    const u32 head[4] = {opcode | n << 16, target, NOTHING, 0};
    for (u32 word : head) written[count++] = word;
    for (u32 k = 0; k < n; k++) written[count++] = operands[k];
    return true;
  }

  bool put_op(u32 op, const u32* operands, u32 n, u32& result) {
    result = SLOT << 28 | slots;
    return OP_KIND[op] == KERNEL && put(op, slots++, operands, n);
  }

  bool bind(Value v, u32& word) {
    if (bound_count == MOST_BOUND) return false;
    word = STAGE << 28 | bound_count;
    bound[bound_count++] = v;
    return true;
  }

  // Write the instructions that call a function with these operands; `result` is the operand of its result.
  bool apply(Value function, const u32* operands, u32 n, u32 depth, u32& result) {
    if (!is_fn(function) || n != fn_arity(function) || depth == MOST_DEPTH) return false;
    if (fn_kind(function) == FN_OP) return put_op(fn_number(function), operands, n, result);
    if (fn_kind(function) != FN_MADE) return false;
    Value p = mem<Value>(m.vm, function.bits, 0), q = mem<Value>(m.vm, function.bits, 1), third = none();
    u32 op = fn_number(function), inner[2];
    if (OP_ARITY[op] == 3) third = mem<Value>(m.vm, function.bits, 2);
    switch (op) {
      case OP_compose: return apply(q, operands, n, depth + 1, inner[0]) && apply(p, inner, 1, depth + 1, result);
      case OP_chain:
        return apply(third, operands, n, depth + 1, inner[0]) && apply(q, inner, 1, depth + 1, inner[1]) &&
               apply(p, inner + 1, 1, depth + 1, result);
      case OP_fork:
        return apply(q, operands, n, depth + 1, inner[0]) && apply(third, operands, n, depth + 1, inner[1]) &&
               apply(p, inner, 2, depth + 1, result);
      case OP_matcher:
        return apply(p, operands, n, depth + 1, inner[0]) && bind(q, inner[1]) && put_op(OP_equality, inner, 2, result);
      case OP_lbind:
      case OP_rbind: return apply_bound(op == OP_lbind, p, q, operands, n, depth, result);
      default: return false;
    }
  }

  bool apply_bound(bool left, Value function, Value fixed, const u32* operands, u32 n, u32 depth, u32& result) {
    u32 all[MAX_ARITY + 1];
    if (n + 1 > MAX_ARITY || !bind(fixed, all[left ? 0 : n])) return false;
    for (u32 k = 0; k < n; k++) all[k + left] = operands[k];
    return apply(function, all, n + 1, depth + 1, result);
  }
};

}  // namespace batt
