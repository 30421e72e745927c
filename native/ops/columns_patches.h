// Ops on columns of patches (columns_ops.h): sizes, corners and colours of patches, and distances of places.
#pragma once
#include "columns_ops.h"
#include "relations.h"

namespace batt {

BATT_INLINE bool is_patch(Value v) { return v.tag == PLACES || v.tag == CELLS; }

// The bounding box of a patch, found by one lane.
BATT_INLINE Box box_in_lane(Vm& vm, Value patch) {
  Box box;
  if constexpr (LANES == 1) {
    packed_box(vm, patch, box);
    return box;
  }
  u32 first = place_at(vm, patch, 0);
  box = Box{key_i(first), key_j(first), key_i(first), key_j(first)};
  for (u32 k = 1; k < patch.n; k++) {
    u32 place = place_at(vm, patch, k);
    box.top = smaller<i64>(box.top, key_i(place));
    box.bottom = larger<i64>(box.bottom, key_i(place));
    box.left = smaller<i64>(box.left, key_j(place));
    box.right = larger<i64>(box.right, key_j(place));
  }
  return box;
}

// The first component of a patch's first item.
BATT_INLINE i64 head_of_patch(Vm& vm, Value patch) {
  return patch.tag == CELLS ? key_colour(mem<u64>(vm, patch.bits)) : key_i(mem<u32>(vm, patch.bits));
}

// Whether an op takes the bounding box of a patch; `is_pair` tells whether it gives a pair.
BATT_INLINE bool reads_box(u32 op, bool& is_pair) {
  switch (op) {
    case OP_uppermost:
    case OP_lowermost:
    case OP_leftmost:
    case OP_rightmost:
    case OP_height:
    case OP_width: is_pair = false; return true;
    case OP_ulcorner:
    case OP_urcorner:
    case OP_llcorner:
    case OP_lrcorner:
    case OP_center:
    case OP_shape: is_pair = true; return true;
    default: return false;
  }
}

BATT_INLINE u64 bits_of_box(u32 op, const Box& box) {
  i64 h = box.bottom - box.top + 1, w = box.right - box.left + 1;
  switch (op) {
    case OP_uppermost: return static_cast<u64>(box.top);
    case OP_lowermost: return static_cast<u64>(box.bottom);
    case OP_leftmost: return static_cast<u64>(box.left);
    case OP_rightmost: return static_cast<u64>(box.right);
    case OP_height: return static_cast<u64>(h);
    case OP_width: return static_cast<u64>(w);
    case OP_ulcorner: return pair_bits(box.top, box.left);
    case OP_urcorner: return pair_bits(box.top, box.right);
    case OP_llcorner: return pair_bits(box.bottom, box.left);
    case OP_lrcorner: return pair_bits(box.bottom, box.right);
    case OP_center: return pair_bits(box.top + h / 2, box.left + w / 2);
    default: return pair_bits(h, w);
  }
}

// An op of one patch. Patches are PLACES or CELLS, which are never empty, so none of these ops raises.
BATT_DEVICE_NOINLINE bool patch_column(Vm& vm, u32 op, const Column& x, Column& out, u32 n) {
  bool is_pair = false;
  out.kind = INTS;
  if (op == OP_size) {
    out.bound = 1ull << 32;
    for_each(vm, x, out, n, [&](u64 a) { return static_cast<u64>(mem<Value>(vm, a).n); });
  } else if (op == OP_color) {
    out.bound = 1ull << 31;
    for_each(vm, x, out, n, [&](u64 a) { return static_cast<u64>(head_of_patch(vm, mem<Value>(vm, a))); });
  } else if (reads_box(op, is_pair)) {
    out.kind = is_pair ? PAIRS : INTS;
    out.bound = 1ull << 17;
    for_each(vm, x, out, n, [&](u64 a) { return bits_of_box(op, box_in_lane(vm, mem<Value>(vm, a))); });
  } else {
    return false;
  }
  return true;
}

BATT_INLINE u64 distance_of(i64 i, i64 j, u64 bits) {
  return gap(i, part_of(bits, true, 0)) + gap(j, part_of(bits, true, 1));
}

// The distances of SINGLES from one another, or from a patch.
BATT_DEVICE_NOINLINE void distance_column(Vm& vm, const Column& x, const Column& y, Column& out, u32 n) {
  for_both(vm, x, y, out, n, [](u64 a, u64 b) { return distance_of(part_of(a, true, 0), part_of(a, true, 1), b); });
}
BATT_DEVICE_NOINLINE void distance_column(Vm& vm, const Column& x, Value patch, Column& out, u32 n) {
  u32 first = place_at(vm, patch, 0);
  i64 i = key_i(first), j = key_j(first);
  if (patch.n == 1) {
    for_each(vm, x, out, n, [&](u64 a) { return distance_of(i, j, a); });
    return;
  }
  for_each(vm, x, out, n, [&](u64 a) {
    u64 least = distance_of(i, j, a);
    for (u32 q = 1; q < patch.n; q++) {
      u32 place = place_at(vm, patch, q);
      least = smaller(least, distance_of(key_i(place), key_j(place), a));
    }
    return least;
  });
}

// The least or the greatest distance of SINGLES from the patches of a tuple, which is not empty. The three columns
// differ.
BATT_DEVICE_NOINLINE void extreme_distance_column(Vm& vm, const Column& x, Value patches, bool greatest, Column& each,
                                                  Column& out, u32 n) {
  for (u32 q = 0; q < patches.n; q++) {
    distance_column(vm, x, mem<Value>(vm, patches.bits, q), each, n);
    for (u32 k = lane(vm); k < n; k += lanes(vm)) {
      u64 way = mem<u64>(vm, each.at, k), best = mem<u64>(vm, out.at, k);
      if (q == 0 || (greatest ? way > best : way < best)) mem<u64>(vm, out.at, k) = way;
    }
  }
  sync_lanes(vm);
}

}  // namespace batt
