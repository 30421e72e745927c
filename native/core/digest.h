// What a result carries of a value: its weight, fingerprint, shape, and how it differs from the expected grid.
#pragma once
#include "sets.h"

namespace batt {

struct Walked {
  Value v;
  u64 k;
  u64 unused;
};

// Whether a value is made of more than `limit` ints, tuples, sets and functions; `weight` of batt.types.plain.
BATT_BIG bool is_heavy(Vm& vm, Value v, i64 limit) {
  i64 count = 0;
  Stack<Walked> stack(vm);
  if (!stack.push(Walked{v, 0, 0})) return false;
  while (stack.count && count <= limit) {
    Walked& top = stack.top();
    Value each = top.v;
    if (top.k == 0) {
      u32 n = each.tag == FN ? 0 : length(each);
      count += 1;
      if (each.tag == TUPLE || each.tag == SET) {
        if (n == 0) { stack.pop(); continue; }
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
    if (top.k == each.n) { stack.pop(); continue; }
    Value inner = mem<Value>(vm, each.bits, top.k++);
    if (!is_container(inner)) { count++; continue; }
    if (!stack.push(Walked{inner, 0, 0})) return false;
  }
  return count > limit;
}

// Bytes read as one big-endian number modulo the largest prime below 2**64.
struct Fingerprint {
  u64 h = 0;
  BATT_FN void put(u32 byte) {
    u64 over = (h >> 56) * 59 + byte, low = h << 8;
    h = low + over;
    if (h < low) h += 59;
  }
  // Eight bytes at once, the first one uppermost: 2**64 is 59 here.
  BATT_FN void put_eight(u64 bytes) {
    u64 low = h * 59, over = high_part(h, 59) * 59;  // below 2**12
    h = low + over;
    if (h < low) h += 59;
    u64 sum = h + bytes;
    h = sum < bytes ? sum + 59 : sum;
  }
  BATT_FN void put_number(u64 x, u32 bytes) { for (u32 k = 0; k < bytes; k++) put(static_cast<u32>(x >> (8 * k) & 0xff)); }
  BATT_FN u64 value() const { return h >= 0ull - 59 ? h - (0ull - 59) : h; }
};

enum DigestTag : u32 { DIGEST_SMALL = 240, DIGEST_WIDE = 240, DIGEST_TUPLE = 242, DIGEST_SET, DIGEST_NONE, DIGEST_FUNCTION };
constexpr u32 FORM_LIMIT = 2000;

BATT_FN void digest_int(Fingerprint& print, i64 x) {
  if (x >= 0 && x < DIGEST_SMALL) { print.put(static_cast<u32>(x)); return; }
  print.put(DIGEST_WIDE);
  print.put_number(static_cast<u64>(x), 8);
}
BATT_FN void digest_head(Fingerprint& print, u32 tag, u32 n) { print.put(tag); print.put_number(n, 4); }

BATT_BIG void digest_function(Vm& vm, Fingerprint& print, Value v) {
  Addr mark = vm.region[vm.side].top, at = alloc<u8>(vm, FORM_LIMIT + 1);
  if (!stopped(vm)) {
    Text text{vm, at, FORM_LIMIT, 0};
    if (print_form(text, v)) {
      u32 n = text.full() ? FORM_LIMIT - 1 : static_cast<u32>(text.count);
      digest_head(print, DIGEST_FUNCTION, text.full() ? n + 3 : n);
      for (u32 k = 0; k < n; k++) print.put(mem<u8>(vm, at, k));
      if (text.full()) { print.put(0xe2); print.put(0x80); print.put(0xa6); }  // the ellipsis
    }
  }
  cut_back(vm.region[vm.side], mark);
}

// Bytes as ints, which are their own code below 240.
BATT_FN void digest_bytes(Vm& vm, Fingerprint& print, Addr at, u64 from, u32 n) {
  u32 k = 0;
  for (; k + 8 <= n; k += 8) {
    u64 eight = 0;
    bool small = true;
    for (u32 q = 0; q < 8; q++) {
      u64 byte = mem<u8>(vm, at, from + k + q);
      small = small && byte < DIGEST_SMALL;
      eight = eight << 8 | byte;
    }
    if (!small) break;
    print.put_eight(eight);
  }
  for (; k < n; k++) digest_int(print, mem<u8>(vm, at, from + k));
}

// Values without parts of their own to walk; false for those that have some.
BATT_BIG bool digest_flat(Vm& vm, Fingerprint& print, Value v) {
  switch (v.tag) {
    case NONE: print.put(DIGEST_NONE); return true;
    case INT: digest_int(print, int_of(v)); return true;
    case FN: digest_function(vm, print, v); return true;
    case PAIR: digest_head(print, DIGEST_TUPLE, 2); digest_int(print, pair_i(v)); digest_int(print, pair_j(v)); return true;
    case CELL:
      digest_head(print, DIGEST_TUPLE, 2);
      digest_int(print, cell_colour(v));
      digest_head(print, DIGEST_TUPLE, 2);
      digest_int(print, pair_i(v));
      digest_int(print, pair_j(v));
      return true;
    case ROW:
      digest_head(print, DIGEST_TUPLE, v.n);
      digest_bytes(vm, print, v.bits, 0, v.n);
      return true;
    case GRID: {
      u32 h = grid_h(v), w = grid_w(v);
      digest_head(print, DIGEST_TUPLE, h);
      for (u32 i = 0; i < h; i++) {
        digest_head(print, DIGEST_TUPLE, w);
        digest_bytes(vm, print, v.bits, static_cast<u64>(i) * w, w);
      }
      return true;
    }
    default: return false;
  }
}

// `fingerprint` of batt.types.digest; of a value that is not heavy.
BATT_BIG u64 fingerprint(Vm& vm, Value v) {
  Fingerprint print;
  if (digest_flat(vm, print, v)) return print.value();
  Stack<Walked> stack(vm);
  digest_head(print, is_set(v) ? DIGEST_SET : DIGEST_TUPLE, length(v));
  if (!stack.push(Walked{v, 0, 0})) return 0;
  while (stack.count) {
    Walked& top = stack.top();
    if (top.k == length(top.v)) { stack.pop(); continue; }
    Value inner = item(vm, top.v, static_cast<u32>(top.k++));
    if (digest_flat(vm, print, inner)) continue;
    digest_head(print, is_set(inner) ? DIGEST_SET : DIGEST_TUPLE, length(inner));
    if (!stack.push(Walked{inner, 0, 0})) return 0;
  }
  return print.value();
}

// h << 16 | w of a rectangle of ints with sides 1 … 65535, else 0.
BATT_BIG u32 shape_word(Vm& vm, Value v) {
  if (v.tag == GRID) return v.n;
  if (!is_tuple(v)) return 0;
  u32 h = length(v), w = 0;
  if (h == 0 || h > MAX_SIDE) return 0;
  for (u32 i = 0; i < h; i++) {
    Value row = item(vm, v, i);
    u32 n = is_tuple(row) ? length(row) : 0;
    if (n == 0 || n > MAX_SIDE || (i && n != w)) return 0;
    w = n;
    if (row.tag != ROW) for (u32 j = 0; j < w; j++) if (!is_int(item(vm, row, j))) return 0;
  }
  return h << 16 | w;
}

// Places of the two rectangles together that do not show the same in both; `shape` is that of v, 0 for no grid.
BATT_BIG u64 differing_cells(Vm& vm, Value v, u32 shape, Value expected) {
  u32 h = shape >> 16, w = shape & 0xffffu, eh = grid_h(expected), ew = grid_w(expected);
  u32 rows = smaller(h, eh), columns = smaller(w, ew);
  u64 alike = 0;
  for (u32 i = 0; i < rows; i++) {
    Value row = item(vm, v, i);
    for (u32 j = 0; j < columns; j++) {
      u64 cell = row.tag == ROW ? mem<u8>(vm, row.bits, j) : item(vm, row, j).bits;
      alike += cell == mem<u8>(vm, expected.bits, static_cast<u64>(i) * ew + j);
    }
  }
  return static_cast<u64>(h) * w + static_cast<u64>(eh) * ew - static_cast<u64>(rows) * columns - alike;
}

}  // namespace batt
