// The items of a loop as a column (columns.h).
#pragma once
#include "../ops/columns_shifted.h"

namespace batt {

struct ItemColumn {
  Vm& vm;
  Value container;
  Column item_column;
  u32 parts[2];        // kinds of the parts of TWOS
  u64 part_bounds[2];  // and their bounds

  // Find the kind of the items; false if they cannot be a column.
  BATT_INLINE bool see_items() {
    item_column.bound = 0x8000;
    if (container.tag == PLACES) {
      item_column.kind = PAIRS;
      return true;
    }
    if (container.tag == CELLS) {
      item_column.kind = CELL_KEYS;
      return true;
    }
    item_column.kind = INTS;
    if (container.tag == ROW) return true;
#ifndef __CUDACC__
    if (container.tag == GRID && grid_w(container) == 2) {
      item_column.kind = PAIRS;
      return true;
    }
#endif
    if (container.tag != SET && container.tag != TUPLE) return false;
    u32 tag = mem<Value>(vm, container.bits, 0).tag;
    if (tag == TUPLE) return see_twos() || see_lists() || see_holders();
    if (tag == PLACES || tag == CELLS) {
      item_column.kind = PATCHES;
      return all_patches(container) || see_holders();
    }
    if (tag == ROW) return see_lists() || see_holders();
    if (tag != INT && tag != PAIR) return see_holders();
    item_column.kind = tag == INT ? INTS : PAIRS;
    bool good = true;
#ifdef __CUDACC__
    u32 bits = 0;  // those of the ints without their signs: an int is at most one more than this
    for (u32 k = lane(vm); k < container.n && good; k += lanes(vm)) {
      Value each = mem<Value>(vm, container.bits, k);
      good = each.tag == tag && (tag != INT || fits32(int_of(each)));
      i32 i = pair_i(each), j = pair_j(each);  // of an int, its sign and itself
      bits |= static_cast<u32>((i ^ i >> 31) | (j ^ j >> 31));
    }
    item_column.bound = greatest_of_lanes(vm, bits) + 1ull;
    return all_lanes(vm, good);
#else
    u64 bits = 0;
    for (u32 k = 0; k < container.n && good; k++) {
      Value each = mem<Value>(vm, container.bits, k);
      good = each.tag == tag;
      i64 i = tag == INT ? int_of(each) : pair_i(each), j = tag == INT ? 0 : pair_j(each);
      bits |= static_cast<u64>((i ^ i >> 63) | (j ^ j >> 63));
    }
    item_column.bound = bits + 1;
    return good ? item_column.bound <= INT_BOUND : see_lists();
#endif
  }

  // Tuples that begin with two ints. Whether all are such is seen when they are loaded.
  BATT_INLINE bool see_lists() {
#ifndef __CUDACC__
    item_column.kind = LISTS;
    item_column.bound = LIST_BOUND;
    return is_list(mem<Value>(vm, container.bits, 0));
#else
    return false;
#endif
  }

  // Tuples and sets of any kinds; likewise.
  BATT_INLINE bool see_holders() {
#ifndef __CUDACC__
    item_column.kind = HOLDERS;
    return is_container(mem<Value>(vm, container.bits, 0));
#else
    return false;
#endif
  }

#ifndef __CUDACC__
  bool is_list(Value v) const {
    if (v.tag == PAIR || (v.tag == ROW && v.n >= 2)) return true;
    if (v.tag != TUPLE || v.n < 2) return false;
    auto is_near = [](Value x) { return is_int(x) && static_cast<u64>(int_of(x)) + LIST_BOUND <= 2 * LIST_BOUND; };
    return is_near(mem<Value>(vm, v.bits, 0)) && is_near(mem<Value>(vm, v.bits, 1));
  }
#endif

  BATT_INLINE bool all_patches(Value values) const {
    bool good = true;
    for (u32 k = lane(vm); k < values.n && good; k += lanes(vm)) good = is_patch(mem<Value>(vm, values.bits, k));
    return all_lanes(vm, good);
  }

