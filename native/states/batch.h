// Candidates of many tasks in one call: on CPU threads, and what the CPU does for those of a GPU. Host only.
#pragma once
#include "apply.h"
#include "transfer.h"

namespace batt {

// A call for the candidates of many tasks. A thread works on some of the parts.
struct BatchCalls {
  StatePart* parts;
  u64 part_count;
  const Calls calls;
  Candidate* made;  // by candidate

  StateSet& set(u64 part) const { return *static_cast<StateSet*>(parts[part].set); }
  Calls of_part(u64 part) const {
    u64 start = parts[part].start;
    return Calls{calls.program, calls.callees, calls.called ? calls.called + start : nullptr,
                 calls.arguments + start * MOST_ARGUMENTS};
  }
};

// Evaluate and merge all candidates. Return how many parts are done: fewer if `stop` is set.
inline u64 apply_parts(const BatchCalls& batch, Worker& worker, const Budget& budget, const volatile u32* stop) {
  for (u64 p = 0; p < batch.part_count; p++) {
    const StatePart& part = batch.parts[p];
    u64 done = apply(batch.set(p), worker, batch.of_part(p), part.count, budget, batch.made + part.start, stop);
    if (done < part.count) return p;
  }
  return batch.part_count;
}

// How the rows of a GPU's launches lie: by group, which is an op, then by part, candidate and sample.
struct RowLayout {
  const u32* groups;  // by callee: its group
  u64 group_count;
  u32* candidates;             // by part and group: how many there are; then the first, among those of the group
  u32* rows;                   // by part and group: the first row
  const u64* argument_starts;  // by group
  u32* arguments;              // by candidate of a group: where the values of its arguments lie
  u32* first_rows;             // by candidate

  u32 group(const Calls& calls, u64 k) const { return groups[calls.called ? calls.called[k] : 0]; }
};

inline void count_groups(const BatchCalls& batch, const RowLayout& layout) {
  for (u64 p = 0; p < batch.part_count; p++) {
    const Calls calls = batch.of_part(p);
    u32* counts = layout.candidates + p * layout.group_count;
    for (u64 k = 0; k < batch.parts[p].count; k++) counts[layout.group(calls, k)]++;
  }
}

// Give each candidate its rows, and write where the values of its arguments lie.
inline void lay_out(const BatchCalls& batch, const RowLayout& layout) {
  for (u64 p = 0; p < batch.part_count; p++) {
    const Calls calls = batch.of_part(p);
    const StateSet& set = batch.set(p);
    u32 *next = layout.candidates + p * layout.group_count, *rows = layout.rows + p * layout.group_count;
    for (u64 k = 0; k < batch.parts[p].count; k++) {
      u32 group = layout.group(calls, k), arity = OP_ARITY[calls.callee(k).code];
      u32* to = layout.arguments + layout.argument_starts[group] + static_cast<u64>(next[group]++) * arity;
      const u32* handles = calls.arguments + k * MOST_ARGUMENTS;
      for (u32 j = 0; j < arity; j++) to[j] = set.places[handles[j]] & ~AWAY;
      layout.first_rows[batch.parts[p].start + k] = rows[group];
      rows[group] += set.samples;
    }
  }
}

// What a GPU made of candidates.
struct GpuRows {
  const StateRow* rows;
  const u32* first_rows;  // by candidate

  const StateRow* of(u64 candidate) const { return rows + first_rows[candidate]; }
  // Whether the CPU has to evaluate a candidate: it has a deferred row before any failure.
  bool is_deferred(u64 candidate, u32 samples) const {
    const StateRow* each = of(candidate);
    u32 s = 0;
    while (s < samples && each[s].status == ENDED_OK) s++;
    return s < samples && each[s].status >= ENDED_UNSUPPORTED;
  }
};

// List the states whose values the CPU needs and does not have, to evaluate what is deferred. Only callees that are
// `marked` have deferred rows.
inline void list_wanted(const BatchCalls& batch, const GpuRows& rows, const u8* marked) {
  for (u64 p = 0; p < batch.part_count; p++) {
    StatePart& part = batch.parts[p];
    StateSet& set = batch.set(p);
    set.wanted.clear();
    for (u64 k = part.start; k < part.start + part.count; k++) {
      if (!marked[batch.calls.called ? batch.calls.called[k] : 0] || !rows.is_deferred(k, set.samples)) continue;
      for (u32 j = 0; j < MOST_ARGUMENTS; j++) {
        u32 handle = batch.calls.arguments[k * MOST_ARGUMENTS + j];
        if (handle != NO_STATE && set.is_away(handle)) set.wanted.push_back(handle);
      }
    }
    std::sort(set.wanted.begin(), set.wanted.end());
    set.wanted.erase(std::unique(set.wanted.begin(), set.wanted.end()), set.wanted.end());
    part.wanted = set.wanted.size();
  }
}

// Merges the candidates of one part that a GPU evaluated; evaluates what it deferred.
class PartMerger {
 public:
  PartMerger(const BatchCalls& batch, u64 p, const GpuRows& given, Worker& worker, const Budget& budget, u32* kept_rows,
             const volatile u32* stop)
      : part(batch.parts[p]),
        set(batch.set(p)),
        calls(batch.of_part(p)),
        rows(given),
        kept(kept_rows + part.first_row),
        applier(set, worker, calls, budget, stop),
        hashes(set.samples) {
    part.first_handle = set.size();
    part.kept_rows = part.kept_bytes = 0;
  }

  void merge_one_row(u64 k, Candidate& made) {
    if (rows.is_deferred(part.start + k, set.samples)) evaluate(k, made);
    else merge_rows(k, made);
  }

