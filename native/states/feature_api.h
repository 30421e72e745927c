// The part of the C interface for features, which batt.states.features loads.
#pragma once
#include "feature_table.h"

constexpr u64 MOST_PARTS = 0x7fff;

// The features of the parts of `count` grids of a column, from number `from` on. Null if a number is out of range,
// there is not enough memory, or `stop` is set.
BATT_API FeatureTable* batt_features_new(Worker* worker, const ValueColumn* grids, u64 from, u64 count, u32 form,
                                         u64 most, const Budget* budget, const volatile u32* stop) {
  if (from > grids->values.size() || count > grids->values.size() - from) return nullptr;
  if (form > FORM_PIECES || most > MOST_PARTS) return nullptr;
  try {
    auto made = std::make_unique<FeatureTable>();
    return add_features(*made, *worker, *grids, from, count, form, most, *budget, stop) ? made.release() : nullptr;
  } catch (const std::bad_alloc&) { return nullptr; }
}
BATT_API void batt_features_free(FeatureTable* table) { delete table; }

// The number of rows, and of the cells of all grids.
BATT_API void batt_features_count(const FeatureTable* table, u64* counts) {
  counts[0] = table->size();
  counts[1] = table->owners.size();
}
// Copy the table into columns of `stride` rows, from row `first` on.
BATT_API void batt_features_read(const FeatureTable* table, i64* columns, u64 stride, u64 first, u64* ends, u8* missing,
                                 i16* owners) {
  table->write(columns, stride, first);
  std::copy(table->ends.begin(), table->ends.end(), ends);
  std::copy(table->missing.begin(), table->missing.end(), missing);
  std::copy(table->owners.begin(), table->owners.end(), owners);
}
