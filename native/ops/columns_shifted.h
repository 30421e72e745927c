// Ops on columns of copies of one patch, each shifted by a pair: how many places two copies have in common, and the
// boxes around both. No copy is made: the number depends on how the copies lie to each other, and is counted once.
// Host only: a device has no room for the table.
#pragma once
#include "columns_patches.h"

#ifndef __CUDACC__
namespace batt {

// The numbers of places that a patch and a shifted copy of another one have in common.
struct Overlaps {
  static constexpr u64 MOST = 1u << 16;  // ways of lying to each other, and places of the first patch's box
  static constexpr u32 UNKNOWN = ~0u;
  Value a, b;
  Box box_a, box_b;
  Addr map;     // u8[]: the places of `a`
  Addr counts;  // u32[]: by rows, then by columns that `b` is shifted
  bool is_used;

  BATT_INLINE i64 width_a() const { return box_a.right - box_a.left + 1; }
  BATT_INLINE i64 rows() const { return box_a.bottom - box_a.top + 1 + box_b.bottom - box_b.top; }
  BATT_INLINE i64 columns() const { return width_a() + box_b.right - box_b.left; }

  // Use the table for these patches; false if it is too large, or used for others.
  BATT_INLINE bool use(Vm& vm, Value x, Value y) {
    if (is_used) return a.bits == x.bits && a.n == x.n && b.bits == y.bits && b.n == y.n;
    a = x;
    b = y;
    is_used =
        packed_box(vm, a, box_a) && packed_box(vm, b, box_b) && static_cast<u64>(product_of(rows(), columns())) <= MOST;
    return is_used;
  }
  BATT_INLINE void open(Vm& vm, Scratch& scratch) {
    u64 places = static_cast<u64>((box_a.bottom - box_a.top + 1) * width_a());
    u64 ways = static_cast<u64>(rows() * columns());
    map = scratch.alloc<u8>(places);
    counts = scratch.alloc<u32>(ways);
    if (stopped(vm)) return;
    for (u64 k = 0; k < places; k++) mem<u8>(vm, map, k) = 0;
    for (u64 k = 0; k < ways; k++) mem<u32>(vm, counts, k) = UNKNOWN;
    for (u32 k = 0; k < a.n; k++) {
      u32 place = mem<u32>(vm, a.bits, k);
      mem<u8>(vm, map, static_cast<u64>((key_i(place) - box_a.top) * width_a() + key_j(place) - box_a.left)) = 1;
    }
  }
  // Count what `a` and `b` have in common if `b` is shifted by these numbers of rows and columns.
  BATT_INLINE u32 counted(Vm& vm, i64 down, i64 across) const {
    u32 found = 0;
    for (u32 k = 0; k < b.n; k++) {
      u32 place = mem<u32>(vm, b.bits, k);
      i64 i = key_i(place) + down, j = key_j(place) + across;
      bool is_inside = i >= box_a.top && i <= box_a.bottom && j >= box_a.left && j <= box_a.right;
      found += is_inside && mem<u8>(vm, map, static_cast<u64>((i - box_a.top) * width_a() + j - box_a.left));
    }
    return found;
  }
  // The same for `a` shifted by the pair p and `b` shifted by q.
  BATT_INLINE u32 count(Vm& vm, u64 p, u64 q) const {
    i64 down = part_of(q, true, 0) - part_of(p, true, 0), across = part_of(q, true, 1) - part_of(p, true, 1);
    i64 row = down - (box_a.top - box_b.bottom), column = across - (box_a.left - box_b.right);
    if (row < 0 || row >= rows() || column < 0 || column >= columns()) return 0;
    u32& known = mem<u32>(vm, counts, static_cast<u64>(row * columns() + column));
    if (known == UNKNOWN) known = counted(vm, down, across);
    return known;
  }
};

BATT_INLINE u64 moved_bits(u64 pair, i64 i, i64 j) {
  return pair_bits(part_of(pair, true, 0) + i, part_of(pair, true, 1) + j);
}

// Measure what two columns of shifted patches have in common, or together.
BATT_INLINE void measure_both(Vm& vm, const Overlaps& overlaps, const Column& x, const Column& y, Column& out, u32 n,
                              bool in_common) {
  constexpr u64 NEXT = COLUMN_ITEMS;
  const Box &a = overlaps.box_a, &b = overlaps.box_b;
  u64 all = static_cast<u64>(x.patch.n) + y.patch.n;
  for (u32 k = 0; k < n; k++) {
    u64 p = mem<u64>(vm, x.at, k), q = mem<u64>(vm, y.at, k), shared = overlaps.count(vm, p, q);
    mem<u64>(vm, out.at, k) = in_common ? shared : all - shared;
    i64 pi = part_of(p, true, 0), pj = part_of(p, true, 1), qi = part_of(q, true, 0), qj = part_of(q, true, 1);
    mem<u64>(vm, out.at, NEXT + k) = pair_bits(smaller(a.top + pi, b.top + qi), smaller(a.left + pj, b.left + qj));
    mem<u64>(vm, out.at, 2 * NEXT + k) =
        pair_bits(larger(a.bottom + pi, b.bottom + qi), larger(a.right + pj, b.right + qj));
  }
}

// The size of shifted or measured patches.
BATT_INLINE void size_column(Vm& vm, const Column& x, Column& out, u32 n) {
  u64 size = x.patch.n;
  bool is_shifted = x.kind == SHIFTED;
  for_each(vm, x, out, n, [&](u64 a) { return is_shifted ? size : a; });
  out.kind = INTS;
  out.bound = 1ull << 33;
}

// An op of the bounding box of shifted or measured patches.
BATT_INLINE void box_column(Vm& vm, u32 op, const Column& x, Column& out, u32 n, bool is_pair) {
  constexpr u64 NEXT = COLUMN_ITEMS;
  Box patch{0, 0, 0, 0};
  bool is_shifted = x.kind == SHIFTED;
  if (is_shifted) packed_box(vm, x.patch, patch);
  for (u32 k = 0; k < n; k++) {
    u64 first = mem<u64>(vm, x.at, (is_shifted ? 0 : NEXT) + k),
        last = mem<u64>(vm, x.at, (is_shifted ? 0 : 2 * NEXT) + k);
    Box box{patch.top + part_of(first, true, 0), patch.left + part_of(first, true, 1),
            patch.bottom + part_of(last, true, 0), patch.right + part_of(last, true, 1)};
    mem<u64>(vm, out.at, k) = bits_of_box(op, box);
  }
  out.bound = x.bound + x.bound;
  out.kind = is_pair ? PAIRS : INTS;
}

}  // namespace batt
#endif
