// The places of patches and their bounding boxes: the part of ops/shapes.py that uses packed forms. The rest is in
// shapes.h.
#pragma once
#include "../core/sets.h"

namespace batt {

struct Box {
  i64 top, left, bottom, right;  // all included
};

// Whether a non-empty patch holds cells: the second component of its first item is a tuple.
BATT_INLINE bool is_object(Vm& vm, Value patch) { return is_tuple(at_index(vm, item(vm, patch, 0), 1)); }

// Make the set of n values that lie in scratch memory, in any order and with repeats.
BATT_INLINE Value set_from(Vm& vm, Addr from, u64 n) {
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<Value>(vm, at, k) = mem<Value>(vm, from, k); });
  return set_at(vm, at, n);
}

// The place of item k of PLACES or CELLS.
BATT_INLINE u32 place_at(const Vm& vm, Value v, u32 k) {
  return v.tag == PLACES ? mem<u32>(vm, v.bits, k) : key_place(mem<u64>(vm, v.bits, k));
}

// The bounding box of n keys. Rows are the upper half of a place, so whole places can be compared for them.
template <class Key> BATT_INLINE Box box_of_few(const Vm& vm, Addr at, u32 n) {
  u32 least = ~0u, greatest = 0, first = 0xffffu, last = 0;
  for (u32 k = lane(vm); k < n; k += lanes(vm)) {
    u32 place = static_cast<u32>(mem<Key>(vm, at, k)), column = place & 0xffffu;
    least = smaller(least, place);
    greatest = larger(greatest, place);
    first = smaller(first, column);
    last = larger(last, column);
  }
  least = least_of_lanes(vm, least);
  greatest = greatest_of_lanes(vm, greatest);
  first = least_of_lanes(vm, first);
  last = greatest_of_lanes(vm, last);
  return Box{key_i(least), key_j(first), key_i(greatest), key_j(last)};
}

#if !defined(__CUDACC__) && defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// The same with 16 bytes at a time, as eight numbers: a key begins with its column and its row. The last keys may be
// read twice.
template <class Key> BATT_DEVICE_NOINLINE Box box_of_keys(const Vm& vm, Addr at, u32 n) {
  using Eight = short __attribute__((vector_size(16)));
  constexpr u32 BLOCK_EVALUATIONS = 16 / sizeof(Key), PER_KEY = sizeof(Key) / 2;
  if (n < BLOCK_EVALUATIONS) return box_of_few<Key>(vm, at, n);
  auto keys_from = [&](u32 k) {
    Eight keys;
    __builtin_memcpy(&keys, &mem<Key>(vm, at, k), sizeof keys);
    return keys ^ static_cast<short>(-0x8000);  // without their bias
  };
  Eight least = keys_from(n - BLOCK_EVALUATIONS), greatest = least;
  for (u32 k = 0; k + BLOCK_EVALUATIONS < n; k += BLOCK_EVALUATIONS) {
    Eight keys = keys_from(k);
    least = keys < least ? keys : least;
    greatest = keys > greatest ? keys : greatest;
  }
  Box box{least[1], least[0], greatest[1], greatest[0]};
  for (u32 k = PER_KEY; k < 8; k += PER_KEY) {
    box.left = smaller<i64>(box.left, least[k]);
    box.top = smaller<i64>(box.top, least[k + 1]);
    box.right = larger<i64>(box.right, greatest[k]);
    box.bottom = larger<i64>(box.bottom, greatest[k + 1]);
  }
  return box;
}
#else
template <class Key> BATT_DEVICE_NOINLINE Box box_of_keys(const Vm& vm, Addr at, u32 n) {
  return box_of_few<Key>(vm, at, n);
}
#endif

// Get the bounding box of PLACES or CELLS; false for any other form.
BATT_INLINE bool packed_box(Vm& vm, Value v, Box& box) {
  if (v.tag == PLACES) box = box_of_keys<u32>(vm, v.bits, v.n);
  else if (v.tag == CELLS) box = box_of_keys<u64>(vm, v.bits, v.n);
  else return false;
  return true;
}

// Whether a container holds its items as values that all have one tag: PAIR for places, CELL for cells.
BATT_INLINE bool all_tagged(const Vm& vm, Value v, u32 tag) {
  if (v.tag != TUPLE && v.tag != SET) return false;
  for (u32 k = 0; k < v.n; k++)
    if (mem<Value>(vm, v.bits, k).tag != tag) return false;
  return true;
}

