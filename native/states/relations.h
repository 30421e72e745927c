// Features of the parts of a grid that depend on other parts: counts, ranks, contacts, holes. Host only.
#pragma once
#include "features.h"

namespace batt {

// Computes how the parts of one grid stand to one another. The rows hold what each part is by itself.
class PartRelations {
 public:
  void write(const GridParts& given, FeatureRow* given_rows, u8 given_background) {
    g = &given;
    rows = given_rows;
    background = given_background;
    count = static_cast<u32>(g->parts.size());
    touched.assign(count, ~0u);
    adjoined.assign(count, ~0u);
    in_holes.assign(count, 0);
    for (u32 k = 0; k < count; k++) {
      rows[k][F_ENCLOSES] = rows[k][F_ENCLOSED] = 0;
      write_contacts(k);
    }
    for (u32 k = 0; k < count; k++) write_holes(k);
    write_pairs();
    write_counts(F_SIZE, F_SAME_SIZE, F_UNIQUE_SIZE, F_COMMON_SIZE);
    write_counts(F_COLOUR, F_SAME_COLOUR, F_UNIQUE_COLOUR, F_COMMON_COLOUR);
    write_counts(F_SHAPE, F_SAME_SHAPE, F_UNIQUE_SHAPE, F_COMMON_SHAPE);
    write_counts(F_TURNED_SHAPE, F_SAME_TURNED_SHAPE, F_UNIQUE_TURNED_SHAPE, F_COUNT);
    write_counts(F_PICTURE, F_SAME_PICTURE, F_UNIQUE_PICTURE, F_COUNT);
    write_counts(F_TOP, F_SAME_TOP, F_COUNT, F_COUNT);
    write_counts(F_LEFT, F_SAME_LEFT, F_COUNT, F_COUNT);
    constexpr Feature ranked[] = {F_SIZE, F_HEIGHT, F_WIDTH, F_AREA, F_TOP, F_LEFT, F_COLOURS, F_HOLES};
    static_assert(F_SIZE_RANK + 8 == F_SIZE_RANK_DOWN && F_HOLES_RANK + 8 == F_HOLES_RANK_DOWN, "ranks lie together");
    for (u32 k = 0; k < 8; k++) write_ranks(ranked[k], F_SIZE_RANK + k, F_SIZE_RANK_DOWN + k);
  }

 private:
  const GridParts* g = nullptr;
  FeatureRow* rows = nullptr;
  u32 count = 0;
  u8 background = 0;
  std::vector<u32> touched, adjoined;  // by part: the last part that it was counted for
  std::vector<u32> in_holes;           // by part: its cells in the holes of the current part
  std::vector<u8> box;                 // cells of a part's box and a margin: OPEN, OWN or reached
  std::vector<u32> todo, reached;
  std::vector<i64> sorted;
  ColourCounts around;

  // Count the parts and the colours that lie beside or diagonal to the cells of a part.
  void write_contacts(u32 number) {
    const GridPart& part = g->parts[number];
    i64 touches = 0, adjoins = 0;
    around.clear();
    u32 w = static_cast<u32>(g->w);
    for (u64 k = 0; k < part.size; k++) {
      u32 cell = g->cells[part.first + k];
      i32 i = static_cast<i32>(cell / w), j = static_cast<i32>(cell % w);
      for (i32 y = larger(i - 1, 0); y <= smaller(i + 1, g->h - 1); y++)
        for (i32 x = larger(j - 1, 0); x <= smaller(j + 1, g->w - 1); x++) {
          u32 at = static_cast<u32>(y) * w + static_cast<u32>(x);
          i32 other = g->owner[at];
          if (other == static_cast<i32>(number)) continue;
          if (g->colour(at) != background) around.add(g->colour(at));
          if (other < 0) continue;
          touches += first_time(touched, other, number);
          if (y == i || x == j) adjoins += first_time(adjoined, other, number);
        }
    }
    rows[number][F_TOUCHES] = touches;
    rows[number][F_ADJOINS] = adjoins;
    rows[number][F_TOUCHED_COLOURS] = static_cast<i64>(around.size());
    rows[number][F_TOUCHED_COLOUR] = around.size() == 1 ? around.most() : -1;
  }
  static bool first_time(std::vector<u32>& seen, i32 other, u32 number) {
    u32& last = seen[static_cast<u32>(other)];
    if (last == number) return false;
    last = number;
    return true;
  }

