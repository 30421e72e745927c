"""Weights of evidence are fitted to records: what is right more often counts more, and certainty is calibrated."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from batt.solving import Layer
from batt.solving.answers.choosing import EvidenceWeights, Vote, fitted_weights
from evidence import TARGET, Model, cross_validated, main, read_record, solved

TRUE_SHARES = {"TREE": 0.9, "PAIR": 0.2}


def lines(count: int = 200) -> list[list[dict[str, object]]]:
    """Records of two layers, one of which is right far more often."""
    rnd = random.Random(1)
    made = []
    for number in range(count):
        layer = ("TREE", "PAIR")[number % 2]
        is_right = rnd.random() < TRUE_SHARES[layer]
        made.append([{"right": is_right, "votes": [[layer, 8, None, 0]], "programs": 1, "broken": {}}])
    return made


@pytest.fixture(scope="module")
def records():
    return [read_record(line) for line in lines()]


def test_what_is_right_more_often_counts_more(records):
    model = Model(records)
    weights = model.weights(model.fit(records))
    assert weights.of_vote(Vote(Layer.TREE, 8)) > 1.5 > -0.5 > weights.of_vote(Vote(Layer.PAIR, 8))


def test_certainty_is_calibrated_on_other_tasks(records):
    for given, right, expected in cross_validated(records).values():
        assert abs(right - expected) <= max(5, 0.15 * given)


def test_solved_counts_right_answers(records):
    right = sum(record.right is not None for record in records)
    assert solved(records, EvidenceWeights()) == right


def test_the_script_prints_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "records.jsonl"
    path.write_text("".join([json.dumps(line) + "\n" for line in lines(20)]))
    assert main([str(path)]) == 0
    assert "20 test inputs" in capsys.readouterr().out


def test_weights_are_written_where_a_search_reads_them():
    assert TARGET.is_file()
    assert json.loads(TARGET.read_text("utf-8"))["kinds"] == dict(fitted_weights().kinds)
