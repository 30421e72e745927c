"""Searching for cliffs: calls that take many times longer a step with one size, shape or form of value than another."""