// The bounding box of a tuple of pairs of bytes, which is a packed grid of two columns.
BATT_DEVICE_NOINLINE Box box_of_byte_pairs(const Vm& vm, Value v) {
  u8 top = 255, left = 255, bottom = 0, right = 0;
  for (u32 k = 0; k < grid_h(v); k++) {
    u8 i = mem<u8>(vm, v.bits, 2ull * k), j = mem<u8>(vm, v.bits, 2ull * k + 1);
    top = smaller(top, i);
    bottom = larger(bottom, i);
    left = smaller(left, j);
    right = larger(right, j);
  }
  return Box{top, left, bottom, right};
}

// Get the bounding box of n >= 1 values of the tag PAIR or CELL, or of pairs of bytes; false if one is something else.
BATT_DEVICE_NOINLINE bool box_of_values(Vm& vm, Value v, u32 tag, Box& box) {
  if (v.tag == GRID && grid_w(v) == 2 && tag == PAIR) {
    box = box_of_byte_pairs(vm, v);
    return true;
  }
  if ((v.tag != TUPLE && v.tag != SET) || v.n == 0 || mem<Value>(vm, v.bits, 0).tag != tag) return false;
#if !defined(__CUDACC__) && defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  // A value as four numbers: its tag, its colour, its column and its row.
  using Four = i32 __attribute__((vector_size(16)));
  auto value_from = [&](u32 k) {
    Four value;
    __builtin_memcpy(&value, &mem<Value>(vm, v.bits, k), sizeof value);
    return value;
  };
  Four head = value_from(0), least = head, greatest = head, differ = head ^ head;
  for (u32 k = 1; k < v.n; k++) {
    Four value = value_from(k);
    differ |= value ^ head;
    least = value < least ? value : least;
    greatest = value > greatest ? value : greatest;
  }
  box = Box{least[3], least[2], greatest[3], greatest[2]};
  return differ[0] == 0;
#else
  i32 top = 0x7fffffff, left = top, bottom = -top - 1, right = bottom;
  for (u32 k = 0; k < v.n; k++) {
    Value each = mem<Value>(vm, v.bits, k);
    if (each.tag != tag) return false;
    top = smaller(top, pair_i(each));
    bottom = larger(bottom, pair_i(each));
    left = smaller(left, pair_j(each));
    right = larger(right, pair_j(each));
  }
  box = Box{top, left, bottom, right};
  return true;
#endif
}

// Get the bounding box of places or cells in a set or a tuple; false if there are none, or anything else.
BATT_INLINE bool patch_box(Vm& vm, Value v, Box& box) {
  return packed_box(vm, v, box) || box_of_values(vm, v, PAIR, box) || box_of_values(vm, v, CELL, box);
}

// Get the bounding box of a set of places or of cells; false if the set is empty or holds anything else.
BATT_INLINE bool set_box(Vm& vm, Value v, Box& box) {
  if (packed_box(vm, v, box)) return true;
  return v.tag == SET && (box_of_values(vm, v, PAIR, box) || box_of_values(vm, v, CELL, box));
}

// Get the least and the greatest row (axis 0) or column (axis 1) of PLACES or CELLS; false for any other form.
BATT_DEVICE_NOINLINE bool packed_span(Vm& vm, Value v, u32 axis, i64& least, i64& greatest) {
  if (v.tag == PLACES && axis == 0) {  // places ascend by rows
    least = key_i(mem<u32>(vm, v.bits, 0));
    greatest = key_i(mem<u32>(vm, v.bits, v.n - 1));
    return true;
  }
  if (v.tag == CELLS && axis == 0) {  // cells ascend by colour, then by rows
    u64 first = mem<u64>(vm, v.bits, 0), last = mem<u64>(vm, v.bits, v.n - 1);
    least = key_i(key_place(first));
    greatest = key_i(key_place(last));
    if (first >> 32 == last >> 32) return true;
  }
  Box box;
  if (!packed_box(vm, v, box)) return false;
  least = axis ? box.left : box.top;
  greatest = axis ? box.right : box.bottom;
  return true;
}

// The places of CELLS of several colours, by a bitmap of their bounding box.
BATT_DEVICE_NOINLINE Value places_by_map(Vm& vm, Value patch, const Box& box) {
  u32 n = patch.n, w = static_cast<u32>(box.right - box.left + 1);
  u64 area = static_cast<u64>(box.bottom - box.top + 1) * w;
  Scratch scratch(vm);
  Addr map = scratch.alloc<u8>(area);
  Addr at = alloc<u32>(vm, n);
  if (stopped(vm)) return none();
  fill_bytes(vm, map, area, 0);
  for_all(vm, n, [&](u64 k) {
    u32 place = key_place(mem<u64>(vm, patch.bits, k));
    mem<u8>(vm, map, static_cast<u64>(key_i(place) - box.top) * w + static_cast<u64>(key_j(place) - box.left)) = 1;
  });
  u64 kept = 0, k = 0;
  for (i64 i = box.top; i <= box.bottom; i++)
    for (i64 j = box.left; j <= box.right; j++)
      if (mem<u8>(vm, map, k++)) mem<u32>(vm, at, kept++) = place_key(i, j);
  return places_ascending(vm, at, kept);
}

