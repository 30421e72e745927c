// Ops that make functions: ops/functions.py. Making one evaluates nothing; the machine calls it.
#pragma once
#include "../core/sets.h"

namespace batt {

constexpr i64 POWER_LIMIT = 900;

// The arity of a function after one argument is fixed.
BATT_INLINE u32 bound_arity(u32 arity) { return arity == 2 ? 1 : arity == 3 ? 2 : 3; }

BATT_INLINE Value made_of(Vm& vm, Op maker, u32 arity, const Value* a) {
  u32 n = OP_ARITY[maker];
  Addr at = alloc<Value>(vm, n);
  if (stopped(vm)) return none();
  BATT_NO_UNROLL
  for (u32 k = 0; k < n; k++) mem<Value>(vm, at, k) = a[k];
  return fn_value(FN_MADE, maker, arity, at);
}

BATT_OP Value op_compose(Vm& vm, const Value* a) { return made_of(vm, OP_compose, 1, a); }
BATT_OP Value op_chain(Vm& vm, const Value* a) { return made_of(vm, OP_chain, 1, a); }
BATT_OP Value op_matcher(Vm& vm, const Value* a) { return made_of(vm, OP_matcher, 1, a); }
BATT_OP Value op_fork(Vm& vm, const Value* a) { return made_of(vm, OP_fork, 1, a); }

BATT_INLINE Value bound(Vm& vm, Op maker, const Value* a) {
  if (!is_fn(a[0])) return raise(vm, ATTRIBUTE_ERROR);
  return made_of(vm, maker, bound_arity(fn_arity(a[0])), a);
}
BATT_OP Value op_lbind(Vm& vm, const Value* a) { return bound(vm, OP_lbind, a); }
BATT_OP Value op_rbind(Vm& vm, const Value* a) { return bound(vm, OP_rbind, a); }

// How often `power` applies a function, if v is a valid count.
BATT_INLINE Value checked_count(Vm& vm, Value v) {
  if (!is_int(v)) return raise(vm, TYPE_ERROR);
  return int_of(v) < 1 || int_of(v) > POWER_LIMIT ? raise(vm, RECURSION_ERROR) : v;
}
BATT_OP Value op_power(Vm& vm, const Value* a) {
  Value count = checked_count(vm, a[1]);
  if (stopped(vm)) return none();
  return int_of(count) == 1 ? a[0] : made_of(vm, OP_power, 1, a);
}

}  // namespace batt
