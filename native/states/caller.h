// Single calls of ops and programs on the machine of a worker. Host only.
#pragma once
#include "keeper.h"

namespace batt {

// Calls with the same budget. Values stay in the worker's memory until `release`.
class Caller {
 public:
  Caller(Worker& worker, const LoadedProgram& program, const Budget& given, const volatile u32* stop)
      : w(worker), m(worker.m), budget(given) {
    w.begin(program, given, stop);
  }

  Vm& vm() { return m.vm; }

  // Make the machine ready for the next call.
  void begin() {
    begin_budget(m.vm, budget);
    m.frame_count = m.value_count = m.calls = 0;
    m.vm.status = RUNNING;
    m.vm.error = m.vm.cause = 0;
    m.next = DELIVER;
    if (*m.vm.stop) stop_with(m.vm, STOPPED);
  }

  // Call an op with OP_ARITY arguments.
  Value call(u32 op, Value* a) {
    begin();
    if (OP_KIND[op] == KERNEL) return ended(call_kernel_on(m.vm, op, reinterpret_cast<Addr>(a)));
    call_loop(m, op, a);
    while (advance_or_split(m)) {}
    return ended(stopped(m.vm) ? none() : m.value);
  }

  // Run a routine of a slice with `count` values: S, I and parameters. The others are None.
  Value run(u32 routine, const Value* given, u32 count) {
    begin();
    std::copy(given, given + 2, m.inputs);
    std::copy(given + 2, given + count, parameters);
    m.parameters = reinterpret_cast<Addr>(parameters);
    return ended(execute(m, routine));
  }

  u64 steps() const {
    i64 left = m.vm.status == OVER_BUDGET ? 0 : larger<i64>(m.vm.steps_left, 0);
    return static_cast<u64>(budget.steps - left);
  }

  // Free the values of all calls since the last release.
  void release() {
    w.release(0);
    if (heaviest > static_cast<u64>(w.memory.trim_steps)) w.trim();
    heaviest = 0;
  }

 private:
  Worker& w;
  Machine& m;
  const Budget budget;
  u64 heaviest = 0;
  Value parameters[MAX_PARAMETERS] = {};

  Value ended(Value made) {
    limit_weight(m.vm, made, budget.max_items);
    heaviest = larger(heaviest, steps());
    return made;
  }
};

}  // namespace batt
