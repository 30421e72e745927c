// Columns: one op over many argument tuples at once. Host only.
#pragma once
#include "caller.h"

namespace batt {

// Values by row; a row whose evaluation failed has none. A column of one row stands for any number of equal ones.
struct ValueColumn {
  std::vector<Value> values;
  std::vector<u8> has_value;    // by row
  std::vector<Keeper> keepers;  // of the parts that threads computed
  Store store;                  // of values that were given

  u64 row(u64 k) const { return values.size() == 1 ? 0 : k; }
};

// Read values from wire bytes, each up to its end. False if one is malformed.
inline bool read_wires(ValueColumn& column, const u8* bytes, const u64* ends, u64 count) {
  u64 from = 0;
  for (u64 k = 0; k < count; k++) {
    if (ends[k] < from) return false;
    WireReader reader{bytes + from, ends[k] - from};
    column.values.push_back(reader.read_into(column.store));
    if (reader.bad || reader.at != reader.size) return false;
    from = ends[k];
  }
  column.has_value.assign(count, 1);
  return true;
}

inline void read_ints(ValueColumn& column, const i64* ints, u64 count) {
  for (u64 k = 0; k < count; k++) column.values.push_back(integer(ints[k]));
  column.has_value.assign(count, 1);
}

// Read grids that lie one after the other. False if a side is 0 or the cells do not suffice.
inline bool read_grids(ValueColumn& column, const u8* cells, u64 cell_count, const u64* starts, const u16* sides,
                       u64 count) {
  column.keepers.resize(1);
  for (u64 k = 0; k < count; k++) {
    u32 h = sides[2 * k], w = sides[2 * k + 1];
    u64 size = static_cast<u64>(h) * w;
    if (!size || starts[k] > cell_count || size > cell_count - starts[k]) return false;
    column.values.push_back(column.keepers[0].keep(grid_at(reinterpret_cast<Addr>(cells + starts[k]), h, w)));
  }
  column.has_value.assign(count, 1);
  return true;
}

// Call an op for the rows from `from` on, and keep the values as a part of the column. A row is not run if one of its
// arguments has no value. Return how many rows are done: fewer than `count` if `stop` is set.
inline u64 call_rows(ValueColumn& to, u32 part, Worker& worker, u32 op, const ValueColumn* const* arguments, u64 from,
                     u64 count, const Budget& budget, Result* results, const volatile u32* stop) {
  static const LoadedProgram no_program;
  Caller caller(worker, no_program, budget, stop);
  u64 k = 0;
  for (; k < count && !*stop; k++) {
    Result& result = results[k];
    result = Result{};
    result.status = ENDED_NOT_RUN;
    result.equal = EQUAL_UNKNOWN;
    Value a[MAX_ARITY];
    bool has_all = true;
    for (u32 j = 0; j < OP_ARITY[op]; j++) {
      u64 row = arguments[j]->row(from + k);
      a[j] = arguments[j]->values[row];
      has_all &= arguments[j]->has_value[row] != 0;
    }
    if (!has_all) continue;
    Value made = caller.call(op, a);
    result = score(caller.vm(), made, none(), false, budget);
    if (result.status == ENDED_TIMED_OUT) break;
    if (result.status == ENDED_OK) {
      to.values[from + k] = to.keepers[part].keep(made);
      to.has_value[from + k] = 1;
    }
    caller.release();
  }
  return k;
}

}  // namespace batt
