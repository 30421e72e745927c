"""Manifests resolve to the evaluations they were made of, and tell where they do not."""

from __future__ import annotations

import gzip
import json
from importlib import resources
from typing import Any

import numpy as np
import pytest

import handmade
import manifests
from batt.bench import cases, rearc
from batt.bench.cases import (
    CASES,
    Spec,
    check_source,
    hash_of,
    limited,
    pairs_of,
    read_manifest,
    resolve,
    round_of,
    specs_named,
    spread,
)
from batt.errors import DataError, UsageError
from native_library import needs_library

needs_rearc = pytest.mark.skipif(not rearc.is_installed(), reason="reasoning_gym is not installed")

SIZES = {
    "prototype": 4 * 1_718,
    "prototype-many/100 times": 100 * 4 * 1_718,
    "prototype-many/2,500 times": 2_500 * 4 * 1_718,
    "first-132": 132 * 1_718,
    "re-arc": 1_718 + 400 * manifests.FOREIGN,
    "re-arc-all/all": 400 * 1_718,
    "re-arc-all/lowest 95 %": int(0.95 * 400 * 1_718),
}


def small() -> tuple[Any, Any]:
    deck = handmade.deck(solve_a=handmade.MIRROR, solve_b=handmade.SAME)
    return deck, tuple([handmade.sample(index=index) for index in range(5)])


@needs_rearc
@pytest.mark.parametrize("name", CASES)
def test_every_part_resolves_and_its_hash_holds(name: str):
    for spec in specs_named([name]):
        case = resolve(spec)
        assert len(case) == case.whole == SIZES.get(spec.name, len(case))
        if name != "prototype-many":
            assert len(set(zip(*[column.tolist() for column in case.pairs], strict=True))) == len(case)
        assert case.pairs[0].max() < len(case.deck)
        assert case.pairs[1].max() == len(case.samples) - 1


def test_the_sizes_are_those_that_were_promised():
    parts = {part["name"]: part["evaluations"] for part in read_manifest("sizes")["parts"]}
    assert [parts[f"{count} samples"] for count in (3, 10, 50, 200)] == [132 * count for count in (3, 10, 50, 200)]
    assert {"10 tasks", "50 tasks", "200 tasks", "small batch", "medium batch", "large batch"} <= parts.keys()


def test_a_case_keeps_the_name_it_is_called_by_and_the_former_name_means_the_same_evaluations():
    now, formerly = [resolve(*specs_named([name], limit=300)) for name in ("first-132", "built-in")]
    assert (now.spec.name, formerly.spec.name) == ("first-132", "built-in")
    assert (now.deck, now.samples, len(now)) == (formerly.deck, formerly.samples, len(formerly))
    assert "built-in" not in [name for name, *_ in cases.listing()]


@needs_rearc
def test_each_verifier_meets_its_own_task_and_others():
    case = resolve(Spec("re-arc"))
    own = np.array([case.samples[at].task in case.deck[solver].name
                    for solver, at in zip(*[column.tolist() for column in case.pairs], strict=True)])  # fmt: skip
    assert len(case) >= 20_000
    assert own.sum() == 1_718
    assert set(np.bincount(case.pairs[0][~own])) == {manifests.FOREIGN}


@pytest.mark.parametrize("name", ["prototype", "prototype-many", "sizes", "first-132"])
def test_making_a_manifest_anew_gives_the_committed_one(name: str):
    assert json.loads(json.dumps(manifests.make(name))) == read_manifest(name)


@needs_rearc
def test_the_draw_is_that_of_the_seed():
    assert json.loads(json.dumps(manifests.make("re-arc"))) == read_manifest("re-arc")


@needs_library
def test_the_cut_of_re_arc_all_leaves_out_the_evaluations_of_most_steps(monkeypatch: pytest.MonkeyPatch):
    deck, samples = small()
    samples = (*samples, handmade.sample(((1, 2), (3, 4)), index=5))
    monkeypatch.setattr(manifests, "deck_of", lambda named: deck)
    monkeypatch.setattr(manifests, "samples_of", lambda tasks: samples)
    parts = {part["name"]: part for part in manifests.make("re-arc-all")["parts"]}
    assert {name: part["evaluations"] for name, part in parts.items()} == {"all": 12, "lowest 95 %": 11}
    kept = round_of(parts["lowest 95 %"]["kept"], 2, 6)
    every = [(solver, at) for solver in range(2) for at in range(6)]
    assert list(zip(*[column.tolist() for column in kept], strict=True)) == [each for each in every if each != (0, 5)]


