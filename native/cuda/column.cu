// The kernels of columns: one op for every row of its arguments, and the packing of values to fetch them.
//
// BATT_COLUMN_OP is the number of the op, whose kernel alone is compiled. Without it the machine calls any op, for ops
// that call functions. Each thread runs one row. A row whose value needs more time or memory than the launch gives is
// deferred.
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
enum Counted : u32 { TAKEN, STORED_BYTES, DEFERRED };

__device__ u32 warp_lane() { return threadIdx.x % WARP_THREADS; }

__device__ Region region_of(Addr from, u64 bytes) { return Region{from, from, from + bytes}; }

// Give the machine an arena; return its address. The first `reserved` bytes stay free.
__device__ Addr prepare(Vm& vm, const ColumnLaunch& launch, u64 reserved) {
  u64 place = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
  u64 half = (launch.lane_bytes - reserved) / 2 / ALIGN * ALIGN;
  Addr at = reinterpret_cast<Addr>(launch.memory) + place * launch.lane_bytes;
  vm.region[0] = region_of(at + reserved, half);
  vm.region[1] = region_of(at + reserved + half, half);
  return at;
}

__device__ void begin(Vm& vm, const ColumnLaunch& launch) {
  cut_back(vm.region[0], vm.region[0].base);
  cut_back(vm.region[1], vm.region[1].base);
  begin_budget(vm, launch.budget);
  vm.status = RUNNING;
  vm.error = vm.cause = 0;
  vm.deadline = now(vm) + launch.ticks;
}

// The next rows of this warp, as a position among the rows of the launch.
__device__ u64 take_rows(const ColumnLaunch& launch) {
  u64 first = 0;
  if (warp_lane() == 0) first = atomicAdd(launch.counts + TAKEN, static_cast<u64>(WARP_THREADS));
  return __shfl_sync(0xffffffffu, first, 0);
}

