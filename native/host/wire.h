// Read and write values as bytes, as batt.bytecode.wire does. Host only.
#pragma once
#include <cstring>
#include <vector>

#include "../ops/functions.h"
#include "memory.h"

namespace batt {

enum WireTag : u32 {
  WIRE_SMALL = 240,
  WIRE_WIDE = 240,
  WIRE_HUGE,
  WIRE_TUPLE,
  WIRE_SET,
  WIRE_NONE,
  WIRE_FUNCTION,
  WIRE_OP,
  WIRE_MADE,
  WIRE_HELPER,
  WIRE_LARGER,
  WIRE_DEEPER
};

// Reads values from untrusted bytes into the memory of a machine.
struct WireReader {
  const u8* data;
  u64 size;
  u64 at = 0;
  u32 routines = 0;                         // helpers have smaller numbers
  const u32* arities = nullptr;             // of the routines
  std::vector<u8>* helpers_used = nullptr;  // by routine: set to 1 if a value names it
  bool bad = false;

  u64 number(u64 bytes) {
    if (size - at < bytes) {
      bad = true;
      return 0;
    }
    u64 found = 0;
    std::memcpy(&found, data + at, bytes);
    at += bytes;
    return found;
  }

  static constexpr u64 ROW_HEAD = 5;  // the tag of a row, and its length

  struct Open {
    u32 tag, number, count;
    std::vector<Value> parts;
  };

  // Read the next value into a store, which grows as needed.
  Value read_into(Store& store) {
    u64 start = at, room = 1 << 16;
    for (;;) {
      store.ready();
      Value made = store.blocks.empty() ? (unsupported(store.vm, ARENA_FULL), none()) : read(store.vm);
      if (bad || !stopped(store.vm)) return made;
      // Each byte becomes at most a value of 16 bytes, and sorting a set takes as much again.
      room = larger<u64>(2 * room, store.blocks.empty() ? room : 2 * store.blocks.back().bytes);
      if (room > MAX_BYTES || !store.grow(room)) {
        bad = true;
        return none();
      }
      at = start;
    }
  }

  // Read the next value; None and `bad` if it is malformed. Sets need not ascend.
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
          if (!is_maker(op)) {
            bad = true;
            return none();
          }
          count = OP_ARITY[op];
        }
        // Each part takes at least one byte.
        if (bad || count > size - at) {
          bad = true;
          return none();
        }
        bool is_grid = tag == WIRE_TUPLE && read_grid(vm, count, made);
        if (stopped(vm)) return none();
        if (count && !is_grid) {
          open.push_back(Open{tag, op, count, {}});
          continue;
        }
        if (!count) made = tag == WIRE_TUPLE ? empty_tuple() : empty_set();
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

  // Read the rows of a grid of small ints, as most tuples of tuples are, without a value for each cell. Return false,
  // and read nothing, for any other tuple.
  bool read_grid(Vm& vm, u64 h, Value& made) {
    const u8* rows = data + at;
    u64 left = size - at;
    if (h == 0 || h > MAX_SIDE || left < ROW_HEAD || rows[0] != WIRE_TUPLE) return false;
    u32 w = 0;
    std::memcpy(&w, rows + 1, 4);
    u64 pitch = ROW_HEAD + static_cast<u64>(w);
    if (w == 0 || w > MAX_SIDE || left / pitch < h) return false;
    for (u64 i = 0; i < h; i++) {
      const u8* row = rows + i * pitch;
      if (std::memcmp(row, rows, ROW_HEAD) != 0) return false;
      for (u64 j = 0; j < w; j++)
        if (row[ROW_HEAD + j] >= WIRE_SMALL) return false;
    }
    Addr cells = alloc<u8>(vm, h * w);
    if (stopped(vm)) return false;
    for (u64 i = 0; i < h; i++) std::memcpy(&mem<u8>(vm, cells, i * w), rows + i * pitch + ROW_HEAD, w);
    at += h * pitch;
    made = grid_at(cells, static_cast<u32>(h), w);
    return true;
  }

  static bool is_maker(u32 op) {
    return op == OP_compose || op == OP_chain || op == OP_matcher || op == OP_fork || op == OP_lbind ||
           op == OP_rbind || op == OP_power;
  }
  Value op_function(u32 op) {
    if (op >= OP_COUNT) {
      bad = true;
      return none();
    }
    return fn_value(FN_OP, op, OP_ARITY[op], 0);
  }
  Value helper_function(u32 routine) {
    if (routine >= routines) {
      bad = true;
      return none();
    }
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
      // `power` returns the function itself for 1 and raises above the limit: neither is a made function.
      const Value& times_applied = top.parts[1];
      if (top.number == OP_power &&
          (!is_int(times_applied) || int_of(times_applied) < 2 || int_of(times_applied) > POWER_LIMIT)) {
        bad = true;
        return none();
      }
      if (top.number == OP_lbind || top.number == OP_rbind) {
        if (!is_fn(top.parts[0])) {
          bad = true;
          return none();
        }
        arity = bound_arity(fn_arity(top.parts[0]));
      }
      return fn_value(FN_MADE, top.number, arity, at_values);
    }
    Value made = tuple_at(vm, at_values, n), grid;
    return as_grid(vm, made, grid) ? grid : made;
  }
};

