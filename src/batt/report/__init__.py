"""What a person is shown of a run."""

from batt.report.summary import summary, summary_table

__all__ = ["summary", "summary_table"]
