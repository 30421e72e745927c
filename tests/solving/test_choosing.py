from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.choosing import FAMILIES, belief, choose
from batt.solving.expressions import INPUT

ONE, TWO, THREE = ((1,),), ((2,),), ((3,),)


def candidate(layer, output, size=3, held_out=None):
    return SearchCandidate(layer, INPUT, (output,), size, held_out)


def test_held_out_success_is_worth_more_than_a_short_tree():
    held, short = candidate(Layer.TREE, ONE, 6, True), candidate(Layer.TREE, TWO, 2, False)
    assert belief(held) > belief(short)
    assert [each.grid for each in choose([short, held], 0)] == [ONE, TWO]


def test_layers_that_agree_support_one_another():
    alone = choose([candidate(Layer.TABLE, ONE)], 0)[0]
    both = choose([candidate(Layer.TABLE, ONE), candidate(Layer.TREE, ONE, 4)], 0)[0]
    assert both.sure > alone.sure


def test_the_second_answer_comes_from_another_family_if_there_is_one():
    trees = [candidate(Layer.TREE, ONE, 2, False), candidate(Layer.TREE, TWO, 4, False)]
    found = choose([*trees, candidate(Layer.PAIR, THREE, 5)], 0)
    assert [each.grid for each in found] == [ONE, THREE, TWO]


def test_a_candidate_without_an_output_for_a_test_input_is_no_answer():
    assert choose([candidate(Layer.TREE, None)], 0) == []


def test_every_layer_belongs_to_one_family():
    assert sorted([layer.name for family in FAMILIES for layer in family]) == sorted(Layer.__members__)
