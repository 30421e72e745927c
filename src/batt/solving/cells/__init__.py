"""Learners over cells: copy trees and tables, with features, counts and sizes that they read."""
