// How two patches lie to each other: common rows and columns, distance, direction, falling. ops/relations.py.
#pragma once
#include "../core/sets.h"
#include "shapes.h"

namespace batt {

constexpr u32 MAX_FALL = 42;         // `gravitate` gives up after this many steps, by rule
constexpr i64 STRIPES = 64;          // bits of a mask
constexpr i64 MAX_MASKS = 1024;      // masks of a patch; larger patches are compared pair by pair
constexpr i64 MAX_DISTANCES = 4096;  // places of a distance map; larger patches are compared pair by pair

BATT_INLINE i64 pairs_cost(Vm& vm, const Value* a) { return sum_of(1, product_of(items(vm, a[0]), items(vm, a[1]))); }
BATT_INLINE i64 cost_manhattan(Vm& vm, const Value* a) { return pairs_cost(vm, a); }
BATT_INLINE i64 cost_adjacent(Vm& vm, const Value* a) { return pairs_cost(vm, a); }
BATT_INLINE i64 cost_gravitate(Vm& vm, const Value* a) { return pairs_cost(vm, a); }

// |a - b|, which always fits.
BATT_INLINE u64 gap(i64 a, i64 b) {
  u64 x = static_cast<u64>(a), y = static_cast<u64>(b);
  return a < b ? y - x : x - y;
}

// The row (axis 0) or column (axis 1) of a place.
BATT_INLINE i64 key_along(u32 key, u32 axis) { return axis ? key_j(key) : key_i(key); }

struct Range {
  i64 low, high;  // both included
};
BATT_INLINE Range range_along(const Box& box, u32 axis) {
  return axis ? Range{box.left, box.right} : Range{box.top, box.bottom};
}

// The set of rows (axis 0) or columns (axis 1) that a patch occupies.
BATT_DEVICE_NOINLINE Value lines_of(Vm& vm, Value patch, u32 axis) {
  Value spots = places(vm, patch);
  if (stopped(vm)) return none();
  u32 n = length(spots);
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    Value row, column;
    if (!unpack(vm, item(vm, spots, k), row, column)) return none();
    mem<Value>(vm, at, k) = axis ? column : row;
  }
  return set_at(vm, at, n);
}

// Whether two sets have an item in common.
BATT_DEVICE_NOINLINE bool share_item(Vm& vm, Value a, Value b) {
  u32 m = length(a), n = length(b);
  for (u32 i = 0, j = 0; i < m && j < n && !stopped(vm);) {
    int found = compare(vm, item(vm, a, i), item(vm, b, j));
    if (found == 0) return !stopped(vm);
    if (found < 0) i++;
    else j++;
  }
  return false;
}

// The row (axis 0) or column (axis 1) of item k of a patch that has a `patch_box`.
BATT_INLINE i64 line_at(const Vm& vm, Value patch, u32 k, u32 axis) {
  if (patch.tag == PLACES || patch.tag == CELLS) return key_along(place_at(vm, patch, k), axis);
  if (patch.tag == GRID) return mem<u8>(vm, patch.bits, 2ull * k + axis);
  Value each = mem<Value>(vm, patch.bits, k);
  return axis ? pair_j(each) : pair_i(each);
}

// Whether two patches have a common row or column: one bit for each line within both boxes.
BATT_DEVICE_NOINLINE bool share_box_line(Vm& vm, Value a, const Box& box_a, Value b, const Box& box_b, u32 axis) {
  Range x = range_along(box_a, axis), y = range_along(box_b, axis);
  i64 low = larger(x.low, y.low), count = smaller(x.high, y.high) - low + 1;
  if (count <= 0) return false;
  Scratch scratch(vm);
  u64 words = static_cast<u64>(count) / 64 + 1;
  Addr bits = scratch.alloc<u64>(words);
  if (stopped(vm)) return false;
  for (u64 k = 0; k < words; k++) mem<u64>(vm, bits, k) = 0;
  // All other lines have one more bit, which is not read, so that no branch depends on a line.
  auto bit_of = [&](Value patch, u32 k) {
    u64 line = static_cast<u64>(line_at(vm, patch, k, axis)) - static_cast<u64>(low);  // huge if it comes before
    return smaller(line, static_cast<u64>(count));
  };
  for (u32 k = 0, n = length(a); k < n; k++) {
    u64 bit = bit_of(a, k);
    mem<u64>(vm, bits, bit / 64) |= 1ull << (bit % 64);
  }
  for (u32 k = 0, n = length(b); k < n; k++) {
    u64 bit = bit_of(b, k);
    if ((mem<u64>(vm, bits, bit / 64) >> (bit % 64) & 1) & (bit != static_cast<u64>(count))) return true;
  }
  return false;
}

