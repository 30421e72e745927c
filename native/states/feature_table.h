// A table of the features of all parts of many grids. Host only.
#pragma once
#include "columns.h"
#include "relations.h"

namespace batt {

struct FeatureTable {
  std::vector<i64> rows;    // F_COUNT for each part, part by part
  std::vector<u64> ends;    // by grid: the parts of it and of those before
  std::vector<u8> missing;  // by grid: whether it has no rows because it is no grid, or has too many parts
  std::vector<i16> owners;  // by cell of all grids: the number of its part in the grid, or -1

  u64 size() const { return rows.size() / F_COUNT; }

  // Write the columns, each of them `stride` long, and from row `first` on.
  void write(i64* to, u64 stride, u64 first) const {
    constexpr u64 BLOCK = 64;  // rows that stay in the processor's cache
    for (u64 from = 0; from < size(); from += BLOCK)
      for (u64 f = 0; f < F_COUNT; f++)
        for (u64 k = from; k < smaller(from + BLOCK, size()); k++) to[f * stride + first + k] = rows[k * F_COUNT + f];
  }
};

class FeatureWriter {
 public:
  FeatureWriter(FeatureTable& to, Worker& worker, const LoadedProgram& program, const Budget& budget,
                const volatile u32* stop)
      : table(to), caller(worker, program, budget, stop) {}

  // Add the rows of a grid, which is taken apart into at most `most` parts.
  void add(Value grid, u32 form, u64 most) {
    bool has_parts = grid.tag == GRID && parts.find(caller, grid, form, most);
    if (has_parts) add_rows();
    if (grid.tag == GRID) {
      u64 cells = static_cast<u64>(grid_h(grid)) * grid_w(grid);
      for (u64 k = 0; k < cells; k++) table.owners.push_back(static_cast<i16>(has_parts ? parts.owner[k] : -1));
    }
    table.ends.push_back(table.size());
    table.missing.push_back(!has_parts);
    caller.release();
  }

 private:
  FeatureTable& table;
  Caller caller;
  GridParts parts;
  PartFeatures alone;
  PartRelations relations;

  void add_rows() {
    u64 first = table.rows.size(), count = parts.parts.size();
    table.rows.resize(first + count * F_COUNT);
    if (!count) return;
    FeatureRow* rows = reinterpret_cast<FeatureRow*>(table.rows.data() + first);
    alone.begin_grid(parts);
    for (u32 k = 0; k < count; k++) alone.write(k, rows[k]);
    relations.write(parts, rows, alone.in_grid.most());
  }
};

// Add the rows of the grids of a column from `from` on. False if `stop` is set.
inline bool add_features(FeatureTable& to, Worker& worker, const ValueColumn& grids, u64 from, u64 count, u32 form,
                         u64 most, const Budget& budget, const volatile u32* stop) {
  static const LoadedProgram no_program;
  FeatureWriter writer(to, worker, no_program, budget, stop);
  for (u64 k = 0; k < count && !*stop; k++) writer.add(grids.values[from + k], form, most);
  return !*stop;
}

}  // namespace batt
