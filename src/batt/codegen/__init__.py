"""Code generation: from programs and graphs to bytecode. Knows no device and no source text."""