BATT_INLINE bool share_line(Vm& vm, Value a, Value b, u32 axis) {
  Box box_a, box_b;
  if (patch_box(vm, a, box_a) && patch_box(vm, b, box_b)) {
    // Fewer bits than the patches have: otherwise sorting the lines is faster.
    Range x = range_along(box_a, axis), y = range_along(box_b, axis);
    i64 count = smaller(x.high, y.high) - larger(x.low, y.low);
    if (count < 0x10000 || count / 64 < static_cast<i64>(length(a)) + length(b)) {
      if (length(b) < length(a)) return share_box_line(vm, b, box_b, a, box_a, axis);
      return share_box_line(vm, a, box_a, b, box_b, axis);
    }
  }
  Value lines = lines_of(vm, a, axis);
  if (stopped(vm)) return false;
  Value others = lines_of(vm, b, axis);
  return !stopped(vm) && share_item(vm, lines, others);
}

BATT_OP Value op_hmatching(Vm& vm, const Value* a) { return boolean(share_line(vm, a[0], a[1], 0)); }
BATT_OP Value op_vmatching(Vm& vm, const Value* a) { return boolean(share_line(vm, a[0], a[1], 1)); }

// The distance of two places in steps along rows and columns; ~0 if it needs more than 64 bits.
BATT_INLINE bool place_distance(Vm& vm, Value ai, Value aj, Value b, u64& distance) {
  Value bi, bj;
  if (!unpack(vm, b, bi, bj)) return false;
  if (!is_int(ai) || !is_int(bi) || !is_int(aj) || !is_int(bj)) {
    raise(vm, TYPE_ERROR);
    return false;
  }
  u64 rows = gap(int_of(ai), int_of(bi)), columns = gap(int_of(aj), int_of(bj));
  distance = rows + columns < rows ? ~0ull : rows + columns;
  return true;
}

// The least distance, place by place in canonical order. The first place of a is checked before b is read.
BATT_DEVICE_NOINLINE u64 distance_by_rule(Vm& vm, Value a, Value b) {
  Value near = places(vm, a), far = none();
  u32 m = stopped(vm) ? 0 : length(near);
  u64 least = ~0ull;
  bool found = false;
  for (u32 k = 0; k < m && !stopped(vm); k++) {
    Value ai, aj;
    if (!unpack(vm, item(vm, near, k), ai, aj)) return 0;
    if (k == 0) far = places(vm, b);
    u32 n = stopped(vm) ? 0 : length(far);
    if (!work(vm, n)) return 0;
    for (u32 q = 0; q < n; q++) {
      u64 distance;
      if (!place_distance(vm, ai, aj, item(vm, far, q), distance)) return 0;
      least = smaller(least, distance);
      found = true;
    }
  }
  if (!found) raise(vm, VALUE_ERROR);
  return least;
}

BATT_DEVICE_NOINLINE u64 distance_by_pairs(Vm& vm, Value a, Value b) {
  u32 least = ~0u;
  for (u32 k = 0; k < a.n; k++) {
    u32 from = place_at(vm, a, k);
    i32 i = key_i(from), j = key_j(from);
    for (u32 q = 0; q < b.n; q++) {
      u32 to = place_at(vm, b, q);
      i32 rows = key_i(to) - i, columns = key_j(to) - j;
      least = smaller(least, static_cast<u32>((rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns)));
    }
    if (least == 0) break;
  }
  return least;
}

