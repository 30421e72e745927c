// Run a routine to its end, or one instruction at a time.
#pragma once
#include "split_loops.h"

namespace batt {

// Advance the machine, or split the topmost loop over the lanes of a warp.
BATT_INLINE bool advance_or_split(Machine& m) {
#ifdef BATT_SPLIT_LOOPS
  if (m.next == SPLIT_LOOP && !stopped(m.vm)) {
    split_loop(m);
    return true;
  }
#endif
  return advance(m);
}

// Run a routine without parameters under the machine's budget. Return its value, or None if the machine stopped.
BATT_DEVICE_NOINLINE Value execute(Machine& m, u32 routine) {
  begin_routine(m, routine);
  while (advance_or_split(m)) {}
  if (!stopped(m.vm)) return m.value;
  forget_all_entries(m);
  return none();
}

// Run one instruction of the routine that was begun, with all that it calls. False if the routine has ended.
BATT_DEVICE_NOINLINE bool run_one(Machine& m) {
  if (m.next == RUN_ROUTINE) run_routine(m, true);
  while (!(m.next == RUN_ROUTINE && m.frame_count == 1 && !stopped(m.vm)))
    if (!advance_or_split(m)) return false;
  return true;
}

}  // namespace batt
