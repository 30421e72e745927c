// Apply ops and programs to states: evaluate candidates, on any number of threads, and merge what they make in order.
// Host only.
#pragma once
#include "caller.h"
#include "state_set.h"

namespace batt {

// What can be called: an op (its number) or a slice of the program (its number | SLICE), the callee that derivations
// name, and the number of its steps.
struct Callee {
  u32 code, name, length;
};

// Calls to make: what is called, and the handles of its arguments, MOST_ARGUMENTS for each.
struct Calls {
  const LoadedProgram& program;
  const Callee* callees;
  const u32* called;  // by call: its callee; null if all call the first
  const u32* arguments;

  const Callee& callee(u64 number) const { return callees[called ? called[number] : 0]; }

  Derivation derivation(const StateSet& set, u64 number) const {
    const u32* handles = arguments + number * MOST_ARGUMENTS;
    u64 length = callee(number).length;
    for (u32 k = 0; k < MOST_ARGUMENTS; k++)
      if (handles[k] != NO_STATE) length += set.derivations[handles[k]].length;
    Derivation made{callee(number).name, static_cast<u32>(smaller<u64>(length, NO_STATE)), {}};
    std::copy(handles, handles + MOST_ARGUMENTS, made.arguments);
    return made;
  }
};

constexpr u64 MOST_EVALUATED = 64 << 20;  // bytes of values that wait to be merged

// What one thread evaluated: the values of candidates that were not known yet.
struct Evaluated {
  Keeper keeper;
  std::vector<u32> numbers;  // of the candidates
  std::vector<Value> values;
  std::vector<u64> hashes;

  void clear() {
    keeper.clear();
    numbers.clear();
    values.clear();
    hashes.clear();
  }
};

class Applier {
 public:
  Applier(const StateSet& states, Worker& worker, const Calls& given, const Budget& budget, const volatile u32* stop)
      : set(states), calls(given), caller(worker, given.program, budget, stop) {
    values.resize(set.samples);
    hashes.resize(set.samples);
  }

  std::vector<Value> values;  // of the last candidate, by sample
  std::vector<u64> hashes;

  // Evaluate a candidate on every sample until it fails. True if it has a value for each.
  bool evaluate(u64 number, Candidate& made) {
    u32 callee = calls.callee(number).code;
    const u32* handles = calls.arguments + number * MOST_ARGUMENTS;
    u32 given = callee & SLICE ? MOST_ARGUMENTS : OP_ARITY[callee];
    const Value* from[MOST_ARGUMENTS] = {};
    for (u32 k = 0; k < given; k++) from[k] = handles[k] == NO_STATE ? nullptr : set.value(handles[k]);
    made = Candidate{-1, ENDED_OK, 0, 0, 0, 0, 0};
    for (u32 s = 0; s < set.samples; s++) {
      Value a[MOST_ARGUMENTS];
      for (u32 k = 0; k < given; k++) a[k] = from[k] ? from[k][s] : none();
      Value v = callee & SLICE ? caller.run(calls.program.slices[callee ^ SLICE], a, given) : caller.call(callee, a);
      u64 hash = stopped(caller.vm()) ? 0 : fingerprint(caller.vm(), v);
      made.steps += caller.steps();
      if (stopped(caller.vm())) return fail(made, s);
      values[s] = v;
      hashes[s] = hash;
    }
    return true;
  }

  // Make values that `evaluate` made ready to be kept. False if they cannot be kept.
  bool settle(Candidate& made) {
    for (u32 s = 0; s < set.samples; s++) {
      Value& v = values[s];
      if (v.tag == TUPLE) as_grid(caller.vm(), v, v);
      if (!stopped(caller.vm()) && holds_strange_function(v)) unsupported(caller.vm(), LONG_FORM);
      if (stopped(caller.vm())) return fail(made, s);
    }
    return true;
  }

  void release() { caller.release(); }

 private:
  const StateSet& set;
  const Calls calls;
  Caller caller;
  std::vector<Value> todo;

  bool fail(Candidate& made, u32 sample) {
    const Vm& vm = caller.vm();
    made.status = outcome_of(vm.status);
    made.error = static_cast<u8>(vm.status == RAISED ? vm.error : 0);
    made.cause = static_cast<u8>(vm.status == UNSUPPORTED ? vm.cause : 0);
    made.sample = sample;
    return false;
  }

