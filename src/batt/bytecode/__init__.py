"""Bytecode: what native engines run. Owns its layout, numbers and checks; knows no device and no source text."""
