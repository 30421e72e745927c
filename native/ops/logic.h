// Logic and comparison: ops/logic.py. Truth is that of Python.
#pragma once
#include "../core/sets.h"

namespace batt {

BATT_OP Value op_identity(Vm&, const Value* a) { return a[0]; }
BATT_OP Value op_flip(Vm&, const Value* a) { return boolean(!truth(a[0])); }
BATT_OP Value op_both(Vm&, const Value* a) { return truth(a[0]) ? a[1] : a[0]; }
BATT_OP Value op_either(Vm&, const Value* a) { return truth(a[0]) ? a[0] : a[1]; }
BATT_OP Value op_equality(Vm& vm, const Value* a) { return boolean(equal(vm, a[0], a[1])); }
BATT_OP Value op_greater(Vm& vm, const Value* a) { return boolean(less(vm, a[1], a[0])); }
BATT_OP Value op_branch(Vm&, const Value* a) { return truth(a[0]) ? a[1] : a[2]; }

}  // namespace batt
