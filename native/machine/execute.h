// Running a routine to its end, or one instruction at a time.
#pragma once
#include "shared_loops.h"

namespace batt {

// Go ahead, with calls shared out among the lanes where they are.
BATT_INLINE bool go_ahead_shared(Machine& m) {
#ifdef BATT_SHARED_LOOPS
  if (m.next == SHARE_OUT && !stopped(m.vm)) {
    share_out(m);
    return true;
  }
#endif
  return go_ahead(m);
}

// The value of a routine without parameters, under the budget that the machine holds; or none, and the machine stopped.
BATT_DEVICE_NOINLINE Value execute(Machine& m, u32 routine) {
  begin_routine(m, routine);
  while (go_ahead_shared(m)) {}
  if (!stopped(m.vm)) return m.value;
  forget_all_entries(m);
  return none();
}

// One instruction of the routine that was begun, with all that it calls; false where it is at its end.
BATT_DEVICE_NOINLINE bool run_one(Machine& m) {
  if (m.next == RUN_ROUTINE) run_routine(m, true);
  while (!(m.next == RUN_ROUTINE && m.frame_count == 1 && !stopped(m.vm)))
    if (!go_ahead_shared(m)) return false;
  return true;
}

}  // namespace batt
