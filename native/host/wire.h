// Values as bytes, both ways; batt.bytecode.wire on this side. Host only.
#pragma once
#include <cstring>
#include <vector>

#include "../ops/functions.h"
#include "memory.h"

namespace batt {

enum WireTag : u32 { WIRE_SMALL = 240, WIRE_WIDE = 240, WIRE_HUGE, WIRE_TUPLE, WIRE_SET, WIRE_NONE, WIRE_FUNCTION, WIRE_OP, WIRE_MADE, WIRE_HELPER };

// Reads values from untrusted bytes into a machine's memory.
struct WireReader {
  const u8* data;
  u64 size;
  u64 at = 0;
  u32 routines = 0;               // helpers have smaller numbers
  const u32* arities = nullptr;   // of the routines
  std::vector<u8>* helpers_used = nullptr;  // by routine: set to 1 where a value names it
  bool bad = false;

  u64 number(u64 bytes) {
    if (size - at < bytes) { bad = true; return 0; }
    u64 found = 0;
    std::memcpy(&found, data + at, bytes);
    at += bytes;
    return found;
  }

  struct Open { u32 tag, number, count; std::vector<Value> parts; };

  // The next value into a store, which grows as it must.
  Value read_into(Store& store) {
    u64 start = at, room = 1 << 16;
    for (;;) {
      store.ready();
      Value made = store.blocks.empty() ? (unsupported(store.vm, ARENA_FULL), none()) : read(store.vm);
      if (bad || !stopped(store.vm)) return made;
      // Each byte becomes a value of 16 at most, and sorting a set takes as much again.
      room = larger<u64>(2 * room, store.blocks.empty() ? room : 2 * store.blocks.back().bytes);
      if (room > MAX_BYTES || !store.grow(room)) { bad = true; return none(); }
      at = start;
    }
  }

  // The next value, or none and `bad`. Sets need not be ascending.
  Value read(Vm& vm) {
    std::vector<Open> open;
    for (;;) {
      if (at >= size) bad = true;
      if (bad || stopped(vm)) return none();
      u32 tag = data[at++];
      Value made = none();
      if (tag < WIRE_SMALL) made = integer(tag);
      else if (tag == WIRE_WIDE) made = integer(static_cast<i64>(number(8)));
      else if (tag == WIRE_NONE) made = none();
      else if (tag == WIRE_OP) made = op_function(static_cast<u32>(number(4)));
      else if (tag == WIRE_HELPER) made = helper_function(static_cast<u32>(number(4)));
      else if (tag == WIRE_TUPLE || tag == WIRE_SET || tag == WIRE_MADE) {
        u32 count = static_cast<u32>(number(4)), op = count;
        if (tag == WIRE_MADE) {
          if (!is_maker(op)) { bad = true; return none(); }
          count = OP_ARITY[op];
        }
        if (bad || count > size - at) { bad = true; return none(); }  // each part takes a byte at least
        if (count) { open.push_back(Open{tag, op, count, {}}); continue; }
        made = tag == WIRE_TUPLE ? empty_tuple() : empty_set();
      } else bad = true;
      while (!bad && !open.empty()) {
        Open& top = open.back();
        top.parts.push_back(made);
        if (top.parts.size() < top.count) break;
        made = close(vm, top);
        open.pop_back();
        if (stopped(vm)) return none();
        if (open.empty()) return made;
      }
      if (open.empty()) return made;
    }
  }

  static bool is_maker(u32 op) {
    return op == OP_compose || op == OP_chain || op == OP_matcher || op == OP_fork || op == OP_lbind || op == OP_rbind || op == OP_power;
  }
  Value op_function(u32 op) {
    if (op >= OP_COUNT) { bad = true; return none(); }
    return fn_value(FN_OP, op, OP_ARITY[op], 0);
  }
  Value helper_function(u32 routine) {
    if (routine >= routines) { bad = true; return none(); }
    if (helpers_used) (*helpers_used)[routine] = 1;
    return fn_value(FN_HELPER, routine, smaller(arities[routine], 255u), 0);
  }
  Value close(Vm& vm, Open& top) {
    u32 n = top.count;
    Addr at_values = alloc<Value>(vm, n);
    if (stopped(vm)) return none();
    for (u32 k = 0; k < n; k++) mem<Value>(vm, at_values, k) = top.parts[k];
    if (top.tag == WIRE_SET) return set_at(vm, at_values, n);
    if (top.tag == WIRE_MADE) {
      u32 arity = 1;
      // One application is the function itself, and more than the limit is an error: neither is ever made.
      const Value& times_applied = top.parts[1];
      if (top.number == OP_power && (!is_int(times_applied) || int_of(times_applied) < 2 || int_of(times_applied) > POWER_LIMIT)) {
        bad = true;
        return none();
      }
      if (top.number == OP_lbind || top.number == OP_rbind) {
        if (!is_fn(top.parts[0])) { bad = true; return none(); }
        arity = bound_arity(fn_arity(top.parts[0]));
      }
      return fn_value(FN_MADE, top.number, arity, at_values);
    }
    Value made = tuple_at(vm, at_values, n), grid;
    return as_grid(vm, made, grid) ? grid : made;
  }
};

// Writes a value; the caller has made sure that it is not too large.
inline void write_value(Vm& vm, Value v, std::vector<u8>& out) {
  auto put = [&out](u32 tag, u64 number, u32 bytes) {
    out.push_back(static_cast<u8>(tag));
    for (u32 k = 0; k < bytes; k++) out.push_back(static_cast<u8>(number >> (8 * k)));
  };
  std::vector<Value> stack{v};
  while (!stack.empty()) {
    Value top = stack.back();
    stack.pop_back();
    u32 n = part_count(top);
    if (is_int(top)) {
      if (top.bits < WIRE_SMALL) out.push_back(static_cast<u8>(top.bits));
      else put(WIRE_WIDE, top.bits, 8);
    } else if (is_none(top)) out.push_back(WIRE_NONE);
    else if (is_tuple(top)) put(WIRE_TUPLE, n, 4);
    else if (is_set(top)) put(WIRE_SET, n, 4);
    else put(fn_kind(top) == FN_OP ? WIRE_OP : fn_kind(top) == FN_MADE ? WIRE_MADE : WIRE_HELPER, fn_number(top), 4);
    for (u32 k = n; k-- > 0;) stack.push_back(part(vm, top, k));
  }
}

}  // namespace batt