// Compute the distance from b for every place of b's box: one pass down and one pass up carry it from neighbour to
// neighbour.
BATT_DEVICE_NOINLINE void spread_distances(Vm& vm, Value b, const Box& box, Addr map, u32 h, u32 w) {
  constexpr u16 FAR = 0x7fff;  // more than any distance in a box of MAX_DISTANCES places
  u32 area = h * w;
  for (u32 k = 0; k < area; k++) mem<u16>(vm, map, k) = FAR;
  for (u32 k = 0; k < b.n; k++) {
    u32 key = place_at(vm, b, k);
    mem<u16>(vm, map, static_cast<u64>(key_i(key) - box.top) * w + static_cast<u64>(key_j(key) - box.left)) = 0;
  }
  for (u32 i = 0, k = 0; i < h; i++)
    for (u32 j = 0; j < w; j++, k++) {
      u32 least = mem<u16>(vm, map, k);
      if (i) least = smaller(least, mem<u16>(vm, map, k - w) + 1u);
      if (j) least = smaller(least, mem<u16>(vm, map, k - 1) + 1u);
      mem<u16>(vm, map, k) = static_cast<u16>(least);
    }
  for (u32 i = h, k = area; i-- > 0;)
    for (u32 j = w; j-- > 0;) {
      u32 least = mem<u16>(vm, map, --k);
      if (i + 1 < h) least = smaller(least, mem<u16>(vm, map, k + w) + 1u);
      if (j + 1 < w) least = smaller(least, mem<u16>(vm, map, k + 1) + 1u);
      mem<u16>(vm, map, k) = static_cast<u16>(least);
    }
}

BATT_DEVICE_NOINLINE u64 distance_by_map(Vm& vm, Value a, Value b, const Box& box) {
  u32 h = static_cast<u32>(box.bottom - box.top + 1), w = static_cast<u32>(box.right - box.left + 1);
  Scratch scratch(vm);
  Addr map = scratch.alloc<u16>(static_cast<u64>(h) * w);
  if (stopped(vm)) return 0;
  spread_distances(vm, b, box, map, h, w);
  u64 least = ~0ull;
  for (u32 k = 0; k < a.n; k++) {
    u32 key = place_at(vm, a, k);
    // A shortest path from outside enters the box at its nearest place.
    i64 i = larger(box.top, smaller<i64>(box.bottom, key_i(key)));
    i64 j = larger(box.left, smaller<i64>(box.right, key_j(key)));
    u64 way = gap(i, key_i(key)) + gap(j, key_j(key));
    least = smaller(least, way + mem<u16>(vm, map, static_cast<u64>(i - box.top) * w + static_cast<u64>(j - box.left)));
  }
  return least;
}

// The least distance of PLACES or CELLS, by the method that takes fewer steps.
BATT_INLINE u64 packed_distance(Vm& vm, Value a, Value b, const Box& box_b) {
  i64 area = (box_b.bottom - box_b.top + 1) * (box_b.right - box_b.left + 1);
  bool dense = area <= MAX_DISTANCES && static_cast<u64>(area) * 4 < static_cast<u64>(a.n) * b.n;
  return dense ? distance_by_map(vm, a, b, box_b) : distance_by_pairs(vm, a, b);
}

BATT_OP Value op_manhattan(Vm& vm, const Value* a) {
  constexpr u64 FEW = 16;  // so few pairs need no box
  Box box;
  bool packed = a[0].tag == PLACES || a[0].tag == CELLS;
  if (packed && (a[1].tag == PLACES || a[1].tag == CELLS) && static_cast<u64>(a[0].n) * a[1].n <= FEW)
    return integer(static_cast<i64>(distance_by_pairs(vm, a[0], a[1])));
  packed = packed && packed_box(vm, a[1], box);
  u64 least = packed ? packed_distance(vm, a[0], a[1], box) : distance_by_rule(vm, a[0], a[1]);
  if (stopped(vm)) return none();
  return least > static_cast<u64>(INT64_MOST) ? unsupported(vm, WIDE_INT) : integer(static_cast<i64>(least));
}

// A packed patch as masks: one mask for each position along an axis, times a sign, from `low` on, with one bit for each
// line across it.
struct Masks {
  Addr at;
  i64 low, count;
};

BATT_DEVICE_NOINLINE Masks masks_of(Vm& vm, Scratch& scratch, Value patch, const Box& box, u32 axis, i64 sign,
                                    i64 first_line) {
  Range span = range_along(box, axis);
  Masks masks{0, sign > 0 ? span.low : -span.high, span.high - span.low + 1};
  masks.at = scratch.alloc<u64>(static_cast<u64>(masks.count));
  if (stopped(vm)) return masks;
  for (i64 k = 0; k < masks.count; k++) mem<u64>(vm, masks.at, static_cast<u64>(k)) = 0;
  for (u32 k = 0; k < patch.n; k++) {
    u32 key = place_at(vm, patch, k);
    i64 line = key_along(key, 1 - axis) - first_line;
    i64 position = sign * key_along(key, axis) - masks.low;
    if (line >= 0 && line < STRIPES) mem<u64>(vm, masks.at, static_cast<u64>(position)) |= 1ull << line;
  }
  return masks;
}

