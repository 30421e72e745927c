import json


def test_solve_prints_answers_and_writes_a_valid_submission(batt, deck_file, tasks_file, tmp_path):
    submission = tmp_path / "submission.json"
    ended = batt(
        "solve", tasks_file, "--deck", deck_file, "--effort", 10**8, "--workers", 1, "--submission", submission
    )
    assert ended.code == 0, ended.err
    assert "with an answer" in ended.out
    assert batt("submit", "--check", submission, "--tasks", tasks_file).code == 0


def test_a_search_that_is_resumed_has_the_same_answers(batt, deck_file, tasks_file, tmp_path):
    out = tmp_path / "solved"
    options = ("--deck", deck_file, "--effort", 10**8, "--workers", 1)
    whole = batt("solve", tasks_file, *options, "--json")
    assert batt("solve", tasks_file, *options, "--out", out).code == 0
    path = out / "solutions.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    again = batt("solve", "--resume", out, "--workers", 1, "--json")
    assert again.code == 0, again.err
    assert [json.loads(line) for line in again.out.splitlines()] == [
        json.loads(line) for line in whole.out.splitlines()
    ]


def test_resuming_refuses_other_options(batt, tmp_path):
    ended = batt("solve", "arc1-training", "--resume", tmp_path)
    assert ended.code == 2
    assert "leave out tasks" in ended.err
