// Ops on columns: one op for many items at once. Each returns whether it is certain not to raise for columns of that
// kind, which a call for no items finds out too.
#pragma once
#include "arithmetic.h"

namespace batt {

enum ColumnKind : u32 {
  INTS,       // i64
  PAIRS,      // as the bits of a PAIR
  CELL_KEYS,  // as in CELLS
  TWOS,       // the addresses of tuples of two
  SINGLES,    // sets of one pair, as the bits of that PAIR
  PATCHES,    // the addresses of values that are PLACES or CELLS
  SHIFTED,    // copies of the places `patch`, shifted by pairs
  COMMON,     // sets of places, as their sizes
  UNITED,     // non-empty sets of places, as their sizes; two more columns hold the corners of their boxes, as pairs
  LISTS,      // the addresses of values that are tuples and begin with two ints
  WIDES,      // tuples of two ints, as these: the second ones in another column
  HOLDERS     // the addresses of values that are tuples or sets
};

struct Column {
  u32 kind;
  Addr at;    // u64[COLUMN_ITEMS]
  u64 bound;  // the greatest absolute value of an int, or of a part of a pair or of a place
#ifndef __CUDACC__
  Value patch;  // for SHIFTED
#endif
};

constexpr u32 COLUMN_ITEMS = LANES == 1 ? 64 : 256, MOST_COLUMNS = 16;
#ifdef __CUDACC__
constexpr u32 COLUMNS_OF_SLOT = 1;  // SHIFTED and what follows are for hosts only
#else
constexpr u32 COLUMNS_OF_SLOT = 3;
#endif
constexpr u64 PAIR_BOUND = 0x7fffffffull, INT_BOUND = 1ull << 60;
constexpr u64 LIST_BOUND = 1ull << 59;  // of the ints of LISTS

BATT_INLINE i64 part_of(u64 bits, bool is_pair, u32 k) {
  return is_pair ? static_cast<i32>(static_cast<u32>(bits >> (k ? 0 : 32))) : static_cast<i64>(bits);
}
BATT_INLINE u64 pair_bits(i64 i, i64 j) { return static_cast<u64>(static_cast<u32>(i)) << 32 | static_cast<u32>(j); }

template <class F> BATT_INLINE void for_each(Vm& vm, const Column& x, Column& out, u32 n, F f) {
  for (u32 k = lane(vm); k < n; k += lanes(vm)) mem<u64>(vm, out.at, k) = f(mem<u64>(vm, x.at, k));
  sync_lanes(vm);
}
template <class F> BATT_INLINE void for_both(Vm& vm, const Column& x, const Column& y, Column& out, u32 n, F f) {
  for (u32 k = lane(vm); k < n; k += lanes(vm))
    mem<u64>(vm, out.at, k) = f(mem<u64>(vm, x.at, k), mem<u64>(vm, y.at, k));
  sync_lanes(vm);
}

// Apply an operation to ints or to the parts of pairs; false if the bound of its results is too large.
template <class F> BATT_INLINE bool each_part(Vm& vm, const Column& x, Column& out, u32 n, u64 bound, F f) {
  if (x.kind > PAIRS || bound > (x.kind == PAIRS ? PAIR_BOUND : INT_BOUND)) return false;
  out.kind = x.kind;
  out.bound = bound;
  if (x.kind == INTS) for_each(vm, x, out, n, [&](u64 a) { return static_cast<u64>(f(static_cast<i64>(a))); });
  else for_each(vm, x, out, n, [&](u64 a) { return pair_bits(f(part_of(a, true, 0)), f(part_of(a, true, 1))); });
  return true;
}
template <class F> BATT_DEVICE_NOINLINE bool both_parts(Vm& vm, const Column& x, const Column& y, Column& out, u32 n,
                                                        u64 bound, F f) {
  bool p = x.kind == PAIRS, q = y.kind == PAIRS;
  if (x.kind > PAIRS || y.kind > PAIRS || bound > (p || q ? PAIR_BOUND : INT_BOUND)) return false;
  out.kind = p || q ? PAIRS : INTS;
  out.bound = bound;
  if (out.kind == INTS)
    for_both(vm, x, y, out, n,
             [&](u64 a, u64 b) { return static_cast<u64>(f(static_cast<i64>(a), static_cast<i64>(b))); });
  else
    for_both(vm, x, y, out, n, [&](u64 a, u64 b) {
      return pair_bits(f(part_of(a, p, 0), part_of(b, q, 0)), f(part_of(a, p, 1), part_of(b, q, 1)));
    });
  return true;
}

// Test each x.
template <class F> BATT_INLINE bool test_column(Vm& vm, const Column& x, Column& out, u32 n, F f) {
  out.kind = INTS;
  out.bound = 1;
  for_each(vm, x, out, n, [&](u64 a) { return static_cast<u64>(f(a)); });
  return true;
}

// Take part k of pairs or cells.
BATT_DEVICE_NOINLINE bool part_column(Vm& vm, const Column& x, Column& out, u32 n, u32 k) {
  if (x.kind != PAIRS && x.kind != CELL_KEYS) return false;
  out.kind = x.kind == CELL_KEYS && k ? PAIRS : INTS;
  out.bound = x.kind == PAIRS ? x.bound : k ? 0x8000 : 1ull << 31;
  if (x.kind == PAIRS) for_each(vm, x, out, n, [&](u64 a) { return static_cast<u64>(part_of(a, true, k)); });
  else if (k) for_each(vm, x, out, n, [](u64 a) { return pair_bits(key_i(key_place(a)), key_j(key_place(a))); });
  else for_each(vm, x, out, n, [](u64 a) { return static_cast<u64>(static_cast<i64>(key_colour(a))); });
  return true;
}

// Take the greater or the lesser part of pairs.
BATT_DEVICE_NOINLINE bool extreme_column(Vm& vm, const Column& x, Column& out, u32 n, bool greatest) {
  if (x.kind != PAIRS) return false;
  out.kind = INTS;
  out.bound = x.bound;
  for_each(vm, x, out, n, [&](u64 a) {
    i64 i = part_of(a, true, 0), j = part_of(a, true, 1);
    return static_cast<u64>((i < j) == greatest ? j : i);
  });
  return true;
}

// Make pairs of ints.
BATT_INLINE bool pair_column(Vm& vm, const Column& x, const Column& y, Column& out, u32 n) {
  if (x.kind != INTS || y.kind != INTS || x.bound > PAIR_BOUND || y.bound > PAIR_BOUND) return false;
  out.kind = PAIRS;
  out.bound = larger(x.bound, y.bound);
  for_both(vm, x, y, out, n, [](u64 a, u64 b) { return pair_bits(static_cast<i64>(a), static_cast<i64>(b)); });
  return true;
}

// Make sets of one pair.
BATT_INLINE bool single_column(Vm& vm, const Column& x, Column& out, u32 n) {
  if (x.kind != PAIRS) return false;
  out.kind = SINGLES;
  out.bound = x.bound;
  for_each(vm, x, out, n, [](u64 a) { return a; });
  return true;
}

#ifndef __CUDACC__
// Int k of a tuple that begins with two ints, which is a PAIR, ROW or TUPLE.
inline i64 int_of_list(const Vm& vm, Value v, u32 k) {
  if (v.tag == TUPLE) return int_of(mem<Value>(vm, v.bits, k));
  return v.tag == PAIR ? part_of(v.bits, true, k) : mem<u8>(vm, v.bits, k);
}
// The column of the second ints of WIDES.
inline Addr second_ints(const Column& x) { return x.at + sizeof(u64) * COLUMN_ITEMS; }

// Apply an operation to the first two ints of LISTS or WIDES; false if the bound of its results is too large.
template <class F> bool each_of_wide(Vm& vm, const Column& x, Column& out, u32 n, u64 bound, F f) {
  if (bound > INT_BOUND) return false;
  out.kind = WIDES;
  out.bound = bound;
  for (u32 k = 0; k < n; k++) {
    i64 i, j;
    if (x.kind == LISTS) {
      Value list = mem<Value>(vm, mem<u64>(vm, x.at, k));
      i = int_of_list(vm, list, 0);
      j = int_of_list(vm, list, 1);
    } else {
      i = mem<i64>(vm, x.at, k);
      j = mem<i64>(vm, second_ints(x), k);
    }
    mem<i64>(vm, out.at, k) = f(i);
    mem<i64>(vm, second_ints(out), k) = f(j);
  }
  return true;
}

// The numbers of items of tuples and sets.
inline bool length_column(Vm& vm, const Column& x, Column& out, u32 n) {
  if (x.kind == INTS) return false;
  bool is_value = x.kind == LISTS || x.kind == HOLDERS;
  out.kind = INTS;
  out.bound = 1ull << 32;
  for_each(vm, x, out, n, [&](u64 a) {
    return is_value ? length(mem<Value>(vm, a)) : x.kind == SINGLES ? 1ull : 2ull;
  });
  return true;
}

inline bool wide_column(Vm& vm, u32 op, const Column& x, Column& out, u32 n) {
  switch (op) {
    case OP_invert: return each_of_wide(vm, x, out, n, x.bound, [](i64 a) { return -a; });
    case OP_double: return each_of_wide(vm, x, out, n, 2 * x.bound, [](i64 a) { return 2 * a; });
    case OP_halve: return each_of_wide(vm, x, out, n, x.bound, [](i64 a) { return a >> 1; });
    case OP_increment: return each_of_wide(vm, x, out, n, x.bound + 1, [](i64 a) { return a + 1; });
    case OP_decrement: return each_of_wide(vm, x, out, n, x.bound + 1, [](i64 a) { return a - 1; });
    case OP_crement: return each_of_wide(vm, x, out, n, x.bound + 1, [](i64 a) { return a + sign_of_int(a); });
    case OP_sign: return each_of_wide(vm, x, out, n, 1, [](i64 a) { return sign_of_int(a); });
    default: return false;
  }
}
#endif

BATT_DEVICE_NOINLINE bool unary_column(Vm& vm, u32 op, const Column& x, Column& out, u32 n) {
  bool ints = x.kind == INTS;
  switch (op) {
    case OP_first: return part_column(vm, x, out, n, 0);
    case OP_last: return part_column(vm, x, out, n, 1);
    case OP_initset: return single_column(vm, x, out, n);
    case OP_flip: return x.kind != COMMON && test_column(vm, x, out, n, [&](u64 a) { return ints && a == 0; });
    case OP_even: return ints && test_column(vm, x, out, n, [](u64 a) { return (a & 1) == 0; });
    case OP_positive: return ints && test_column(vm, x, out, n, [](u64 a) { return static_cast<i64>(a) > 0; });
    case OP_invert: return each_part(vm, x, out, n, x.bound, [](i64 a) { return -a; });
    case OP_double: return each_part(vm, x, out, n, 2 * x.bound, [](i64 a) { return 2 * a; });
    case OP_halve: return each_part(vm, x, out, n, x.bound, [](i64 a) { return a >> 1; });
    case OP_increment: return each_part(vm, x, out, n, x.bound + 1, [](i64 a) { return a + 1; });
    case OP_decrement: return each_part(vm, x, out, n, x.bound + 1, [](i64 a) { return a - 1; });
    case OP_crement: return each_part(vm, x, out, n, x.bound + 1, [](i64 a) { return a + sign_of_int(a); });
    case OP_sign: return each_part(vm, x, out, n, 1, [](i64 a) { return sign_of_int(a); });
    case OP_maximum: return extreme_column(vm, x, out, n, true);
    case OP_minimum: return extreme_column(vm, x, out, n, false);
    default: return false;
  }
}

// Choose between two columns of the same kind, by a third one.
BATT_DEVICE_NOINLINE bool chosen_column(Vm& vm, const Column& c, const Column& x, const Column& y, Column& out, u32 n) {
  if (x.kind != y.kind || x.kind >= TWOS || c.kind == COMMON) return false;
  bool ints = c.kind == INTS;
  out.kind = x.kind;
  out.bound = larger(x.bound, y.bound);
  for (u32 k = lane(vm); k < n; k += lanes(vm)) {
    u64 a = mem<u64>(vm, x.at, k), b = mem<u64>(vm, y.at, k);
    mem<u64>(vm, out.at, k) = !ints || mem<u64>(vm, c.at, k) ? a : b;
  }
  sync_lanes(vm);
  return true;
}

BATT_INLINE bool equal_column(Vm& vm, const Column& x, const Column& y, Column& out, u32 n) {
  if (x.kind >= TWOS || y.kind >= TWOS) return false;
  bool alike = x.kind == y.kind;
  out.kind = INTS;
  out.bound = 1;
  for_both(vm, x, y, out, n, [&](u64 a, u64 b) { return static_cast<u64>(alike && a == b); });
  return true;
}

BATT_INLINE bool greater_column(Vm& vm, const Column& x, const Column& y, Column& out, u32 n) {
  if (x.kind != y.kind || x.kind > PAIRS) return false;
  // With this bias, unsigned order is the order of ints, and of pairs.
  u64 bias = x.kind == INTS ? 1ull << 63 : 0x8000000080000000ull;
  out.kind = INTS;
  out.bound = 1;
  for_both(vm, x, y, out, n, [&](u64 a, u64 b) { return static_cast<u64>((a ^ bias) > (b ^ bias)); });
  return true;
}

BATT_DEVICE_NOINLINE bool binary_column(Vm& vm, u32 op, const Column& x, const Column& y, Column& out, u32 n) {
  switch (op) {
    case OP_equality: return equal_column(vm, x, y, out, n);
    case OP_greater: return greater_column(vm, x, y, out, n);
    case OP_both: return chosen_column(vm, x, y, x, out, n);
    case OP_either: return chosen_column(vm, x, x, y, out, n);
    case OP_astuple: return pair_column(vm, x, y, out, n);
    case OP_add: return both_parts(vm, x, y, out, n, x.bound + y.bound, [](i64 a, i64 b) { return a + b; });
    case OP_subtract: return both_parts(vm, x, y, out, n, x.bound + y.bound, [](i64 a, i64 b) { return a - b; });
    case OP_multiply: {
      i64 bound = product_of(static_cast<i64>(x.bound), static_cast<i64>(y.bound));
      return bound < VAST && both_parts(vm, x, y, out, n, static_cast<u64>(bound), [](i64 a, i64 b) { return a * b; });
    }
    default: return false;
  }
}

}  // namespace batt
