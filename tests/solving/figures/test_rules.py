from types import SimpleNamespace

import numpy as np

from batt.solving.figures.rules import RuleLeaf, RuleLearner, RuleSplit, rule_parts, rule_size
from batt.solving.work import Work


class Problem:
    """Four figures of one cell each; an option for each colour 1 and 2, and a test that tells them apart."""

    def __init__(self, changes):
        self.table = SimpleNamespace(sample_of=np.array([0, 0, 1, 1]))
        self.shown = self.shown_cells = 4
        self.sample_of_cell = self.table.sample_of
        self.changes = np.array(changes, bool)
        self.right = np.array([[True, False, True, False], [False, True, False, True]])
        self.gain = self.right.astype(np.float32) * self.changes
        self.options = [SimpleNamespace(size=2, number=0), SimpleNamespace(size=2, number=1)]
        self.tests = [SimpleNamespace(size=2)]
        self.masks = np.array([[True, False, True, False]])
        self.work = Work(10**9)

    def painted(self, option, figures):
        return figures


def test_a_test_splits_figures_that_need_different_options():
    rules = list(RuleLearner(Problem([1, 1, 1, 1]), [0, 1]).fit())
    assert rules == [RuleSplit(0, RuleLeaf((0,)), RuleLeaf((1,)))]


def test_a_side_without_changes_has_no_options():
    assert list(RuleLearner(Problem([1, 0, 1, 0]), [0, 1]).fit()) == [RuleSplit(0, RuleLeaf((0,)), RuleLeaf(()))]


def test_only_the_chosen_demonstrations_count():
    problem = Problem([1, 1, 1, 1])
    problem.right[1, 3] = False
    assert list(RuleLearner(problem, [0, 1]).fit()) == []
    assert len(list(RuleLearner(problem, [0]).fit())) == 1


def test_the_size_of_a_rule_counts_tests_and_options():
    assert rule_size(RuleSplit(0, RuleLeaf((0, 1)), RuleLeaf((1,))), Problem([1, 1, 1, 1])) == 8


def test_the_parts_of_a_rule_are_its_leaves_with_their_figures():
    problem = Problem([1, 1, 1, 1])
    rule = RuleSplit(0, RuleLeaf((0,)), RuleLeaf(()))
    parts = [(options, figures.tolist()) for options, figures in rule_parts(rule, problem.masks, np.ones(4, bool))]
    assert parts == [((0,), [True, False, True, False]), ((), [False, True, False, True])]
