"""Typed expressions: values of all kinds that ops make of given ones, the likely calls first."""
