// The regions that values live in. Host only.
#pragma once
#include <cstdlib>
#include <memory>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "../core/memory.h"

namespace batt {

// A block of memory for a region. The system provides its pages when they are first written.
struct Block {
  std::unique_ptr<u8, void (*)(void*)> data{nullptr, std::free};
  u64 bytes = 0;

  bool reserve(u64 size) {
    bytes = (size + 15) / 16 * 16;
    data.reset(static_cast<u8*>(std::malloc(bytes + 16)));
    if (!data) return false;
    ask_for_huge_pages();
    return true;
  }
  // Most evaluations stay within the first pages, which remain small: clearing a huge one takes longer than they do.
  void ask_for_huge_pages() {
#ifdef __linux__
    constexpr u64 HUGE_PAGE = 2 << 20, SMALL_PAGES = 1 << 18;
    Addr from = (first() + SMALL_PAGES + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE,
         end = (first() + bytes) / HUGE_PAGE * HUGE_PAGE;
    if (from < end) madvise(reinterpret_cast<void*>(from), end - from, MADV_HUGEPAGE);
#endif
  }
  ~Block() {
    if (data) unpoison(reinterpret_cast<Addr>(data.get()), bytes + 16);
  }
  Block() = default;
  Block(Block&&) = default;
  Block& operator=(Block&&) = default;
  Addr first() const { return (reinterpret_cast<Addr>(data.get()) + 15) & ~15ull; }
  Region region() const {
    Addr from = first();
    Region made{from, from, from + bytes};
    poison(from, made.end);
    return made;
  }
  // Return the pages beyond the first `kept` bytes to the system. They must be released.
  void trim(u64 kept) {
#ifdef __linux__
    constexpr u64 PAGE = 1 << 16;
    if (kept >= bytes) return;
    Addr from = (first() + kept + PAGE - 1) / PAGE * PAGE, end = (first() + bytes) / PAGE * PAGE;
    expect_poisoned(first() + kept, first() + bytes);
    if (from < end) madvise(reinterpret_cast<void*>(from), end - from, MADV_DONTNEED);
#else
    (void)kept;
#endif
  }
};

// Values that are read once and kept: the constants of a program, the grids of a batch.
struct Store {
  std::vector<Block> blocks;
  Block scratch;
  Vm vm{};
  u32 never = 0;

  bool grow(u64 least) {
    blocks.emplace_back();
    if (!blocks.back().reserve(larger<u64>(least, 1u << 16))) return false;
    if (!scratch.data || scratch.bytes < blocks.back().bytes) {
      scratch = Block();
      if (!scratch.reserve(blocks.back().bytes)) return false;
    }
    vm.region[0] = blocks.back().region();
    vm.region[1] = scratch.region();
    return true;
  }
  void ready() {
    vm.side = 0;
    vm.status = RUNNING;
    vm.steps_left = vm.max_items = vm.work_left = INT64_MOST / 4;
    vm.stop = &never;
  }
};

}  // namespace batt
