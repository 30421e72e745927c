// Values: the content of every slot, argument and container item; their tags and packed forms.
//
// A value of the language has one meaning and may have several forms: (1, 2) is a PAIR, or a ROW of two bytes, or a
// TUPLE of two INTs. The form is never visible: equality, order, hash and size depend on the value. Use `length` and
// `item` (access.h), which serve all forms, unless a packed form is faster.
//
// | tag    | value                                            | n                | bits                       |
// |--------|--------------------------------------------------|------------------|----------------------------|
// | NONE   | None                                             |                  |                            |
// | INT    | an int (a bool is the int it equals)              |                  | the int                    |
// | PAIR   | a tuple (i, j) of two 32-bit ints                |                  | i << 32 | j                |
// | CELL   | a tuple (c, (i, j)) of 32-bit ints               | c                | i << 32 | j                |
// | ROW    | a tuple of ints 0 … 255                           | length           | address of u8[n]           |
// | GRID   | a tuple of h >= 1 tuples of w >= 1 ints 0 … 255   | h << 16 | w      | address of u8[h * w]       |
// | TUPLE  | any tuple                                        | length           | address of Value[n]        |
// | PLACES | a non-empty set of (i, j), each within 16 bits   | length           | address of u32[n]: keys    |
// | CELLS  | a non-empty set of (c, (i, j)), i, j 16 bits     | length           | address of u64[n]: keys    |
// | SET    | any set, items ascending and distinct            | length           | address of Value[n]        |
// | FN     | a function                                       | see below        | address of Value[], made   |
//
// Keys are biased so that their order as unsigned numbers is the canonical order of their values.
#pragma once
#include "platform.h"

namespace batt {

enum Tag : u32 { NONE, INT, PAIR, CELL, ROW, GRID, TUPLE, PLACES, CELLS, SET, FN };

using Addr = u64;

struct alignas(16) Value {
  u32 tag;
  u32 n;
  u64 bits;
};

BATT_INLINE Value none() { return Value{NONE, 0, 0}; }
BATT_INLINE Value integer(i64 x) { return Value{INT, 0, static_cast<u64>(x)}; }
BATT_INLINE Value boolean(bool x) { return Value{INT, 0, x ? 1u : 0u}; }
BATT_INLINE Value empty_tuple() { return Value{TUPLE, 0, 0}; }
BATT_INLINE Value empty_set() { return Value{SET, 0, 0}; }
BATT_INLINE Value pair_of(i32 i, i32 j) {
  return Value{PAIR, 0, static_cast<u64>(static_cast<u32>(i)) << 32 | static_cast<u32>(j)};
}
BATT_INLINE Value cell_of(i32 c, i32 i, i32 j) {
  Value v = pair_of(i, j);
  v.tag = CELL;
  v.n = static_cast<u32>(c);
  return v;
}
BATT_INLINE Value grid_at(Addr at, u32 h, u32 w) { return Value{GRID, h << 16 | w, at}; }
BATT_INLINE Value row_at(Addr at, u32 n) { return Value{ROW, n, at}; }

BATT_INLINE i64 int_of(Value v) { return static_cast<i64>(v.bits); }
BATT_INLINE i32 pair_i(Value v) { return static_cast<i32>(static_cast<u32>(v.bits >> 32)); }  // for a PAIR or CELL
BATT_INLINE i32 pair_j(Value v) { return static_cast<i32>(static_cast<u32>(v.bits)); }
BATT_INLINE i32 cell_colour(Value v) { return static_cast<i32>(v.n); }
BATT_INLINE u32 grid_h(Value v) { return v.n >> 16; }
BATT_INLINE u32 grid_w(Value v) { return v.n & 0xffffu; }
constexpr u32 MAX_SIDE = 0xffff;  // of a packed grid

BATT_INLINE bool is_int(Value v) { return v.tag == INT; }
BATT_INLINE bool is_none(Value v) { return v.tag == NONE; }
BATT_INLINE bool is_fn(Value v) { return v.tag == FN; }
BATT_INLINE bool is_tuple(Value v) { return v.tag >= PAIR && v.tag <= TUPLE; }
BATT_INLINE bool is_set(Value v) { return v.tag >= PLACES && v.tag <= SET; }
BATT_INLINE bool is_container(Value v) { return v.tag >= PAIR && v.tag <= SET; }

BATT_INLINE bool is_byte(Value v) { return v.tag == INT && v.bits < 256; }
BATT_INLINE bool fits32(i64 x) { return x >= -0x80000000LL && x <= 0x7fffffffLL; }
BATT_INLINE bool fits16(i64 x) { return x >= -0x8000 && x <= 0x7fff; }

// With this bias, the unsigned order of the bits of INT, PAIR and CELL is that of ints and places.
BATT_INLINE u64 value_bias(u32 tag) { return tag == INT ? 1ull << 63 : 1ull << 63 | 1ull << 31; }

// Keys of places and cells.
BATT_INLINE u32 place_key(i64 i, i64 j) { return static_cast<u32>(i + 0x8000) << 16 | static_cast<u32>(j + 0x8000); }
BATT_INLINE i32 key_i(u32 key) { return static_cast<i32>(key >> 16) - 0x8000; }
BATT_INLINE i32 key_j(u32 key) { return static_cast<i32>(key & 0xffffu) - 0x8000; }
BATT_INLINE u64 cell_key(i32 c, u32 place) { return static_cast<u64>(static_cast<u32>(c) ^ 0x80000000u) << 32 | place; }
BATT_INLINE i32 key_colour(u64 key) { return static_cast<i32>(static_cast<u32>(key >> 32) ^ 0x80000000u); }
BATT_INLINE u32 key_place(u64 key) { return static_cast<u32>(key); }
BATT_INLINE Value place_value(u32 key) { return pair_of(key_i(key), key_j(key)); }
BATT_INLINE Value cell_value(u64 key) { return cell_of(key_colour(key), key_i(key_place(key)), key_j(key_place(key))); }
BATT_INLINE bool has_place_key(Value v) { return v.tag == PAIR && fits16(pair_i(v)) && fits16(pair_j(v)); }
BATT_INLINE bool has_cell_key(Value v) { return v.tag == CELL && fits16(pair_i(v)) && fits16(pair_j(v)); }
BATT_INLINE u32 place_key_of(Value v) { return place_key(pair_i(v), pair_j(v)); }
BATT_INLINE u64 cell_key_of(Value v) { return cell_key(cell_colour(v), place_key_of(v)); }

// A function is an op, a routine of the program (a helper), or made by an op from its arguments, to which `bits`
// points.
enum FnKind : u32 { FN_OP, FN_HELPER, FN_MADE };
BATT_INLINE Value fn_value(FnKind kind, u32 number, u32 arity, Addr args) {
  return Value{FN, kind << 28 | arity << 20 | number, args};
}
BATT_INLINE u32 fn_kind(Value v) { return v.n >> 28; }
BATT_INLINE u32 fn_arity(Value v) { return v.n >> 20 & 0xffu; }  // 255 for a helper with more than 254 parameters
BATT_INLINE u32 fn_number(Value v) { return v.n & 0xfffffu; }  // the op, the routine, or the op that made the function

}  // namespace batt
