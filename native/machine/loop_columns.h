// Loops whose bodies are run column by column (ops/columns.h).
#pragma once
#include "../ops/columns.h"
#include "evacuate.h"
#include "instructions.h"
#include "loop_kinds.h"

namespace batt {

enum ColumnsEnd : u32 { NOT_RUN, ALL_RUN, FOUND_ONE };

// Take the values that a body has for n items from this one on. True where one ends the loop, which `index` then stands after.
BATT_FN bool keep_column(Vm& vm, Frame& f, const Columns& columns, u32 from, u32 n) {
  bool least = f.op == OP_argmin || f.op == OP_valmin;
  for (u32 k = 0; k < n; k++) {
    if (f.target == COLLECTING) {
      mem<Value>(vm, f.results, from + k) = columns.value(k);
    } else if (f.target == PICKING) {
      Value made = columns.value(k);
      if (from + k && (least ? int_of(made) >= int_of(f.best) : int_of(made) <= int_of(f.best))) continue;
      f.best = made;
      f.found = from + k;
    } else if (f.op == OP_extract) {
      f.index = from + k + 1;
      if (columns.is_true(k)) return true;
    } else {
      mem<u32>(vm, f.results, f.found) = from + k;
      f.found += columns.is_true(k);
    }
  }
  f.index = from + n;
  return false;
}

// Whether a loop is one to be run so, whatever its body is. A profile counts calls, so that none is made with columns.
BATT_FN bool may_run_columns(const Machine& m, const Frame& f) {
  constexpr u32 LEAST = 6;        // items below which finding out takes longer
  constexpr i64 LARGEST_ITEM = 2;  // of what bodies come to here
  return f.count >= LEAST && m.vm.max_items >= LARGEST_ITEM && items_per_call(f.op) == 1 && f.op != OP_rapply && !m.code_tallies && !m.vm.op_tallies;
}

// All calls of such a loop column by column, where its body can be run so.
BATT_BIG ColumnsEnd run_columns(Machine& m, Frame& f, const Leaf& leaf) {
  Vm& vm = m.vm;
  Scratch scratch(vm);
  Columns columns{vm, leaf.code, leaf.spaces.at, f.a, {}, {}, {}, {}, 0, {}, {}};
  if (!columns.open(scratch) || (f.target == PICKING && columns.result.kind != INTS)) return NOT_RUN;
  bool found = false;
  if (f.op != OP_extract) charge(vm, product_of(columns.steps, f.count));
  while (f.index < f.count && !found && !stopped(vm)) {
    if (asked_to_stop(vm)) { stop_with(vm, STOPPED); break; }
    u32 from = f.index, n = columns.run(from);
    if (!stopped(vm)) found = keep_column(vm, f, columns, from, n);
  }
  if (f.op == OP_extract) charge(vm, product_of(columns.steps, f.index));
  return found ? FOUND_ONE : ALL_RUN;
}

}  // namespace batt
