"""Passes over graphs. Each is a function that makes a new graph; none knows a device or a source text."""
