"""The reference tier: plain Python in worker processes. It defines every outcome.

A worker imports only what it needs, so this module imports nothing.
"""
