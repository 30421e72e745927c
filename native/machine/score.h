// Score an evaluation; the same on every engine.
#pragma once
#include "likeness.h"

namespace batt {

BATT_INLINE void begin_budget(Vm& vm, const Budget& budget) {
  vm.side = 0;
  vm.steps_left = budget.steps;
  vm.max_items = budget.max_items;
  vm.work_left = budget.work;
}

BATT_INLINE u8 outcome_of(u32 status) {
  switch (status) {
    case RAISED: return ENDED_RAISED;
    case OVER_BUDGET: return ENDED_OVER_BUDGET;
    case STOPPED: return ENDED_TIMED_OUT;
    default: return ENDED_UNSUPPORTED;
  }
}

// The result of an evaluation with the value `made`, or that stopped. `expected` is used if it is `known`.
BATT_DEVICE_NOINLINE Result score(Vm& vm, Value made, Value expected, bool known, const Budget& budget) {
  Result result{};
  // An evaluation that exceeds a limit counts as having used its whole budget.
  i64 left = vm.status == OVER_BUDGET ? 0 : larger<i64>(vm.steps_left, 0);
  result.steps = static_cast<u64>(budget.steps - left);
  result.equal = known ? EQUAL_NO : EQUAL_UNKNOWN;
  bool grid = known && expected.tag == GRID;
  if (!stopped(vm)) {
    u64 hash = fingerprint(vm, made);
    u32 shape = shape_word(vm, made);
    bool same = known && equal(vm, made, expected);
    if (!stopped(vm)) {
      result.hash = hash;
      result.shape = shape;
      if (same) result.equal = EQUAL_YES;
      else if (grid)
        result.differing = static_cast<u32>(smaller<u64>(differing_cells(vm, made, shape, expected), 0xffffffffu));
      if (grid && budget.scores) add_likeness(vm, made, shape, expected, result);
      return result;
    }
  }
  if (grid) result.differing = grid_h(expected) * grid_w(expected);
  result.status = outcome_of(vm.status);
  if (vm.status == RAISED) result.error = static_cast<u8>(vm.error);
  if (vm.status == UNSUPPORTED) result.cause = static_cast<u8>(vm.cause);
  return result;
}

}  // namespace batt
