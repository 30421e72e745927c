"""Passes: functions from graph to graph. None knows a device or a source text."""
