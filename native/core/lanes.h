// Lanes that run one evaluation together: a warp of a device, where it is compiled so.
//
// All of them go the same way and see the same values; only loops that share their items out among them have each do
// another part, and end with `meet`.
#pragma once
#include "memory.h"

namespace batt {

// Lanes that go together share out the calls of the language's loops too (machine/shared_loops.h).
#if defined(BATT_TOGETHER) && !defined(BATT_SHARED_LOOPS)
#define BATT_SHARED_LOOPS
#endif

// How many bits are set.
BATT_ALWAYS_INLINE u32 bits_of(u32 mask) {
#ifdef __CUDACC__
  return __popc(mask);
#else
  u32 n = 0;
  for (; mask; mask &= mask - 1) n++;
  return n;
#endif
}

#ifdef BATT_TOGETHER
constexpr u32 LANES = 32, ALL_LANES = 0xffffffffu;
BATT_ALWAYS_INLINE u32 own_lane() { return threadIdx.x % LANES; }
BATT_ALWAYS_INLINE u32 lane(const Vm& vm) { return vm.is_together ? own_lane() : 0; }
BATT_ALWAYS_INLINE u32 lanes(const Vm& vm) { return vm.is_together ? LANES : 1; }
BATT_ALWAYS_INLINE void meet(const Vm& vm) {
  if (vm.is_together) __syncwarp();
}
BATT_ALWAYS_INLINE bool all_lanes(const Vm& vm, bool mine) {
  return vm.is_together ? __all_sync(ALL_LANES, mine) : mine;
}
// Bit k where lane k says so; how many lanes before this one, or in all, have their bit set.
BATT_ALWAYS_INLINE u32 votes(const Vm& vm, bool mine) { return vm.is_together ? __ballot_sync(ALL_LANES, mine) : mine; }
BATT_ALWAYS_INLINE u32 lanes_before(const Vm& vm, u32 mask) { return bits_of(mask & ((1u << lane(vm)) - 1)); }
BATT_ALWAYS_INLINE u32 bit_count(u32 mask) { return bits_of(mask); }
// What another lane has.
template <class T> BATT_ALWAYS_INLINE T from_lane(const Vm& vm, T mine, u32 which) {
  return vm.is_together ? __shfl_sync(ALL_LANES, mine, which) : mine;
}
#else
constexpr u32 LANES = 1;
BATT_ALWAYS_INLINE u32 lane(const Vm&) { return 0; }
BATT_ALWAYS_INLINE u32 lanes(const Vm&) { return 1; }
BATT_ALWAYS_INLINE void meet(const Vm&) {}
BATT_ALWAYS_INLINE bool all_lanes(const Vm&, bool mine) { return mine; }
BATT_ALWAYS_INLINE u32 votes(const Vm&, bool mine) { return mine; }
BATT_ALWAYS_INLINE u32 lanes_before(const Vm&, u32) { return 0; }
BATT_ALWAYS_INLINE u32 bit_count(u32 mask) { return mask; }
template <class T> BATT_ALWAYS_INLINE T from_lane(const Vm&, T mine, u32) { return mine; }
#endif

#ifdef BATT_SHARED_LOOPS
constexpr u32 SHARERS = 32;  // calls of a loop at once, where lanes share them out
#endif
// Do something for each of n items, shared out among the lanes: it must not depend on the others', nor touch the
// machine.
template <class F> BATT_ALWAYS_INLINE void for_all(const Vm& vm, u64 n, F f) {
  BATT_NO_UNROLL
  for (u64 k = lane(vm); k < n; k += lanes(vm)) f(k);
  meet(vm);
}

// The least and the greatest of what the lanes have.
template <class T> BATT_INLINE T least_of_lanes(const Vm& vm, T mine) {
  BATT_NO_UNROLL
  for (u32 step = lanes(vm) / 2; step; step /= 2) mine = smaller(mine, from_lane(vm, mine, lane(vm) ^ step));
  return mine;
}
template <class T> BATT_INLINE T greatest_of_lanes(const Vm& vm, T mine) {
  BATT_NO_UNROLL
  for (u32 step = lanes(vm) / 2; step; step /= 2) mine = larger(mine, from_lane(vm, mine, lane(vm) ^ step));
  return mine;
}

#ifdef __CUDACC__
// The clock of a processor; lanes that go together see the same.
BATT_INLINE i64 now(const Vm& vm) { return from_lane(vm, clock64(), 0); }
#endif

// Whether someone, or on a device the time that a launch gives it, asks the machine to give up.
BATT_INLINE bool asked_to_stop(const Vm& vm) {
#ifdef __CUDACC__
  return now(vm) > vm.deadline;
#else
  return *vm.stop != 0;
#endif
}

// Count work that steps do not: false, and the machine stopped, where there was too much of it.
BATT_DEVICE_NOINLINE bool work(Vm& vm, u64 amount) {
  vm.work_left -= static_cast<i64>(amount);
  if (asked_to_stop(vm)) stop_with(vm, STOPPED);
  if (vm.work_left >= 0) return !stopped(vm);
  unsupported(vm, LONG_WORK);
  return false;
}

}  // namespace batt
