// The part of the C interface for states of many tasks, which batt.states.native_batch loads.
#pragma once
#include "batch.h"
#include "calls_check.h"

// Read calls from `from` on, as `read_calls` does.
BATT_API u32 batt_calls_read(const CallColumn* columns, u64 column_count, const CallColumn* given, u64 callee_count,
                             u64 from, u64 count, u32* arguments, u32* called) {
  return read_calls(columns, column_count, given, callee_count, from, count, arguments, called);
}

// Check that all numbers of calls are in range. Calls on states whose values are only on a GPU are in range if they
// `may_be_away`.
BATT_API u32 batt_batch_check(StatePart* parts, u64 part_count, const LoadedProgram* program, const Callee* callees,
                              u64 callee_count, const u32* called, const u32* arguments, u32 may_be_away) {
  static const LoadedProgram no_program;
  BatchCalls batch{parts, part_count, Calls{program ? *program : no_program, callees, called, arguments}, nullptr};
  for (u64 p = 0; p < part_count; p++)
    if (!callee_count || !are_good_calls(batch.set(p), batch.of_part(p), callee_count, parts[p].count, may_be_away))
      return 0;
  return 1;
}

// Evaluate and merge candidates of many tasks on one thread. Return how many parts are done, or NO_ROOM if there is not
// enough memory.
BATT_API i64 batt_batch_apply(StatePart* parts, u64 part_count, Worker* worker, const LoadedProgram* program,
                              const Callee* callees, const u32* called, const u32* arguments, const Budget* budget,
                              Candidate* made, const volatile u32* stop) {
  static const LoadedProgram no_program;
  BatchCalls batch{parts, part_count, Calls{program ? *program : no_program, callees, called, arguments}, made};
  try {
    return static_cast<i64>(apply_parts(batch, *worker, *budget, stop));
  } catch (const std::bad_alloc&) { return NO_ROOM; }
}

// Count the candidates of each part and group; or, with `rows`, lay them out, as `lay_out` does.
BATT_API void batt_batch_lay_out(StatePart* parts, u64 part_count, const Callee* callees, const u32* called,
                                 const u32* arguments, const u32* groups, u64 group_count, u32* candidates, u32* rows,
                                 const u64* argument_starts, u32* to, u32* first_rows) {
  static const LoadedProgram no_program;
  BatchCalls batch{parts, part_count, Calls{no_program, callees, called, arguments}, nullptr};
  RowLayout layout{groups, group_count, candidates, rows, argument_starts, to, first_rows};
  if (rows) lay_out(batch, layout);
  else count_groups(batch, layout);
}

// List what the CPU needs to evaluate what a GPU deferred, as `list_wanted` does. False if there is not enough memory.
BATT_API u32 batt_batch_wanted(StatePart* parts, u64 part_count, const u32* called, const u32* arguments,
                               const StateRow* rows, const u32* first_rows, const u8* marked) {
  static const LoadedProgram no_program;
  BatchCalls batch{parts, part_count, Calls{no_program, nullptr, called, arguments}, nullptr};
  try {
    list_wanted(batch, GpuRows{rows, first_rows}, marked);
    return 1;
  } catch (const std::bad_alloc&) { return 0; }
}
// The rows of the GPU's table with the values that are wanted, and the same values once they are fetched. The second
// is false if there is not enough memory.
BATT_API void batt_batch_wanted_rows(StatePart* parts, u64 part_count, u32* to) {
  for (u64 p = 0; p < part_count; p++) {
    const StateSet& set = *static_cast<StateSet*>(parts[p].set);
    for (u32 handle : set.wanted)
      for (u32 s = 0; s < set.samples; s++) *to++ = (set.places[handle] & ~AWAY) + s;
  }
}
BATT_API u32 batt_batch_bring(StatePart* parts, u64 part_count, const Value* values) {
  try {
    for (u64 p = 0; p < part_count; p++) {
      StateSet& set = *static_cast<StateSet*>(parts[p].set);
      for (u32 handle : set.wanted) {
        set.bring(handle, values);
        values += set.samples;
      }
      set.wanted.clear();
    }
    return 1;
  } catch (const std::bad_alloc&) { return 0; }
}
// Say which states are wanted.
BATT_API u32 batt_states_want(StateSet* set, const u32* handles, u64 count) {
  try {
    set->wanted.assign(handles, handles + count);
    return 1;
  } catch (const std::bad_alloc&) { return 0; }
}

// Merge the candidates that a GPU evaluated, as `merge_parts` does. Return how many parts are done, or NO_ROOM.
BATT_API i64 batt_batch_merge(StatePart* parts, u64 part_count, Worker* worker, const Callee* callees,
                              const u32* called, const u32* arguments, const Budget* budget, Candidate* made,
                              const StateRow* rows, const u32* first_rows, u32* kept, const volatile u32* stop) {
  static const LoadedProgram no_program;
  BatchCalls batch{parts, part_count, Calls{no_program, callees, called, arguments}, made};
  try {
    return static_cast<i64>(merge_parts(batch, GpuRows{rows, first_rows}, *worker, *budget, kept, stop));
  } catch (const std::bad_alloc&) { return NO_ROOM; }
}
BATT_API void batt_batch_place(StatePart* parts, u64 part_count, u64 next) {
  static const LoadedProgram no_program;
  place_parts(BatchCalls{parts, part_count, Calls{no_program, nullptr, nullptr, nullptr}, nullptr}, next);
}

// The states of a set whose values are not on a GPU, and those whose values are only there.
BATT_API void batt_states_elsewhere(const StateSet* set, u64* counts) {
  counts[0] = set->unplaced;
  counts[1] = set->away_count;
}
// Write the values of states that are not on a GPU, as `freeze_states` does. Return the bytes of their parts, ~0 if
// there is not enough memory; `rows` counts the values.
BATT_API u64 batt_states_freeze(StatePart* parts, u64 part_count, u64 base, Value* values, u8* bytes, u64 place,
                                u64* rows) {
  try {
    FrozenStates to{base, values, bytes, place};
    u64 used = 0;
    *rows = 0;
    for (u64 p = 0; p < part_count; p++) {
      StateSet& set = *static_cast<StateSet*>(parts[p].set);
      *rows += set.unplaced * set.samples;
      used += freeze_states(set, to);
    }
    return used;
  } catch (const std::bad_alloc&) { return ~0ull; }
}
// Where the values of states are on a GPU, with AWAY if they are only there.
BATT_API void batt_states_places(const StateSet* set, const u32* handles, u64 count, u32* to) {
  for (u64 k = 0; k < count; k++) to[k] = set->places[handles[k]];
}
// Evaluate all states that are only on a GPU again, as `restore` does.
BATT_API u32 batt_states_restore(StateSet* set, Worker* worker, const Budget* budget, const volatile u32* stop) {
  try {
    return restore(*set, *worker, *budget, stop);
  } catch (const std::bad_alloc&) { return 0; }
}