  // Tuples of two ints, pairs or patches, as `product` makes them.
  BATT_INLINE bool see_twos() {
    item_column.kind = TWOS;
    Value head = mem<Value>(vm, container.bits, 0);
    if (head.tag != TUPLE || head.n != 2) return false;
    BATT_NO_UNROLL
    for (u32 q = 0; q < 2; q++) {
      Value part = mem<Value>(vm, head.bits, q);
      parts[q] = is_int(part) ? INTS : is_patch(part) ? PATCHES : PAIRS;
    }
    bool good = true;
    u32 wide = 0;  // a bit for each part: whether a pair of it does not fit 16 bits
    for (u32 k = lane(vm); k < container.n && good; k += lanes(vm)) {
      Value each = mem<Value>(vm, container.bits, k);
      good = each.tag == TUPLE && each.n == 2;
      BATT_NO_UNROLL
      for (u32 q = 0; q < 2 && good; q++) {
        Value part = mem<Value>(vm, each.bits, q);
        good = parts[q] == INTS      ? part.tag == INT && fits32(int_of(part))
               : parts[q] == PATCHES ? is_patch(part)
                                     : part.tag == PAIR;
        if (parts[q] == INTS || !has_place_key(part)) wide |= 1u << q;
      }
    }
    BATT_NO_UNROLL
    for (u32 q = 0; q < 2; q++) part_bounds[q] = all_lanes(vm, !(wide >> q & 1)) ? 0x8000 : 1ull << 31;
    return all_lanes(vm, good);
  }
  BATT_INLINE bool part_of_twos(const Column& x, Column& out, u32 n, u32 k) {
    out.kind = parts[k];
    out.bound = part_bounds[k];
    if (parts[k] == PATCHES) for_each(vm, x, out, n, [&](u64 a) { return a + sizeof(Value) * k; });
    else for_each(vm, x, out, n, [&](u64 a) { return mem<Value>(vm, a, k).bits; });
    return true;
  }

  // Load n items; false if they cannot be a column.
  BATT_INLINE bool load_items(u32 from, u32 n) {
    Addr at = item_column.at;
#ifndef __CUDACC__
    if (item_column.kind == LISTS || item_column.kind == HOLDERS) {
      bool good = true, lists = item_column.kind == LISTS;
      for (u32 k = 0; k < n; k++) {
        Addr each = container.bits + sizeof(Value) * (from + k);
        mem<u64>(vm, at, k) = each;
        if (lists) prefetch_ahead(vm, container.bits, from + k, container.n);
        good = good && (lists ? is_list(mem<Value>(vm, each)) : is_container(mem<Value>(vm, each)));
      }
      return good;
    }
    if (container.tag == GRID) {
      for (u32 k = 0; k < n; k++) {
        Addr row = container.bits + 2ull * (from + k);
        mem<u64>(vm, at, k) = pair_bits(mem<u8>(vm, row, 0), mem<u8>(vm, row, 1));
      }
      return true;
    }
#endif
    switch (container.tag) {
      case PLACES:
        for (u32 k = lane(vm); k < n; k += lanes(vm)) {
          u32 key = mem<u32>(vm, container.bits, from + k);
          mem<u64>(vm, at, k) = pair_bits(key_i(key), key_j(key));
        }
        break;
      case CELLS:
        for (u32 k = lane(vm); k < n; k += lanes(vm)) mem<u64>(vm, at, k) = mem<u64>(vm, container.bits, from + k);
        break;
      case ROW:
        for (u32 k = lane(vm); k < n; k += lanes(vm)) mem<u64>(vm, at, k) = mem<u8>(vm, container.bits, from + k);
        break;
      default:
        if (item_column.kind == PATCHES) {
          for (u32 k = lane(vm); k < n; k += lanes(vm))
            mem<u64>(vm, at, k) = container.bits + sizeof(Value) * (from + k);
          break;
        }
        for (u32 k = lane(vm); k < n; k += lanes(vm))
          mem<u64>(vm, at, k) = mem<Value>(vm, container.bits, from + k).bits;
    }
    sync_lanes(vm);
    return true;
  }
};

}  // namespace batt
