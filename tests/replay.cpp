// Runs recorded evaluations through the C interface and writes their records and values, without times. It needs no Python, so that
// libraries for other processors can be tried under an emulator: tests/recording.py writes the file, tests/test_portability.py compares.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../native/host/api.cpp"

namespace {

struct Reader {
  const std::string& bytes;
  size_t at = 0;

  // An array of `count` items, and what fills it up to 8 bytes.
  template <class T> std::vector<T> array(u64 count) {
    std::vector<T> found(count);
    if (bytes.size() - at < count * sizeof(T)) std::exit(3);
    if (count) std::memcpy(found.data(), bytes.data() + at, count * sizeof(T));
    at += (count * sizeof(T) + 7) / 8 * 8;
    return found;
  }
  u64 number() { return array<u64>(1)[0]; }
};

std::string read_file(const char* path) {
  std::string found;
  std::FILE* file = std::fopen(path, "rb");
  if (!file) std::exit(2);
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file)) found.append(buffer, count);
  std::fclose(file);
  return found;
}

// Run all evaluations of a job and write them one by one: the record, the number of bytes of the value, the value.
u64 replay(Reader& reader, std::FILE* to) {
  auto sizes = reader.array<u64>(6);
  auto limits = reader.array<i64>(3);
  u64 arena_bytes = reader.number();
  auto words = reader.array<u32>(sizes[0]);
  auto pool = reader.array<u8>(sizes[1]);
  auto data = reader.array<u8>(sizes[2]);
  auto ends = reader.array<u64>(sizes[3]);
  auto rows = reader.array<SampleRow>(sizes[4]);
  u64 n = sizes[5];
  auto slices = reader.array<u32>(n), samples = reader.array<u32>(n);

  u32 flaw = 0, stop = 0;
  u64 where = 0, done = 0;
  LoadedProgram* program = batt_program_load(words.data(), words.size(), pool.data(), pool.size(), &flaw, &where);
  LoadedBatch* batch =
      batt_batch_load(data.data(), ends.data(), ends.size(), rows.data(), rows.size(), nullptr, 0);
  WorkerMemory memory{arena_bytes, 32u << 20, 200'000, 1u << 20};
  Worker* worker = batt_worker_new(&memory);
  if (!program || !batch || !worker) std::exit(4);
  Budget budget{limits[0], limits[1], limits[2], 0};
  std::vector<u8> room(1 << 20);
  std::vector<u64> value_ends(n);
  std::vector<Result> results(n);
  for (u64 first = 0; first < n;) {
    Outputs outputs{room.data(), room.size(), 0, value_ends.data(), 0};
    u64 count = batt_run(worker, program, batch, slices.data() + first, samples.data() + first, n - first, &budget, results.data(), &outputs, &stop, &done);
    u64 from = 0;
    for (u64 k = 0; k < count; k++) {
      results[k].time_ns = 0;
      u64 bytes = value_ends[k] - from;
      std::fwrite(&results[k], sizeof(Result), 1, to);
      std::fwrite(&bytes, sizeof bytes, 1, to);
      std::fwrite(room.data() + from, 1, bytes, to);
      from = value_ends[k];
    }
    first += count;
    if (outputs.needed > room.size()) room.resize(outputs.needed);
    else if (!count) std::exit(5);
  }
  batt_worker_free(worker);
  batt_batch_free(batch);
  batt_program_free(program);
  return n;
}

}  // namespace

int main(int count, char** given) {
  if (count != 3) return 2;
  std::string bytes = read_file(given[1]);
  Reader reader{bytes};
  if (reader.number() != batt_table_digest()) return 6;
  std::FILE* to = std::fopen(given[2], "wb");
  if (!to) return 2;
  u64 records = 0;
  for (u64 jobs = reader.number(); jobs; jobs--) records += replay(reader, to);
  if (std::fclose(to)) return 2;
  std::printf("%llu\n", records);
  return 0;
}
