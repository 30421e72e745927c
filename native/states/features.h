// Features of the parts of grids, each part by itself: place, colours, shape, symmetries. Host only.
#pragma once
#include "parts.h"

namespace batt {

using FeatureRow = i64[F_COUNT];

inline i64 sign_of(i64 x) { return (x > 0) - (x < 0); }

// How often colours occur. Clearing takes no longer than counting.
class ColourCounts {
 public:
  u32 counts[BYTES] = {};

  void add(u8 colour) {
    if (!counts[colour]++) seen.push_back(colour);
  }
  void clear() {
    for (u8 each : seen) counts[each] = 0;
    seen.clear();
  }
  u64 size() const { return seen.size(); }
  // The colour that occurs most or least often, the lowest of those tied.
  u8 most() const {
    return best([](u32 a, u32 b) { return a > b; });
  }
  u8 least() const {
    return best([](u32 a, u32 b) { return a < b; });
  }

 private:
  std::vector<u8> seen;

  template <class IsBetter> u8 best(IsBetter is_better) const {
    u8 found = seen[0];
    for (u8 each : seen)
      if (is_better(counts[each], counts[found]) || (counts[each] == counts[found] && each < found)) found = each;
    return found;
  }
};

// Hashes of a part under the eight turns and mirrorings, as sums over its cells: their order does not matter.
class TurnedHashes {
 public:
  // In the order of `place`: what the ops identity, vmirror, hmirror, rot180, dmirror, rot90, rot270 and cmirror do.
  static constexpr u32 TURNS = 8;
  enum Turn : u32 { SAME, VMIRROR, HMIRROR, ROT180, DMIRROR, ROT90, ROT270, CMIRROR };
  u64 shapes[TURNS], pictures[TURNS];

  void begin(u32 height, u32 width) {
    bottom = height - 1;
    right = width - 1;
    for (u32 k = 0; k < TURNS; k++) {
      bool is_turned = k >= DMIRROR;
      u64 sides = is_turned ? static_cast<u64>(width) << 32 | height : static_cast<u64>(height) << 32 | width;
      shapes[k] = pictures[k] = mix(sides);
    }
  }
  void add(u32 i, u32 j, u8 colour) {
    u32 up = bottom - i, back = right - j;
    const u64 places[TURNS] = {at(i, j), at(i, back), at(up, j),   at(up, back),
                               at(j, i), at(j, up),   at(back, i), at(back, up)};
    for (u32 k = 0; k < TURNS; k++) {
      u64 mixed = mix(places[k]);
      shapes[k] += mixed;
      pictures[k] += mix(mixed + colour);
    }
  }
  static i64 number(u64 hash) { return static_cast<i64>(hash >> 1); }
  static u64 least(const u64* hashes) { return *std::min_element(hashes, hashes + TURNS); }

 private:
  u32 bottom = 0, right = 0;

  static u64 at(u32 i, u32 j) { return static_cast<u64>(i) << 32 | j; }
  static u64 mix(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
  }
};

// Computes what a part is by itself.
class PartFeatures {
 public:
  ColourCounts in_grid;  // colours of all cells

  void begin_grid(const GridParts& given) {
    g = &given;
    in_grid.clear();
    for (u32 cell = 0; cell < g->owner.size(); cell++) in_grid.add(g->colour(cell));
  }

  void write(u32 number, FeatureRow& f) {
    part = g->parts[number];
    f[F_NUMBER] = number;
    f[F_PARTS] = static_cast<i64>(g->parts.size());
    write_place(f);
    write_colours(f);
    write_outline(static_cast<i32>(number), f);
    write_class(f);
    write_symmetries(f);
    f[F_GRID_HEIGHT] = g->h;
    f[F_GRID_WIDTH] = g->w;
    f[F_GRID_COLOURS] = static_cast<i64>(in_grid.size());
  }

 private:
  const GridParts* g = nullptr;
  GridPart part{};
  ColourCounts colours;
  TurnedHashes hashes;

  void write_place(FeatureRow& f) const {
    f[F_SIZE] = static_cast<i64>(part.size);
    f[F_HEIGHT] = part.height();
    f[F_WIDTH] = part.width();
    f[F_AREA] = f[F_HEIGHT] * f[F_WIDTH];
    f[F_TOP] = part.top;
    f[F_LEFT] = part.left;
    f[F_BOTTOM] = part.bottom;
    f[F_RIGHT] = part.right;
    f[F_TO_BOTTOM] = g->h - 1 - part.bottom;
    f[F_TO_RIGHT] = g->w - 1 - part.right;
    f[F_MIDDLE_ROW] = part.top + part.height() / 2;
    f[F_MIDDLE_COLUMN] = part.left + part.width() / 2;
    f[F_VERTICAL] = sign_of(f[F_TOP] - f[F_TO_BOTTOM]);
    f[F_HORIZONTAL] = sign_of(f[F_LEFT] - f[F_TO_RIGHT]);
    f[F_BORDERS] = (f[F_TOP] == 0) + (f[F_LEFT] == 0) + (f[F_TO_BOTTOM] == 0) + (f[F_TO_RIGHT] == 0);
    f[F_SIZE_ODD] = f[F_SIZE] % 2;
    f[F_HEIGHT_ODD] = f[F_HEIGHT] % 2;
    f[F_WIDTH_ODD] = f[F_WIDTH] % 2;
  }