  // Count the regions of a part's box that nothing joins with the outside, and the parts that lie in them.
  void write_holes(u32 number) {
    i64* f = rows[number];
    f[F_HOLES] = f[F_HOLE_CELLS] = 0;
    if (f[F_HEIGHT] < 3 || f[F_WIDTH] < 3 || !f[F_GAPS]) return;
    const GridPart& part = g->parts[number];
    u32 w = static_cast<u32>(g->w), wide = static_cast<u32>(part.width()) + 2;
    box.assign((static_cast<u64>(part.height()) + 2) * wide, 0);
    for (u64 k = 0; k < part.size; k++) {
      u32 cell = g->cells[part.first + k];
      box[(cell / w - static_cast<u32>(part.top) + 1) * wide + cell % w - static_cast<u32>(part.left) + 1] = 1;
    }
    reached.clear();
    flood(0, wide);
    reached.clear();
    for (u32 at = 0; at < box.size(); at++)
      if (!box[at]) {
        f[F_HOLES]++;
        flood(at, wide);
      }
    f[F_HOLE_CELLS] = static_cast<i64>(reached.size());
    count_enclosed(number, wide);
  }
  void flood(u32 from, u32 wide) {
    box[from] = 1;
    todo.assign(1, from);
    while (!todo.empty()) {
      u32 at = todo.back();
      todo.pop_back();
      reached.push_back(at);
      const u64 next[] = {at - static_cast<u64>(wide), at - 1ull, at + 1ull, at + static_cast<u64>(wide)};
      for (u64 each : next)
        if (each < box.size() && !box[each]) {
          box[each] = 1;
          todo.push_back(static_cast<u32>(each));
        }
    }
  }
  void count_enclosed(u32 number, u32 wide) {
    const GridPart& part = g->parts[number];
    auto owner_of = [&](u32 at) {
      u32 i = at / wide - 1 + static_cast<u32>(part.top), j = at % wide - 1 + static_cast<u32>(part.left);
      return g->owner[i * static_cast<u32>(g->w) + j];
    };
    for (u32 at : reached)
      if (owner_of(at) >= 0) in_holes[static_cast<u32>(owner_of(at))]++;
    for (u32 at : reached) {
      i32 other = owner_of(at);
      if (other < 0) continue;
      u32& cells = in_holes[static_cast<u32>(other)];
      if (cells == g->parts[static_cast<u32>(other)].size) {
        rows[number][F_ENCLOSES]++;
        rows[other][F_ENCLOSED]++;
      }
      cells = 0;
    }
  }

  // Compare the boxes of all pairs.
  void write_pairs() {
    for (u32 k = 0; k < count; k++) {
      const GridPart& a = g->parts[k];
      i64 inside = 0, outside = 0, beside = 0, above = 0, nearest = -1;
      for (u32 other = 0; other < count; other++) {
        if (other == k) continue;
        const GridPart& b = g->parts[other];
        inside += holds(a, b) && !holds(b, a);
        outside += holds(b, a) && !holds(a, b);
        i64 down = between(a.top, a.bottom, b.top, b.bottom), across = between(a.left, a.right, b.left, b.right);
        beside += down < 0;
        above += across < 0;
        i64 apart = larger<i64>(down, 0) + larger<i64>(across, 0);
        if (nearest < 0 || apart < nearest) nearest = apart;
      }
      i64* f = rows[k];
      f[F_BOXES_INSIDE] = inside;
      f[F_BOXES_AROUND] = outside;
      f[F_ROW_MATES] = beside;
      f[F_COLUMN_MATES] = above;
      f[F_NEAREST] = nearest;
    }
  }
  static bool holds(const GridPart& a, const GridPart& b) {
    return a.top <= b.top && a.left <= b.left && a.bottom >= b.bottom && a.right >= b.right;
  }
  // The lines between two ranges; below 0 if they have one in common.
  static i64 between(i32 first, i32 last, i32 from, i32 to) { return larger(from - last, first - to) - 1; }

  // Count the parts that agree in a feature. F_COUNT stands for no column.
  void write_counts(Feature of, u32 same, u32 unique, u32 common) {
    sort_by(of);
    i64 most = 0;
    for (u32 k = 0; k < count; k++) {
      auto range = std::equal_range(sorted.begin(), sorted.end(), rows[k][of]);
      rows[k][same] = range.second - range.first;
      most = larger(most, rows[k][same]);
    }
    for (u32 k = 0; k < count; k++) {
      if (unique != F_COUNT) rows[k][unique] = rows[k][same] == 1;
      if (common != F_COUNT) rows[k][common] = rows[k][same] == most;
    }
  }

  void write_ranks(Feature of, u32 up, u32 down) {
    sort_by(of);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (u32 k = 0; k < count; k++) {
      rows[k][up] = std::lower_bound(sorted.begin(), sorted.end(), rows[k][of]) - sorted.begin();
      rows[k][down] = static_cast<i64>(sorted.size()) - 1 - rows[k][up];
    }
  }
  void sort_by(Feature of) {
    sorted.resize(count);
    for (u32 k = 0; k < count; k++) sorted[k] = rows[k][of];
    std::sort(sorted.begin(), sorted.end());
  }
};

}  // namespace batt
