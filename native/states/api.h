// The part of the C interface for states, which batt.states.native loads.
#pragma once
#include "apply.h"
#include "batch_api.h"
#include "calls_check.h"
#include "columns.h"
#include "feature_api.h"
#include "reading.h"
#include "transfer.h"

// A set of states over `samples` samples that uses at most `most_bytes`.
BATT_API StateSet* batt_states_new(u32 samples, u64 most_bytes) {
  try {
    return new StateSet(samples, most_bytes);
  } catch (const std::bad_alloc&) { return nullptr; }
}
BATT_API void batt_states_free(StateSet* set) { delete set; }

// The number of states, their bytes, and the values for which there was no room.
BATT_API void batt_states_count(const StateSet* set, u64* counts) {
  counts[0] = set->size();
  counts[1] = set->bytes();
  counts[2] = set->refused;
}

// Add the state whose values are these bytes, one after the other, each up to its end. Return its handle, NO_ROOM, or
// -1 if a value is malformed or cannot be kept. Programs can be written of it if it `is_named`.
BATT_API i64 batt_states_add(StateSet* set, const u8* bytes, const u64* ends, u32 is_named) {
  try {
    Store store;
    std::vector<Value> values;
    std::vector<u64> hashes;
    u64 from = 0;
    for (u32 k = 0; k < set->samples; k++) {
      WireReader reader{bytes + from, ends[k] - from};
      values.push_back(reader.read_into(store));
      if (reader.bad || reader.at != reader.size) return -1;
      hashes.push_back(fingerprint(store.vm, values.back()));
      if (stopped(store.vm)) return -1;
      from = ends[k];
    }
    Candidate made{-1, 0, 0, 0, 0, 0, 0};
    Derivation given{GIVEN, is_named ? 0 : NAMELESS, {NO_STATE, NO_STATE, NO_STATE, NO_STATE, NO_STATE, NO_STATE}};
    merge_one(*set, made, values.data(), hashes.data(), given);
    return made.handle;
  } catch (const std::bad_alloc&) { return NO_ROOM; }
}

// Evaluate candidates: callees[called[k]] on the states arguments[MOST_ARGUMENTS * k …]. With `to`, only evaluate them,
// for `batt_states_merge`; without, merge them too. Return how many are done, or NO_ROOM if there is not enough memory,
// or -1 if a number is out of range.
BATT_API i64 batt_states_apply(StateSet* set, Worker* worker, Evaluated* to, const LoadedProgram* program,
                               const Callee* callees, u64 callee_count, const u32* called, const u32* arguments,
                               u64 count, const Budget* budget, Candidate* made, const volatile u32* stop) {
  static const LoadedProgram no_program;
  Calls calls{program ? *program : no_program, callees, called, arguments};
  if (!callee_count || !are_good_calls(*set, calls, callee_count, count, false)) return -1;
  try {
    return static_cast<i64>(to ? evaluate(*set, *worker, calls, count, *budget, made, *to, stop)
                               : apply(*set, *worker, calls, count, *budget, made, stop));
  } catch (const std::bad_alloc&) { return NO_ROOM; }
}
// Merge the first `count` candidates that `batt_states_apply` evaluated. False if there is not enough memory.
BATT_API u32 batt_states_merge(StateSet* set, const Evaluated* from, const Callee* callees, const u32* called,
                               const u32* arguments, u64 count, Candidate* made) {
  static const LoadedProgram no_program;
  try {
    merge(*set, Calls{no_program, callees, called, arguments}, count, made, *from);
    return 1;
  } catch (const std::bad_alloc&) { return 0; }
}
BATT_API Evaluated* batt_evaluated_new() { return new (std::nothrow) Evaluated; }
BATT_API void batt_evaluated_free(Evaluated* evaluated) { delete evaluated; }

// Copy what is known of states: hashes by handle and sample, derivations and kinds by handle.
BATT_API void batt_states_describe(const StateSet* set, const u32* handles, u64 count, u64* hashes,
                                   Derivation* derivations, u8* kinds) {
  u64 n = set->samples;
  for (u64 k = 0; k < count; k++) {
    u64 at = handles[k];
    std::copy_n(set->hashes.data() + at * n, n, hashes + k * n);
    derivations[k] = set->derivations[at];
    kinds[k] = set->kinds[at];
  }
}