BATT_INLINE u64 mask_at(const Vm& vm, const Masks& masks, i64 k) {
  return k >= 0 && k < masks.count ? mem<u64>(vm, masks.at, static_cast<u64>(k)) : 0;
}

// Whether `near`, moved by `steps`, touches `far` without overlapping it.
BATT_DEVICE_NOINLINE bool touches(const Vm& vm, const Masks& near, const Masks& far, i64 steps) {
  bool touching = false;
  i64 ahead = near.low + steps - far.low;  // near's position k is far's k + ahead
  i64 start = larger(0ll, -1 - ahead), end = smaller(near.count, far.count + 1 - ahead);
  for (i64 k = start; k < end; k++) {
    u64 mine = mem<u64>(vm, near.at, static_cast<u64>(k)), same = mask_at(vm, far, k + ahead);
    if (mine & same) return false;
    u64 around = same << 1 | same >> 1 | mask_at(vm, far, k + ahead - 1) | mask_at(vm, far, k + ahead + 1);
    touching = touching || (mine & around);
  }
  return touching;
}

// Get the first line of the masks. False if the masks cannot hold all lines in which the patches may touch.
BATT_INLINE bool masks_hold(const Box& a, const Box& b, u32 axis, i64& first_line) {
  Range x = range_along(a, 1 - axis), y = range_along(b, 1 - axis), p = range_along(a, axis), q = range_along(b, axis);
  first_line = larger(x.low, y.low) - 1;
  return smaller(x.high, y.high) + 1 - first_line < STRIPES && p.high - p.low < MAX_MASKS && q.high - q.low < MAX_MASKS;
}

BATT_DEVICE_NOINLINE bool adjacent_packed(Vm& vm, Value a, const Box& box_a, Value b, const Box& box_b) {
  i64 rows = larger(box_a.top, box_b.top) - smaller(box_a.bottom, box_b.bottom);
  i64 columns = larger(box_a.left, box_b.left) - smaller(box_a.right, box_b.right);
  if (larger(rows, 0ll) + larger(columns, 0ll) > 1) return false;  // the boxes are farther apart
  i64 first_line;
  if (!masks_hold(box_a, box_b, 0, first_line)) return packed_distance(vm, a, b, box_b) == 1;
  Scratch scratch(vm);
  Masks near = masks_of(vm, scratch, a, box_a, 0, 1, first_line);
  if (stopped(vm)) return false;
  Masks far = masks_of(vm, scratch, b, box_b, 0, 1, first_line);
  return !stopped(vm) && touches(vm, near, far, 0);
}

BATT_OP Value op_adjacent(Vm& vm, const Value* a) {
  Box box_a, box_b;
  bool packed = packed_box(vm, a[0], box_a) && packed_box(vm, a[1], box_b);
  return boolean(packed ? adjacent_packed(vm, a[0], box_a, a[1], box_b) : distance_by_rule(vm, a[0], a[1]) == 1);
}

BATT_OP Value op_position(Vm& vm, const Value* a) {
  Value center[4];
  BATT_NO_UNROLL
  for (u32 k = 0; k < 2; k++) {
    // The places of an object are a set, whatever holds its cells.
    Box box;
    bool as_it_is = a[k].tag == CELLS || (is_set(a[k]) && set_box(vm, a[k], box));
    Value spots = as_it_is ? a[k] : places(vm, a[k]);
    if (stopped(vm) || !center_of(vm, spots, center[2 * k], center[2 * k + 1])) return none();
  }
  int down = sign_of(int_of(center[2]), int_of(center[0])), across = sign_of(int_of(center[3]), int_of(center[1]));
  return down == 0 && across == 0 ? pair_of(0, -1) : pair_of(down, across);
}