// Take bytes of the store for each row of this warp; return where those of this one begin. All threads call it.
__device__ u64 take_bytes(const ColumnLaunch& launch, u64 bytes) {
  u64 end = bytes;
  for (u32 step = 1; step < WARP_THREADS; step *= 2) {
    u64 before = __shfl_up_sync(0xffffffffu, end, step);
    if (warp_lane() >= step) end += before;
  }
  u64 all = __shfl_sync(0xffffffffu, end, WARP_THREADS - 1), start = 0;
  if (!all) return 0;
  if (warp_lane() == 0) start = atomicAdd(launch.counts + STORED_BYTES, all);
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

// Read the arguments of a row. The Ended of the first that has no value, and its Error << 8; 0 if all have one.
__device__ u32 read_row(const ColumnLaunch& launch, u32 arity, u64 row, Value* a) {
  const ColumnArgument* from = &launch.first;
  u32 ended = 0;
  BATT_NO_UNROLL
  for (u32 k = 0; k < arity; k++) {
    u64 at = from[k].stride * row;
    a[k] = from[k].values[at];
    if (!ended) ended = from[k].ends[at];
  }
  return ended;
}

// The caller of one op; the machine of a row is a Vm.
template <u32 OP> struct OneOp;
#define BATT_COLUMN_KERNEL(name, number, count, cost)                                   \
  template <> struct OneOp<number> {                                                    \
    Vm vm{};                                                                            \
    static constexpr u32 arity = count;                                                 \
    __device__ void prepare_for(const ColumnLaunch& launch) { prepare(vm, launch, 0); } \
    __device__ Value call(const ColumnLaunch&, const Value* a) {                        \
      if (!BATT_BEFORE_##cost(name, count)) return none();                              \
      Value made = op_##name(vm, a);                                                    \
      BATT_AFTER_##cost(made);                                                          \
      return made;                                                                      \
    }                                                                                   \
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
  __device__ void prepare_for(const ColumnLaunch& launch) {
    u64 place = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
    m.values = prepare(m.vm, launch, sizeof(Value) * launch.value_room);
    m.frames = reinterpret_cast<Addr>(launch.frames) + place * launch.frame_room * sizeof(Frame);
    m.frame_room = static_cast<u32>(launch.frame_room);
    m.value_room = static_cast<u32>(launch.value_room);
  }
  __device__ Value call(const ColumnLaunch& launch, const Value* a) {
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

// Call the op for a row. `made` is its value, of `bytes` bytes, if it has one.
template <u32 OP>
__device__ Result call_row(OneOp<OP>& caller, const ColumnLaunch& launch, u64 row, Value& made, u64& bytes) {
  Value a[MAX_ARITY];
  u32 arity = OP == ANY_OP ? OP_ARITY[launch.op] : OneOp<OP>::arity, ended = read_row(launch, arity, row, a);
  Result result{};
  result.equal = EQUAL_UNKNOWN;
  if (ended) {
    // A failure of an argument is that of the row; an argument that is not here is deferred with the row.
    bool is_failure = (ended & 0xffu) < ENDED_UNSUPPORTED;
    result.status = static_cast<u8>(is_failure ? ended : ENDED_NOT_RUN);
    result.error = static_cast<u8>(is_failure ? ended >> 8 : 0);
    return result;
  }
  Vm& vm = caller.vm;
  begin(vm, launch);
  made = caller.call(launch, a);
  limit_weight(vm, made, launch.budget.max_items);
  result = unscored(vm, made, launch.budget);
  if (result.status == ENDED_OK) {
    bytes = deep_bytes(vm, made);
    if (stopped(vm)) set_stopped(vm, result);
  }
  if (result.status == ENDED_TIMED_OUT) result.status = ENDED_LAUNCH_LIMIT;
  if (result.status != ENDED_OK) bytes = 0;
  return result;
}

// Keep what became of a row.
__device__ void put_row(const ColumnLaunch& launch, u64 row, const Result& result, Value made) {
  launch.results[row] = result;
  launch.ends[row] = static_cast<u16>(result.status | result.error << 8);
  if (result.status == ENDED_OK) launch.values[row] = made;
  if (result.status < ENDED_UNSUPPORTED || result.status == ENDED_SKIPPED) return;
  launch.deferred[atomicAdd(launch.counts + DEFERRED, 1ull)] = static_cast<u32>(row);
}

template <u32 OP> __device__ void call_rows(const ColumnLaunch& launch) {
  OneOp<OP> caller;
  caller.prepare_for(launch);
  for (;;) {
    u64 first = take_rows(launch);
    if (first >= launch.count) return;
    u64 number = first + warp_lane(), row = launch.from + number;
    bool is_mine = number < launch.count && (!launch.is_again || launch.results[row].status == ENDED_SKIPPED);
    Value made = none();
    u64 bytes = 0;
    Result result{};
    if (is_mine) result = call_row<OP>(caller, launch, row, made, bytes);
    __syncwarp();
    u64 at = take_bytes(launch, bytes);
    if (bytes) {
      if (at + bytes <= launch.store_bytes)
        made = saved(caller.vm, made, reinterpret_cast<Addr>(launch.store) + at, launch.moved);
      else result.status = ENDED_SKIPPED;
    }
    if (is_mine) put_row(launch, row, result, made);
    __syncwarp();
  }
}

#ifdef BATT_COLUMN_OP
extern "C" __global__ void __launch_bounds__(128) batt_column(ColumnLaunch launch) {
  call_rows<BATT_COLUMN_OP>(launch);
}
#endif

// Copy the values of chosen rows to one array, with the addresses that they will have elsewhere. A row without a value
// is a None. With a store of 0 bytes, only count.
__device__ void pack_row(Vm& vm, const ColumnLaunch& launch, u64 number) {
  Value v = none();
  bool is_mine = number < launch.count;
  if (is_mine) {
    u64 row = launch.rows ? launch.rows[launch.from + number] : launch.from + number;
    if (!launch.first.ends[launch.first.stride * row]) v = launch.first.values[launch.first.stride * row];
  }
  begin(vm, launch);
  u64 bytes = deep_bytes(vm, v);
  bool is_deep = stopped(vm);
  if (is_deep) bytes = 0;
  __syncwarp();
  u64 at = take_bytes(launch, bytes);
  if (bytes && at + bytes <= launch.store_bytes)
    v = saved(vm, v, reinterpret_cast<Addr>(launch.store) + at, launch.moved);
  if (is_mine) {
    launch.values[number] = v;
    if (is_deep) atomicAdd(launch.counts + DEFERRED, 1ull);
  }
  __syncwarp();
}

__device__ void pack_rows(const ColumnLaunch& launch) {
  Vm vm{};
  prepare(vm, launch, 0);
  for (;;) {
    u64 first = take_rows(launch);
    if (first >= launch.count) return;
    pack_row(vm, launch, first + warp_lane());
  }
}

#ifdef BATT_COLUMN_PACK
extern "C" __global__ void __launch_bounds__(128) batt_pack(ColumnLaunch launch) { pack_rows(launch); }
#endif