// Write the wire form of a rectangle of ints below 128 that Python's marshal wrote in its version 2: a tuple is "("
// with a count, an int "i" with 4 bytes, a bool "T" or "F". Return the bytes written, at most as many as are read, or 0
// for anything else.
inline u64 pack_rectangle(const u8* from, u64 size, u8* to) {
  constexpr u64 HEAD = 5;
  auto count = [&](u64 at) {
    u32 n = 0;
    if (at + HEAD > size || from[at] != '(') return n;
    std::memcpy(&n, from + at + 1, 4);
    return n <= MAX_SIDE ? n : 0;
  };
  auto put_head = [&](u64 at, u32 n) {
    to[at] = WIRE_TUPLE;
    std::memcpy(to + at + 1, &n, 4);
  };
  u32 h = count(0), w = count(HEAD);
  if (h == 0 || w == 0) return 0;
  u64 at = HEAD, used = HEAD;
  put_head(0, h);
  for (u32 i = 0; i < h; i++) {
    if (count(at) != w) return 0;
    put_head(used, w);
    at += HEAD;
    used += HEAD;
    for (u32 j = 0; j < w; j++) {
      u32 cell = 0;
      if (at + HEAD <= size && from[at] == 'i') {
        std::memcpy(&cell, from + at + 1, 4);
        at += HEAD;
      } else if (at < size && (from[at] == 'T' || from[at] == 'F')) cell = from[at++] == 'T';
      else return 0;
      if (cell >= 128) return 0;
      to[used++] = static_cast<u8>(cell);
    }
  }
  return at == size ? used : 0;
}

// The limits of an output, the same as in batt.types.plain and batt.runtime.outputs.
constexpr u32 MAX_NODES = 200'000;     // ints, tuples, sets and functions; parts of functions are not counted
constexpr u32 MAX_DEPTH = 200;         // nested tuples and sets
constexpr u32 FUNCTION_PARTS = 2'000;  // of one function; all functions of a value have at most MAX_NODES

// Writes the output of an evaluation: the whole value, or a single tag if it is too large or too deep.
class OutputWriter {
 public:
  std::vector<u8> bytes;

  // Write a value. False if a function has too many or too deep parts: the reference engine then writes its printed
  // form.
  bool write(const Vm& vm, Value v) {
    bytes.clear();
    if (v.tag == GRID && write_grid(vm, v)) return true;
    stack.assign(1, Part{v, 0, false});
    u64 nodes = 1, all_parts = 0, parts = 0;
    bool deep = false;
    while (!stack.empty()) {
      Part top = stack.back();
      stack.pop_back();
      u32 n = part_count(top.value);
      bool is_made = is_fn(top.value) && fn_kind(top.value) == FN_MADE, inside = top.in_function || is_made;
      if (!inside) {
        nodes += n;
        if (nodes > MAX_NODES) return write_tag(WIRE_LARGER);
      } else {
        if (!top.in_function) parts = 0;
        parts += n;
        all_parts += n;
        if (parts > FUNCTION_PARTS || all_parts > MAX_NODES) return false;
      }
      if (is_container(top.value) && top.depth >= MAX_DEPTH) {
        if (inside) return false;
        deep = true;
      }
      put_head(top.value, n);
      for (u32 k = n; k-- > 0;) stack.push_back(Part{part(vm, top.value, k), top.depth + 1, inside});
    }
    return deep ? write_tag(WIRE_DEEPER) : true;
  }

 private:
  struct Part {
    Value value;
    u32 depth;
    bool in_function;
  };
  std::vector<Part> stack;

  bool write_tag(WireTag tag) {
    bytes.assign(1, static_cast<u8>(tag));
    return true;
  }

  // Write a grid of small ints, as most outputs are; false for any other value.
  bool write_grid(const Vm& vm, Value v) {
    u64 h = grid_h(v), w = grid_w(v);
    if (1 + h * (1 + w) > MAX_NODES) return write_tag(WIRE_LARGER);
    const u8* cells = &mem<u8>(vm, v.bits, 0);
    for (u64 k = 0; k < h * w; k++)
      if (cells[k] >= WIRE_SMALL) return false;
    put(WIRE_TUPLE, h, 4);
    for (u64 i = 0; i < h; i++) {
      put(WIRE_TUPLE, w, 4);
      bytes.insert(bytes.end(), cells + i * w, cells + (i + 1) * w);
    }
    return true;
  }

  // Write a value without its parts.
  void put_head(Value v, u32 n) {
    if (is_int(v) && v.bits < WIRE_SMALL) bytes.push_back(static_cast<u8>(v.bits));
    else if (is_int(v)) put(WIRE_WIDE, v.bits, 8);
    else if (is_none(v)) bytes.push_back(WIRE_NONE);
    else if (is_tuple(v)) put(WIRE_TUPLE, n, 4);
    else if (is_set(v)) put(WIRE_SET, n, 4);
    else put(fn_kind(v) == FN_OP ? WIRE_OP : fn_kind(v) == FN_MADE ? WIRE_MADE : WIRE_HELPER, fn_number(v), 4);
  }

  void put(u32 tag, u64 number, u32 size) {
    u8 head[9] = {static_cast<u8>(tag)};
    for (u32 k = 0; k < size; k++) head[1 + k] = static_cast<u8>(number >> (8 * k));
    bytes.insert(bytes.end(), head, head + 1 + size);
  }
};

}  // namespace batt
