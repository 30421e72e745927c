// Facts about the ops that call a function for items.
#pragma once
#include "frames.h"

namespace batt {

// Whether a StopIteration of the function leaves the op as a RuntimeError, because it calls the function in a
// generator.
BATT_INLINE bool is_generator(u32 op) {
  return !(op == OP_order || op == OP_argmax || op == OP_argmin || op == OP_valmax || op == OP_valmin);
}
BATT_INLINE bool picks_best(u32 op) { return op == OP_argmax || op == OP_argmin || op == OP_valmax || op == OP_valmin; }
BATT_INLINE bool picks_value(u32 op) { return op == OP_valmax || op == OP_valmin; }
BATT_INLINE bool keeps_items(u32 op) { return op == OP_sfilter || op == OP_mfilter || op == OP_extract; }
enum LoopManner : u32 { COLLECTING, KEEPING, PICKING };  // how a loop uses the result of a call
// Items passed to the function in each call.
BATT_INLINE u32 items_per_call(u32 op) { return op == OP_papply || op == OP_mpapply || op == OP_prapply ? 2 : 1; }
// Which argument of the op is its function.
BATT_INLINE u32 function_position(u32 op) { return is_generator(op) && !keeps_items(op) ? 0 : 1; }

}  // namespace batt
