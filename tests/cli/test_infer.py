"""`batt infer`: figures, the deck of variants, and what is refused."""

from __future__ import annotations

import json

import batt as package
from handmade import source
from native_library import needs_library


def test_figures_are_told(batt, deck_file, tasks_file):
    ended = batt("infer", "--deck", deck_file, "--tasks", tasks_file, "--quiet")
    assert ended.code == 0
    assert "1 of 1 solvers, out of 3" in ended.out
    assert "1 are right, 0 of them with others" in ended.out


@needs_library
def test_figures_are_the_same_on_every_engine(batt, deck_file, tasks_file):
    found = []
    for options in (["--engine", "cpu"], ["--engine", "cpu", "--no-share"], ["--engine", "reference"]):
        ended = batt("infer", "--deck", deck_file, "--tasks", tasks_file, "--json", *options)
        found.append(json.loads(ended.out))
    assert found[0] == found[1] == found[2]
    assert found[0]["variants"] == found[0]["same_on_own_task"] == found[0]["correct_on_own_task"] == 1


def test_variants_are_written_as_a_deck(batt, deck_file, tasks_file, tmp_path):
    target = tmp_path / "inferred.py"
    ended = batt("infer", "--deck", deck_file, "--tasks", tasks_file, "-f", target)
    assert (ended.code, ended.out) == (0, "")
    assert package.load_deck(target).names == ("solve_mirror_vmirrormr",)


def test_nothing_is_written_where_there_is_no_variant(refused, tasks_file, tmp_path):
    plain = tmp_path / "plain.py"
    plain.write_text(source("solve_mirror", "x = size(I)"))
    told = refused("infer", "--deck", plain, "--tasks", tasks_file, "-f", tmp_path / "inferred.py")
    assert "no solver has a variant" in told


def test_a_target_that_cannot_be_written_is_refused(refused, deck_file, tasks_file, tmp_path):
    told = refused("infer", "--deck", deck_file, "--tasks", tasks_file, "-f", tmp_path / "none" / "x.py")
    assert "is not a folder" in told
    told = refused("infer", "--deck", deck_file, "--tasks", tasks_file, "-f", tmp_path / "batt.py")
    assert "would hide the module 'batt'; try my_batt.py" in told
