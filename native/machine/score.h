// Score an evaluation; the same on every engine.
#pragma once
#include "likeness.h"
#include "outcome.h"

namespace batt {

// The result of an evaluation with the value `made`, or that stopped. `expected` is used if it is `known`.
BATT_DEVICE_NOINLINE Result score(Vm& vm, Value made, Value expected, bool known, const Budget& budget) {
  Result result = unscored(vm, made, budget);
  if (!known) return result;
  result.equal = EQUAL_NO;
  bool grid = expected.tag == GRID;
  if (result.status == ENDED_OK) {
    bool same = equal(vm, made, expected);
    if (!stopped(vm)) {
      if (same) result.equal = EQUAL_YES;
      else if (grid)
        result.differing =
            static_cast<u32>(smaller<u64>(differing_cells(vm, made, result.shape, expected), 0xffffffffu));
      if (grid && budget.scores) add_likeness(vm, made, result.shape, expected, result);
      return result;
    }
    result.hash = result.shape = 0;
    set_stopped(vm, result);
  }
  if (grid) result.differing = grid_h(expected) * grid_w(expected);
  return result;
}

}  // namespace batt
