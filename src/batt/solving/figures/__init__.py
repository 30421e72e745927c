"""Learners over figures: rules that edit, list or pick the figures of a grid."""