  void write_colours(FeatureRow& f) {
    colours.clear();
    for (u64 k = 0; k < part.size; k++) colours.add(g->colour(g->cells[part.first + k]));
    f[F_COLOUR] = colours.most();
    f[F_LEAST_COLOUR] = colours.least();
    f[F_COLOURS] = static_cast<i64>(colours.size());
    f[F_COLOUR_CELLS] = colours.counts[f[F_COLOUR]];
    f[F_COLOUR_IN_GRID] = in_grid.counts[f[F_COLOUR]];
    f[F_BACKGROUND] = in_grid.most();
    f[F_IS_BACKGROUND] = f[F_COLOUR] == f[F_BACKGROUND];
  }

  // How cells of the part share edges, and whether it has a corner of the grid.
  void write_outline(i32 number, FeatureRow& f) const {
    i64 edges = 0, ends = 0, forks = 0;
    auto is_own = [&](i32 i, i32 j) {
      return i >= part.top && i <= part.bottom && j >= part.left && j <= part.right &&
             g->owner[static_cast<u64>(i) * static_cast<u32>(g->w) + static_cast<u32>(j)] == number;
    };
    for (u64 k = 0; k < part.size; k++) {
      u32 cell = g->cells[part.first + k], w = static_cast<u32>(g->w);
      i32 i = static_cast<i32>(cell / w), j = static_cast<i32>(cell % w);
      i64 shared = is_own(i - 1, j) + is_own(i + 1, j) + is_own(i, j - 1) + is_own(i, j + 1);
      edges += 4 - shared;
      ends += shared == 1;
      forks += shared >= 3;
    }
    f[F_EDGES] = edges;
    f[F_ENDS] = ends;
    f[F_FORKS] = forks;
    i32 last = g->h - 1, side = g->w - 1;
    f[F_AT_CORNER] = is_own(0, 0) || is_own(0, side) || is_own(last, 0) || is_own(last, side);
  }

  void write_class(FeatureRow& f) const {
    i64 size = f[F_SIZE], height = f[F_HEIGHT], width = f[F_WIDTH];
    bool is_full = size == f[F_AREA], is_square = height == width;
    f[F_GAPS] = f[F_AREA] - size;
    f[F_IS_SQUARE] = is_square;
    f[F_IS_FULL] = is_full;
    f[F_IS_LINE] = height == 1 || width == 1;
    f[F_ASPECT] = sign_of(height - width);
    f[F_IS_FRAME] = height >= 3 && width >= 3 && size == 2 * (height + width) - 4 && lies_on_edge();
    f[F_SHAPE_CLASS] = size == 1                                ? 0
                       : is_full && height == 1                 ? 1
                       : is_full && width == 1                  ? 2
                       : is_square && size == height && bends() ? 3
                       : is_full                                ? (is_square ? 4 : 5)
                       : f[F_IS_FRAME]                          ? 6
                                                                : 7;
  }

  template <class Holds> bool all_cells(Holds holds) const {
    for (u64 k = 0; k < part.size; k++) {
      u32 cell = g->cells[part.first + k], w = static_cast<u32>(g->w);
      if (!holds(static_cast<i32>(cell / w), static_cast<i32>(cell % w))) return false;
    }
    return true;
  }
  bool lies_on_edge() const {
    return all_cells(
        [&](i32 i, i32 j) { return i == part.top || i == part.bottom || j == part.left || j == part.right; });
  }
  bool bends() const {  // lies on a diagonal
    return all_cells([&](i32 i, i32 j) { return i - part.top == j - part.left; }) ||
           all_cells([&](i32 i, i32 j) { return i - part.top == part.right - j; });
  }

  void write_symmetries(FeatureRow& f) {
    hashes.begin(static_cast<u32>(part.height()), static_cast<u32>(part.width()));
    for (u64 k = 0; k < part.size; k++) {
      u32 cell = g->cells[part.first + k], w = static_cast<u32>(g->w);
      hashes.add(cell / w - static_cast<u32>(part.top), cell % w - static_cast<u32>(part.left), g->colour(cell));
    }
    auto keeps = [&](u32 turn) { return hashes.pictures[turn] == hashes.pictures[TurnedHashes::SAME]; };
    f[F_VMIRROR] = keeps(TurnedHashes::VMIRROR);
    f[F_HMIRROR] = keeps(TurnedHashes::HMIRROR);
    f[F_DMIRROR] = keeps(TurnedHashes::DMIRROR);
    f[F_CMIRROR] = keeps(TurnedHashes::CMIRROR);
    f[F_ROT90] = keeps(TurnedHashes::ROT90);
    f[F_ROT180] = keeps(TurnedHashes::ROT180);
    f[F_SYMMETRIES] = -1;
    for (u32 k = 0; k < TurnedHashes::TURNS; k++) f[F_SYMMETRIES] += keeps(k);
    f[F_SHAPE] = TurnedHashes::number(hashes.shapes[0]);
    f[F_TURNED_SHAPE] = TurnedHashes::number(TurnedHashes::least(hashes.shapes));
    f[F_PICTURE] = TurnedHashes::number(hashes.pictures[0]);
    f[F_TURNED_PICTURE] = TurnedHashes::number(TurnedHashes::least(hashes.pictures));
  }
};

}  // namespace batt
