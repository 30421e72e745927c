// The number of calls of a loop, and the value that an op makes from their results.
#pragma once
#include "evacuate.h"
#include "kernels.h"
#include "loop_kinds.h"

namespace batt {

// The number of calls of a loop; raises the errors that come before the first call.
BATT_DEVICE_NOINLINE u32 calls_of(Vm& vm, u32 op, Value a, Value b) {
  if (op == OP_prapply) {
    if (!is_container(b) || (length(b) && !is_container(a))) {
      raise(vm, TYPE_ERROR);
      return 0;
    }
    u64 count = static_cast<u64>(length(a)) * length(b);
    if (count > 1ull << 31) {
      unsupported(vm, ARENA_FULL);
      return 0;
    }
    return length(b) ? static_cast<u32>(count) : 0;
  }
  if (!is_container(a)) {
    raise(vm, TYPE_ERROR);
    return 0;
  }
  if (items_per_call(op) == 1) return length(a);
  if (!is_container(b)) {
    raise(vm, TYPE_ERROR);
    return 0;
  }
  return smaller(length(a), length(b));
}

// Whether a value holds a set: then `<` is no total order.
BATT_DEVICE_NOINLINE bool holds_set(Vm& vm, Value v) {
  if (is_set(v)) return true;
  if (v.tag != TUPLE) return false;
  Stack<Walked> stack(vm);
  if (!stack.push(Walked{v, 0, 0})) return false;
  while (stack.count) {
    Walked& top = stack.top();
    if (top.k == top.v.n) {
      stack.pop();
      continue;
    }
    Value inner = mem<Value>(vm, top.v.bits, top.k++);
    if (!work(vm, 1)) return false;
    if (is_set(inner)) return true;
    if (inner.tag == TUPLE && !stack.push(Walked{inner, 0, 0})) return false;
  }
  return false;
}

struct ByKey {
  Addr keys;
  BATT_INLINE bool operator()(Vm& vm, u32 a, u32 b) const {
    return less(vm, mem<Value>(vm, keys, a), mem<Value>(vm, keys, b));
  }
};

// Sort the items of a container by their keys; the sort is stable. `keys` lies on the side of results.
BATT_DEVICE_NOINLINE Value ordered_by(Vm& vm, Value container, Addr keys, u32 n) {
  if (n > 2)
    for (u32 k = 0; k < n; k++)
      // Sets have a partial order, so the result depends on Python's sorting algorithm.
      if (holds_set(vm, mem<Value>(vm, keys, k))) return unsupported(vm, SET_ORDER);
  Addr positions = alloc<u32>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<u32>(vm, positions, k) = static_cast<u32>(k); });
  sort<u32>(vm, positions, n, ByKey{keys});
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  for_all(vm, n, [&](u64 k) { mem<Value>(vm, at, k) = item(vm, container, mem<u32>(vm, positions, k)); });
  return tuple_at(vm, at, n);
}

BATT_INLINE Value ordered_by_itself(Vm& vm, Value container) {
  u32 n = length(container);
  Addr keys = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  put_items(vm, container, keys, 0);
  return ordered_by(vm, container, keys, n);
}

// The first greatest item, or with `least` the first least one; the container is not empty.
BATT_DEVICE_NOINLINE u32 best_by_itself(Vm& vm, Value container, bool least) {
  u32 best = 0, n = length(container);
  for (u32 k = 1; k < n && !stopped(vm); k++) {
    Value x = item(vm, container, k), y = item(vm, container, best);
    if (least ? less(vm, x, y) : less(vm, y, x)) best = k;
  }
  return best;
}

// Make the value of a loop from its results, on the side of results.
BATT_DEVICE_NOINLINE Value loop_value(Vm& vm, LoopFrame& f) {
  u32 n = f.count;
  switch (f.op) {
    case OP_apply:
    case OP_rapply: return is_tuple(f.a) ? tuple_at(vm, f.results, n) : set_of_results(vm, f.results, n);
    case OP_prapply: return set_of_results(vm, f.results, n);
    case OP_papply: return tuple_at(vm, f.results, n);
    case OP_mpapply: return joined(vm, Value{TUPLE, n, f.results});
    case OP_mapply:
      return is_tuple(f.a) ? joined(vm, Value{TUPLE, n, f.results}) : united(vm, Value{TUPLE, n, f.results});
    case OP_sfilter: return items_at(vm, f.a, f.results, f.found);
    case OP_mfilter: {
      Value kept = items_at(vm, f.a, f.results, f.found);
      if (stopped(vm)) return none();
      return is_tuple(kept) ? joined(vm, kept) : united(vm, kept);
    }
    case OP_order: return ordered_by(vm, f.a, f.results, n);
    case OP_argmax:
    case OP_argmin: return n ? item(vm, f.a, f.found) : raise(vm, VALUE_ERROR);
    default: return unsupported(vm, BAD_CODE);
  }
}

// `prapply` of `connect` over two sets of places, which is frequent in decks. Most pairs of places share no line, so
// most calls give the empty set. Steps and results are those of the calls.
BATT_DEVICE_NOINLINE Value connect_all(Vm& vm, Value a, Value b) {
  i64 steps = 0, longest = 0;
  u64 lines = 0, spots = 0, pairs = static_cast<u64>(a.n) * b.n;
  for (u32 y = 0; y < b.n; y++) {
    u32 to = mem<u32>(vm, b.bits, y);
    for (u32 x = 0; x < a.n; x++) {
      u32 from = mem<u32>(vm, a.bits, x);
      i64 down = key_i(to) - key_i(from), across = key_j(to) - key_j(from);
      down = down < 0 ? -down : down;
      across = across < 0 ? -across : across;
      i64 reach = larger(down, across);
      steps += 2 + reach;
      if (down && across && down != across) continue;
      lines++;
      spots += static_cast<u64>(reach) + 1;
      longest = larger(longest, reach + 1);
    }
    if (asked_to_stop(vm)) return stop_with(vm, STOPPED);
  }
  if (!charge(vm, steps)) return none();
  if (longest > vm.max_items) return stop_with(vm, OVER_BUDGET);
  Addr keys = alloc<u32>(vm, spots), found = alloc<Value>(vm, lines + 1);
  if (stopped(vm)) return none();
  u64 made = 0, used = 0;
  for (u32 y = 0; y < b.n; y++)
    for (u32 x = 0; x < a.n; x++) {
      // Ascending: from the upper end, or from the left end within one row.
      u32 from = mem<u32>(vm, a.bits, x), to = mem<u32>(vm, b.bits, y), first = smaller(from, to),
          last = larger(from, to);
      i32 down = key_i(last) - key_i(first), across = key_j(last) - key_j(first), width = across < 0 ? -across : across;
      if (down && across && down != width) continue;
      i32 reach = larger(down, width), side = across < 0 ? -1 : across > 0;
      Value line{PLACES, static_cast<u32>(reach) + 1, keys + 4 * used};
      for (i32 k = 0; k <= reach; k++)
        mem<u32>(vm, keys, used++) = place_key(key_i(first) + (down ? k : 0), key_j(first) + side * k);
      mem<Value>(vm, found, made++) = line;
    }
  if (lines < pairs) mem<Value>(vm, found, made++) = empty_set();
  return set_at(vm, found, made);
}

}  // namespace batt
