// Run the body of a loop column by column: each instruction for many items at once, so that it is decoded only once.
//
// This changes the order of work, which must not be visible: it is done only if no op of the body can raise for such
// items. `open` checks that with a pass over no items.
#pragma once
#include "../ops/containers_sets.h"
#include "columns_items.h"
#include "frames.h"

namespace batt {

// A body that takes one item of a container in each call.
struct Columns : ItemColumn {
  const Program& program;
  Addr code;           // its first instruction
  const Addr* spaces;  // the addresses of its operands
  Column result;
  Column slots[MOST_COLUMNS];
  Column given[3];             // operands that are equal for all items
  Column sizes;                // steps of an item beside those of each, if they vary
  u32 sizes_charged;           // how often they were charged; 0 if they do not vary
  i64 steps;                   // of each item
  i64 counters[MOST_COLUMNS];  // steps of instructions that are charged again
#ifndef __CUDACC__
  Overlaps overlaps = {};
  bool may_be_wide = false;  // whether the loop takes WIDES
  i64 best_second = 0;       // the second int of the best of them
#endif

  BATT_INLINE bool is_column(u32 word) const { return word >> 28 == 0 || word == 3u << 28; }  // a slot, or the item
  BATT_INLINE const Column& column_of(u32 word) const { return word >> 28 ? item_column : slots[word]; }
  BATT_INLINE Value given_value(u32 word) const { return mem<Value>(vm, spaces[word >> 28], word & 0x0fffffffu); }

  // Read operand k of an instruction as a column of n items.
  BATT_INLINE bool read(Addr operands, u32 k, u32 n, Column& found) {
    u32 word = mem<u32>(vm, operands, k);
    if (is_column(word)) {
      found = column_of(word);
      return true;
    }
    Value v = given_value(word);
    if (v.tag != INT && v.tag != PAIR) return false;
    i64 i = is_int(v) ? int_of(v) : pair_i(v), j = is_int(v) ? i : pair_j(v);
    u64 bound = larger(i < 0 ? 0 - static_cast<u64>(i) : static_cast<u64>(i),
                       j < 0 ? 0 - static_cast<u64>(j) : static_cast<u64>(j));
    if (bound > INT_BOUND) return false;
    found = given[k];
    found.kind = is_int(v) ? INTS : PAIRS;
    found.bound = bound;
    for (u32 q = lane(vm); q < n; q += lanes(vm)) mem<u64>(vm, found.at, q) = v.bits;
    sync_lanes(vm);
    return true;
  }

  // Charge the size of each value of a column.
  BATT_INLINE void charge_size(const Column& x, u32 n) {
    switch (x.kind) {
      case PAIRS:
      case CELL_KEYS: steps += 2; return;
      case TWOS: steps += parts[0] == PAIRS ? 4 : 2; return;
      case SINGLES: steps += 1; return;
      case PATCHES:
        sizes_charged++;
        for_both(vm, x, sizes, sizes, n, [&](u64 a, u64 b) { return b + mem<Value>(vm, a).n; });
        return;
#ifndef __CUDACC__
      case LISTS:
      case HOLDERS:
        sizes_charged++;
        for_both(vm, x, sizes, sizes, n,
                 [&](u64 a, u64 b) { return b + static_cast<u64>(items(vm, mem<Value>(vm, a))); });
        return;
      case WIDES: steps += 2; return;
      case SHIFTED: steps += x.patch.n; return;
      case COMMON:
      case UNITED:
        sizes_charged++;
        for_both(vm, x, sizes, sizes, n, [](u64 a, u64 b) { return a + b; });
        return;
#endif
      default: return;
    }
  }

#ifndef __CUDACC__
  // Shift one patch by a column of pairs.
  bool shift_column(Addr operands, u32 n, Column& out) {
    u32 word = mem<u32>(vm, operands, 0);
    Column x;
    if (is_column(word) || !read(operands, 1, n, x) || x.kind != PAIRS) return false;
    Value patch = given_value(word);
    if (patch.tag != PLACES || patch.n > vm.max_items || x.bound + 0x8000 > PAIR_BOUND) return false;
    steps += 3 + 2 * static_cast<i64>(patch.n);
    for_each(vm, x, out, n, [](u64 a) { return a; });
    out.kind = SHIFTED;
    out.bound = x.bound + 0x8000;
    out.patch = patch;
    return true;
  }