// Split a place, which must be a tuple and is known to hold two ints, into its line and its position along the axis.
BATT_INLINE bool split_place(Vm& vm, Value place, u32 axis, i64& line, i64& position) {
  if (!is_tuple(place)) {
    raise(vm, TYPE_ERROR);
    return false;
  }
  line = int_of(item(vm, place, 1 - axis));
  position = int_of(item(vm, place, axis));
  return true;
}

// The steps after which two patches overlap, and after which they touch; bit k + 2 stands for k steps. `see` adds two
// places: how many steps one is ahead of the other, and how many lines are between them.
struct Steps {
  u64 overlapping, touching;
  BATT_INLINE void see(i64 ahead, u64 beside) {
    if (beside > 1 || ahead < -1 || ahead > static_cast<i64>(MAX_FALL)) return;
    u64 here = 1ull << (ahead + 2);
    if (beside) {
      touching |= here;
      return;
    }
    overlapping |= here;
    touching |= here << 1 | here >> 1;
  }
  BATT_INLINE u32 least() const {
    BATT_NO_UNROLL
    for (u32 k = 0; k < MAX_FALL; k++)
      if ((touching & ~overlapping) >> (k + 2) & 1) return k;
    return MAX_FALL;
  }
};

BATT_DEVICE_NOINLINE u32 fall_by_pairs(Vm& vm, Value source, Value destination, u32 axis, i64 sign) {
  Value ends = places(vm, destination);
  Value starts = stopped(vm) ? none() : places(vm, source);
  u32 m = length(starts), n = length(ends);
  Steps steps{0, 0};
  for (u32 k = 0; k < m && work(vm, n); k++) {
    i64 line, start;
    if (!split_place(vm, item(vm, starts, k), axis, line, start)) return 0;
    for (u32 q = 0; q < n; q++) {
      i64 other, end;
      if (!split_place(vm, item(vm, ends, q), axis, other, end)) return 0;
      u64 apart = gap(start, end);
      if (apart > MAX_FALL) continue;
      i64 ahead = (end < start ? -sign : sign) * static_cast<i64>(apart);
      steps.see(ahead, gap(line, other));
    }
  }
  return steps.least();
}

// The least number of steps along the axis after which source is adjacent to destination, MAX_FALL if none is.
BATT_DEVICE_NOINLINE u32 fall_packed(Vm& vm, Value source, const Box& from, Value destination, const Box& to, u32 axis,
                                     i64 sign) {
  i64 first_line;
  if (!masks_hold(from, to, axis, first_line)) return fall_by_pairs(vm, source, destination, axis, sign);
  Scratch scratch(vm);
  Masks near = masks_of(vm, scratch, source, from, axis, sign, first_line);
  if (stopped(vm)) return 0;
  Masks far = masks_of(vm, scratch, destination, to, axis, sign, first_line);
  if (stopped(vm)) return 0;
  BATT_NO_UNROLL
  for (u32 steps = 0; steps < MAX_FALL; steps++)
    if (touches(vm, near, far, steps)) return steps;
  return MAX_FALL;
}

BATT_INLINE i64 middle_of(Range range) { return range.low + (range.high - range.low + 1) / 2; }

// The vector of a fall of `steps` steps.
BATT_INLINE Value fallen(u32 axis, i64 sign, u32 steps) {
  i32 way = static_cast<i32>(sign * steps);
  return axis ? pair_of(0, way) : pair_of(way, 0);
}

BATT_OP Value op_gravitate(Vm& vm, const Value* a) {
  Box from, to;
  if (packed_box(vm, a[0], from) && packed_box(vm, a[1], to)) {
    u32 axis = share_box_line(vm, a[0], from, a[1], to, 1) ? 0 : 1;
    if (stopped(vm)) return none();
    i64 sign = middle_of(range_along(from, axis)) < middle_of(range_along(to, axis)) ? 1 : -1;
    return fallen(axis, sign, fall_packed(vm, a[0], from, a[1], to, axis, sign));
  }
  Value source[2], destination[2];
  if (!center_of(vm, a[0], source[0], source[1]) || !center_of(vm, a[1], destination[0], destination[1])) return none();
  u32 axis = share_line(vm, a[0], a[1], 1) ? 0 : 1;
  if (stopped(vm)) return none();
  i64 sign = int_of(source[axis]) < int_of(destination[axis]) ? 1 : -1;
  return fallen(axis, sign, fall_by_pairs(vm, a[0], a[1], axis, sign));
}

}  // namespace batt
