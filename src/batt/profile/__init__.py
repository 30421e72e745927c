"""Profile a run with the counters of native code."""
