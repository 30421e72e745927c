// Equality, the canonical order, and Python's `<`. Nested values are walked with an explicit stack in scratch memory.
#pragma once
#include "access.h"
#include "stack.h"
#include "forms.h"

namespace batt {

struct Both {
  Value a, b;
  u64 k;
};
using BothStack = Stack<Both>;

// The number of parts of a container, or of a function that an op made.
BATT_INLINE u32 part_count(Value v) {
  return v.tag == FN ? (fn_kind(v) == FN_MADE ? OP_ARITY[fn_number(v)] : 0) : length(v);
}
BATT_INLINE Value part(const Vm& vm, Value v, u32 k) {
  return v.tag == FN ? mem<Value>(vm, v.bits, k) : item(vm, v, k);
}

template <class T> BATT_INLINE bool same_elements(Vm& vm, Addr a, Addr b, u64 n) {
  if (a == b) return true;
  if (!work(vm, n / 8)) return false;
  bool same = true;
  for (u64 k = lane(vm); k < n && same; k += lanes(vm)) same = mem<T>(vm, a, k) == mem<T>(vm, b, k);
  return all_lanes(vm, same);
}

enum Sameness { DIFFERENT, SAME, LOOK_INSIDE };

// Compare two values without a stack; LOOK_INSIDE if that does not decide.
BATT_DEVICE_NOINLINE Sameness sameness(Vm& vm, Value a, Value b) {
  if (a.tag == b.tag) {
    switch (a.tag) {
      case NONE: return SAME;
      case INT:
      case PAIR: return a.bits == b.bits ? SAME : DIFFERENT;
      case CELL: return a.bits == b.bits && a.n == b.n ? SAME : DIFFERENT;
      case ROW: return a.n == b.n && same_elements<u8>(vm, a.bits, b.bits, a.n) ? SAME : DIFFERENT;
      case GRID: {
        u64 cells = static_cast<u64>(grid_h(a)) * grid_w(a);
        return a.n == b.n && same_elements<u8>(vm, a.bits, b.bits, cells) ? SAME : DIFFERENT;
      }
      case PLACES: return a.n == b.n && same_elements<u32>(vm, a.bits, b.bits, a.n) ? SAME : DIFFERENT;
      case CELLS: return a.n == b.n && same_elements<u64>(vm, a.bits, b.bits, a.n) ? SAME : DIFFERENT;
      case FN:
        if (a.n != b.n) return DIFFERENT;
        return fn_kind(a) != FN_MADE || a.bits == b.bits ? SAME : LOOK_INSIDE;
      default: return a.n != b.n ? DIFFERENT : a.n == 0 || a.bits == b.bits ? SAME : LOOK_INSIDE;
    }
  }
  if ((is_tuple(a) && is_tuple(b)) || (is_set(a) && is_set(b))) {
    if (length(a) != length(b)) return DIFFERENT;
    return length(a) == 0 ? SAME : LOOK_INSIDE;
  }
  return DIFFERENT;
}

// The number of items that two containers have in common from their beginning if both hold their items as values.
BATT_INLINE u32 shared_values(Value a, Value b) {
  return a.tag == b.tag && (a.tag == TUPLE || a.tag == SET) ? smaller(a.n, b.n) : 0;
}

BATT_DEVICE_NOINLINE bool equal_inside(Vm& vm, Value a, Value b) {
  // Items without parts are compared without the stack.
  u32 shared = shared_values(a, b), k = 0;
  if (!work(vm, shared / 4)) return false;
  for (; k < shared; k++) {
    Sameness found = sameness(vm, mem<Value>(vm, a.bits, k), mem<Value>(vm, b.bits, k));
    if (found == DIFFERENT) return false;
    if (found == LOOK_INSIDE) break;
  }
  BothStack stack(vm);
  if (!stack.push(Both{a, b, k})) return false;
  while (stack.count) {
    Both& top = stack.top();
    if (top.k == part_count(top.a)) {
      stack.pop();
      continue;
    }
    Value x = part(vm, top.a, static_cast<u32>(top.k)), y = part(vm, top.b, static_cast<u32>(top.k));
    top.k++;
    if (!work(vm, 1)) return false;
    Sameness found = sameness(vm, x, y);
    if (found == DIFFERENT) return false;
    if (found == LOOK_INSIDE && !stack.push(Both{x, y, 0})) return false;
  }
  return true;
}

// Whether two values are equal. If the machine stops, the answer means nothing.
BATT_INLINE bool equal(Vm& vm, Value a, Value b) {
  Sameness found = sameness(vm, a, b);
  return found == LOOK_INSIDE ? equal_inside(vm, a, b) : found == SAME;
}

BATT_INLINE int sign_of(i64 a, i64 b) { return a < b ? -1 : a > b; }

template <class T> BATT_DEVICE_NOINLINE int compare_elements(Vm& vm, Addr a, u64 m, Addr b, u64 n) {
  if (a != b) {
    u64 shared = smaller(m, n);
    if (!work(vm, shared / 8)) return 0;
    for (u64 start = 0; start < shared; start += lanes(vm)) {
      u64 k = smaller(start + lane(vm), shared - 1);
      T x = mem<T>(vm, a, k), y = mem<T>(vm, b, k);
      u32 differ = ballot(vm, x != y);
      if (differ) return from_lane(vm, x < y ? -1 : 1, lowest_bit(differ));
    }
  }
  return m < n ? -1 : m > n;
}

// ints < tuples < sets < None < functions
BATT_INLINE int kind_rank(Value v) {
  return v.tag == INT ? 0 : is_tuple(v) ? 1 : is_set(v) ? 2 : v.tag == NONE ? 3 : 4;
}

constexpr int UNKNOWN_ORDER = 2;

// Compare two values in canonical order without a stack; UNKNOWN_ORDER if that does not decide.
BATT_DEVICE_NOINLINE int quick_order(Vm& vm, Value a, Value b) {
  if (a.tag == b.tag) {
    switch (a.tag) {
      case NONE: return 0;
      case INT: return sign_of(int_of(a), int_of(b));
      case PAIR: return pair_i(a) != pair_i(b) ? sign_of(pair_i(a), pair_i(b)) : sign_of(pair_j(a), pair_j(b));
      case CELL:
        if (a.n != b.n) return sign_of(cell_colour(a), cell_colour(b));
        return pair_i(a) != pair_i(b) ? sign_of(pair_i(a), pair_i(b)) : sign_of(pair_j(a), pair_j(b));
      case ROW: return compare_elements<u8>(vm, a.bits, a.n, b.bits, b.n);
      case GRID:
        if (grid_w(a) != grid_w(b)) return UNKNOWN_ORDER;
        return compare_elements<u8>(vm, a.bits, static_cast<u64>(grid_h(a)) * grid_w(a), b.bits,
                                    static_cast<u64>(grid_h(b)) * grid_w(b));
      case PLACES: return compare_elements<u32>(vm, a.bits, a.n, b.bits, b.n);
      case CELLS: return compare_elements<u64>(vm, a.bits, a.n, b.bits, b.n);
      case FN: return sameness(vm, a, b) == SAME ? 0 : UNKNOWN_ORDER;
      default: return a.n == b.n && (a.n == 0 || a.bits == b.bits) ? 0 : UNKNOWN_ORDER;
    }
  }
  int x = kind_rank(a), y = kind_rank(b);
  return x == y ? UNKNOWN_ORDER : x < y ? -1 : 1;
}

// An item of a tuple; a pair of bytes is a PAIR.
BATT_INLINE Value paired_item(const Vm& vm, Value v, u32 k) {
  Value each = v.tag == TUPLE ? mem<Value>(vm, v.bits, k) : item(vm, v, k);
  bool bytes = each.tag == ROW && each.n == 2;
  return bytes ? pair_of(mem<u8>(vm, each.bits, 0), mem<u8>(vm, each.bits, 1)) : each;
}

// Compare the ints and pairs with which two tuples begin, from item k on; move k to the first item that is something
// else, or to `end`.
BATT_DEVICE_NOINLINE int order_of_plain_items(const Vm& vm, Value a, Value b, u32& k, u32 end) {
  for (; k < end; k++) {
    Value x = paired_item(vm, a, k), y = paired_item(vm, b, k);
    if (x.tag != y.tag || (x.tag != INT && x.tag != PAIR)) return 0;
    if (x.bits != y.bits) return (x.bits ^ value_bias(x.tag)) < (y.bits ^ value_bias(x.tag)) ? -1 : 1;
  }
  return 0;
}

// The first of the items k … end - 1 of two tuples or two sets of values that is not the same in memory, or `end`.
BATT_INLINE u32 first_unlike(const Vm& vm, Value a, Value b, u32 k, u32 end) {
#ifdef BATT_WIDE_BYTES
  auto alike = [&](u32 q) {
    return wide_same(wide_bytes(vm, a.bits, sizeof(Value) * q), wide_bytes(vm, b.bits, sizeof(Value) * q));
  };
  for (; k + 4 <= end; k += 4)
    if (wide_mask(alike(k) & alike(k + 1) & alike(k + 2) & alike(k + 3)) != 0xffffu) break;
  while (k < end && wide_mask(alike(k)) == 0xffffu) k++;
#else
  static_cast<void>(vm);
  static_cast<void>(a);
  static_cast<void>(b);
  static_cast<void>(end);
#endif
  return k;
}

// The same for two tuples or two sets that hold values, and for cells as well.
BATT_HOT_INLINE int order_of_plain_values(const Vm& vm, Value a, Value b, u32& k, u32 end) {
  constexpr u32 MANY = 4;
  for (; k < end; k++) {
    Value x = mem<Value>(vm, a.bits, k), y = mem<Value>(vm, b.bits, k);
    if (x.tag != y.tag || x.tag < INT || x.tag > CELL) return 0;
    if (x.tag == CELL && x.n != y.n) return sign_of(cell_colour(x), cell_colour(y));
    if (x.bits != y.bits) return (x.bits ^ value_bias(x.tag)) < (y.bits ^ value_bias(x.tag)) ? -1 : 1;
    if (end - k > MANY) k = first_unlike(vm, a, b, k + 1, end) - 1;
  }
  return 0;
}

BATT_DEVICE_NOINLINE int order_inside(Vm& vm, Value a, Value b) {
  u32 shared = shared_values(a, b), k = 0;
  if (a.tag != b.tag && is_tuple(a) && is_tuple(b)) {
    u32 m = length(a), n = length(b), end = smaller(m, n);
    int found = order_of_plain_items(vm, a, b, k, end);
    if (found) return found;
    if (k == end) return sign_of(m, n);
  }
  // The first items that differ decide, so no way back up is needed. Functions are left to the stack.
  while (k < shared) {
    int plain = order_of_plain_values(vm, a, b, k, shared);
    if (plain) return plain;
    if (k == shared) return sign_of(a.n, b.n);
    Value x = mem<Value>(vm, a.bits, k), y = mem<Value>(vm, b.bits, k);
    int found = quick_order(vm, x, y);
    if (found == UNKNOWN_ORDER) {
      if (!is_container(x)) break;
      if (!equal(vm, x, y)) {
        if (stopped(vm) || !work(vm, k / 4 + 1)) return 0;
        a = x;
        b = y;
        shared = shared_values(a, b);
        k = 0;
        continue;
      }
    } else if (found) {
      return found;
    }
    if (++k == shared) return sign_of(a.n, b.n);
  }
  if (!work(vm, shared / 4)) return 0;
  BothStack stack(vm);
  if (!stack.push(Both{a, b, k})) return 0;
  while (stack.count) {
    Both& top = stack.top();
    if (top.a.tag == FN) {
      int found = compare_forms(vm, top.a, top.b);
      if (found || stopped(vm)) return found;
      stack.pop();
      continue;
    }
    u32 m = length(top.a), n = length(top.b);
    if (top.k == smaller(m, n)) {
      if (m != n) return m < n ? -1 : 1;
      stack.pop();
      continue;
    }
    Value x = item(vm, top.a, static_cast<u32>(top.k)), y = item(vm, top.b, static_cast<u32>(top.k));
    top.k++;
    if (!work(vm, 1)) return 0;
    int found = quick_order(vm, x, y);
    if (found == UNKNOWN_ORDER) {
      if (!stack.push(Both{x, y, 0})) return 0;
    } else if (found) {
      return found;
    }
  }
  return 0;
}

// -1, 0 or 1: a comes before b, equals b, or comes after b in the canonical order.
BATT_INLINE int compare(Vm& vm, Value a, Value b) {
  int found = quick_order(vm, a, b);
  return found == UNKNOWN_ORDER ? order_inside(vm, a, b) : found;
}

// Whether every item of set a is in set b.
BATT_DEVICE_NOINLINE bool is_subset(Vm& vm, Value a, Value b) {
  u32 m = length(a), n = length(b);
  for (u32 i = 0, j = 0; i < m; i++, j++) {
    if (m - i > n - smaller(j, n)) return false;
    int found = 1;
    while (j < n && (found = compare(vm, item(vm, a, i), item(vm, b, j))) > 0) {
      if (stopped(vm)) return false;
      j++;
    }
    if (j == n || found < 0) return false;
  }
  return true;
}

// Python's `a < b`: ints by value, tuples by their first difference, sets as proper subsets. Anything else raises a
// TypeError.
BATT_DEVICE_NOINLINE bool less(Vm& vm, Value a, Value b) {
  for (;;) {
    if (is_int(a) && is_int(b)) return int_of(a) < int_of(b);
    if (a.tag == b.tag && (a.tag == PAIR || a.tag == CELL)) return quick_order(vm, a, b) < 0;
    if (is_set(a) && is_set(b)) return length(a) < length(b) && is_subset(vm, a, b);
    if (!is_tuple(a) || !is_tuple(b)) {
      raise(vm, TYPE_ERROR);
      return false;
    }
    u32 m = length(a), n = length(b), k = 0, shared = smaller(m, n);
    bool values = a.tag == TUPLE && b.tag == TUPLE;
    int found = values ? order_of_plain_values(vm, a, b, k, shared) : order_of_plain_items(vm, a, b, k, shared);
    if (found) return found < 0;
    while (k < shared && equal(vm, item(vm, a, k), item(vm, b, k)) && !stopped(vm)) k++;
    if (stopped(vm)) return false;
    if (k == shared) return m < n;
    Value x = item(vm, a, k), y = item(vm, b, k);
    a = x;
    b = y;
  }
}

// Python's `v in container`.
BATT_DEVICE_NOINLINE bool contains(Vm& vm, Value container, Value v) {
  u32 n = length(container);
  if (is_tuple(container)) {
    for (u32 k = 0; k < n; k++) {
      if (!work(vm, 1)) return false;
      if (equal(vm, item(vm, container, k), v)) return true;
    }
    return false;
  }
  u32 low = 0, high = n;
  while (low < high) {
    u32 middle = low + (high - low) / 2;
    int found = compare(vm, item(vm, container, middle), v);
    if (stopped(vm)) return false;
    if (found == 0) return true;
    if (found < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

}  // namespace batt
