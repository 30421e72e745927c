// A stack in scratch memory, for walking nested values without recursion.
#pragma once
#include "memory.h"

namespace batt {

template <class T> struct Stack {
  static_assert(sizeof(T) % ALIGN == 0, "elements follow one another without gaps");
  Scratch scratch;
  Addr base;
  u32 count;
  BATT_INLINE explicit Stack(Vm& vm) : scratch(vm), base(scratch.mark), count(0) {}
  BATT_INLINE bool push(T element) {
    Addr at = scratch.template alloc<T>(1);
    if (stopped(scratch.vm)) return false;
    mem<T>(scratch.vm, at) = element;
    count++;
    return true;
  }
  BATT_INLINE T& top() { return mem<T>(scratch.vm, base, count - 1); }
  BATT_INLINE void pop() {
    count--;
    Region& region = scratch.vm.region[scratch.side];
    cut_back(region, region.top - sizeof(T));
  }
};

}  // namespace batt
