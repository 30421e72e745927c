// Python's operators and built-in functions in decks, for every value: ops/python.py.
#pragma once
#include "containers.h"

namespace batt {

BATT_OP Value op_py_item(Vm& vm, const Value* a) {
  if (!is_tuple(a[0]) || !is_int(a[1])) return raise(vm, TYPE_ERROR);
  i64 n = length(a[0]), k = int_of(a[1]);
  if (k < -n || k >= n) return raise(vm, INDEX_ERROR);
  return item(vm, a[0], static_cast<u32>(k < 0 ? k + n : k));
}

BATT_OP Value op_py_part(Vm& vm, const Value* a) {
  if (!is_int(a[1]) || !is_int(a[2]) || !is_container(a[0])) return raise(vm, TYPE_ERROR);
  i64 n = length(a[0]), k = int_of(a[1]);
  if (n != int_of(a[2])) return raise(vm, VALUE_ERROR);
  if (k < -n || k >= n) return raise(vm, INDEX_ERROR);
  return item(vm, a[0], static_cast<u32>(k < 0 ? k + n : k));
}

BATT_INLINE bool expect_ints(Vm& vm, const Value* a) { return expect_int(vm, a[0]) && expect_int(vm, a[1]); }

BATT_OP Value op_py_add(Vm& vm, const Value* a) {
  if (is_tuple(a[0]) && is_tuple(a[1])) return joined_tuples(vm, a[0], a[1]);
  return expect_ints(vm, a) ? integer(plus(vm, int_of(a[0]), int_of(a[1]))) : none();
}

BATT_OP Value op_py_sub(Vm& vm, const Value* a) {
  if (is_set(a[0]) && is_set(a[1])) return merge_sets<KEEP_LEFT>(vm, a[0], a[1]);
  return expect_ints(vm, a) ? integer(minus(vm, int_of(a[0]), int_of(a[1]))) : none();
}

// Repeat a tuple n times, n > 1.
BATT_DEVICE_NOINLINE Value repeated_tuple(Vm& vm, Value v, u64 n) {
  u32 m = length(v);
  if (m == 0) return v;
  if (product_of(static_cast<i64>(n), items(vm, v)) > vm.max_items) return stop_with(vm, OVER_BUDGET);
  if (n * m > 0xffffffffull) return unsupported(vm, ARENA_FULL);
  if (v.tag == GRID || v.tag == ROW) {
    u64 size = v.tag == GRID ? static_cast<u64>(m) * grid_w(v) : m;
    Value made = v.tag == GRID ? new_grid(vm, n * m, grid_w(v)) : none();
    Addr at = stopped(vm) ? 0 : v.tag == GRID ? grid_cells(vm, made) : alloc<u8>(vm, n * m);
    if (stopped(vm)) return none();
    for (u64 k = 0; k < n; k++) copy_bytes(vm, at + k * size, v.bits, size);
    return v.tag == GRID ? made : bytes_as_tuple(vm, at, static_cast<u32>(n * m));
  }
  Addr at = alloc<Value>(vm, n * m);
  if (stopped(vm)) return none();
  for (u64 k = 0; k < n; k++) put_items(vm, v, at, k * m);
  return rows_as_grid(vm, tuple_at(vm, at, static_cast<u32>(n * m)));
}

BATT_INLINE i64 cost_py_mul(Vm& vm, const Value* a) {
  BATT_NO_UNROLL
  for (u32 k = 0; k < 2; k++)
    if (is_tuple(a[k])) return sum_of(1, product_of(larger<i64>(1, items(vm, a[k])), whole(a[1 - k])));
  return 1 + (is_int(a[0]) && is_int(a[1]) && int_of(a[0]) == INT64_LEAST && int_of(a[1]) == INT64_LEAST);
}
BATT_OP Value op_py_mul(Vm& vm, const Value* a) {
  BATT_NO_UNROLL
  for (u32 k = 0; k < 2; k++) {
    if (!is_tuple(a[k]) || !is_int(a[1 - k])) continue;
    u64 n = static_cast<u64>(whole(a[1 - k]));
    return n == 0 ? empty_tuple() : n == 1 ? a[k] : repeated_tuple(vm, a[k], n);
  }
  return expect_ints(vm, a) ? integer(times(vm, int_of(a[0]), int_of(a[1]))) : none();
}

BATT_OP Value op_py_floordiv(Vm& vm, const Value* a) {
  if (!expect_ints(vm, a)) return none();
  return int_of(a[1]) ? integer(floor_div(vm, int_of(a[0]), int_of(a[1]))) : raise(vm, ZERO_DIVISION_ERROR);
}

BATT_OP Value op_py_mod(Vm& vm, const Value* a) {
  if (!expect_ints(vm, a)) return none();
  i64 x = int_of(a[0]), by = int_of(a[1]);
  if (by == 0) return raise(vm, ZERO_DIVISION_ERROR);
  if (by == -1) return integer(0);  // undefined in C++ for the least int
  i64 left = x % by;
  return integer(left != 0 && (left < 0) != (by < 0) ? left + by : left);
}

BATT_OP Value op_py_neg(Vm& vm, const Value* a) {
  return expect_int(vm, a[0]) ? integer(minus(vm, 0, int_of(a[0]))) : none();
}

// Python's `a <= b`; see `less`.
BATT_DEVICE_NOINLINE bool at_most(Vm& vm, Value a, Value b) {
  for (;;) {
    if (is_int(a) && is_int(b)) return int_of(a) <= int_of(b);
    if (is_set(a) && is_set(b)) return is_subset(vm, a, b);
    if (!is_tuple(a) || !is_tuple(b)) {
      raise(vm, TYPE_ERROR);
      return false;
    }
    u32 m = length(a), n = length(b), k = 0, shared = smaller(m, n);
    while (k < shared && equal(vm, item(vm, a, k), item(vm, b, k)) && !stopped(vm)) k++;
    if (stopped(vm)) return false;
    if (k == shared) return m <= n;
    Value x = item(vm, a, k), y = item(vm, b, k);
    a = x;
    b = y;
  }
}
BATT_OP Value op_py_le(Vm& vm, const Value* a) { return boolean(at_most(vm, a[0], a[1])); }

BATT_OP Value op_frozenset(Vm& vm, const Value* a) {
  return is_container(a[0]) ? as_set(vm, a[0]) : raise(vm, TYPE_ERROR);
}

}  // namespace batt
