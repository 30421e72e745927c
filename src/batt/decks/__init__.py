"""The built-in deck: solvers for ARC-1 training tasks, written for batt. Read as data, like any other deck."""
