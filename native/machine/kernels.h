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

#define BATT_COST_ITEMS(name) return 0;
#define BATT_COST_UNIT(name) return 1;
#define BATT_COST_OWN(name) return cost_##name(vm, a);
#define BATT_RUN_KERNEL(name) return op_##name(vm, a);
#define BATT_RUN_LOOP(name) break;

// What a call costs by its op's own formula.
BATT_BIG i64 own_cost(Vm& vm, u32 op, const Value* a) {
  switch (op) {
#define X(name, number, arity, cost, kind) case number: BATT_COST_##cost(name)
    BATT_OPS(X)
#undef X
    default: return 1;
  }
}

// The value of an op that calls no function.
BATT_BIG Value run_kernel(Vm& vm, u32 op, const Value* a) {
  switch (op) {
#define X(name, number, arity, cost, kind) case number: BATT_RUN_##kind(name)
    BATT_OPS(X)
#undef X
    default: break;
  }
  return unsupported(vm, BAD_CODE);
}

// Take what a call costs before its body runs, as Op.__call__ of batt.ops.table does.
BATT_BIG bool charge_before(Vm& vm, u32 op, const Value* a, u32 n) {
  if (OP_COST[op] == COST_UNIT || (OP_COST[op] == COST_OWN && n != OP_ARITY[op])) return charge(vm, 1);
  if (OP_COST[op] == COST_OWN) return charge(vm, own_cost(vm, op, a));
  i64 steps = 1;
  for (u32 k = 0; k < n; k++) steps += items(vm, a[k]);
  return charge(vm, steps);
}

// Take what a result costs, and see that it is not too large.
BATT_FN void charge_after(Vm& vm, u32 op, Value made) {
  if (OP_COST[op] == COST_UNIT || stopped(vm)) return;
  i64 size = items(vm, made);
  if (OP_COST[op] == COST_ITEMS) charge(vm, size);
  if (size > vm.max_items) stop_with(vm, OVER_BUDGET);
}

BATT_FN void count(Vm& vm, Addr tallies, u32 at, i64 steps, u64 since) {
  Tally& tally = mem<Tally>(vm, tallies, at);
  tally.calls++;
  tally.steps += static_cast<u64>(steps);
  tally.ticks += ticks() - since;
}

// A whole call of an op that calls no function.
BATT_BIG Value call_kernel(Vm& vm, u32 op, const Value* a) {
  u64 since = vm.op_tallies ? ticks() : 0;
  i64 before = vm.steps_left;
  if (!charge_before(vm, op, a, OP_ARITY[op])) return none();
  Value made = run_kernel(vm, op, a);
  charge_after(vm, op, made);
  if (vm.op_tallies) count(vm, vm.op_tallies, op, before - vm.steps_left, since);
  return made;
}

}  // namespace batt
