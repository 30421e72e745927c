import pytest

from batt.solving.answers.choosing import (
    LAYERS,
    EvidenceWeights,
    choose,
    evidence_of,
    fitted_weights,
    probabilities,
    vote_of,
)
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import INPUT

ONE, TWO, THREE = ((1,),), ((2,),), ((3,),)
GUESSED = EvidenceWeights()


def candidate(layer, output, size=3, held_out=None, missed=0):
    return SearchCandidate(layer, INPUT, (output,), size, held_out, missed)


def odds(*args, **named):
    return GUESSED.of_vote(vote_of(candidate(*args, **named)))


@pytest.mark.parametrize("layer", Layer)
def test_every_layer_has_a_row(layer):
    assert 0 < LAYERS[layer].guess < 1


@pytest.mark.parametrize("weights", [GUESSED, fitted_weights()], ids=["guessed", "fitted"])
def test_held_out_success_is_worth_more_than_a_short_tree(weights):
    held, short = candidate(Layer.TREE, ONE, 6, True), candidate(Layer.TREE, TWO, 2, False)
    assert [each.grid for each in choose([short, held], 0, weights=weights)] == [ONE, TWO]


def test_short_programs_are_likelier_than_long_ones_and_near_misses_are_unlikely():
    assert odds(Layer.DECK, ONE, 2) > odds(Layer.DECK, ONE, 20) > odds(Layer.DECK, ONE, 2, missed=1)


def test_families_that_agree_support_one_another():
    alone = choose([candidate(Layer.TABLE, ONE)], 0, weights=GUESSED)[0]
    both = choose([candidate(Layer.TABLE, ONE), candidate(Layer.TREE, ONE, 4)], 0, weights=GUESSED)[0]
    assert both.sure > alone.sure


def test_answers_that_disagree_make_each_less_sure():
    alone = choose([candidate(Layer.TREE, ONE)], 0, weights=GUESSED)[0]
    first, second = choose([candidate(Layer.TREE, ONE), candidate(Layer.TREE, TWO)], 0, weights=GUESSED)
    assert first.sure < alone.sure
    assert first.sure + second.sure < 1


def test_the_second_answer_comes_from_another_family_if_there_is_one():
    trees = [candidate(Layer.TREE, ONE, 2), candidate(Layer.TREE, TWO, 3)]
    found = choose([*trees, candidate(Layer.PAIR, THREE, 3)], 0, weights=EvidenceWeights(same_family=0.1))
    assert [each.grid for each in found] == [ONE, THREE, TWO]


def test_a_candidate_without_an_output_for_a_test_input_is_no_answer():
    assert choose([candidate(Layer.TREE, None)], 0) == []


def test_evidence_has_the_best_vote_of_each_layer():
    votes = [
        vote_of(candidate(layer, ONE, size)) for layer, size in ((Layer.TREE, 2), (Layer.DECK, 3), (Layer.TREE, 5))
    ]
    told = evidence_of(votes)
    assert [(vote.layer, vote.size) for vote in told.votes] == [(Layer.TREE, 2), (Layer.DECK, 3)]
    assert told.programs == 3


def test_the_kind_of_evidence_names_layer_and_held_out_success():
    kinds = [vote_of(candidate(Layer.TREE, ONE, 2, held, missed)).kind for held, missed in ((True, 0), (None, 1))]
    assert kinds == ["tree+", "tree~"]


def test_at_most_one_answer_is_right():
    assert sum(probabilities([3.0, 2.0, 1.0])) < 1
