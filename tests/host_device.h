// CUDA's words for a host's compiler: a block of one thread whose warps have one lane.
#pragma once
#include <chrono>
#include <cstdint>

#define __CUDACC__
#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)

static const struct { unsigned x = 0; } threadIdx, blockIdx;
static const struct { unsigned x = 1; } blockDim;
static void __syncthreads() {}
static int __syncthreads_or(int mine) { return mine; }
static int __popc(unsigned x) { return __builtin_popcount(x); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }
static unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64); }
// A launch is one thread here, and its queue is nobody else's.
template <class T> static T atomicAdd(T* at, T more) { T was = *at; *at += more; return was; }
static long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

#define BATT_SPLIT_LOOPS
#include "../native/core/lanes.h"
#undef BATT_NO_UNROLL
#define BATT_NO_UNROLL
