// What kernels that run one row on each thread share: arenas, the queue of rows, the store of values, callers of ops.
//
// Each thread runs one row. Without BATT_ONE_OP the machine calls any op, for ops that call functions.
#pragma once
#define BATT_NEW_WORDS
#include "../machine/evacuate.h"
#include "../machine/kernels.h"
#include "../machine/outcome.h"
#ifndef BATT_ONE_OP
#include "../machine/execute.h"
#endif

using namespace batt;

#ifndef BATT_WARP_THREADS
#define BATT_WARP_THREADS 32  // a test that compiles this for a host has one thread
#endif
constexpr u32 WARP_THREADS = BATT_WARP_THREADS;
[[maybe_unused]] constexpr u32 ANY_OP = 0xffffffffu;

__device__ u32 warp_lane() { return threadIdx.x % WARP_THREADS; }

__device__ Region region_of(Addr from, u64 bytes) { return Region{from, from, from + bytes}; }

// Give the machine an arena; return its address. The first `reserved` bytes stay free.
template <class Launch> __device__ Addr prepare(Vm& vm, const Launch& launch, u64 reserved) {
  u64 place = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
  u64 half = (launch.lane_bytes - reserved) / 2 / ALIGN * ALIGN;
  Addr at = reinterpret_cast<Addr>(launch.memory) + place * launch.lane_bytes;
  vm.region[0] = region_of(at + reserved, half);
  vm.region[1] = region_of(at + reserved + half, half);
  return at;
}

template <class Launch> __device__ void begin(Vm& vm, const Launch& launch) {
  cut_back(vm.region[0], vm.region[0].base);
  cut_back(vm.region[1], vm.region[1].base);
  begin_budget(vm, launch.budget);
  vm.status = RUNNING;
  vm.error = vm.cause = 0;
  vm.deadline = now(vm) + launch.ticks;
}

// The next rows of this warp, as a position among the rows of the launch; `taken` counts them.
__device__ u64 take_rows(u64* taken) {
  u64 first = 0;
  if (warp_lane() == 0) first = atomicAdd(taken, static_cast<u64>(WARP_THREADS));
  return __shfl_sync(0xffffffffu, first, 0);
}

// Take bytes of the store for each row of this warp; return where those of this one begin. `stored` counts them. All
// threads call it.
__device__ u64 take_bytes(u64* stored, u64 bytes) {
  u64 end = bytes;
  for (u32 step = 1; step < WARP_THREADS; step *= 2) {
    u64 before = __shfl_up_sync(0xffffffffu, end, step);
    if (warp_lane() >= step) end += before;
  }
  u64 all = __shfl_sync(0xffffffffu, end, WARP_THREADS - 1), start = 0;
  if (!all) return 0;
  if (warp_lane() == 0) start = atomicAdd(stored, all);
  start = __shfl_sync(0xffffffffu, start, 0);
  return start + end - bytes;
}

BATT_INLINE u64 padded(u64 bytes) { return (bytes + ALIGN - 1) & ~(ALIGN - 1); }

// The bytes of a value with all its parts, as `saved` copies them. The machine stops if it is nested too deeply.
BATT_DEVICE_NOINLINE u64 deep_bytes(Vm& vm, Value v) {
  u64 bytes = padded(flat_bytes(v));
  if (!has_parts(v)) return bytes;
  Stack<Copied> todo(vm);
  if (!todo.push(Copied{v.bits, flat_bytes(v) / sizeof(Value)})) return 0;
  while (todo.count) {
    Copied array = todo.top();
    todo.pop();
    for (u64 k = 0; k < array.count; k++) {
      Value part = mem<Value>(vm, array.at, k);
      u64 size = flat_bytes(part);
      bytes += padded(size);
      if (has_parts(part) && !todo.push(Copied{part.bits, size / sizeof(Value)})) return 0;
    }
  }
  return bytes;
}

// Copy the array of a value to `top`, which moves behind it. Arrays are padded, so that whole words can be copied.
BATT_INLINE Value saved_array(Vm& vm, Value v, Addr& top) {
  u64 bytes = flat_bytes(v);
  if (!bytes) return v;
  if (v.bits % ALIGN == 0)
    for_all(vm, padded(bytes) / ALIGN, [&](u64 k) { mem<Value>(vm, top, k) = mem<Value>(vm, v.bits, k); });
  else copy_bytes(vm, top, v.bits, bytes);
  v.bits = top;
  top += padded(bytes);
  return v;
}

// Copy a value with all its parts to `top`; add `moved` to all addresses.
BATT_DEVICE_NOINLINE Value saved(Vm& vm, Value v, Addr top, u64 moved) {
  Value made = saved_array(vm, v, top);
  if (has_parts(v)) {
    Stack<Copied> todo(vm);
    todo.push(Copied{made.bits, flat_bytes(v) / sizeof(Value)});
    while (todo.count) {
      Copied array = todo.top();
      todo.pop();
      for (u64 k = 0; k < array.count; k++) {
        Value part = mem<Value>(vm, array.at, k);
        u64 size = flat_bytes(part);
        if (!size) continue;
        Value copy = saved_array(vm, part, top);
        if (has_parts(part)) todo.push(Copied{copy.bits, size / sizeof(Value)});
        copy.bits += moved;
        mem<Value>(vm, array.at, k) = copy;
      }
    }
  }
  if (flat_bytes(v)) made.bits += moved;
  return made;
}

// The caller of one op; the machine of a row is a Vm.
template <u32 OP> struct OneOp;
#define BATT_COLUMN_KERNEL(name, number, count, cost)                                                     \
  template <> struct OneOp<number> {                                                                      \
    Vm vm{};                                                                                              \
    static constexpr u32 arity = count;                                                                   \
    template <class Launch> __device__ void prepare_for(const Launch& launch) { prepare(vm, launch, 0); } \
    template <class Launch> __device__ Value call(const Launch&, const Value* a) {                        \
      if (!BATT_BEFORE_##cost(name, count)) return none();                                                \
      Value made = op_##name(vm, a);                                                                      \
      BATT_AFTER_##cost(made);                                                                            \
      return made;                                                                                        \
    }                                                                                                     \
  };
#define BATT_COLUMN_LOOP(name, number, count, cost)
#define X(name, number, arity, cost, kind) BATT_COLUMN_##kind(name, number, arity, cost)
BATT_OPS(X)
#undef X

#ifndef BATT_ONE_OP
// The caller of any op.
template <> struct OneOp<ANY_OP> {
  Machine m{};
  Vm& vm = m.vm;
  static constexpr u32 arity = MAX_ARITY;
  template <class Launch> __device__ void prepare_for(const Launch& launch) {
    u64 place = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
    m.values = prepare(m.vm, launch, sizeof(Value) * launch.value_room);
    m.frames = reinterpret_cast<Addr>(launch.frames) + place * launch.frame_room * sizeof(Frame);
    m.frame_room = static_cast<u32>(launch.frame_room);
    m.value_room = static_cast<u32>(launch.value_room);
  }
  template <class Launch> __device__ Value call(const Launch& launch, const Value* a) {
    u32 op = static_cast<u32>(launch.op);
    m.frame_count = m.value_count = m.calls = 0;
    m.next = DELIVER;
    if (OP_KIND[op] == KERNEL) return call_kernel_on(m.vm, op, reinterpret_cast<Addr>(a));
    call_loop(m, op, a);
    while (advance_or_split(m)) {}
    return stopped(m.vm) ? none() : m.value;
  }
};
#endif
