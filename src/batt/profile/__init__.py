"""Where the time of a run goes, by the native engine's own counters."""
