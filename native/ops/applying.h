// Ops that call a function for the items of containers: ops/applying.py. The machine makes the calls (machine/loops.h);
// what the ops make of their results is here.
#pragma once
#include "containers.h"

namespace batt {

BATT_INLINE i64 cost_prapply(Vm& vm, const Value* a) { return sum_of(1, product_of(items(vm, a[1]), items(vm, a[2]))); }

// Make the set of n results that other values follow in memory: sort a copy.
BATT_INLINE Value set_of_results(Vm& vm, Addr results, u32 n) {
#ifndef __CUDACC__
  // Nothing was allocated after them.
  if (vm.region[vm.side].top == results + sizeof(Value) * n)
    return n == 1 ? set_ascending(vm, results, 1) : set_at(vm, results, n);
#endif
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) mem<Value>(vm, at, k) = mem<Value>(vm, results, k);
  return n == 1 ? set_ascending(vm, at, 1) : set_at(vm, at, n);
}

}  // namespace batt
