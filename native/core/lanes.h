// The lanes of a warp that run one evaluation (BATT_WARPS). Elsewhere there is one lane.
//
// All lanes take the same branches and see the same values. Only loops that spread their items over the lanes do
// different work in each, and end with `sync_lanes`.
#pragma once
#include "memory.h"

namespace batt {

// A warp also splits the loops of the language (machine/split_loops.h).
#if defined(BATT_WARPS) && !defined(BATT_SPLIT_LOOPS)
#define BATT_SPLIT_LOOPS
#endif

// The number of bits that are set.
BATT_ALWAYS_INLINE u32 bits_of(u32 mask) {
#ifdef __CUDACC__
  return __popc(mask);
#else
  u32 n = 0;
  for (; mask; mask &= mask - 1) n++;
  return n;
#endif
}

#ifdef BATT_WARPS
constexpr u32 LANES = 32, ALL_LANES = 0xffffffffu;
BATT_ALWAYS_INLINE u32 own_lane() { return threadIdx.x % LANES; }
BATT_ALWAYS_INLINE u32 lane(const Vm& vm) { return vm.is_warp ? own_lane() : 0; }
BATT_ALWAYS_INLINE u32 lanes(const Vm& vm) { return vm.is_warp ? LANES : 1; }
BATT_ALWAYS_INLINE void sync_lanes(const Vm& vm) {
  if (vm.is_warp) __syncwarp();
}
BATT_ALWAYS_INLINE bool all_lanes(const Vm& vm, bool mine) { return vm.is_warp ? __all_sync(ALL_LANES, mine) : mine; }
// CUDA's ballot: bit k is what lane k says; then the bits set before this lane, and all of them.
BATT_ALWAYS_INLINE u32 ballot(const Vm& vm, bool mine) { return vm.is_warp ? __ballot_sync(ALL_LANES, mine) : mine; }
BATT_ALWAYS_INLINE u32 lanes_before(const Vm& vm, u32 mask) { return bits_of(mask & ((1u << lane(vm)) - 1)); }
BATT_ALWAYS_INLINE u32 bit_count(u32 mask) { return bits_of(mask); }
// The value of another lane.
template <class T> BATT_ALWAYS_INLINE T from_lane(const Vm& vm, T mine, u32 which) {
  return vm.is_warp ? __shfl_sync(ALL_LANES, mine, which) : mine;
}
#else
constexpr u32 LANES = 1;
BATT_ALWAYS_INLINE u32 lane(const Vm&) { return 0; }
BATT_ALWAYS_INLINE u32 lanes(const Vm&) { return 1; }
BATT_ALWAYS_INLINE void sync_lanes(const Vm&) {}
BATT_ALWAYS_INLINE bool all_lanes(const Vm&, bool mine) { return mine; }
BATT_ALWAYS_INLINE u32 ballot(const Vm&, bool mine) { return mine; }
BATT_ALWAYS_INLINE u32 lanes_before(const Vm&, u32) { return 0; }
BATT_ALWAYS_INLINE u32 bit_count(u32 mask) { return mask; }
template <class T> BATT_ALWAYS_INLINE T from_lane(const Vm&, T mine, u32) { return mine; }
#endif

#ifdef BATT_SPLIT_LOOPS
constexpr u32 SPLIT_CALLS = 32;  // calls of a split loop at once
#endif
// Call f for each of n items, spread over the lanes. f must not depend on other items, nor use the machine.
template <class F> BATT_ALWAYS_INLINE void for_all(const Vm& vm, u64 n, F f) {
  BATT_NO_UNROLL
  for (u64 k = lane(vm); k < n; k += lanes(vm)) f(k);
  sync_lanes(vm);
}

// The least and the greatest value of all lanes.
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

// The sum of the values of all lanes before this one.
BATT_INLINE u64 sum_of_lanes_before(const Vm& vm, u64 mine) {
  u64 sum = mine;
  BATT_NO_UNROLL
  for (u32 step = 1; step < lanes(vm); step *= 2) {
    u64 other = from_lane(vm, sum, lane(vm) - step);
    if (lane(vm) >= step) sum += other;
  }
  return sum - mine;
}

#ifdef __CUDACC__
// The clock of the SM; the lanes of a warp see the same.
BATT_INLINE i64 now(const Vm& vm) { return from_lane(vm, clock64(), 0); }
#endif

// Whether the machine must stop: the caller asks for it, or on a device the time of the launch is over.
BATT_INLINE bool asked_to_stop(const Vm& vm) {
#ifdef __CUDACC__
  return now(vm) > vm.deadline;
#else
  return *vm.stop == STOP_AT_ONCE;
#endif
}

// Count work that steps do not count. False, and the machine stopped, if there is too much of it.
BATT_DEVICE_NOINLINE bool work(Vm& vm, u64 amount) {
  vm.work_left -= static_cast<i64>(amount);
  if (asked_to_stop(vm)) stop_with(vm, STOPPED);
  if (vm.work_left >= 0) return !stopped(vm);
  unsupported(vm, LONG_WORK);
  return false;
}

}  // namespace batt
