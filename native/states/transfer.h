// Hand the values of columns to a device and take them back. Host only.
#pragma once
#include "columns.h"

namespace batt {

// Writes values with all their parts one after the other, for the address at which the bytes will lie.
class ColumnFreezer {
 public:
  ColumnFreezer(u64 lies_at, u8* into) : base(lies_at), to(into) {}
  u64 used = 0;

  // With no bytes to write to, only count.
  Value put(Value v) {
    Value made = moved(v);
    if (!has_parts(v)) return made;
    todo.assign(1, Placed{v, made.bits});
    while (!todo.empty()) {
      Placed each = todo.back();
      todo.pop_back();
      for (u64 k = 0; k < flat_bytes(each.of) / sizeof(Value); k++) {
        Value part = reinterpret_cast<const Value*>(each.of.bits)[k], placed = moved(part);
        if (to) std::memcpy(to + (each.at - base) + k * sizeof(Value), &placed, sizeof(Value));
        if (has_parts(part)) todo.push_back(Placed{part, placed.bits});
      }
    }
    return made;
  }

 private:
  struct Placed {
    Value of;
    u64 at;
  };
  u64 base;
  u8* to;
  std::vector<Placed> todo;

  Value moved(Value v) {
    u64 size = flat_bytes(v);
    if (!size) return v;
    if (to) std::memcpy(to + used, reinterpret_cast<const void*>(v.bits), size);
    v.bits = base + used;
    used += (size + ALIGN - 1) & ~(ALIGN - 1);
    return v;
  }
};

// Write the values of a column for a device, and their parts as bytes that will lie at `base`; return the number of
// bytes. With no `values`, only count.
inline u64 freeze_column(const ValueColumn& column, u64 base, Value* values, u8* bytes) {
  ColumnFreezer freezer(base, values ? bytes : nullptr);
  for (u64 k = 0; k < column.values.size(); k++) {
    Value made = freezer.put(column.has_value[k] ? column.values[k] : none());
    if (values) values[k] = made;
  }
  return freezer.used;
}

// Give some rows values, whose parts the caller keeps. False if a row is out of range.
inline bool put_values(ValueColumn& column, const u32* rows, const Value* values, u64 count) {
  for (u64 k = 0; k < count; k++) {
    if (rows[k] >= column.values.size()) return false;
    column.values[rows[k]] = values[k];
    column.has_value[rows[k]] = 1;
  }
  return true;
}

}  // namespace batt
