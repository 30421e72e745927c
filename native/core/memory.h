// Memory of one evaluation: two bump regions, scratch, and the state that every kernel is handed.
//
// New values go to `region[side]`. A loop runs its body with the other side, so that a body's garbage is released at
// once and its result is copied over (machine/evacuate.h); inside that body a nested loop changes sides again. Scratch
// is taken from the side that is not in use, above its top. All memory goes through `mem`, the one address function.
#pragma once
#include "../generated/abi.h"

namespace batt {

enum Status : u32 { RUNNING, RAISED, OVER_BUDGET, UNSUPPORTED, STOPPED };

struct Region {
  Addr base, top, end;
};

#ifdef BATT_POISON
// Sanitizer builds: memory above the top of a region, and between allocations, is out of bounds.
extern "C" void __asan_poison_memory_region(void const volatile*, decltype(sizeof(0)));
extern "C" void __asan_unpoison_memory_region(void const volatile*, decltype(sizeof(0)));
BATT_INLINE void poison(Addr from, Addr to) {
  if (from < to) __asan_poison_memory_region(reinterpret_cast<void*>(from), to - from);
}
BATT_INLINE void unpoison(Addr from, u64 bytes) { __asan_unpoison_memory_region(reinterpret_cast<void*>(from), bytes); }
extern "C" int __asan_address_is_poisoned(void const volatile*);
// End the process where a byte of released memory can still be reached: one in each page is looked at.
BATT_INLINE void expect_poisoned(Addr from, Addr to) {
  for (Addr at = from; at < to; at += 4096)
    if (!__asan_address_is_poisoned(reinterpret_cast<void*>(at))) __builtin_trap();
}
// … and where a byte that is in use cannot be reached.
BATT_INLINE void expect_in_use(Addr at) {
  if (__asan_address_is_poisoned(reinterpret_cast<void*>(at))) __builtin_trap();
}
#else
BATT_INLINE void poison(Addr, Addr) {}
BATT_INLINE void unpoison(Addr, u64) {}
BATT_INLINE void expect_poisoned(Addr, Addr) {}
BATT_INLINE void expect_in_use(Addr) {}
#endif

// Release what lies above an address.
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
  Addr op_tallies;    // Tally[], by op; 0 where nothing is counted
  Addr helper_names;  // HelperName[], by routine
  u32 side;
  u32 status, error, cause;
  i64 steps_left;
  i64 max_items;
  i64 work_left;             // comparisons and copies that steps do not count; a bound on time alone
  const volatile u32* stop;  // not zero: give up as soon as possible
  bool is_together;          // whether lanes go together where they can, and share out the calls of loops
#ifdef __CUDACC__
  i64 deadline;        // … and on a device: at this tick of its clock
  Value arguments[4];  // of the kernel that runs
#endif
};

// Element k of the array of T at an address. The only way to memory; a device may spread addresses as it likes, so
// neighbouring elements are never reached by pointer arithmetic.
template <class T> BATT_ALWAYS_INLINE T& mem(const Vm&, Addr at, u64 k = 0) { return reinterpret_cast<T*>(at)[k]; }

BATT_INLINE bool stopped(const Vm& vm) { return vm.status != RUNNING; }

BATT_DEVICE_NOINLINE Value stop_with(Vm& vm, Status status) {
  if (vm.status == RUNNING) vm.status = status;
  return none();
}

// The value to return after: `return raise(vm, TYPE_ERROR);`. The first error stays.
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

// Room for `count` elements of `size` bytes for a result. Where there is none the machine stops: check `stopped(vm)`
// before writing a single byte.
BATT_INLINE Addr alloc(Vm& vm, u64 count, u64 size) {
  if (count > MAX_BYTES / 64) {
    unsupported(vm, ARENA_FULL);
    return 0;
  }
  return bump(vm, vm.region[vm.side], count * size);
}
template <class T> BATT_INLINE Addr alloc(Vm& vm, u64 count) { return alloc(vm, count, sizeof(T)); }

// Temporary room that is given back at the end of the block: `Scratch scratch(vm); Addr at = scratch.alloc<u32>(n);`.
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

// Give back what a result did not need after all: `at` was allocated last, and only `count` elements of it are used.
template <class T> BATT_INLINE void shrink(Vm& vm, Addr at, u64 count) {
  cut_back(vm.region[vm.side], at + ((count * sizeof(T) + ALIGN - 1) & ~(ALIGN - 1)));
}

// Sums and products of sizes for step costs: they stay at a bound far above any budget instead of wrapping around.
constexpr i64 VAST = 1LL << 60;
BATT_INLINE i64 sum_of(i64 a, i64 b) { return a >= VAST - b ? VAST : a + b; }
BATT_INLINE i64 product_of(i64 a, i64 b) { return a && b > VAST / a ? VAST : a * b; }

// Take steps from the budget: false, and the machine stopped, where they are used up.
BATT_INLINE bool charge(Vm& vm, i64 steps) {
  vm.steps_left -= steps;
  if (vm.steps_left >= 0) return !stopped(vm);
  stop_with(vm, OVER_BUDGET);
  return false;
}

}  // namespace batt