static std::vector<Value> values_at(const StateSet& set, const u32* handles, u64 count) {
  std::vector<Value> found;
  for (u64 k = 0; k < count; k++) found.insert(found.end(), set.value(handles[k]), set.value(handles[k]) + set.samples);
  return found;
}
// Write the values of states, by handle and then by sample, as `write_grids` and `write_wires` do.
BATT_API u64 batt_states_grids(const StateSet* set, const u32* handles, u64 count, u16* sides, u64* starts, u8* to,
                               u64 room) {
  std::vector<Value> found = values_at(*set, handles, count);
  return write_grids(found.data(), found.size(), sides, starts, to, room);
}
BATT_API u64 batt_states_wires(const StateSet* set, const u32* handles, u64 count, u64* ends, u8* to, u64 room) {
  std::vector<Value> found = values_at(*set, handles, count);
  return write_wires(found.data(), found.size(), ends, to, room);
}

// A column of `rows` rows without values, computed in `parts` parts at the same time.
BATT_API ValueColumn* batt_column_new(u64 rows, u32 parts) {
  try {
    auto made = std::make_unique<ValueColumn>();
    made->values.assign(rows, none());
    made->has_value.assign(rows, 0);
    made->keepers.resize(parts);
    return made.release();
  } catch (const std::bad_alloc&) { return nullptr; }
}
// Columns of given values; null if one is malformed.
BATT_API ValueColumn* batt_column_wires(const u8* bytes, const u64* ends, u64 count) {
  try {
    auto made = std::make_unique<ValueColumn>();
    return read_wires(*made, bytes, ends, count) ? made.release() : nullptr;
  } catch (const std::bad_alloc&) { return nullptr; }
}
BATT_API ValueColumn* batt_column_ints(const i64* ints, u64 count) {
  try {
    auto made = std::make_unique<ValueColumn>();
    read_ints(*made, ints, count);
    return made.release();
  } catch (const std::bad_alloc&) { return nullptr; }
}
BATT_API ValueColumn* batt_column_grids(const u8* cells, u64 cell_count, const u64* starts, const u16* sides,
                                        u64 count) {
  try {
    auto made = std::make_unique<ValueColumn>();
    return read_grids(*made, cells, cell_count, starts, sides, count) ? made.release() : nullptr;
  } catch (const std::bad_alloc&) { return nullptr; }
}
BATT_API void batt_column_free(ValueColumn* column) { delete column; }

// Call an op for some rows of a column. Return how many are done, NO_ROOM if there is not enough memory, or -1 if a
// number is out of range.
BATT_API i64 batt_column_call(ValueColumn* to, u32 part, Worker* worker, u32 op, const ValueColumn* const* arguments,
                              u64 from, u64 count, const Budget* budget, Result* results, const volatile u32* stop) {
  u64 rows = to->values.size();
  if (op >= OP_COUNT || part >= to->keepers.size() || from > rows || count > rows - from) return -1;
  for (u32 k = 0; k < OP_ARITY[op]; k++)
    if (arguments[k]->values.size() != 1 && arguments[k]->values.size() != rows) return -1;
  try {
    return static_cast<i64>(call_rows(*to, part, *worker, op, arguments, from, count, *budget, results, stop));
  } catch (const std::bad_alloc&) { return NO_ROOM; }
}

// Write the values of a column as `write_grids` and `write_wires` do; a row without a value is a None.
BATT_API u64 batt_column_read_grids(const ValueColumn* column, u16* sides, u64* starts, u8* to, u64 room) {
  return write_grids(column->values.data(), column->values.size(), sides, starts, to, room);
}
BATT_API u64 batt_column_read_wires(const ValueColumn* column, u64* ends, u8* to, u64 room) {
  return write_wires(column->values.data(), column->values.size(), ends, to, room);
}

// Write the values of a column for a device, as `freeze_column` does; ~0 if there is not enough memory.
BATT_API u64 batt_column_freeze(const ValueColumn* column, u64 base, Value* values, u8* bytes) {
  try {
    return freeze_column(*column, base, values, bytes);
  } catch (const std::bad_alloc&) { return ~0ull; }
}
// The values of a column, and which rows have one.
BATT_API const Value* batt_column_values(const ValueColumn* column) { return column->values.data(); }
BATT_API const u8* batt_column_has_value(const ValueColumn* column) { return column->has_value.data(); }
// Give some rows values, as `put_values` does.
BATT_API u32 batt_column_put(ValueColumn* column, const u32* rows, const Value* values, u64 count) {
  return put_values(*column, rows, values, count);
}
