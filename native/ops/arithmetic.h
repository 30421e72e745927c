// Arithmetic on ints and pairs: ops/arithmetic.py. Pairs are computed componentwise; only the first two items of a
// longer tuple count.
#pragma once
#include "../core/sets.h"

namespace batt {

struct Add {
  BATT_INLINE i64 operator()(Vm& vm, i64 a, i64 b) const { return plus(vm, a, b); }
};
struct Subtract {
  BATT_INLINE i64 operator()(Vm& vm, i64 a, i64 b) const { return minus(vm, a, b); }
};
struct Multiply {
  // Checking wide ints takes a division, which small ints do not need.
  BATT_INLINE i64 operator()(Vm& vm, i64 a, i64 b) const { return fits32(a) && fits32(b) ? a * b : times(vm, a, b); }
};
struct Divide {
  BATT_INLINE i64 operator()(Vm& vm, i64 a, i64 b) const {
    if (b != 0) return floor_div(vm, a, b);
    raise(vm, ZERO_DIVISION_ERROR);
    return 0;
  }
};

BATT_INLINE i64 sign_of_int(i64 x) { return static_cast<i64>(x > 0) - static_cast<i64>(x < 0); }

struct Invert {
  BATT_INLINE i64 operator()(Vm& vm, i64 x) const { return minus(vm, 0, x); }
};
struct Double {
  BATT_INLINE i64 operator()(Vm& vm, i64 x) const { return plus(vm, x, x); }
};
struct Halve {
  BATT_INLINE i64 operator()(Vm& vm, i64 x) const { return floor_div(vm, x, 2); }
};
struct Increment {
  BATT_INLINE i64 operator()(Vm& vm, i64 x) const { return plus(vm, x, 1); }
};
struct Decrement {
  BATT_INLINE i64 operator()(Vm& vm, i64 x) const { return minus(vm, x, 1); }
};
struct Crement {
  BATT_INLINE i64 operator()(Vm& vm, i64 x) const { return plus(vm, x, sign_of_int(x)); }
};
struct Sign {
  BATT_INLINE i64 operator()(Vm&, i64 x) const { return sign_of_int(x); }
};

// An int or a PAIR, and component k of one.
BATT_INLINE bool is_simple(Value v) { return is_int(v) || v.tag == PAIR; }
BATT_INLINE i64 component_of(Value v, u32 k) { return is_int(v) ? int_of(v) : k ? pair_j(v) : pair_i(v); }

// Component k of an int, which is the int itself, or of a pair. Anything but an int raises a TypeError, after the
// errors of indexing.
BATT_INLINE i64 component(Vm& vm, Value v, u32 k) {
  if (is_simple(v)) return component_of(v, k);
  Value found = at_index(vm, v, k);
  if (stopped(vm) || !expect_int(vm, found)) return 0;
  return int_of(found);
}

template <class F> BATT_INLINE i64 binary_component(Vm& vm, Value a, Value b, u32 k, F operate) {
  i64 x = component(vm, a, k);
  if (stopped(vm)) return 0;
  i64 y = component(vm, b, k);
  return stopped(vm) ? 0 : operate(vm, x, y);
}

template <class F> BATT_DEVICE_NOINLINE Value componentwise(Vm& vm, Value a, Value b, F operate) {
  if (is_int(a) && is_int(b)) return integer(operate(vm, int_of(a), int_of(b)));
  if (is_simple(a) && is_simple(b)) {  // only the operation can fail, and the first failure is kept
    i64 x = operate(vm, component_of(a, 0), component_of(b, 0)),
        y = operate(vm, component_of(a, 1), component_of(b, 1));
    return stopped(vm) ? none() : int_pair(vm, x, y);
  }
  i64 i = binary_component(vm, a, b, 0, operate);
  if (stopped(vm)) return none();
  i64 j = binary_component(vm, a, b, 1, operate);
  return stopped(vm) ? none() : int_pair(vm, i, j);
}

template <class F> BATT_DEVICE_NOINLINE Value each_component(Vm& vm, Value x, F operate) {
  if (is_int(x)) return integer(operate(vm, int_of(x)));
  i64 i = component(vm, x, 0);
  if (!stopped(vm)) i = operate(vm, i);
  if (stopped(vm)) return none();
  i64 j = component(vm, x, 1);
  if (!stopped(vm)) j = operate(vm, j);
  return stopped(vm) ? none() : int_pair(vm, i, j);
}

// Python would repeat a tuple that is the first component and go on to the second, which may be missing.
BATT_INLINE void refuse_repetition(Vm& vm, Value x) {
  if (!is_simple(x) && is_tuple(x) && length(x) && is_tuple(item(vm, x, 0))) component(vm, x, 1);
}

BATT_OP Value op_add(Vm& vm, const Value* a) { return componentwise(vm, a[0], a[1], Add()); }
BATT_OP Value op_subtract(Vm& vm, const Value* a) { return componentwise(vm, a[0], a[1], Subtract()); }
BATT_OP Value op_divide(Vm& vm, const Value* a) { return componentwise(vm, a[0], a[1], Divide()); }

// The 64-bit words that the wider component takes: of all ints here, only -2**63 fills one.
BATT_DEVICE_NOINLINE i64 words_of(const Vm& vm, Value v) {
  if (is_int(v)) return int_of(v) == INT64_LEAST;
  if (v.tag != TUPLE) return 0;
  for (u32 k = 0; k < smaller(v.n, 2u); k++) {
    Value each = mem<Value>(vm, v.bits, k);
    if (is_int(each) && int_of(each) == INT64_LEAST) return 1;
  }
  return 0;
}
BATT_INLINE i64 cost_multiply(Vm& vm, const Value* a) { return 1 + words_of(vm, a[0]) * words_of(vm, a[1]); }
BATT_OP Value op_multiply(Vm& vm, const Value* a) {
  refuse_repetition(vm, a[0]);
  if (!stopped(vm)) refuse_repetition(vm, a[1]);
  return stopped(vm) ? none() : componentwise(vm, a[0], a[1], Multiply());
}

BATT_OP Value op_double(Vm& vm, const Value* a) {
  refuse_repetition(vm, a[0]);
  return stopped(vm) ? none() : each_component(vm, a[0], Double());
}
BATT_OP Value op_invert(Vm& vm, const Value* a) { return each_component(vm, a[0], Invert()); }
BATT_OP Value op_halve(Vm& vm, const Value* a) { return each_component(vm, a[0], Halve()); }
BATT_OP Value op_increment(Vm& vm, const Value* a) { return each_component(vm, a[0], Increment()); }
BATT_OP Value op_decrement(Vm& vm, const Value* a) { return each_component(vm, a[0], Decrement()); }
BATT_OP Value op_crement(Vm& vm, const Value* a) { return each_component(vm, a[0], Crement()); }
BATT_OP Value op_sign(Vm& vm, const Value* a) { return each_component(vm, a[0], Sign()); }

BATT_OP Value op_even(Vm& vm, const Value* a) { return expect_int(vm, a[0]) ? boolean((a[0].bits & 1u) == 0) : none(); }
BATT_OP Value op_positive(Vm& vm, const Value* a) { return expect_int(vm, a[0]) ? boolean(int_of(a[0]) > 0) : none(); }
BATT_OP Value op_toivec(Vm& vm, const Value* a) { return tuple_of(vm, a[0], integer(0)); }
BATT_OP Value op_tojvec(Vm& vm, const Value* a) { return tuple_of(vm, integer(0), a[0]); }

}  // namespace batt
