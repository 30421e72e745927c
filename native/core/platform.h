// Differences between host compilers and CUDA's. Includes no system header: all files below native/ except host/ must
// compile with g++, clang and NVRTC.
#pragma once

// Keeps NVRTC from unrolling the loop that follows. It unrolls loops whose number of rounds it knows, and code that
// stays in an SM's small instruction cache runs faster than unrolled code.
#ifdef __CUDACC__
#define BATT_NO_UNROLL _Pragma("unroll 1")
#else
#define BATT_NO_UNROLL
#endif

namespace batt {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i16 = short;
using i32 = int;
using i64 = long long;

static_assert(sizeof(u16) == 2 && sizeof(u32) == 4 && sizeof(u64) == 8, "the layout of values needs these sizes");

// How functions are inlined. The device column keeps the kernel small: all of it must fit an SM's instruction cache.
//
// |                      | host             | device           | for                                          |
// |----------------------|------------------|------------------|----------------------------------------------|
// | BATT_ALWAYS_INLINE   | always           | always           | a few instructions                           |
// | BATT_INLINE          | compiler decides | compiler decides | small functions                              |
// | BATT_DEVICE_NOINLINE | compiler decides | never            | large functions, and small ones called often |
// | BATT_HOST_INLINE     | always           | never            | small functions that hosts must inline       |
// | BATT_HOT_INLINE      | always           | compiler decides | the inner loops of hosts                     |
// | BATT_OP              | always           | never            | kernels: the bodies of ops, each called once |
//
// In a kernel of one op (BATT_ONE_OP) they are inline functions as well, so that unused ones are not compiled.
// BATT_TABLE marks constant data.
#ifdef __CUDACC__
#define BATT_ALWAYS_INLINE __device__ __forceinline__
#define BATT_INLINE __device__ inline
#ifdef BATT_ONE_OP
#define BATT_DEVICE_NOINLINE inline __device__ __noinline__
#else
#define BATT_DEVICE_NOINLINE __device__ __noinline__
#endif
#define BATT_HOST_INLINE BATT_DEVICE_NOINLINE
#define BATT_HOT_INLINE BATT_INLINE
#define BATT_TABLE __device__ const
#elif defined(_MSC_VER)
#define BATT_ALWAYS_INLINE __forceinline
#define BATT_INLINE inline
#define BATT_DEVICE_NOINLINE inline
#define BATT_HOST_INLINE __forceinline
#define BATT_HOT_INLINE __forceinline
#define BATT_TABLE inline constexpr
#else
#define BATT_ALWAYS_INLINE __attribute__((always_inline)) inline
#define BATT_INLINE inline
#define BATT_DEVICE_NOINLINE inline
#define BATT_HOST_INLINE __attribute__((always_inline)) inline
#define BATT_HOT_INLINE __attribute__((always_inline)) inline
#define BATT_TABLE inline constexpr
#endif
#define BATT_OP BATT_HOST_INLINE

template <class T> BATT_INLINE T smaller(T a, T b) { return b < a ? b : a; }
template <class T> BATT_INLINE T larger(T a, T b) { return a < b ? b : a; }
template <class T> BATT_INLINE void exchange(T& a, T& b) {
  T t = a;
  a = b;
  b = t;
}

// The position of the lowest bit that is set; x is not 0.
BATT_INLINE u32 lowest_bit(u64 x) {
#ifdef __CUDACC__
  return static_cast<u32>(__ffsll(static_cast<long long>(x)) - 1);
#else
  return static_cast<u32>(__builtin_ctzll(x));
#endif
}

// Fetch memory that will be read soon. Only hosts wait for single reads.
BATT_INLINE void prefetch(u64 address) {
#if !defined(__CUDACC__) && defined(__GNUC__)
  __builtin_prefetch(reinterpret_cast<const void*>(address));
#else
  static_cast<void>(address);
#endif
}

// The upper 64 bits of a 128-bit product.
BATT_INLINE u64 high_part(u64 a, u64 b) {
#ifdef __CUDACC__
  return __umul64hi(a, b);
#elif defined(__SIZEOF_INT128__)
  return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64);
#else
  u64 a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  u64 middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xffffffffu);
  return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

// A clock for profiles; whoever reads it measures its unit.
BATT_INLINE u64 ticks() {
#if defined(__CUDACC__)
  return static_cast<u64>(clock64());
#elif defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  u64 now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return 0;
#endif
}

constexpr i64 INT64_LEAST = -0x7fffffffffffffffLL - 1;
constexpr i64 INT64_MOST = 0x7fffffffffffffffLL;

}  // namespace batt
