"""Summaries of runs for people."""

from batt.report.summary import summary, summary_table

__all__ = ["summary", "summary_table"]
