"""Dealing many solvers into one file: which, their shared steps, and how they are written."""