@pytest.mark.parametrize("name", CASES)
def test_a_manifest_is_a_small_file_with_the_same_bytes_every_time(name: str):
    data = (resources.files("batt.bench") / "manifests" / f"{name}.json.gz").read_bytes()
    assert len(data) < 100_000
    assert gzip.decompress(manifests.manifest_bytes(read_manifest(name))) == gzip.decompress(data)


def made(deck: Any, samples: Any, picks: dict[str, Any], times: tuple[int, ...] = (1,)) -> dict[str, Any]:
    return manifests.manifest_of("case", "title", {"name": "small"}, deck, samples, picks, times)


def test_a_changed_deck_is_refused():
    deck, samples = small()
    manifest = made(deck, samples, {"": None})
    check_source(manifest, deck, samples)
    with pytest.raises(DataError, match="the deck small changed; make the manifests again"):
        check_source(manifest, handmade.deck(solve_a=handmade.MIRROR, solve_b=handmade.RAISES), samples)
    with pytest.raises(DataError, match="the tasks arc1-training changed"):
        check_source(manifest, deck, (*samples[:-1], handmade.sample(((7,),), index=4)))


def test_other_evaluations_than_those_of_the_hash_are_refused():
    deck, samples = small()
    mask, other = np.arange(10) % 3 == 0, np.arange(10) % 3 == 1
    manifest = made(deck, samples, {"": mask})
    (part,) = manifest["parts"]
    assert [each.tolist() for each in pairs_of(manifest, part, deck, samples)] == [[0, 0, 1, 1], [0, 3, 1, 4]]
    for planted in ({"kept": manifests.pack_mask(other)}, {"kept": None}, {"times": 2}):
        with pytest.raises(DataError, match="not those of the manifest's hash"):
            pairs_of(manifest, {**part, **planted}, deck, samples)


def test_the_hash_of_what_is_repeated_holds_the_number_of_rounds():
    deck, samples = small()
    manifest = made(deck, samples, {"2": None, "3": None}, (2, 3))
    two, three = manifest["parts"]
    assert (two["evaluations"], three["evaluations"]) == (20, 30)
    assert two["hash"] != three["hash"]
    rounds = pairs_of(manifest, three, deck, samples)
    assert [column.tolist() for column in rounds] == [[*[0] * 5, *[1] * 5] * 3, [*range(5)] * 6]
    with pytest.raises(DataError, match="not those of the manifest's hash"):
        pairs_of(manifest, {**three, "times": 2, "evaluations": 20}, deck, samples)


def test_a_limit_keeps_whole_samples_where_it_can():
    pairs = round_of(None, 2, 5)
    assert [column.tolist() for column in limited(pairs, 5)] == [[0, 0, 1, 1], [0, 2, 0, 2]]
    assert [column.tolist() for column in limited(pairs, 1)] == [[0], [0]]
    assert limited(pairs, 99) is pairs


def test_a_spread_goes_over_all_evaluations():
    pairs = round_of(None, 2, 5)
    assert [column.tolist() for column in spread(pairs, 4)] == [[0, 0, 1, 1], [0, 2, 0, 2]]
    assert spread(pairs, 99) is pairs
    deck, samples = small()
    assert hash_of(deck, samples, pairs, 1) != hash_of(deck, samples, spread(pairs, 9), 1)


def test_without_rearc_a_case_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rearc, "_found", lambda: None)
    assert "re-arc is not installed" in (cases.why_skipped(Spec("re-arc")) or "")
    assert cases.why_skipped(Spec("built-in")) is None
    with pytest.raises(UsageError, match="reasoning_gym is not installed"):
        rearc.folder()


@pytest.mark.parametrize(
    ("name", "message"),
    [("nothing", "no case 'nothing'; there are: prototype"), ("sizes/7 samples", "no part '7 samples' of sizes")],
)
def test_an_unknown_case_is_refused(name: str, message: str):
    with pytest.raises(UsageError, match=message):
        specs_named([name])