  // Read an operand as copies of a patch: a column of them, or places that are equal for all items.
  bool read_shifted(Addr operands, u32 k, u32 n, Column& found) {
    u32 word = mem<u32>(vm, operands, k);
    if (is_column(word)) {
      found = column_of(word);
      return found.kind == SHIFTED;
    }
    Value patch = given_value(word);
    if (patch.tag != PLACES) return false;
    found = given[k];
    found.kind = SHIFTED;
    found.bound = 0x8000;
    found.patch = patch;
    for_each(vm, found, found, n, [](u64) { return 0ull; });
    return true;
  }

  // `intersection` and `combine` of shifted patches.
  bool overlap_column(u32 op, Addr operands, u32 n, Column& out) {
    Column x, y;
    if (!read_shifted(operands, 0, n, x) || !read_shifted(operands, 1, n, y) || !overlaps.use(vm, x.patch, y.patch))
      return false;
    i64 both = static_cast<i64>(x.patch.n) + y.patch.n;
    if (both > vm.max_items) return false;
    steps += 1 + both;
    if (n) measure_both(vm, overlaps, x, y, out, n, op == OP_intersection);
    out.kind = op == OP_intersection ? COMMON : UNITED;
    out.bound = larger(x.bound, y.bound);
    charge_size(out, n);
    return true;
  }

  // An op of one shifted patch, or of several together.
  bool measured_column(u32 op, const Column& x, Column& out, u32 n) {
    bool is_pair = false;
    if (op == OP_size) {
      size_column(vm, x, out, n);
      return true;
    }
    if (x.kind == COMMON || !reads_box(op, is_pair) || 2 * x.bound > PAIR_BOUND) return false;
    box_column(vm, op, x, out, n, is_pair);
    return true;
  }
#endif

  // The least distances of places from a patch, or from each other.
  BATT_INLINE bool manhattan_column(Addr operands, u32 n, Column& out) {
    u32 words[2] = {mem<u32>(vm, operands, 0), mem<u32>(vm, operands, 1)};
    if (!is_column(words[0])) exchange(words[0], words[1]);
    if (!is_column(words[0])) return false;
    Column x = column_of(words[0]);
    bool both = is_column(words[1]);
    Column y = both ? column_of(words[1]) : x;
    Value patch = both ? none() : given_value(words[1]);
    if (x.kind != SINGLES || y.kind != SINGLES || (!both && !is_patch(patch))) return false;
    steps += 1 + (both ? 1 : static_cast<i64>(patch.n));
    out.kind = INTS;
    out.bound = 1ull << 33;
    if (n == 0) return true;
    if (both) distance_column(vm, x, y, out, n);
    else distance_column(vm, x, patch, out, n);
    return true;
  }

  // Find the least or greatest distance of places from the patches of a tuple, which two instructions do:
  // `R[d] := apply[manhattan](patches, place)` and `R[d] := minimum(R[d])`. Move `at` behind them.
  BATT_INLINE bool extreme_distance(Addr& at, u32 n) {
    u32 target = mem<u32>(vm, at, 1), op = mem<u32>(vm, at, 4), body = mem<u32>(vm, at, 5);
    u32 container_word = mem<u32>(vm, at, 6), place = mem<u32>(vm, at, 7);
    if (mem<u32>(vm, at) >> 16 != 2 || op != OP_apply || mem<Routine>(vm, program.routines, body).is_leaf != MEASURING)
      return false;
    Addr next = at + 4ull * 8;
    u32 head = mem<u32>(vm, next), least = OP_minimum | 1u << 16, greatest = OP_maximum | 1u << 16;
    bool is_both = (head == least || head == greatest) && mem<u32>(vm, next, 1) == target &&
                   mem<u32>(vm, next, 4) == target && mem<u32>(vm, at, 2) == NOTHING &&
                   mem<u32>(vm, next, 2) == NOTHING;
    if (!is_both || is_column(container_word) || !is_column(place) || place == target) return false;
    Column x = column_of(place);
    Value patches = given_value(container_word);
    if (x.kind != SINGLES || patches.tag != TUPLE || patches.n == 0 || patches.n > vm.max_items ||
        !all_patches(patches))
      return false;
    // Each call takes 1 step and the places of its patch; then there are the steps of `apply` and of `minimum`.
    i64 count = patches.n;
    for (u32 q = 0; q < patches.n; q++) steps += 1 + static_cast<i64>(mem<Value>(vm, patches.bits, q).n);
    steps += 1 + count + count + 1 + count;
    Column& out = slots[target];
    if (n) extreme_distance_column(vm, x, patches, head == greatest, given[0], out, n);
    out.kind = INTS;
    out.bound = 1ull << 33;
    at = next + 4ull * 5;
    return true;
  }

