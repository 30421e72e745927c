// All kernels, by number. This is the one place that lists the families; the table lists the ops of each.
#pragma once
#include "../ops/applying.h"
#include "../ops/arithmetic.h"
#include "../ops/choosing.h"
#include "../ops/colours.h"
#include "../ops/containers.h"
#include "../ops/drawing.h"
#include "../ops/functions.h"
#include "../ops/grids.h"
#include "../ops/lines.h"
#include "../ops/logic.h"
#include "../ops/mirrors.h"
#include "../ops/objects.h"
#include "../ops/patches.h"
#include "../ops/python.h"
#include "../ops/relations.h"
#include "../ops/scaling.h"
#include "../ops/search.h"
#if !defined(__CUDACC__) || defined(BATT_NEW_WORDS)
#include "../ops/falling.h"
#include "../ops/layering.h"
#include "../ops/panels.h"
#include "../ops/rays.h"
#include "../ops/regions.h"
#include "../ops/repair.h"
#include "../ops/roles.h"
#include "../ops/tiling.h"
#endif
#ifdef BATT_OWN_OPS
#include "batt_own_ops.h"
#endif

namespace batt {

// The arguments of a call: a word for each, with its space in the upper four bits and its index below; and the spaces.
struct Operands {
  Addr words;
  const Addr* spaces;
};
BATT_ALWAYS_INLINE Value operand_at(Vm& vm, const Addr* spaces, Addr words, u32 k) {
  u32 word = mem<u32>(vm, words, k);
  return mem<Value>(vm, spaces[word >> 28], word & 0x0fffffffu);
}
template <u32 ARITY> BATT_ALWAYS_INLINE void read_operands(Vm& vm, Operands from, Value* a) {
  BATT_NO_UNROLL
  for (u32 k = 0; k < ARITY; k++) a[k] = operand_at(vm, from.spaces, from.words, k);
}

// Words for consecutive arguments, as space 0.
BATT_TABLE u32 IN_A_ROW[MAX_ARITY] = {0, 1, 2, 3};

// Charge a call before its body runs, and its result afterwards, as Op.__call__ of batt.ops.table does.
template <u32 ARITY> BATT_HOST_INLINE bool charge_items(Vm& vm, const Value* a) {
  i64 steps = 1;
  BATT_NO_UNROLL
  for (u32 k = 0; k < ARITY; k++) steps += items(vm, a[k]);
  return charge(vm, steps);
}
BATT_HOST_INLINE void charge_result(Vm& vm, Value made) {
  if (stopped(vm)) return;
  i64 size = items(vm, made), left = vm.steps_left -= size;
  // One of the two is negative if a limit is exceeded.
  if ((left | (vm.max_items - size)) < 0) stop_with(vm, OVER_BUDGET);
}
BATT_HOST_INLINE void limit_result(Vm& vm, Value made) {
  if (!stopped(vm) && items(vm, made) > vm.max_items) stop_with(vm, OVER_BUDGET);
}

#define BATT_BEFORE_ITEMS(name, arity) charge_items<arity>(vm, a)
#define BATT_BEFORE_UNIT(name, arity) charge(vm, 1)
#define BATT_BEFORE_OWN(name, arity) charge(vm, cost_##name(vm, a))
#define BATT_AFTER_ITEMS(made) charge_result(vm, made)
#define BATT_AFTER_UNIT(made)
#define BATT_AFTER_OWN(made) limit_result(vm, made)
#define BATT_CHARGE_KERNEL(name, arity, cost) return false;
#define BATT_CHARGE_LOOP(name, arity, cost) return BATT_BEFORE_##cost(name, arity);

// Call an op that calls no function.
#ifdef __CUDACC__
#define BATT_OWN_COST_KERNEL(name) return cost_##name(vm, a);
#define BATT_OWN_COST_LOOP(name) break;
#define BATT_COST_ITEMS(name, kind) break;
#define BATT_COST_UNIT(name, kind) break;
#define BATT_COST_OWN(name, kind) BATT_OWN_COST_##kind(name)
#define BATT_BODY_KERNEL(name) return op_##name(vm, a);
#define BATT_BODY_LOOP(name) break;
BATT_DEVICE_NOINLINE i64 own_cost(Vm& vm, u32 op, const Value* a) {
  switch (op) {
#define X(name, number, arity, cost, kind) \
  case number: BATT_COST_##cost(name, kind)
    BATT_COMPILED_OPS(X)
#undef X
    default: break;
  }
  return 0;
}
BATT_INLINE Value body_of(Vm& vm, u32 op, const Value* a) {
  switch (op) {
#define X(name, number, arity, cost, kind) \
  case number: BATT_BODY_##kind(name)
    BATT_COMPILED_OPS(X)
#undef X
    default: break;
  }
  return unsupported(vm, MISSING_OP);
}
// A device runs the same code for all ops up to their bodies: it is used all the time and stays in the instruction
// cache.
BATT_DEVICE_NOINLINE Value run_kernel(Vm& vm, u32 op, Operands from) {
  u32 arity = OP_ARITY[op], cost = OP_COST[op];
  i64 steps = 1;
  for (u32 k = 0; k < arity; k++) {
    Value each = operand_at(vm, from.spaces, from.words, k);
    vm.arguments[k] = each;
    if (cost == COST_ITEMS) steps += items(vm, each);
  }
  if (cost == COST_OWN) steps = own_cost(vm, op, vm.arguments);
  if (!charge(vm, steps)) return none();
  Value made = body_of(vm, op, vm.arguments);
  if (cost == COST_ITEMS) charge_result(vm, made);
  else if (cost == COST_OWN) limit_result(vm, made);
  return made;
}
#else
// A host has a function for each op, in a table.
#define BATT_DEFINE_KERNEL(name, arity, cost)            \
  static Value call_of_##name(Vm& vm, Operands from) {   \
    Value a[arity];                                      \
    read_operands<arity>(vm, from, a);                   \
    if (!BATT_BEFORE_##cost(name, arity)) return none(); \
    Value made = op_##name(vm, a);                       \
    BATT_AFTER_##cost(made);                             \
    return made;                                         \
  }
#define BATT_DEFINE_LOOP(name, arity, cost) \
  static Value call_of_##name(Vm& vm, Operands) { return unsupported(vm, BAD_CODE); }
#define X(name, number, arity, cost, kind) BATT_DEFINE_##kind(name, arity, cost)
BATT_OPS(X)
#undef X
using Call = Value (*)(Vm&, Operands);
constexpr Call CALLS[] = {
#define X(name, number, arity, cost, kind) call_of_##name,
    BATT_OPS(X)
#undef X
};
static_assert(sizeof CALLS / sizeof *CALLS == OP_COUNT, "ops stand in the order of their numbers");
BATT_INLINE Value run_kernel(Vm& vm, u32 op, Operands from) { return CALLS[op](vm, from); }
#endif

// Charge a call of a loop op before it begins; `a` holds its arguments, including the function.
BATT_DEVICE_NOINLINE bool charge_loop(Vm& vm, u32 op, const Value* a) {
  switch (op) {
#define X(name, number, arity, cost, kind) \
  case number: BATT_CHARGE_##kind(name, arity, cost)
    BATT_OPS(X)
#undef X
    default: return false;
  }
}

// Charge the result of a loop.
BATT_INLINE void charge_after(Vm& vm, u32 op, Value made) {
  if (OP_COST[op] == COST_ITEMS) charge_result(vm, made);
  else limit_result(vm, made);
}

// Add a call to a profile. A call that exceeded the budget took all that was left of it.
BATT_INLINE void count(Vm& vm, Addr tallies, u32 at, i64 before, u64 since) {
  Tally& tally = mem<Tally>(vm, tallies, at);
  tally.calls++;
  tally.steps += static_cast<u64>(before - larger<i64>(vm.steps_left, 0));
  tally.ticks += ticks() - since;
}

BATT_DEVICE_NOINLINE Value counted_kernel(Vm& vm, u32 op, Operands from) {
  u64 since = ticks();
  i64 before = vm.steps_left;
  Addr top = vm.region[vm.side].top;
  Value made = run_kernel(vm, op, from);
  count(vm, vm.op_tallies, op, before, since);
  mem<Tally>(vm, vm.op_tallies, op).bytes += vm.region[vm.side].top - top;
  return made;
}

BATT_INLINE Value call_kernel(Vm& vm, u32 op, Operands from) {
  return vm.op_tallies ? counted_kernel(vm, op, from) : run_kernel(vm, op, from);
}

// The same with consecutive arguments at an address.
BATT_INLINE Value call_kernel_on(Vm& vm, u32 op, Addr arguments) {
  return call_kernel(vm, op, Operands{reinterpret_cast<Addr>(IN_A_ROW), &arguments});
}

}  // namespace batt
