from __future__ import annotations

import http.client
import json
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from batt.errors import UsageError
from batt.page import events
from batt.page import server as server_module
from batt.page.assets import SCRIPTS, STYLES
from batt.page.server import PageServer, names_of
from batt.page.sources import StoredSource
from page.conftest import HOSTILE


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[PageServer]:
    made = PageServer(StoredSource(folder)).start()
    yield made
    made.close()


def ask(server: PageServer, path: str = "", method: str = "GET", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """The answer to a request for a path below the token."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, f"/{server.token}/{path}", headers=given)
        answer = connection.getresponse()
        return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


def test_only_this_machine_reaches_the_page(server: PageServer):
    assert server.host == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.port}/{server.token}/"
    assert len(server.token) >= 20


def test_the_page_and_its_files_are_served(server: PageServer):
    status, body, headers = ask(server)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<script src=" in body
    assert {ask(server, f"assets/{name}")[0] for name in (*SCRIPTS, *STYLES)} == {200}


def test_the_overview_and_tasks_are_plain_data(server: PageServer):
    status, body, headers = ask(server, "overview")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body)["figures"]["correct"] == 2
    assert HOSTILE in json.loads(body)["matrix"]["solvers"]
    assert json.loads(ask(server, "task/1")[1])["id"] == "trap"
    assert {"rows", "note"} <= json.loads(ask(server, "ops")[1]).keys()


def test_events_come_as_a_stream(server: PageServer):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        request = f"GET /{server.token}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        client.sendall(request.encode())
        received = b""
        while b"\r\n\r\n" not in received.partition(b"data: ")[2]:
            received += client.recv(65536)
    assert b"content-type: text/event-stream" in received
    event = json.loads(received.partition(b"data: ")[2].partition(b"\r\n")[0])
    assert (event["state"], event["figures"]["done"], event["figures"]["tiers"]) == ("finished", 28, {"reference": 28})


def test_every_answer_forbids_what_the_page_does_not_need(server: PageServer):
    for path in ("", "assets/page.js", "overview", "nothing"):
        headers = ask(server, path)[2]
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
def test_other_methods_are_refused(server: PageServer, method: str):
    status, _, headers = ask(server, method=method)
    assert (status, headers["allow"]) == (405, "GET")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "evil.example:{port}", "127.0.0.1.evil.example:{port}"])
def test_other_hosts_are_refused(server: PageServer, host: str):
    assert ask(server, Host=host.format(port=server.port))[0] == 421


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}"])
def test_this_machine_has_two_names(server: PageServer, host: str):
    assert ask(server, Host=host.format(port=server.port))[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_other_origins_are_refused(server: PageServer, origin: str):
    assert ask(server, "overview", Origin=origin.format(port=server.port))[0] == 403


def test_the_own_origin_is_served(server: PageServer):
    own = f"http://127.0.0.1:{server.port}"
    assert ask(server, "overview", Origin=own, Sec_Fetch_Site="same-origin")[0] == 200


def test_pages_of_others_cannot_read_it_but_link_to_it(server: PageServer):
    fetched = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "script"}
    visited = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    framed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}
    assert [ask(server, **headers)[0] for headers in (fetched, visited, framed)] == [403, 200, 403]


def test_a_server_at_every_address_knows_its_names():
    assert names_of("host.example") == {"host.example"}
    assert {"localhost", "127.0.0.1", socket.gethostname()} <= names_of("0.0.0.0")


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/overview", "/{token}x/", "/favicon.ico"])
def test_without_the_token_there_is_nothing(server: PageServer, path: str):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", path.format(token=server.token))
    assert connection.getresponse().status == 404
    connection.close()


@pytest.mark.parametrize("path", ["assets/../server.py", "assets/page.html", "task/99", "task/-1", "nothing"])
def test_what_is_not_of_the_page_is_not_served(server: PageServer, path: str):
    assert ask(server, path)[0] == 404


def test_it_survives_a_thousand_parallel_requests(server: PageServer):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4_096)), hard))
    with ExitStack() as opened:
        opened.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        clients = [
            opened.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60)) for _ in range(1_000)
        ]
        for number, client in enumerate(clients):
            path = f"/{server.token}/{('', 'overview', 'task/0')[number % 3]}"
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        assert {client.recv(15) for client in clients} == {b"HTTP/1.1 200 OK"}
    assert ask(server)[0] == 200


def test_a_client_that_never_reads_is_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server_module, "SEND_TIMEOUT_S", 0.5)
    monkeypatch.setattr(server_module, "EVERY_S", 0.1)
    monkeypatch.setattr(events, "FRESH_S", 0.0)
    source = StoredSource(folder)
    event, number = source.event(), count()
    # Events so large that they soon fill what the system keeps for the client.
    monkeypatch.setattr(source, "event", lambda: event | {"log": [[str(next(number)), "x" * 1_000_000]]})
    server = PageServer(source).start()
    try:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(f"GET /{server.token}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            waited = [_until(lambda: server.streams == 1), _until(lambda: server.streams == 0)]
            assert waited == [True, True]
            assert ask(server)[0] == 200
    finally:
        server.close()


def test_an_event_like_the_last_one_is_not_sent(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server_module, "EVERY_S", 0.01)
    monkeypatch.setattr(events, "FRESH_S", 0.0)
    made: list[int] = []
    source = StoredSource(folder)
    event = source.event()
    monkeypatch.setattr(source, "event", lambda: made.append(0) or event)
    server = PageServer(source).start()
    found: list[bytes] = []
    client = threading.Thread(target=lambda: found.append(ask(server, "events")[1]))
    client.start()
    assert _until(lambda: len(made) > 3)
    server.close()
    client.join(30)
    # The first and the last one.
    assert found[0].count(b"data: ") == 2


def test_many_streams_are_refused(server: PageServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server_module, "MOST_STREAMS", 0)
    assert ask(server, "events")[0] == 503


def test_closing_ends_the_streams_with_a_last_event(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server_module, "EVERY_S", 0.1)
    server = PageServer(StoredSource(folder)).start()
    found: list[bytes] = []
    client = threading.Thread(target=lambda: found.append(ask(server, "events")[1]))
    client.start()
    assert _until(lambda: server.streams == 1)
    server.close()
    client.join(30)
    (body,) = found
    assert b'"is_last":true' in body
    with pytest.raises(OSError, match="refused"):
        ask(server)


def test_a_port_in_use_is_the_users_mistake(server: PageServer, folder: Path):
    with pytest.raises(UsageError, match=f"127.0.0.1:{server.port}: cannot be served: "):
        PageServer(StoredSource(folder), port=server.port)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, folder: Path):
    monkeypatch.setattr(server_module, "uvicorn", None)
    with pytest.raises(UsageError, match=r"pip install '\.\[page\]'"):
        PageServer(StoredSource(folder))


def _until(holds: Callable[[], bool], patience_s: float = 30.0) -> bool:
    """Wait until something holds; False if it never does."""
    end_s = time.monotonic() + patience_s
    while time.monotonic() < end_s:
        if holds():
            return True
        time.sleep(0.02)
    return False