  // Whether each item is in a container that is the same for all items.
  BATT_INLINE bool contained_column(Addr operands, u32 n, Column& out) {
    Column x;
    u32 word = mem<u32>(vm, operands, 1);
    if (is_column(word) || !read(operands, 0, n, x) || x.kind > PAIRS) return false;
    Value where = given_value(word);
    if (!is_container(where)) return false;
    steps += 1 + items(vm, where);
    charge_size(x, n);
    bool pairs = x.kind == PAIRS;
    // A search that compares values may stop the machine, which all lanes must do together.
    if (where.tag == PLACES || where.tag == CELLS || where.tag == ROW)
      return test_column(vm, x, out, n, [&](u64 a) { return holds(vm, where, Value{pairs ? PAIR : INT, 0, a}); });
    test_column(vm, x, out, 0, [](u64) { return false; });
    for (u32 k = 0; k < n; k++)
      mem<u64>(vm, out.at, k) = holds(vm, where, Value{pairs ? PAIR : INT, 0, mem<u64>(vm, x.at, k)});
    return true;
  }

  BATT_INLINE bool one_column(u32 op, const Column& x, Column& out, u32 n) {
#ifndef __CUDACC__
    if (op == OP_size && (x.kind < PATCHES || x.kind > UNITED)) return length_column(vm, x, out, n);
    if (x.kind > UNITED) return x.kind != HOLDERS && wide_column(vm, op, x, out, n);
    if (x.kind >= SHIFTED) return measured_column(op, x, out, n);
#endif
    return x.kind == PATCHES ? patch_column(vm, op, x, out, n) : unary_column(vm, op, x, out, n);
  }

  BATT_INLINE bool run_op(u32 op, Addr operands, u32 n, Column& out) {
    if (op == OP_contained) return contained_column(operands, n, out);
    if (op == OP_manhattan) return manhattan_column(operands, n, out);
#ifndef __CUDACC__
    if (op == OP_shift) return shift_column(operands, n, out);
    if (op == OP_intersection || op == OP_combine) return overlap_column(op, operands, n, out);
#endif
    u32 arity = OP_ARITY[op];
    Column x, y, z;
    if (arity > 3 || !read(operands, 0, n, x) || (arity > 1 && !read(operands, 1, n, y)) ||
        (arity > 2 && !read(operands, 2, n, z)))
      return false;
    steps += 1;
    bool counts_items = OP_COST[op] == COST_ITEMS;
    if (counts_items) charge_size(x, n);
    if (counts_items && arity > 1) charge_size(y, n);
    if (x.kind == TWOS && (op == OP_first || op == OP_last)) return part_of_twos(x, out, n, op == OP_last);
    if (arity == 1) {
      if (!one_column(op, x, out, n)) return false;
      if (counts_items) charge_size(out, n);
      return true;
    }
    if (arity == 2) return binary_column(vm, op, x, y, out, n);
    return op == OP_branch && chosen_column(vm, x, y, z, out, n);
  }

  // Charge the sizes of an instruction's operands.
  BATT_INLINE void charge_sizes(Addr at, u32 operands, u32 n) {
    steps += static_cast<i64>(mem<u32>(vm, at, 4) | static_cast<u64>(mem<u32>(vm, at, 5)) << 32);
    for (u32 k = 0; k < operands; k++) {
      u32 word = mem<u32>(vm, at, 6 + k);
      if (!is_column(word)) steps += items(vm, given_value(word));
      else charge_size(column_of(word), n);
    }
  }

  BATT_INLINE bool is_wide() const {
#ifndef __CUDACC__
    return may_be_wide && result.kind == WIDES;
#else
    return false;
#endif
  }