// Whether a bitmap of a bounding box is small enough for n cells.
BATT_INLINE bool is_dense(const Box& box, u32 n) {
  u64 area = static_cast<u64>(box.bottom - box.top + 1) * static_cast<u64>(box.right - box.left + 1);
  return area <= 8 * static_cast<u64>(n) + 64;
}

BATT_DEVICE_NOINLINE Value places_of_cells(Vm& vm, Value patch) {
  u32 n = patch.n;
  // Cells ascend by colour first: equal colours at both ends mean one colour throughout.
  bool one_colour = key_colour(mem<u64>(vm, patch.bits, 0)) == key_colour(mem<u64>(vm, patch.bits, n - 1));
  if (!one_colour) {
    Box box = box_of_keys<u64>(vm, patch.bits, n);
    if (is_dense(box, n)) return places_by_map(vm, patch, box);
  }
  Addr at = alloc<u32>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<u32>(vm, at, k) = key_place(mem<u64>(vm, patch.bits, k)); });
  return one_colour ? places_ascending(vm, at, n) : places_at(vm, at, n);
}

// Whether all cells of a SET of CELL have one colour: they ascend by colour first.
BATT_INLINE bool has_one_colour(const Vm& vm, Value cells) {
  return mem<Value>(vm, cells.bits, 0).n == mem<Value>(vm, cells.bits, cells.n - 1).n;
}

// Get the set of the places of a tuple of places or cells; false if one has no key.
BATT_DEVICE_NOINLINE bool places_of_tuple(Vm& vm, Value tuple, Value& set) {
  for (u32 k = 0; k < tuple.n; k++) {
    Value each = mem<Value>(vm, tuple.bits, k);
    if (!fits16(pair_i(each)) || !fits16(pair_j(each))) return false;
  }
  Addr at = alloc<u32>(vm, tuple.n);
  if (stopped(vm)) return false;
  for_all(vm, tuple.n, [&](u64 k) { mem<u32>(vm, at, k) = place_key_of(mem<Value>(vm, tuple.bits, k)); });
  set = places_at(vm, at, tuple.n);
  return true;
}

BATT_INLINE bool cells_of_tuple(Vm& vm, Value tuple, Value& set) {
  for (u32 k = 0; k < tuple.n; k++)
    if (!has_cell_key(mem<Value>(vm, tuple.bits, k))) return false;
  Addr at = alloc<u64>(vm, tuple.n);
  if (stopped(vm)) return false;
  for_all(vm, tuple.n, [&](u64 k) { mem<u64>(vm, at, k) = cell_key_of(mem<Value>(vm, tuple.bits, k)); });
  set = cells_at(vm, at, tuple.n);
  return true;
}

// Convert a tuple of places or of cells to a packed set; any other value stays as it is.
BATT_INLINE Value patch_of_tuple(Vm& vm, Value v) {
  Value set;
  if (v.tag != TUPLE || v.n == 0) return v;
  if (all_tagged(vm, v, PAIR) && places_of_tuple(vm, v, set)) return set;
  if (!stopped(vm) && all_tagged(vm, v, CELL) && cells_of_tuple(vm, v, set)) return set;
  return v;
}

// `toindices`: the set of an object's places; indices stay as they are, an empty patch becomes the empty set.
BATT_DEVICE_NOINLINE Value places(Vm& vm, Value patch) {
  if (patch.tag == PLACES) return patch;
  if (patch.tag == CELLS) return places_of_cells(vm, patch);
  u32 n = len(vm, patch);
  if (stopped(vm)) return none();
  if (n == 0) return empty_set();
  bool object = is_object(vm, patch);
  if (stopped(vm)) return none();
  if (!object) return patch;
  Value set;
  bool all_cells = all_tagged(vm, patch, CELL);
  if (all_cells && places_of_tuple(vm, patch, set)) return set;
  if (stopped(vm)) return none();
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  if (all_cells && patch.tag == SET && has_one_colour(vm, patch)) {
    for_all(vm, n, [&](u64 k) {
      Value each = mem<Value>(vm, patch.bits, k);
      mem<Value>(vm, at, k) = pair_of(pair_i(each), pair_j(each));
    });
    return set_ascending(vm, at, n);
  }
  for (u32 k = 0; k < n; k++) {
    Value each = item(vm, patch, k), colour, place;
    if (each.tag == CELL) place = pair_of(pair_i(each), pair_j(each));
    else if (!unpack(vm, each, colour, place)) return none();
    mem<Value>(vm, at, k) = place;
  }
  return set_at(vm, at, n);
}

}  // namespace batt
