// The kinds of values that searches tell apart. The same on every engine.
#pragma once
#include "value.h"

namespace batt {

enum StateKind : u8 {
  ANY_STATE,
  INT_STATE,
  PAIR_STATE,
  CELL_STATE,
  GRID_STATE,
  TUPLE_STATE,
  INDICES_STATE,
  OBJECT_STATE,
  OBJECTS_STATE,
  SET_STATE,
  FUNCTION_STATE
};
constexpr u8 EMPTY_SET = 0x80;  // marks the kind of a set without items, which may be of any kind of set

BATT_INLINE u8 kind_of_set(Value v) {
  const Value* items = reinterpret_cast<const Value*>(v.bits);
  u8 found = SET_STATE;
  for (u32 k = 0; k < v.n; k++) {
    u8 each = items[k].tag == PAIR    ? INDICES_STATE
              : items[k].tag == CELL  ? OBJECT_STATE
              : items[k].tag == CELLS ? OBJECTS_STATE
                                      : SET_STATE;
    if (k && each != found) return SET_STATE;
    found = each;
  }
  return v.n ? found : static_cast<u8>(SET_STATE | EMPTY_SET);
}

BATT_INLINE u8 kind_of(Value v) {
  switch (v.tag) {
    case INT: return INT_STATE;
    case PAIR: return PAIR_STATE;
    case CELL: return CELL_STATE;
    case ROW: return v.n == 2 ? PAIR_STATE : TUPLE_STATE;
    case GRID: return GRID_STATE;
    case TUPLE: return TUPLE_STATE;
    case PLACES: return INDICES_STATE;
    case CELLS: return OBJECT_STATE;
    case SET: return kind_of_set(v);
    case FN: return FUNCTION_STATE;
    default: return ANY_STATE;
  }
}

}  // namespace batt
