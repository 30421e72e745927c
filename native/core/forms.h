// The printed form of a function, which decides its order and its hash: `form` of batt.types.functions.
#pragma once
#include "access.h"
#include "stack.h"
#include "../generated/opcodes.h"

namespace batt {

constexpr u32 COMPARED_CHARS = 1u << 16;  // longer equal forms are deferred to the reference engine

struct Printed {
  Value v;
  u64 k;
  u64 unused;
};

// A text that is being written. It keeps at most `room` characters and counts all until it is `full`.
struct Text {
  Vm& vm;
  Addr at;
  u64 room, count;
  BATT_INLINE bool full() const { return count > room; }
  BATT_INLINE void put(char c) {
    if (count < room) mem<u8>(vm, at, count) = static_cast<u8>(c);
    count++;
  }
  BATT_INLINE void put(const char* text) {
    while (*text) put(*text++);
  }
};

BATT_INLINE void put_int(Text& text, i64 x) {
  u64 rest = x < 0 ? 0 - static_cast<u64>(x) : static_cast<u64>(x);
  if (x < 0) text.put('-');
  u64 unit = 1;
  while (rest / unit >= 10) unit *= 10;
  for (; unit; unit /= 10) text.put(static_cast<char>('0' + rest / unit % 10));
}

BATT_INLINE void put_name(Text& text, Value fn) {
  if (fn_kind(fn) == FN_HELPER) {
    const HelperName& name = mem<HelperName>(text.vm, text.vm.helper_names, fn_number(fn));
    for (u32 k = 0; k < name.length; k++) text.put(static_cast<char>(mem<u8>(text.vm, name.at, k)));
  } else {
    text.put(op_name(fn_number(fn)));
  }
}

// Write what stands before the parts of a value, or the whole value if it has none.
BATT_INLINE void put_opening(Text& text, Value v) {
  if (is_int(v)) put_int(text, int_of(v));
  else if (is_none(v)) text.put("None");
  else if (is_tuple(v)) text.put('(');
  else if (is_set(v)) text.put('{');
  else {
    put_name(text, v);
    if (fn_kind(v) == FN_MADE) text.put('(');
  }
}
BATT_INLINE void put_closing(Text& text, Value v) {
  if (is_tuple(v)) text.put(length(v) == 1 ? ",)" : ")");
  else if (is_set(v)) text.put('}');
  else if (is_fn(v) && fn_kind(v) == FN_MADE) text.put(')');
}

// Write the form of a value, and stop soon after the text is full. False if the machine stopped.
BATT_DEVICE_NOINLINE bool print_form(Text& text, Value v) {
  Vm& vm = text.vm;
  Stack<Printed> stack(vm);
  put_opening(text, v);
  if (!stack.push(Printed{v, 0, 0})) return false;
  while (stack.count && !text.full()) {
    if (!work(vm, 1)) return false;
    Printed& top = stack.top();
    u32 n = top.v.tag == FN ? (fn_kind(top.v) == FN_MADE ? OP_ARITY[fn_number(top.v)] : 0) : length(top.v);
    if (top.k == n) {
      put_closing(text, top.v);
      stack.pop();
      continue;
    }
    if (top.k) text.put(", ");
    u32 k = static_cast<u32>(top.k++);
    Value inner = top.v.tag == FN ? mem<Value>(vm, top.v.bits, k) : item(vm, top.v, k);
    put_opening(text, inner);
    if (!stack.push(Printed{inner, 0, 0})) return false;
  }
  return !stopped(vm);
}

// Compare two functions by their forms.
BATT_DEVICE_NOINLINE int compare_forms(Vm& vm, Value a, Value b) {
  // The texts lie on the side of results, since writing uses scratch memory for its stack; both are released.
  Addr mark = vm.region[vm.side].top;
  Addr left = alloc<u8>(vm, COMPARED_CHARS), right = alloc<u8>(vm, COMPARED_CHARS);
  int found = 0;
  if (!stopped(vm)) {
    Text x{vm, left, COMPARED_CHARS, 0}, y{vm, right, COMPARED_CHARS, 0};
    if (print_form(x, a) && print_form(y, b)) {
      u64 m = smaller(x.count, x.room), n = smaller(y.count, y.room), k = 0;
      while (k < m && k < n && mem<u8>(vm, left, k) == mem<u8>(vm, right, k)) k++;
      if (k < m && k < n) found = mem<u8>(vm, left, k) < mem<u8>(vm, right, k) ? -1 : 1;
      else if (x.full() || y.full()) unsupported(vm, LONG_FORM);
      else found = m < n ? -1 : m > n;
    }
  }
  cut_back(vm.region[vm.side], mark);
  return found;
}

}  // namespace batt
