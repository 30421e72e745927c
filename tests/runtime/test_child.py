"""Messages between a process and its children."""

from __future__ import annotations

from io import BytesIO

import pytest

from batt.runtime.child import receive, send
from batt.runtime.reference.worker import Evaluate, Reply
from handmade import MIRROR, program, sample


def test_messages_come_as_they_were_sent_and_in_order():
    stream = BytesIO()
    messages = [None, Evaluate({0: program(*MIRROR)}, [(0, 0)]), Reply(b"\0\n", (7,)), sample()]
    for message in messages:
        send(stream, message)
    stream.seek(0)
    assert [receive(stream) for _ in messages] == messages
    with pytest.raises(EOFError):
        receive(stream)


@pytest.mark.parametrize("kept", [1, 7, 8, 9, -1])
def test_a_message_cut_short_is_the_end(kept: int):
    stream = BytesIO()
    send(stream, "a message")
    with pytest.raises(EOFError):
        receive(BytesIO(stream.getvalue()[:kept]))
