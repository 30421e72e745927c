// All kernels, by number. The one place that lists the families; the ops within them come from the table.
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
#include "../ops/relations.h"
#include "../ops/scaling.h"
#include "../ops/search.h"

namespace batt {

// Take what a call costs before its body runs, and what its result costs after it, as Op.__call__ of batt.ops.table does.
template <u32 ARITY> BATT_FN bool charge_items(Vm& vm, const Value* a) {
  i64 steps = 1;
  for (u32 k = 0; k < ARITY; k++) steps += items(vm, a[k]);
  return charge(vm, steps);
}
BATT_FN void charge_result(Vm& vm, Value made) {
  if (stopped(vm)) return;
  i64 size = items(vm, made);
  charge(vm, size);
  if (size > vm.max_items) stop_with(vm, OVER_BUDGET);
}
BATT_FN void limit_result(Vm& vm, Value made) {
  if (!stopped(vm) && items(vm, made) > vm.max_items) stop_with(vm, OVER_BUDGET);
}

#define BATT_BEFORE_ITEMS(name, arity) charge_items<arity>(vm, a)
#define BATT_BEFORE_UNIT(name, arity) charge(vm, 1)
#define BATT_BEFORE_OWN(name, arity) charge(vm, cost_##name(vm, a))
#define BATT_AFTER_ITEMS(made) charge_result(vm, made)
#define BATT_AFTER_UNIT(made)
#define BATT_AFTER_OWN(made) limit_result(vm, made)
#define BATT_RUN_KERNEL(name, arity, cost) \
  {                                        \
    if (!BATT_BEFORE_##cost(name, arity)) return none(); \
    Value made = op_##name(vm, a);         \
    BATT_AFTER_##cost(made);               \
    return made;                           \
  }
#define BATT_RUN_LOOP(name, arity, cost) return unsupported(vm, BAD_CODE);
#define BATT_CHARGE_KERNEL(name, arity, cost) return false;
#define BATT_CHARGE_LOOP(name, arity, cost) return BATT_BEFORE_##cost(name, arity);

// A whole call of an op that calls no function.
BATT_BIG Value run_kernel(Vm& vm, u32 op, const Value* a) {
  switch (op) {
#define X(name, number, arity, cost, kind) \
  case number: BATT_RUN_##kind(name, arity, cost)
    BATT_OPS(X)
#undef X
    default: return unsupported(vm, BAD_CODE);
  }
}

// Take what a call of a loop op costs before it begins; `a` holds its arguments, its function among them.
BATT_BIG bool charge_loop(Vm& vm, u32 op, const Value* a) {
  switch (op) {
#define X(name, number, arity, cost, kind) \
  case number: BATT_CHARGE_##kind(name, arity, cost)
    BATT_OPS(X)
#undef X
    default: return false;
  }
}

// Take what the result of a loop costs.
BATT_FN void charge_after(Vm& vm, u32 op, Value made) {
  if (OP_COST[op] == COST_ITEMS) charge_result(vm, made);
  else limit_result(vm, made);
}

// Add a call to a profile. One that its budget ends has taken what was left of it.
BATT_FN void count(Vm& vm, Addr tallies, u32 at, i64 before, u64 since) {
  Tally& tally = mem<Tally>(vm, tallies, at);
  tally.calls++;
  tally.steps += static_cast<u64>(before - larger<i64>(vm.steps_left, 0));
  tally.ticks += ticks() - since;
}

BATT_BIG Value counted_kernel(Vm& vm, u32 op, const Value* a) {
  u64 since = ticks();
  i64 before = vm.steps_left;
  Value made = run_kernel(vm, op, a);
  count(vm, vm.op_tallies, op, before, since);
  return made;
}

BATT_FN Value call_kernel(Vm& vm, u32 op, const Value* a) {
  return vm.op_tallies ? counted_kernel(vm, op, a) : run_kernel(vm, op, a);
}

}  // namespace batt
