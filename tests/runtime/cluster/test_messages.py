"""What travels: blocks and replies come back as they were, and what does not belong together is refused."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bytecode.abi import Cause
from batt.runtime.cluster.messages import DONE, UNDONE, BlockReply, Load, Malformed, Order
from batt.runtime.evaluations import Block
from batt.runtime.records import unfilled

LOAD = Load("deck", "samples", {})


def reply(states: list[int], outputs: bool = False) -> BlockReply:
    done = states.count(DONE)
    records = unfilled(done)
    records["hash"] = np.arange(done, dtype=np.uint64) + np.uint64(2**63)
    sizes = np.arange(done, dtype=np.uint32) if outputs else None
    return BlockReply(
        False, 1.5, np.array(states, np.uint8), records, np.arange(done) * 2**40, sizes,
        bytes(int(sizes.sum())) if sizes is not None else b"",
    )  # fmt: skip


def test_a_block_comes_back_as_it_was_and_is_small():
    solvers, samples = np.divmod(np.arange(100_000)[::-1], 132)
    order = Order.of(LOAD, Block(np.arange(100_000), solvers, samples), False, 4)
    assert [each.tolist() for each in order.pairs] == [solvers.tolist(), samples.tolist()]
    assert len(order.columns) < 10_000


@pytest.mark.parametrize("outputs", [False, True])
def test_a_reply_comes_back_as_it_was(outputs: bool):
    sent = reply([DONE, Cause.WIDE_INT, DONE, UNDONE, DONE], outputs)
    found = BlockReply.unpacked(sent.packed(), 5)
    assert (found.is_reference, found.wall_s, found.outputs) == (False, 1.5, sent.outputs)
    assert found.records.tobytes() == sent.records.tobytes()
    assert found.steps.tolist() == sent.steps.tolist()
    assert found.done.tolist() == [True, False, True, False, True]
    deferred = found.deferred(Block(*[np.arange(5) * 10] * 3))
    assert {cause: block.numbers.tolist() for cause, block in deferred.items()} == {Cause.WIDE_INT: [10]}
    assert (found.packed_outputs is None) != outputs


def test_a_reply_that_does_not_belong_to_its_block_is_malformed():
    whole = reply([DONE, DONE]).packed()
    with pytest.raises(Malformed, match="2 evaluations instead of 3"):
        BlockReply.unpacked(whole, 3)
    for data in (b"", b"junk", whole[:-3], whole[3:]):
        with pytest.raises(Malformed):
            BlockReply.unpacked(data, 2)
    lacking = reply([DONE, DONE], outputs=True)
    object.__setattr__(lacking, "outputs", b"")
    with pytest.raises(Malformed, match="outputs that do not belong"):
        BlockReply.unpacked(lacking.packed(), 2)