  // Run the body for n loaded items. False if an instruction cannot run on columns, which a pass with n = 0 finds out
  // too.
  BATT_DEVICE_NOINLINE bool pass(u32 n) {
    steps = 0;
    sizes_charged = 0;
    for_each(vm, sizes, sizes, n, [](u64) { return 0ull; });
    for (Addr at = code;;) {
      u32 head = mem<u32>(vm, at), opcode = head & 0xffffu, operands = head >> 16, target = mem<u32>(vm, at, 1);
      u32 counter = mem<u32>(vm, at, 2);
      i64 before = steps;
      u32 charged = sizes_charged;
      if (opcode == code::RETURN) return read(at + 16, 0, n, result) && (result.kind < TWOS || is_wide());
      if (opcode == code::CHARGE || opcode == code::RECHARGE) {
        if (opcode == code::CHARGE) charge_sizes(at, operands, n);
        else if (counter < MOST_COLUMNS) steps += counters[counter];
        else return false;
        at += 4ull * (4 + mem<u32>(vm, at, 3) + operands);
        continue;
      }
      if (target >= MOST_COLUMNS) return false;
      if (opcode == code::LOOP) {
        if (!extreme_distance(at, n)) return false;
        continue;
      }
      Column& out = slots[target];
      if (opcode == code::TUPLE) {
        Column x, y;
        steps += 1;
        if (operands != 2 || !read(at + 16, 0, n, x) || !read(at + 16, 1, n, y) || !pair_column(vm, x, y, out, n))
          return false;
      } else if (opcode >= OP_COUNT || !run_op(opcode, at + 16, n, out)) {
        return false;
      }
      if (counter < MOST_COLUMNS && sizes_charged == charged) counters[counter] = steps - before;
      else if (counter != NOTHING) return false;
      at += 4ull * (4 + operands);
    }
  }

  // Whether the body can run on columns; allocates the columns.
  BATT_INLINE bool open(Scratch& scratch) {
    if (!see_items() || !pass(0)) return false;
    constexpr u64 BYTES_EACH = sizeof(u64) * COLUMN_ITEMS;
    Addr at = scratch.alloc<u64>(static_cast<u64>(COLUMN_ITEMS) * (COLUMNS_OF_SLOT * MOST_COLUMNS + 5));
    if (stopped(vm)) return false;
    item_column.at = at;
    BATT_NO_UNROLL
    for (u32 k = 0; k < 3; k++) given[k].at = at + BYTES_EACH * (1 + k);
    BATT_NO_UNROLL
    for (u32 k = 0; k < MOST_COLUMNS; k++) slots[k].at = at + BYTES_EACH * (5 + COLUMNS_OF_SLOT * k);
    sizes.at = at + BYTES_EACH * 4;
#ifndef __CUDACC__
    if (overlaps.is_used) overlaps.open(vm, scratch);
    if (stopped(vm)) return false;
#endif
    return true;
  }

  // Compute the body's values for the items from `from` on. Return how many, or 0 if they cannot be a column.
  BATT_INLINE u32 run(u32 from) {
    u32 n = smaller(COLUMN_ITEMS, length(container) - from);
    if (!load_items(from, n)) return 0;
    pass(n);
    return n;
  }
  // The steps of the first n items that were computed last.
  BATT_INLINE i64 steps_of(u32 n) const {
    i64 total = product_of(steps, n);
    if (sizes_charged == 0) return total;
    i64 mine = 0;
    for (u32 k = lane(vm); k < n; k += lanes(vm)) mine += static_cast<i64>(mem<u64>(vm, sizes.at, k));
    BATT_NO_UNROLL
    for (u32 step = lanes(vm) / 2; step; step /= 2) mine += from_lane(vm, mine, lane(vm) ^ step);
    return sum_of(total, mine);
  }
  BATT_INLINE bool is_true(u32 k) const { return result.kind != INTS || mem<u64>(vm, result.at, k) != 0; }
  BATT_INLINE Value value(u32 k) const {
    u64 bits = mem<u64>(vm, result.at, k);
    return result.kind == CELL_KEYS ? cell_value(bits) : Value{result.kind == INTS ? INT : PAIR, 0, bits};
  }
};

}  // namespace batt