  // Whether a value holds a helper, whose number means another function in another program, or a function whose printed
  // form is longer than its hash tells.
  bool holds_strange_function(Value v) {
    if (!has_parts(v) && v.tag != FN) return false;
    todo.assign(1, v);
    while (!todo.empty()) {
      Value each = todo.back();
      todo.pop_back();
      if (each.tag == FN && (fn_kind(each) == FN_HELPER || is_long(each))) return true;
      if (has_parts(each))
        for (u64 k = 0; k < flat_bytes(each) / sizeof(Value); k++) {
          Value part = reinterpret_cast<const Value*>(each.bits)[k];
          if (part.tag == FN || has_parts(part)) todo.push_back(part);
        }
    }
    return false;
  }

  bool is_long(Value function) {
    Vm& vm = caller.vm();
    Addr mark = vm.region[vm.side].top, at = alloc<u8>(vm, FORM_LIMIT + 1);
    if (stopped(vm)) return true;
    Text text{vm, at, FORM_LIMIT, 0};
    bool full = !print_form(text, function) || text.full();
    cut_back(vm.region[vm.side], mark);
    return full;
  }
};

// Give a candidate the handle of its state, which is new or known.
inline void merge_one(StateSet& set, Candidate& made, const Value* values, const u64* hashes,
                      const Derivation& made_by) {
  u64 key = set.key(hashes);
  u32 handle = set.find(hashes, key);
  if (handle != NO_STATE) set.shorten(handle, made_by);
  else {
    handle = set.add(values, hashes, key, made_by);
    made.is_new = handle != NO_STATE;
  }
  made.handle = handle == NO_STATE ? NO_ROOM : static_cast<i64>(handle);
}

// Evaluate candidates in order, and call `know` for those whose state is known and `keep` for those with a new one.
// Return how many are done: fewer than `count` if `stop` is set or `keep` returns false.
template <class Know, class Keep>
u64 evaluate_all(const StateSet& set, Worker& worker, const Calls& calls, u64 count, const Budget& budget,
                 Candidate* made, const volatile u32* stop, Know know, Keep keep) {
  Applier applier(set, worker, calls, budget, stop);
  bool goes_on = true;
  u64 k = 0;
  for (; k < count && goes_on && !*stop; k++) {
    if (applier.evaluate(k, made[k])) {
      u32 known = set.find(applier.hashes.data(), set.key(applier.hashes.data()));
      if (known != NO_STATE) {
        made[k].handle = known;
        know(k, known);
      } else if (applier.settle(made[k])) goes_on = keep(k, applier);
    }
    applier.release();
    if (made[k].status == ENDED_TIMED_OUT) break;
  }
  return k;
}

// Merge candidates that are evaluated, in order: keep the shorter ways to make known states, and add new states.
inline void merge(StateSet& set, const Calls& calls, u64 count, Candidate* made, const Evaluated& from) {
  u64 next = 0;
  for (u64 k = 0; k < count; k++) {
    if (made[k].handle >= 0) set.shorten(static_cast<u32>(made[k].handle), calls.derivation(set, k));
    if (next == from.numbers.size() || from.numbers[next] != k) continue;
    u64 at = next++ * set.samples;
    merge_one(set, made[k], from.values.data() + at, from.hashes.data() + at, calls.derivation(set, k));
  }
}

// Evaluate candidates without changing the set, which other threads read too; `merge` does that.
inline u64 evaluate(const StateSet& set, Worker& worker, const Calls& calls, u64 count, const Budget& budget,
                    Candidate* made, Evaluated& to, const volatile u32* stop) {
  to.clear();
  return evaluate_all(
      set, worker, calls, count, budget, made, stop, [](u64, u32) {},
      [&to](u64 k, const Applier& applier) {
        to.numbers.push_back(static_cast<u32>(k));
        for (const Value& each : applier.values) to.values.push_back(to.keeper.keep(each));
        to.hashes.insert(to.hashes.end(), applier.hashes.begin(), applier.hashes.end());
        return to.keeper.bytes < MOST_EVALUATED;
      });
}

// Evaluate and merge candidates on one thread: the same as `evaluate` and `merge`, with fewer copies.
inline u64 apply(StateSet& set, Worker& worker, const Calls& calls, u64 count, const Budget& budget, Candidate* made,
                 const volatile u32* stop) {
  auto shorten = [&](u64 k, u32 known) { set.shorten(known, calls.derivation(set, k)); };
  return evaluate_all(set, worker, calls, count, budget, made, stop, shorten, [&](u64 k, const Applier& applier) {
    merge_one(set, made[k], applier.values.data(), applier.hashes.data(), calls.derivation(set, k));
    return true;
  });
}

}  // namespace batt
