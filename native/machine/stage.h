// Compute the staged values, on a host and on a device.
#pragma once
#include "score.h"

namespace batt {

// The first operand of a stage entry that is an entry that failed or was not kept.
BATT_INLINE u32 failed_operand(Machine& m, u32 routine) {
  Instruction i = read_instruction(m, m.program.code + 4ull * mem<Routine>(m.vm, m.program.routines, routine).start);
  for (u32 k = 0; k < i.operands; k++) {
    u32 word = mem<u32>(m.vm, i.at, i.immediates + k), entry = word & 0x0fffffffu;
    if (word >> 28 == STAGE && mem<Staged>(m.vm, m.stage, entry).status != RUNNING) return entry;
  }
  return NOTHING;
}

// Compute a stage entry with a whole budget. An error is raised only when a slice reads the entry. `keep(made, before)`
// moves the value, which was made on side 1 above `before`, to where it stays; false if the stage has no room.
template <class Keep> BATT_INLINE void compute_entry(Machine& m, u32 entry, u32 routine, const Budget& budget,
                                                     Keep keep) {
  Staged& staged = mem<Staged>(m.vm, m.stage, entry);
  Value& value = mem<Value>(m.vm, m.stage_values, entry);
  value = none();
  u32 failed = failed_operand(m, routine);
  if (failed != NOTHING) {
    staged = mem<Staged>(m.vm, m.stage, failed);
    staged.steps = 0;
    return;
  }
  begin_budget(m.vm, budget);
  m.vm.side = 1;
  Addr before = m.vm.region[1].top;
  Value made = execute(m, routine);
  i64 steps = budget.steps - larger<i64>(m.vm.steps_left, 0);
  m.vm.side = 0;
  bool is_made = !stopped(m.vm), kept = is_made && keep(made, before);
  if (kept) value = made;
  else cut_back(m.vm.region[1], before);
  bool has_no_room = is_made && !kept && !stopped(m.vm);
  staged = Staged{has_no_room ? NOT_KEPT : m.vm.status, m.vm.error, m.vm.cause, 0, steps};
}

}  // namespace batt
