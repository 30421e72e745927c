// What a result records of a value: its size, fingerprint and shape, and how it differs from the expected grid.
#pragma once
#include "sets.h"

namespace batt {

struct Walked {
  Value v;
  u64 k;
  u64 unused;
};

// Whether a value has more than `limit` ints, tuples, sets and functions: `weight` of batt.types.plain.
BATT_DEVICE_NOINLINE bool is_heavy(Vm& vm, Value v, i64 limit) {
  i64 count = 0;
  if (v.tag == GRID) return 1 + static_cast<i64>(grid_h(v)) * (1 + static_cast<i64>(grid_w(v))) > limit;
  Stack<Walked> stack(vm);
  if (!stack.push(Walked{v, 0, 0})) return false;
  while (stack.count && count <= limit) {
    Walked& top = stack.top();
    Value each = top.v;
    if (top.k == 0) {
      u32 n = each.tag == FN ? 0 : length(each);
      count += 1;
      if (each.tag == TUPLE || each.tag == SET) {
        if (n == 0) {
          stack.pop();
          continue;
        }
      } else {
        if (each.tag == GRID) count += static_cast<i64>(n) * (1 + static_cast<i64>(grid_w(each)));
        else if (each.tag == PLACES) count += 3 * static_cast<i64>(n);
        else if (each.tag == CELLS) count += 5 * static_cast<i64>(n);
        else if (each.tag == CELL) count += 4;
        else count += n;
        stack.pop();
        continue;
      }
    }
    if (top.k == each.n) {
      stack.pop();
      continue;
    }
    Value inner = mem<Value>(vm, each.bits, top.k++);
    if (!is_container(inner)) {
      count++;
      continue;
    }
    if (!stack.push(Walked{inner, 0, 0})) return false;
  }
  return count > limit;
}

// Bytes read as one big-endian number modulo the largest prime below 2**64, where 2**64 is 59.
struct Fingerprint {
  u64 h = 0;
  BATT_INLINE void take(u64 high, u64 low) {
    u64 over = high * 59, top = high_part(high, 59);
    low += over;
    top += low < over;  // 59 at most
    h = low + top * 59;
    if (h < low) h += 59;
  }
  // Append the lowest `count` bytes of a number, 1 … 7 of them, highest first.
  BATT_INLINE void put_some(u64 bytes, u32 count) {
    u64 over = (h >> (64 - 8 * count)) * 59 + bytes, low = h << 8 * count;
    h = low + over;
    if (h < low) h += 59;
  }
  BATT_INLINE void put(u32 byte) { put_some(byte, 1); }
  BATT_INLINE void put_eight(u64 bytes) { take(h, bytes); }
  // Append the bytes whose fingerprint is `bytes`; `shift` is 256 to the power of their number.
  BATT_INLINE void join(u64 bytes, u64 shift) {
    u64 low = h * shift + bytes;
    take(high_part(h, shift) + (low < bytes), low);
  }
  // Append a number below the prime.
  BATT_INLINE void add(u64 number) {
    u64 sum = h + number;
    h = sum < number ? sum + 59 : sum;
  }
  BATT_INLINE u64 value() const { return h >= 0ull - 59 ? h - (0ull - 59) : h; }
};

BATT_INLINE u64 reversed_bytes(u64 x) {
  x = (x & 0x00ff00ff00ff00ffull) << 8 | (x >> 8 & 0x00ff00ff00ff00ffull);
  x = (x & 0x0000ffff0000ffffull) << 16 | (x >> 16 & 0x0000ffff0000ffffull);
  return x << 32 | x >> 32;
}

enum DigestTag : u32 {
  DIGEST_SMALL = 240,
  DIGEST_WIDE = 240,
  DIGEST_TUPLE = 242,
  DIGEST_SET,
  DIGEST_NONE,
  DIGEST_FUNCTION
};
constexpr u32 FORM_LIMIT = 2000;

BATT_INLINE void digest_int(Fingerprint& print, i64 x) {
  if (x >= 0 && x < DIGEST_SMALL) {
    print.put(static_cast<u32>(x));
    return;
  }
  print.put(DIGEST_WIDE);
  print.put_eight(reversed_bytes(static_cast<u64>(x)));
}
BATT_INLINE void digest_head(Fingerprint& print, u32 tag, u32 n) {
  print.put_some(static_cast<u64>(tag) << 32 | reversed_bytes(n) >> 32, 5);
}

BATT_DEVICE_NOINLINE void digest_function(Vm& vm, Fingerprint& print, Value v) {
  Addr mark = vm.region[vm.side].top, at = alloc<u8>(vm, FORM_LIMIT + 1);
  if (!stopped(vm)) {
    Text text{vm, at, FORM_LIMIT, 0};
    if (print_form(text, v)) {
      u32 n = text.full() ? FORM_LIMIT - 1 : static_cast<u32>(text.count);
      digest_head(print, DIGEST_FUNCTION, text.full() ? n + 3 : n);
      for (u32 k = 0; k < n; k++) print.put(mem<u8>(vm, at, k));
      if (text.full()) {  // the ellipsis
        print.put(0xe2);
        print.put(0x80);
        print.put(0xa6);
      }
    }
  }
  cut_back(vm.region[vm.side], mark);
}

// Mark the bytes that are 240 or more: their upper four bits are set.
BATT_INLINE u64 wide_bytes(u64 eight) { return eight & eight << 1 & eight << 2 & eight << 3 & 0x8080808080808080ull; }

// Append bytes as ints, which are their own code below 240. False, and nothing appended, if one is not.
BATT_INLINE bool digest_bytes(Vm& vm, Fingerprint& print, Addr at, u32 n) {
  Fingerprint made = print;
  u64 wide = 0;
  u32 k = 0;
  for (; k + 8 <= n; k += 8) {
    u64 eight = eight_bytes(vm, at, k);
    wide |= wide_bytes(eight);
    made.put_eight(reversed_bytes(eight));
  }
  if (u32 left = n - k) {
    u64 some = n < 8 ? last_bytes(vm, at, k, left) << (64 - 8 * left) : eight_bytes(vm, at, n - 8);
    some = reversed_bytes(some) & ((1ull << 8 * left) - 1);
    wide |= wide_bytes(some);
    made.put_some(some, left);
  }
  if (!wide) print = made;
  return !wide;
}
BATT_INLINE void digest_row(Vm& vm, Fingerprint& print, Addr at, u32 n) {
  digest_head(print, DIGEST_TUPLE, n);
  if (!digest_bytes(vm, print, at, n))
    for (u32 k = 0; k < n; k++) digest_int(print, mem<u8>(vm, at, k));
}

// The fingerprint of the bytes of one row. `seen` collects all bytes, so that a wide one shows in it.
BATT_INLINE u64 row_bytes(Vm& vm, Value grid, u64 at, u64& seen) {
  u32 w = grid_w(grid), left = w % 8;
  Fingerprint row;
  if (w >= 8) {
    u64 first = eight_bytes(vm, grid.bits, at);
    seen |= first;
    row.h = reversed_bytes(first);
    for (u32 k = 8; k + 8 <= w; k += 8) {
      u64 eight = eight_bytes(vm, grid.bits, at + k);
      seen |= eight;
      row.put_eight(reversed_bytes(eight));
    }
  }
  if (left) {
    u64 readable = static_cast<u64>(grid_h(grid)) * w - at;
    u64 some =
        w >= 8 ? eight_bytes(vm, grid.bits, at + w - 8) : last_bytes(vm, grid.bits, at, readable) << (64 - 8 * left);
    seen |= some;
    row.put_some(reversed_bytes(some) & ((1ull << 8 * left) - 1), left);
  }
  return row.h;
}

// Rows are hashed one by one and joined in pairs, so that no row waits for a long chain before it. The heads of the
// rows are the same for all.
BATT_DEVICE_NOINLINE void digest_grid(Vm& vm, Fingerprint& print, Value grid) {
  u32 h = grid_h(grid), w = grid_w(grid), i = 0;
  digest_head(print, DIGEST_TUPLE, h);
  Fingerprint made = print, shift{1}, head;
  for (u32 k = 0; k + 8 <= w; k += 8) shift.put_eight(0);
  if (w % 8) shift.put_some(0, w % 8);
  digest_head(head, DIGEST_TUPLE, w);
  head.join(0, shift.h);
  shift.put_some(0, 5);
  Fingerprint twice = shift, heads = head;
  twice.join(0, shift.h);
  heads.join(head.h, shift.h);
  u64 seen = 0, each = heads.value();
  for (; i + 2 <= h; i += 2) {
    Fingerprint both{row_bytes(vm, grid, static_cast<u64>(i) * w, seen)};
    both.join(row_bytes(vm, grid, static_cast<u64>(i + 1) * w, seen), shift.h);
    both.add(each);
    made.join(both.h, twice.h);
  }
  if (i < h) {
    Fingerprint row{row_bytes(vm, grid, static_cast<u64>(i) * w, seen)};
    row.add(head.value());
    made.join(row.h, shift.h);
  }
  // `seen` may look wide though no byte is: then every byte is tested.
  if (!wide_bytes(seen)) print = made;
  else
    for (i = 0; i < h; i++) digest_row(vm, print, grid.bits + static_cast<u64>(i) * w, w);
}

// The code of a tuple (i, j) of ints 0 … 239 has seven bytes, that of a tuple (c, (i, j)) six bytes more before it.
constexpr u32 PLACE_BYTES = 7, CELL_BYTES = 6;
constexpr u64 PLACE_HEAD = static_cast<u64>(DIGEST_TUPLE) << 48 | 2ull << 40;
constexpr u64 CELL_HEAD = static_cast<u64>(DIGEST_TUPLE) << 40 | 2ull << 32;

// Append place k or cell k of a packed set. `seen` collects all its ints, so that one above 239 shows in it.
BATT_INLINE void put_place(Fingerprint& print, u32 key, u32& seen) {
  u32 i = static_cast<u32>(key_i(key)), j = static_cast<u32>(key_j(key));
  seen |= i | j;
  print.put_some(PLACE_HEAD | (i & 0xffu) << 8 | (j & 0xffu), PLACE_BYTES);
}
BATT_INLINE void put_member(Vm& vm, Fingerprint& print, Value set, u32 k, u32& seen) {
  if (set.tag == PLACES) {
    put_place(print, mem<u32>(vm, set.bits, k), seen);
    return;
  }
  u64 key = mem<u64>(vm, set.bits, k);
  u32 colour = static_cast<u32>(key_colour(key));
  seen |= colour;
  print.put_some(CELL_HEAD | (colour & 0xffu), CELL_BYTES);
  put_place(print, key_place(key), seen);
}

// Append the members of a packed set. Four at a time are hashed by themselves and joined, so that they do not wait for
// those before them. False, and nothing appended, if an int is not its own code.
BATT_DEVICE_NOINLINE bool digest_members(Vm& vm, Fingerprint& print, Value set) {
  Fingerprint made = print, shift{1};
  u32 seen = 0, k = 0;
  for (u32 n = 0; n < 4; n++) {
    if (set.tag == CELLS) shift.put_some(0, CELL_BYTES);
    shift.put_some(0, PLACE_BYTES);
  }
  for (; k + 4 <= set.n; k += 4) {
    Fingerprint four;
    for (u32 n = 0; n < 4; n++) put_member(vm, four, set, k + n, seen);
    made.join(four.h, shift.h);
  }
  for (; k < set.n; k++) put_member(vm, made, set, k, seen);
  // `seen` may look wide though no int is: then each is written by itself.
  if (seen >= DIGEST_SMALL) return false;
  print = made;
  return true;
}

BATT_INLINE void digest_pair(Fingerprint& print, i32 i, i32 j) {
  digest_head(print, DIGEST_TUPLE, 2);
  digest_int(print, i);
  digest_int(print, j);
}
BATT_INLINE void digest_cell(Fingerprint& print, Value cell) {
  digest_head(print, DIGEST_TUPLE, 2);
  digest_int(print, cell_colour(cell));
  digest_pair(print, pair_i(cell), pair_j(cell));
}

BATT_DEVICE_NOINLINE void digest_packed_set(Vm& vm, Fingerprint& print, Value set) {
  digest_head(print, DIGEST_SET, set.n);
  if (digest_members(vm, print, set)) return;
  for (u32 k = 0; k < set.n; k++) {
    Value each = item(vm, set, k);
    if (set.tag == CELLS) digest_cell(print, each);
    else digest_pair(print, pair_i(each), pair_j(each));
  }
}

// Append a value without nested parts; false if it has some.
BATT_DEVICE_NOINLINE bool digest_flat(Vm& vm, Fingerprint& print, Value v) {
  switch (v.tag) {
    case NONE: print.put(DIGEST_NONE); return true;
    case INT: digest_int(print, int_of(v)); return true;
    case FN: digest_function(vm, print, v); return true;
    case PAIR: digest_pair(print, pair_i(v), pair_j(v)); return true;
    case CELL: digest_cell(print, v); return true;
    case ROW: digest_row(vm, print, v.bits, v.n); return true;
    case GRID: digest_grid(vm, print, v); return true;
    case PLACES:
    case CELLS: digest_packed_set(vm, print, v); return true;
    default: return false;
  }
}

// `fingerprint` of batt.types.digest, for a value that is not heavy.
BATT_DEVICE_NOINLINE u64 fingerprint(Vm& vm, Value v) {
  Fingerprint print;
  if (digest_flat(vm, print, v)) return print.value();
  Stack<Walked> stack(vm);
  digest_head(print, is_set(v) ? DIGEST_SET : DIGEST_TUPLE, length(v));
  if (!stack.push(Walked{v, 0, 0})) return 0;
  while (stack.count) {
    Walked& top = stack.top();
    if (top.k == length(top.v)) {
      stack.pop();
      continue;
    }
    Value inner = item(vm, top.v, static_cast<u32>(top.k++));
    if (digest_flat(vm, print, inner)) continue;
    digest_head(print, is_set(inner) ? DIGEST_SET : DIGEST_TUPLE, length(inner));
    if (!stack.push(Walked{inner, 0, 0})) return 0;
  }
  return print.value();
}

// h << 16 | w if v is a rectangle of ints with sides 1 … 65535, else 0.
BATT_DEVICE_NOINLINE u32 shape_word(Vm& vm, Value v) {
  if (v.tag == GRID) return v.n;
  if (!is_tuple(v)) return 0;
  u32 h = length(v), w = 0;
  if (h == 0 || h > MAX_SIDE) return 0;
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, v, i);
    u32 n = is_tuple(row) ? length(row) : 0;
    if (n == 0 || n > MAX_SIDE || (i && n != w)) return 0;
    w = n;
    if (row.tag != ROW)
      for (u32 j = 0; j < w; j++)
        if (!is_int(item(vm, row, j))) return 0;
  }
  return h << 16 | w;
}

// Count the places that differ, over both rectangles; `shape` is the shape of v, 0 if it is not a grid.
BATT_DEVICE_NOINLINE u64 differing_cells(Vm& vm, Value v, u32 shape, Value expected) {
  u32 h = shape >> 16, w = shape & 0xffffu, eh = grid_h(expected), ew = grid_w(expected);
  u32 rows = smaller(h, eh), columns = smaller(w, ew);
  u64 alike = 0;
  if (v.tag == GRID && w == ew) alike = alike_bytes(vm, v.bits, expected.bits, static_cast<u64>(rows) * w);
  else
    for (u32 i = 0; i < rows; i++) {
      Value row = v.tag == GRID ? row_at(v.bits + static_cast<u64>(i) * w, w) : item(vm, v, i);
      Addr wanted = expected.bits + static_cast<u64>(i) * ew;
      if (row.tag == ROW) alike += alike_bytes(vm, row.bits, wanted, columns);
      else
        for (u32 j = 0; j < columns; j++) alike += item(vm, row, j).bits == mem<u8>(vm, wanted, j);
    }
  return static_cast<u64>(h) * w + static_cast<u64>(eh) * ew - static_cast<u64>(rows) * columns - alike;
}

}  // namespace batt