 private:
  StatePart& part;
  StateSet& set;
  const Calls calls;
  const GpuRows& rows;
  u32* kept;
  Applier applier;
  std::vector<u64> hashes;

  void merge_rows(u64 k, Candidate& made) {
    const StateRow* each = rows.of(part.start + k);
    made = Candidate{-1, ENDED_OK, 0, 0, 0, 0, 0};
    u64 bytes = 0;
    for (u32 s = 0; s < set.samples; s++) {
      made.steps += each[s].steps;
      hashes[s] = each[s].hash;
      bytes += each[s].bytes;
      if (each[s].status == ENDED_OK) continue;
      made.status = each[s].status;
      made.error = each[s].error;
      made.sample = s;
      return;
    }
    u64 key = set.key(hashes.data());
    u32 handle = set.find(hashes.data(), key);
    const Derivation made_by = calls.derivation(set, k);
    if (handle != NO_STATE) set.shorten(handle, made_by);
    else {
      u8 kind = common_kind(set.samples, [each](u32 s) { return each[s].kind; });
      handle = set.add_away(bytes, kind, hashes.data(), key, made_by);
      made.is_new = handle != NO_STATE;
      if (made.is_new) keep(rows.first_rows[part.start + k], bytes);
    }
    made.handle = handle == NO_STATE ? NO_ROOM : static_cast<i64>(handle);
  }

  void keep(u32 row, u64 bytes) {
    for (u32 s = 0; s < set.samples; s++) kept[part.kept_rows++] = row + s;
    part.kept_bytes += bytes;
  }

  void evaluate(u64 k, Candidate& made) {
    if (applier.evaluate(k, made)) {
      u32 known = set.find(applier.hashes.data(), set.key(applier.hashes.data()));
      if (known != NO_STATE) {
        made.handle = known;
        set.shorten(known, calls.derivation(set, k));
      } else if (applier.settle(made))
        merge_one(set, made, applier.values.data(), applier.hashes.data(), calls.derivation(set, k));
    }
    applier.release();
  }
};

// Merge all candidates in order, and list the rows whose values stay on the GPU. Return how many parts are done.
inline u64 merge_parts(const BatchCalls& batch, const GpuRows& rows, Worker& worker, const Budget& budget, u32* kept,
                       const volatile u32* stop) {
  for (u64 p = 0; p < batch.part_count; p++) {
    if (*stop) return p;
    PartMerger merger(batch, p, rows, worker, budget, kept, stop);
    const StatePart& part = batch.parts[p];
    for (u64 k = 0; k < part.count; k++) merger.merge_one_row(k, batch.made[part.start + k]);
  }
  return batch.part_count;
}

// Number the values of new states on the GPU from `next` on, in the order in which they were kept.
inline void place_parts(const BatchCalls& batch, u64 next) {
  for (u64 p = 0; p < batch.part_count; p++) {
    StateSet& set = batch.set(p);
    for (u64 handle = batch.parts[p].first_handle; handle < set.size(); handle++)
      if (set.places[handle] == (AWAY | PENDING)) {
        set.places[handle] = AWAY | static_cast<u32>(next);
        next += set.samples;
      }
  }
}

// Where values for a GPU are written to: those of states at `values`, numbered from `place` on, their parts at `bytes`,
// which will lie at `base`.
struct FrozenStates {
  u64 base;
  Value* values;
  u8* bytes;
  u64 place;
};

// Write the values of states that are not on a GPU. Return the number of bytes. With no `values`, only count.
inline u64 freeze_states(StateSet& set, FrozenStates& to) {
  ColumnFreezer freezer(to.base, to.values ? to.bytes : nullptr);
  for (u32 handle = 0; handle < set.size() && set.unplaced; handle++) {
    if (set.places[handle] != NO_PLACE) continue;
    for (u32 s = 0; s < set.samples; s++) {
      Value made = freezer.put(set.value(handle)[s]);
      if (to.values) *to.values++ = made;
    }
    if (!to.values) continue;
    set.places[handle] = static_cast<u32>(to.place);
    to.place += set.samples;
    set.unplaced--;
  }
  to.base += freezer.used;
  if (to.values) to.bytes += freezer.used;
  return freezer.used;
}

// Evaluate all states that are only on a GPU again, here, each after those that it is made of. False if `stop` is set,
// or if one fails.
inline bool restore(StateSet& set, Worker& worker, const Budget& budget, const volatile u32* stop) {
  static const LoadedProgram no_program;
  std::vector<u32> away;
  for (u32 handle = 0; handle < set.size(); handle++)
    if (set.is_away(handle)) away.push_back(handle);
  std::stable_sort(away.begin(), away.end(),
                   [&](u32 a, u32 b) { return set.derivations[a].length < set.derivations[b].length; });
  std::vector<Callee> callees;
  std::vector<u32> called, arguments;
  for (u32 handle : away) {
    const Derivation& made_by = set.derivations[handle];
    called.push_back(static_cast<u32>(callees.size()));
    callees.push_back(Callee{made_by.callee, made_by.callee, 1});
    arguments.insert(arguments.end(), made_by.arguments, made_by.arguments + MOST_ARGUMENTS);
  }
  Calls calls{no_program, callees.data(), called.data(), arguments.data()};
  Applier applier(set, worker, calls, budget, stop);
  for (u64 k = 0; k < away.size(); k++) {
    Candidate made{};
    if (*stop || !applier.evaluate(k, made) || !applier.settle(made)) return false;
    set.bring(away[k], applier.values.data());
    applier.release();
  }
  return true;
}

}  // namespace batt
