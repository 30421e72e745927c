// Write programs and batches as one array of bytes with absolute addresses, to copy to a device. Host only.
#pragma once
#include "worker.h"

namespace batt {

class Freezer {
 public:
  explicit Freezer(u64 lies_at) : base(lies_at) {}
  std::vector<u8> bytes;

  // Pad each part with zeros to 16 bytes, the last one too: kernels read whole words.
  u64 put(const void* from, u64 size) {
    u64 at = bytes.size();
    bytes.resize((at + size + 15) / 16 * 16);
    if (size) std::memcpy(bytes.data() + at, from, size);
    return at;
  }
  template <class T> u64 put(const std::vector<T>& all) { return put(all.data(), all.size() * sizeof(T)); }
  template <class T> T& at(u64 offset) { return *reinterpret_cast<T*>(bytes.data() + offset); }

  // Append a value with all its parts.
  Value put_value(Value v) {
    Value made = moved(v);
    std::vector<Value> todo{made};
    while (!todo.empty()) {
      Value each = todo.back();
      todo.pop_back();
      if (!has_parts(each)) continue;
      for (u64 k = 0; k < flat_bytes(each) / sizeof(Value); k++) {
        u64 where = each.bits - base + k * sizeof(Value);
        Value part = moved(at<Value>(where));
        at<Value>(where) = part;
        todo.push_back(part);
      }
    }
    return made;
  }

 private:
  u64 base;
  Value moved(Value v) {
    if (u64 size = flat_bytes(v)) v.bits = base + put(reinterpret_cast<const void*>(v.bits), size);
    return v;
  }
};

inline FrozenProgram freeze(Freezer& to, const LoadedProgram& p, u64 base) {
  FrozenProgram made{};
  std::vector<Value> constants;
  for (const Value& each : p.constants) constants.push_back(to.put_value(each));
  u64 pool = to.put(p.pool);
  std::vector<HelperName> names = p.names;
  for (HelperName& each : names) each.at = base + pool + (each.at - reinterpret_cast<Addr>(p.pool.data()));
  made.code = to.put(p.code);
  made.constants = to.put(constants);
  made.routines = to.put(p.routines);
  made.names = to.put(names);
  made.stage = to.put(p.stage);
  return made;
}

// The samples come first.
inline void freeze(Freezer& to, const LoadedBatch& batch, u64 base) {
  u64 rows = to.put(std::vector<DeviceSample>(batch.samples.size()));
  std::vector<Value> values;
  for (const Value& each : batch.values) values.push_back(to.put_value(each));
  auto value = [&values](i64 at) { return at < 0 ? none() : values[static_cast<u64>(at)]; };
  std::vector<Value> frozen;
  for (const Value& each : batch.parameters) frozen.push_back(to.put_value(each));
  u64 parameters = base + to.put(frozen);
  for (u64 k = 0; k < batch.samples.size(); k++) {
    const SampleRow& row = batch.samples[k];
    to.at<DeviceSample>(rows + k * sizeof(DeviceSample)) =
        DeviceSample{value(row.demonstrations),
                     value(row.input),
                     value(row.expected),
                     row.task,
                     row.expected >= 0,
                     parameters + batch.first_parameter(row) * sizeof(Value),
                     0};
  }
}

}  // namespace batt
