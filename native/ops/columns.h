// Run the body of a loop column by column: each instruction for many items at once, so that it is decoded only once.
//
// This changes the order of work, which must not be visible: it is done only if no op of the body can raise for such
// items, and each costs the same steps for every item. `open` checks that with a pass over no items.
#pragma once
#include "columns_ops.h"
#include "containers_sets.h"

namespace batt {

// A body that takes one item of a container in each call.
struct Columns {
  Vm& vm;
  Addr code;           // its first instruction
  const Addr* spaces;  // the addresses of its operands
  Value container;
  Column item_column, result;
  Column slots[MOST_COLUMNS];
  Column given[3];             // operands that are equal for all items
  i64 steps;                   // of each item
  i64 counters[MOST_COLUMNS];  // steps of instructions that are charged again
  u32 parts[2];                // kinds of the parts of TWOS

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
    if (container.tag != SET && container.tag != TUPLE) return false;
    u32 tag = mem<Value>(vm, container.bits, 0).tag;
    if (tag == TUPLE) return see_twos();
    if (tag != INT && tag != PAIR) return false;
    item_column.kind = tag == INT ? INTS : PAIRS;
    item_column.bound = 1ull << 31;
    bool good = true;
    for (u32 k = lane(vm); k < container.n && good; k += lanes(vm)) {
      Value each = mem<Value>(vm, container.bits, k);
      good = each.tag == tag && (tag != INT || fits32(int_of(each)));
    }
    return all_lanes(vm, good);
  }

  // Tuples of two ints or pairs, as `product` makes them.
  BATT_INLINE bool see_twos() {
    item_column.kind = TWOS;
    Value head = mem<Value>(vm, container.bits, 0);
    if (head.tag != TUPLE || head.n != 2) return false;
    BATT_NO_UNROLL
    for (u32 q = 0; q < 2; q++) parts[q] = mem<Value>(vm, head.bits, q).tag == INT ? INTS : PAIRS;
    bool good = true;
    for (u32 k = lane(vm); k < container.n && good; k += lanes(vm)) {
      Value each = mem<Value>(vm, container.bits, k);
      good = each.tag == TUPLE && each.n == 2;
      BATT_NO_UNROLL
      for (u32 q = 0; q < 2 && good; q++) {
        Value part = mem<Value>(vm, each.bits, q);
        good = parts[q] == INTS ? part.tag == INT && fits32(int_of(part)) : part.tag == PAIR;
      }
    }
    return all_lanes(vm, good);
  }
  BATT_INLINE bool part_of_twos(const Column& x, Column& out, u32 n, u32 k) {
    out.kind = parts[k];
    out.bound = 1ull << 31;
    for_each(vm, x, out, n, [&](u64 a) { return mem<Value>(vm, a, k).bits; });
    return true;
  }

