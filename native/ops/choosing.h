// Choose items of a container without calling a function: ops/choosing.py. The other ops of that file are loops of the
// machine.
#pragma once
#include "containers_sets.h"

namespace batt {

// Python's `a < b`; for ints, rows, places and cells that is the canonical order.
BATT_INLINE bool comes_before(Vm& vm, Value a, Value b) {
  bool plain = a.tag == b.tag && (a.tag == INT || a.tag == ROW || a.tag == PAIR || a.tag == CELL);
#ifndef __CUDACC__
  if (a.tag == TUPLE && b.tag == TUPLE) {
    u32 k = 0;
    if (int found = order_of_plain_values(vm, a, b, k, smaller(a.n, b.n))) return found < 0;
  }
  plain = plain || (a.tag == GRID && b.tag == GRID && grid_w(a) == grid_w(b));
  if (is_set(a) && is_set(b) && length(a) >= length(b)) return false;  // no proper subset
#endif
  return plain ? quick_order(vm, a, b) < 0 : less(vm, a, b);
}

// Whether a non-empty set is stored in Python's own order: its items are all ints, or packed.
BATT_INLINE bool stored_by_size(const Vm& vm, Value set) {
  return set.tag == PLACES || set.tag == CELLS || (set.tag == SET && is_int(mem<Value>(vm, set.bits, set.n - 1)));
}

BATT_INLINE Value extreme_byte(const Vm& vm, Value row, bool greatest) {
  u8 found = mem<u8>(vm, row.bits, 0);
  for (u32 k = 1; k < row.n; k++) {
    u8 byte = mem<u8>(vm, row.bits, k);
    found = greatest ? larger(found, byte) : smaller(found, byte);
  }
  return integer(found);
}

#ifndef __CUDACC__

// 0 for an int, 1 for a tuple of ints that is packed, 2 for anything else.
inline u32 plain_rank(Value v) { return is_int(v) ? 0 : v.tag == PAIR || v.tag == ROW ? 1 : 2; }

// Whether all items of a SET are tuples of ints, or all are tuples of such: then it is stored in Python's order.
inline bool holds_plain_tuples(const Vm& vm, Value set) {
  Value head = mem<Value>(vm, set.bits, 0);
  if (!is_tuple(head) || head.tag == CELL || length(head) == 0) return false;
  u32 part = plain_rank(item(vm, head, 0)), others = 0;
  if (part == 2) return false;
  for (u32 k = 0; k < set.n && !others; k++) {
    Value each = mem<Value>(vm, set.bits, k);
    prefetch_ahead(vm, set.bits, k, set.n);
    if (each.tag == TUPLE)
      for (u32 q = 0; q < each.n; q++) others |= plain_rank(mem<Value>(vm, each.bits, q)) ^ part;
    else others = part ? each.tag != GRID : each.tag != PAIR && each.tag != ROW;
  }
  return !others;
}

// The greatest or least of the ints with which a TUPLE begins; k becomes their number.
inline Value extreme_int(const Vm& vm, Value tuple, bool greatest, u32& k) {
  i64 found = int_of(mem<Value>(vm, tuple.bits, 0));
  for (k = 1; k < tuple.n; k++) {
    Value each = mem<Value>(vm, tuple.bits, k);
    if (!is_int(each)) break;
    found = greatest ? larger(found, int_of(each)) : smaller(found, int_of(each));
  }
  return integer(found);
}

// The extreme of `found` and the items from k on. Where their first items differ, these decide.
inline Value extreme_by_heads(Vm& vm, Value container, bool greatest, Value found, u32 k) {
  Value head = head_of_tuple(vm, found);
  for (u32 n = length(container); k < n; k++) {
    Value each = item(vm, container, k), other = head_of_tuple(vm, each);
    if (container.tag != GRID) prefetch_ahead(vm, container.bits, k, n);
    u64 bias = value_bias(head.tag);
    bool better = ((other.bits ^ bias) > (head.bits ^ bias)) == greatest;
    if (!heads_differ(head, other)) better = greatest ? comes_before(vm, found, each) : comes_before(vm, each, found);
    if (stopped(vm)) return none();
    if (!better) continue;
    found = each;
    head = other;
  }
  return found;
}
#endif

BATT_DEVICE_NOINLINE Value extreme_item(Vm& vm, Value container, bool greatest) {
  if (!is_container(container)) return raise(vm, TYPE_ERROR);
  u32 n = length(container);
  if (n == 0) return integer(0);
  if (container.tag == ROW) return extreme_byte(vm, container, greatest);
  if (container.tag == PAIR) {
    i32 i = pair_i(container), j = pair_j(container);
    return integer(greatest ? larger(i, j) : smaller(i, j));
  }
  if (stored_by_size(vm, container)) return item(vm, container, greatest ? n - 1 : 0);
#ifndef __CUDACC__
  if (container.tag == SET && holds_plain_tuples(vm, container)) return item(vm, container, greatest ? n - 1 : 0);
#endif
  Value found = item(vm, container, 0);
  bool values = container.tag == TUPLE || container.tag == SET;
  u32 k = 1;
#ifndef __CUDACC__
  if (container.tag == TUPLE && is_int(found)) found = extreme_int(vm, container, greatest, k);
#endif
#ifndef __CUDACC__
  Value head = head_of_tuple(vm, found);
  if (head.tag == INT || head.tag == PAIR) return extreme_by_heads(vm, container, greatest, found, k);
#endif
  for (; k < n; k++) {
    Value each = item(vm, container, k);
    if (values) prefetch_ahead(vm, container.bits, k, n);
    bool better = greatest ? comes_before(vm, found, each) : comes_before(vm, each, found);
    if (stopped(vm)) return none();
    if (better) found = each;
  }
  return found;
}
BATT_OP Value op_maximum(Vm& vm, const Value* a) { return extreme_item(vm, a[0], true); }
BATT_OP Value op_minimum(Vm& vm, const Value* a) { return extreme_item(vm, a[0], false); }

// The lowest of the most frequent bytes, or of the least frequent ones.
BATT_DEVICE_NOINLINE Value common_byte(Vm& vm, Value row, bool most) {
  u32 bound = static_cast<u32>(int_of(extreme_byte(vm, row, true))) + 1;
  Scratch scratch(vm);
  Addr counts = scratch.alloc<u32>(bound);
  if (stopped(vm)) return none();
  for (u32 byte = 0; byte < bound; byte++) mem<u32>(vm, counts, byte) = 0;
  for (u32 k = 0; k < row.n; k++) mem<u32>(vm, counts, mem<u8>(vm, row.bits, k))++;
  u32 found = bound, best = 0;
  for (u32 byte = 0; byte < bound; byte++) {
    u32 count = mem<u32>(vm, counts, byte);
    if (count == 0 || (found < bound && (most ? count <= best : count >= best))) continue;
    found = byte;
    best = count;
  }
  return integer(found);
}

// The first, in canonical order, of the most or the least frequent items: equal items are neighbours once sorted.
BATT_DEVICE_NOINLINE Value common_item(Vm& vm, Value tuple, bool most) {
  u32 n = length(tuple), best = 0;
  Scratch scratch(vm);
  Addr order = scratch.alloc<Prefixed>(n);
  if (stopped(vm)) return none();
  order_values(vm, order, n, [&](u64 k) { return item(vm, tuple, static_cast<u32>(k)); });
  if (stopped(vm)) return none();
  auto sorted = [&](u32 k) { return item(vm, tuple, static_cast<u32>(mem<Prefixed>(vm, order, k).at)); };
  Value found = none();
  for (u32 start = 0; start < n;) {
    Value each = sorted(start);
    u32 end = start + 1;
    while (end < n && equal(vm, sorted(end), each) && !stopped(vm)) end++;
    if (stopped(vm)) return none();
    u32 count = end - start;
    if (start == 0 || (most ? count > best : count < best)) {
      found = each;
      best = count;
    }
    start = end;
  }
  return found;
}

BATT_INLINE Value common(Vm& vm, Value tuple, bool most) {
  if (is_set(tuple)) return raise(vm, ATTRIBUTE_ERROR);
  if (!is_tuple(tuple)) return raise(vm, TYPE_ERROR);
  if (length(tuple) == 0) return raise(vm, VALUE_ERROR);
  return tuple.tag == ROW ? common_byte(vm, tuple, most) : common_item(vm, tuple, most);
}
BATT_OP Value op_mostcommon(Vm& vm, const Value* a) { return common(vm, a[0], true); }
BATT_OP Value op_leastcommon(Vm& vm, const Value* a) { return common(vm, a[0], false); }

// Make the set of the items at n ascending positions. `positions` is u32[n].
BATT_INLINE Value set_of_kept(Vm& vm, Value container, Addr positions, u32 n) {
  Value kept = kept_items(vm, container, positions, n);
  return stopped(vm) ? none() : as_set(vm, kept);
}

BATT_OP Value op_sizefilter(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  u32 n = length(a[0]), kept = 0;
  // All items of these have the same length.
  if (a[0].tag == PLACES || a[0].tag == CELLS || a[0].tag == GRID) {
    i64 each = a[0].tag == GRID ? grid_w(a[0]) : 2;
    return is_int(a[1]) && int_of(a[1]) == each ? as_set(vm, a[0]) : empty_set();
  }
  Scratch scratch(vm);
  Addr positions = scratch.alloc<u32>(n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    i64 size = len(vm, item(vm, a[0], k));
    if (stopped(vm)) return none();
    mem<u32>(vm, positions, kept) = k;
    kept += is_int(a[1]) && int_of(a[1]) == size;
  }
  return set_of_kept(vm, a[0], positions, kept);
}

// The first component of an object's first cell. Python reads it in a generator, which turns the StopIteration of an
// empty object into a RuntimeError.
BATT_INLINE Value head_colour(Vm& vm, Value object) {
  if (object.tag == CELLS) return integer(key_colour(mem<u64>(vm, object.bits, 0)));
  if (object.tag == PLACES) return integer(key_i(mem<u32>(vm, object.bits, 0)));
#ifndef __CUDACC__
  if ((object.tag == SET || object.tag == TUPLE) && object.n) {
    Value head = mem<Value>(vm, object.bits, 0);
    if (head.tag == PAIR) return integer(pair_i(head));
    if (head.tag == CELL) return integer(cell_colour(head));
    if (head.tag == ROW) return integer(mem<u8>(vm, head.bits, 0));
  }
  if (object.tag == GRID) return integer(mem<u8>(vm, object.bits, 0));
#endif
  if (!is_container(object)) return raise(vm, TYPE_ERROR);
  return length(object) ? at_index(vm, item(vm, object, 0), 0) : raise(vm, RUNTIME_ERROR);
}

BATT_OP Value op_colorfilter(Vm& vm, const Value* a) {
  if (!is_container(a[0])) return raise(vm, TYPE_ERROR);
  u32 n = length(a[0]), kept = 0;
  Scratch scratch(vm);
  Addr positions = scratch.alloc<u32>(n);
  if (stopped(vm)) return none();
  for (u32 k = 0; k < n; k++) {
    Value colour = head_colour(vm, item(vm, a[0], k));
    if (a[0].tag == SET) prefetch_ahead(vm, a[0].bits, k, n);
    if (stopped(vm)) return none();
    mem<u32>(vm, positions, kept) = k;
    kept += is_int(colour) && is_int(a[1]) ? colour.bits == a[1].bits : equal(vm, colour, a[1]);
    if (stopped(vm)) return none();
  }
  return set_of_kept(vm, a[0], positions, kept);
}

}  // namespace batt
