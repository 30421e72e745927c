// The memory of one evaluation: two bump regions, scratch memory, and the state that every kernel gets.
//
// New values go to `region[side]`. A loop runs its body on the other side, so that the body's garbage is released at
// once, and copies the result over (machine/evacuate.h). A nested loop changes sides again. Scratch memory lies on the
// side that is not in use, above its top. All memory is accessed through `mem`.
#pragma once
#include "../generated/abi.h"

namespace batt {

enum Status : u32 { RUNNING, RAISED, OVER_BUDGET, UNSUPPORTED, STOPPED };

struct Region {
  Addr base, top, end;
};

#ifdef BATT_POISON
// Sanitizer builds: memory above the top of a region, and between allocations, must not be accessed.
extern "C" void __asan_poison_memory_region(void const volatile*, decltype(sizeof(0)));
extern "C" void __asan_unpoison_memory_region(void const volatile*, decltype(sizeof(0)));
BATT_INLINE void poison(Addr from, Addr to) {
  if (from < to) __asan_poison_memory_region(reinterpret_cast<void*>(from), to - from);
}
BATT_INLINE void unpoison(Addr from, u64 bytes) { __asan_unpoison_memory_region(reinterpret_cast<void*>(from), bytes); }
extern "C" int __asan_address_is_poisoned(void const volatile*);
// Abort if released memory can still be accessed; one byte of each page is tested.
BATT_INLINE void expect_poisoned(Addr from, Addr to) {
  for (Addr at = from; at < to; at += 4096)
    if (!__asan_address_is_poisoned(reinterpret_cast<void*>(at))) __builtin_trap();
}
// Abort if a byte in use cannot be accessed.
BATT_INLINE void expect_in_use(Addr at) {
  if (__asan_address_is_poisoned(reinterpret_cast<void*>(at))) __builtin_trap();
}
#else
BATT_INLINE void poison(Addr, Addr) {}
BATT_INLINE void unpoison(Addr, u64) {}
BATT_INLINE void expect_poisoned(Addr, Addr) {}
BATT_INLINE void expect_in_use(Addr) {}
#endif

// Release all memory above an address.
BATT_INLINE void cut_back(Region& region, Addr to) {
  poison(to, region.top);
  region.top = to;
}

struct HelperName {
  Addr at;
  u64 length;
};

struct Vm {
  Region region[2];
  Addr op_tallies;    // Tally[], by op; 0 if nothing is counted
  Addr helper_names;  // HelperName[], by routine
  u32 side;
  u32 status, error, cause;
  i64 steps_left;
  i64 max_items;
  i64 work_left;             // comparisons and copies that steps do not count: a limit on time only
  const volatile u32* stop;  // not 0: stop as soon as possible
  bool is_warp;              // whether a warp runs the evaluation, and splits its loops
#ifdef __CUDACC__
  i64 deadline;        // the tick of the device's clock at which the machine stops
  Value arguments[4];  // of the running kernel
#endif
};

// Element k of the array of T at an address: the only way to access memory. A device may lay out addresses as it likes,
// so never reach a neighbour by pointer arithmetic.
template <class T> BATT_ALWAYS_INLINE T& mem(const Vm&, Addr at, u64 k = 0) { return reinterpret_cast<T*>(at)[k]; }

BATT_INLINE bool stopped(const Vm& vm) { return vm.status != RUNNING; }

BATT_DEVICE_NOINLINE Value stop_with(Vm& vm, Status status) {
  if (vm.status == RUNNING) vm.status = status;
  return none();
}

// Returns None, for `return raise(vm, TYPE_ERROR);`. The first error is kept.
BATT_DEVICE_NOINLINE Value raise(Vm& vm, Error error) {
  if (vm.status == RUNNING) {
    vm.status = RAISED;
    vm.error = error;
  }
  return none();
}

BATT_DEVICE_NOINLINE Value unsupported(Vm& vm, Cause cause) {
  if (vm.status == RUNNING) {
    vm.status = UNSUPPORTED;
    vm.cause = cause;
  }
  return none();
}

constexpr u64 ALIGN = 16;
constexpr u64 MAX_BYTES = 1ull << 40;

BATT_DEVICE_NOINLINE Addr bump(Vm& vm, Region& region, u64 bytes) {
  u64 size = (bytes + ALIGN - 1) & ~(ALIGN - 1);
  if (bytes > MAX_BYTES || size > region.end - region.top) {
    unsupported(vm, ARENA_FULL);
    return 0;
  }
  Addr at = region.top;
  region.top += size;
  unpoison(at, bytes);
  return at;
}

// Allocate `count` elements of `size` bytes for a result. If there is no room the machine stops: check `stopped(vm)`
// before writing.
BATT_INLINE Addr alloc(Vm& vm, u64 count, u64 size) {
  if (count > MAX_BYTES / 64) {
    unsupported(vm, ARENA_FULL);
    return 0;
  }
  return bump(vm, vm.region[vm.side], count * size);
}
template <class T> BATT_INLINE Addr alloc(Vm& vm, u64 count) { return alloc(vm, count, sizeof(T)); }

// Temporary memory that is released at the end of the block: `Scratch scratch(vm); Addr at = scratch.alloc<u32>(n);`.
struct Scratch {
  Vm& vm;
  u32 side;
  Addr mark;
  BATT_INLINE explicit Scratch(Vm& of) : vm(of), side(of.side ^ 1u), mark(of.region[of.side ^ 1u].top) {}
  BATT_INLINE ~Scratch() { cut_back(vm.region[side], mark); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  template <class T> BATT_INLINE Addr alloc(u64 count) {
    if (count > MAX_BYTES / 64) {
      unsupported(vm, ARENA_FULL);
      return 0;
    }
    return bump(vm, vm.region[side], count * sizeof(T));
  }
};

// Shrink the last allocation to `count` elements.
template <class T> BATT_INLINE void shrink(Vm& vm, Addr at, u64 count) {
  cut_back(vm.region[vm.side], at + ((count * sizeof(T) + ALIGN - 1) & ~(ALIGN - 1)));
}

// Sums and products of sizes for step costs. They saturate far above any budget instead of overflowing.
constexpr i64 VAST = 1LL << 60;
BATT_INLINE i64 sum_of(i64 a, i64 b) { return a >= VAST - b ? VAST : a + b; }
BATT_INLINE i64 product_of(i64 a, i64 b) { return a && b > VAST / a ? VAST : a * b; }

// Charge steps to the budget. False, and the machine stopped, if it is used up.
BATT_INLINE bool charge(Vm& vm, i64 steps) {
  vm.steps_left -= steps;
  if (vm.steps_left >= 0) return !stopped(vm);
  stop_with(vm, OVER_BUDGET);
  return false;
}

}  // namespace batt