  BATT_INLINE void load_items(u32 from, u32 n) {
    Addr at = item_column.at;
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
        for (u32 k = lane(vm); k < n; k += lanes(vm))
          mem<u64>(vm, at, k) = mem<Value>(vm, container.bits, from + k).bits;
    }
    sync_lanes(vm);
  }

  BATT_INLINE bool is_column(u32 word) const { return word >> 28 == 0 || word == 3u << 28; }  // a slot, or the item
  BATT_INLINE Value given_value(u32 word) const { return mem<Value>(vm, spaces[word >> 28], word & 0x0fffffffu); }

  // Read operand k of an instruction as a column of n items.
  BATT_INLINE bool read(Addr operands, u32 k, u32 n, Column& found) {
    u32 word = mem<u32>(vm, operands, k);
    if (is_column(word)) {
      found = word >> 28 ? item_column : slots[word];
      return true;
    }
    Value v = given_value(word);
    if (v.tag != INT && v.tag != PAIR) return false;
    i64 i = is_int(v) ? int_of(v) : pair_i(v), j = is_int(v) ? i : pair_j(v);
    u64 bound = larger(i < 0 ? 0 - static_cast<u64>(i) : static_cast<u64>(i),
                       j < 0 ? 0 - static_cast<u64>(j) : static_cast<u64>(j));
    if (bound > INT_BOUND) return false;
    found = Column{is_int(v) ? INTS : PAIRS, given[k].at, bound};
    for (u32 q = lane(vm); q < n; q += lanes(vm)) mem<u64>(vm, found.at, q) = v.bits;
    sync_lanes(vm);
    return true;
  }

  // Whether each item is in a container that is the same for all items.
  BATT_INLINE bool contained_column(Addr operands, u32 n, Column& out) {
    Column x;
    u32 word = mem<u32>(vm, operands, 1);
    if (is_column(word) || !read(operands, 0, n, x) || x.kind > PAIRS) return false;
    Value where = given_value(word);
    if (!is_container(where)) return false;
    steps += 1 + column_items(x) + items(vm, where);
    bool pairs = x.kind == PAIRS;
    // A search that compares values may stop the machine, which all lanes must do together.
    if (where.tag == PLACES || where.tag == CELLS || where.tag == ROW)
      return test_column(vm, x, out, n, [&](u64 a) { return holds(vm, where, Value{pairs ? PAIR : INT, 0, a}); });
    test_column(vm, x, out, 0, [](u64) { return false; });
    for (u32 k = 0; k < n; k++)
      mem<u64>(vm, out.at, k) = holds(vm, where, Value{pairs ? PAIR : INT, 0, mem<u64>(vm, x.at, k)});
    return true;
  }

  BATT_INLINE bool run_op(u32 op, Addr operands, u32 n, Column& out) {
    if (op == OP_contained) return contained_column(operands, n, out);
    u32 arity = OP_ARITY[op];
    Column x, y, z;
    if (arity > 3 || !read(operands, 0, n, x) || (arity > 1 && !read(operands, 1, n, y)) ||
        (arity > 2 && !read(operands, 2, n, z)))
      return false;
    steps += OP_COST[op] == COST_ITEMS ? 1 + column_items(x) + (arity > 1 ? column_items(y) : 0) : 1;
    if (x.kind == TWOS && (op == OP_first || op == OP_last)) return part_of_twos(x, out, n, op == OP_last);
    if (arity == 1) return unary_column(vm, op, x, out, n);
    if (arity == 2) return binary_column(vm, op, x, y, out, n);
    return op == OP_branch && chosen_column(vm, x, y, z, out, n);
  }

  // Charge the sizes of an instruction's operands.
  BATT_INLINE bool charge_sizes(Addr at, u32 operands) {
    steps += static_cast<i64>(mem<u32>(vm, at, 4) | static_cast<u64>(mem<u32>(vm, at, 5)) << 32);
    for (u32 k = 0; k < operands; k++) {
      u32 word = mem<u32>(vm, at, 6 + k);
      if (!is_column(word)) steps += items(vm, given_value(word));
      else steps += column_items(word >> 28 ? item_column : slots[word]);
    }
    return true;
  }

  // Run the body for n loaded items. False if an instruction cannot run on columns, which a pass with n = 0 finds out
  // too.
  BATT_DEVICE_NOINLINE bool pass(u32 n) {
    steps = 0;
    for (Addr at = code;;) {
      u32 head = mem<u32>(vm, at), opcode = head & 0xffffu, operands = head >> 16, target = mem<u32>(vm, at, 1);
      u32 counter = mem<u32>(vm, at, 2);
      i64 before = steps;
      if (opcode == code::RETURN) return read(at + 16, 0, n, result) && result.kind != TWOS;
      if (opcode == code::CHARGE || opcode == code::RECHARGE) {
        if (opcode == code::CHARGE) charge_sizes(at, operands);
        else if (counter < MOST_COLUMNS) steps += counters[counter];
        else return false;
        at += 4ull * (4 + mem<u32>(vm, at, 3) + operands);
        continue;
      }
      if (target >= MOST_COLUMNS) return false;
      Column& out = slots[target];
      if (opcode == code::TUPLE) {
        Column x, y;
        steps += 1;
        if (operands != 2 || !read(at + 16, 0, n, x) || !read(at + 16, 1, n, y) || !pair_column(vm, x, y, out, n))
          return false;
      } else if (opcode >= OP_COUNT || !run_op(opcode, at + 16, n, out)) {
        return false;
      }
      if (counter < MOST_COLUMNS) counters[counter] = steps - before;
      else if (counter != 0xffffffffu) return false;
      at += 4ull * (4 + operands);
    }
  }

  // Whether the body can run on columns; allocates the columns.
  BATT_INLINE bool open(Scratch& scratch) {
    if (!see_items() || !pass(0)) return false;
    constexpr u64 BYTES_EACH = sizeof(u64) * COLUMN_ITEMS;
    Addr at = scratch.alloc<u64>(static_cast<u64>(COLUMN_ITEMS) * (MOST_COLUMNS + 4));
    if (stopped(vm)) return false;
    item_column.at = at;
    BATT_NO_UNROLL
    for (u32 k = 0; k < 3; k++) given[k].at = at + BYTES_EACH * (1 + k);
    BATT_NO_UNROLL
    for (u32 k = 0; k < MOST_COLUMNS; k++) slots[k].at = at + BYTES_EACH * (4 + k);
    return true;
  }

  // Compute the body's values for the items from `from` on; return how many.
  BATT_INLINE u32 run(u32 from) {
    u32 n = smaller(COLUMN_ITEMS, container.n - from);
    load_items(from, n);
    pass(n);
    return n;
  }
  BATT_INLINE bool is_true(u32 k) const { return result.kind != INTS || mem<u64>(vm, result.at, k) != 0; }
  BATT_INLINE Value value(u32 k) const {
    u64 bits = mem<u64>(vm, result.at, k);
    return result.kind == CELL_KEYS ? cell_value(bits) : Value{result.kind == INTS ? INT : PAIR, 0, bits};
  }
};

}  // namespace batt
