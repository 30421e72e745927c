// What a result says of an evaluation without an expected output; the same on every engine.
#pragma once
#include "frames.h"

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

// Stop with a value that is too large: it is over the budget. Ints, pairs and cells are too small to be counted.
BATT_INLINE void limit_weight(Vm& vm, Value made, i64 max_items) {
  constexpr i64 SMALL_WEIGHT = 5;  // of a CELL; ints and pairs weigh less
  bool is_small = made.tag <= CELL && max_items >= SMALL_WEIGHT;
  if (!stopped(vm) && !is_small && is_heavy(vm, made, max_items)) stop_with(vm, OVER_BUDGET);
}

// Say in a result why the machine stopped.
BATT_INLINE void set_stopped(const Vm& vm, Result& result) {
  result.status = outcome_of(vm.status);
  if (vm.status == RAISED) result.error = static_cast<u8>(vm.error);
  if (vm.status == UNSUPPORTED) result.cause = static_cast<u8>(vm.cause);
}

// The result of an evaluation with the value `made`, or that stopped, without a comparison.
BATT_DEVICE_NOINLINE Result unscored(Vm& vm, Value made, const Budget& budget) {
  Result result{};
  // An evaluation that exceeds a limit counts as having used its whole budget.
  i64 left = vm.status == OVER_BUDGET ? 0 : larger<i64>(vm.steps_left, 0);
  result.steps = static_cast<u64>(budget.steps - left);
  result.equal = EQUAL_UNKNOWN;
  if (!stopped(vm)) {
    u64 hash = fingerprint(vm, made);
    u32 shape = shape_word(vm, made);
    if (!stopped(vm)) {
      result.hash = hash;
      result.shape = shape;
      return result;
    }
  }
  set_stopped(vm, result);
  return result;
}

}  // namespace batt
