"""Submissions in Kaggle's form: two attempts for every test input, chosen by the demonstrations alone."""

from batt.submit.attempts import Why
from batt.submit.checking import Checked, check_submission
from batt.submit.live import SubmissionFile
from batt.submit.making import submission

__all__ = ["Checked", "SubmissionFile", "Why", "check_submission", "submission"]
