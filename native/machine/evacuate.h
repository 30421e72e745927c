// Move the result of a body out of the memory that is about to be released.
#pragma once
#include "frames.h"

namespace batt {

struct Within {
  Addr from, end;
  BATT_INLINE bool holds(Addr at) const { return at >= from && at < end; }
};

BATT_INLINE u64 flat_bytes(Value v) {
  switch (v.tag) {
    case ROW: return v.n;
    case GRID: return static_cast<u64>(grid_h(v)) * grid_w(v);
    case PLACES: return 4ull * v.n;
    case CELLS: return 8ull * v.n;
    case TUPLE:
    case SET: return 16ull * v.n;
    case FN: return fn_kind(v) == FN_MADE ? 16ull * OP_ARITY[fn_number(v)] : 0;
    default: return 0;
  }
}

// Copy a value's own array to the side of results; the copied parts still point to the old ones.
BATT_DEVICE_NOINLINE Value copied(Vm& vm, Value v) {
  u64 bytes = flat_bytes(v);
  Addr at = alloc<u8>(vm, bytes);
  if (stopped(vm)) return none();
  copy_bytes(vm, at, v.bits, bytes);
  v.bits = at;
  return v;
}

BATT_INLINE bool has_parts(Value v) { return (v.tag == TUPLE || v.tag == SET || v.tag == FN) && flat_bytes(v) != 0; }

struct Copied {
  Addr at;
  u64 count;
};

// Move a value, with all its parts above `mark` on the other side, to this side, and release that memory. A value that
// holds a part many times would grow when copied: it stays, and `mark` is raised above it.
BATT_DEVICE_NOINLINE Value evacuate_from(Vm& vm, Value v, Addr& mark) {
  Region& other = vm.region[vm.side ^ 1u];
  Within dying{mark, other.top};
  if (!has_parts(v)) {
    Value made = copied(vm, v);
    cut_back(other, mark);
    return made;
  }
  Addr undo = vm.region[vm.side].top;
  u64 left = dying.end - dying.from;
  Value made = copied(vm, v);
  if (stopped(vm)) return none();
  // Most tuples hold parts that stay where they are.
  u64 parts = flat_bytes(v) / 16, staying = 0;
  auto stays = [&](Value part) { return part.tag <= CELL || !dying.holds(part.bits); };
  while (staying < parts && stays(mem<Value>(vm, v.bits, staying))) staying++;
  if (staying == parts) {
    cut_back(other, mark);
    return made;
  }
  Stack<Copied> todo(vm);
  bool whole = todo.push(Copied{made.bits, flat_bytes(made) / 16});
  while (whole && todo.count) {
    Copied array = todo.top();
    todo.pop();
    for (u64 k = 0; k < array.count && whole; k++) {
      Value inner = mem<Value>(vm, array.at, k);
      u64 bytes = flat_bytes(inner);
      if (bytes == 0 || !dying.holds(inner.bits)) continue;
      whole = bytes <= left;
      if (!whole) break;
      left -= bytes;
      Value moved_value = copied(vm, inner);
      if (stopped(vm)) {
        whole = false;
        break;
      }
      mem<Value>(vm, array.at, k) = moved_value;
      if (has_parts(moved_value)) whole = todo.push(Copied{moved_value.bits, bytes / 16});
    }
  }
  if (stopped(vm)) return none();
  if (whole) {
    // The stack of arrays to copy lies above the memory to release: release both.
    todo.scratch.mark = mark;
    return made;
  }
  cut_back(vm.region[vm.side], undo);
  mark = dying.end;
  return v;
}

BATT_INLINE Value evacuate(Vm& vm, Value v, Addr& mark) {
  Region& other = vm.region[vm.side ^ 1u];
  // A container below the mark cannot hold parts that were made after it.
  bool stays = v.tag <= CELL || flat_bytes(v) == 0 || !Within{mark, other.top}.holds(v.bits);
  if (!stays) return evacuate_from(vm, v, mark);
  cut_back(other, mark);
  return v;
}

}  // namespace batt
