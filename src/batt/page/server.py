"""Serve the live page: GET only, to who knows the token, under the page's own address alone.

Starlette and uvicorn speak HTTP, sse-starlette the stream of events; it drops a client that never reads.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from html import escape
from typing import Any

from batt.errors import UsageError
from batt.page.assets import SCRIPTS, STYLES, asset
from batt.page.document import filled
from batt.page.events import EVERY_S, EventTexts
from batt.page.guard import POLICY, Guard
from batt.page.sources import PageSource

try:
    import psutil
    import uvicorn
    from sse_starlette import EventSourceResponse
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route
except ImportError:
    uvicorn = None

POLL_S = 0.1
MOST_STREAMS = 32
MOST_CONNECTIONS = 2_048
SEND_TIMEOUT_S = 10
CLOSE_S = 8.0
"""How long the server waits for open pages when it ends."""
EVERY_ADDRESS = ("0.0.0.0", "::")
FAMILIES = (socket.AF_INET, socket.AF_INET6)
KINDS = {"js": "text/javascript", "css": "text/css"}


def check_installed() -> None:
    """Raise UsageError if what serves pages is not installed."""
    if uvicorn is None:
        raise UsageError("the live page needs more packages; install batt with its extra page: pip install '.[page]'")


class PageServer:
    """Serves the page of a run in a thread of its own, from `start` to `close`. Port 0 is any free port."""

    def __init__(self, source: PageSource, host: str = "127.0.0.1", port: int = 0) -> None:
        check_installed()
        self.source = source
        self.events = EventTexts(source)
        self.token = secrets.token_urlsafe(18)
        self.streams = self.answers = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = asyncio.Event()
        try:
            self._socket = socket.create_server((host, port), backlog=1_024, family=_family(host))
        except OSError as error:
            raise UsageError(f"{host}:{port}: cannot be served: {error.strerror or error}") from None
        self.host, self.port = host, int(self._socket.getsockname()[1])
        app = Guard(Starlette(routes=self._routes()), self.token, self.names)
        config = uvicorn.Config(
            app, log_config=None, access_log=False, lifespan="off", limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=5, timeout_graceful_shutdown=1, server_header=False,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="batt-page", daemon=True)

    @property
    def names(self) -> frozenset[str]:
        """Return the hosts by which a browser may ask for the page, with the port."""
        hosts = {_in_url(host) for host in names_of(self.host)}
        return frozenset([f"{host}:{self.port}" for host in hosts] + [*hosts] * (self.port == 80))

    @property
    def address(self) -> str:
        """Return the address of the page, with its token."""
        host = socket.gethostname() if self.host in EVERY_ADDRESS else self.host
        return f"http://{_in_url(host)}:{self.port}/{self.token}/"

    def start(self) -> PageServer:
        """Begin to serve."""
        self._thread.start()
        return self

    def close(self) -> None:
        """End the server. Open pages first get the state of now, what they ask for then, and the last event."""
        until_s = time.monotonic() + CLOSE_S
        if self.streams:
            time.sleep(EVERY_S + 3 * POLL_S)
            self._wait(lambda: not self.answers, until_s)
        if self._loop is not None and self.streams:
            self._loop.call_soon_threadsafe(self._closing.set)
        self._wait(lambda: not self.streams, until_s)
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(5)
        self._socket.close()
        self.source.close()

    @staticmethod
    def _wait(is_done: Callable[[], bool], until_s: float) -> None:
        while not is_done() and time.monotonic() < until_s:
            time.sleep(POLL_S)

    def _serve(self) -> None:
        asyncio.run(self._served())

    async def _served(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[self._socket])

    def _routes(self) -> list[Route]:
        return [
            Route("/", self._page),
            Route("/assets/{name:path}", self._asset),
            Route("/overview", self._overview),
            Route("/ops", self._ops),
            Route("/task/{at:int}", self._task),
            Route("/events", self._events),
        ]

    async def _page(self, request: Request) -> Response:
        styles = [f'<link rel="stylesheet" href="assets/{name}">' for name in STYLES]
        scripts = [f'<script src="assets/{name}"></script>' for name in SCRIPTS]
        values = {"title": "Run", "policy": escape(POLICY), "blocks": ""}
        text = filled(asset("page.html"), values | {"styles": "\n".join(styles), "scripts": "\n".join(scripts)})
        return Response(text, media_type="text/html")

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in (*STYLES, *SCRIPTS):
            return Response(status_code=404)
        return Response(asset(name), media_type=KINDS[name.rpartition(".")[2]])

    async def _overview(self, request: Request) -> Response:
        return await self._answer(self.source.overview)

    async def _ops(self, request: Request) -> Response:
        return await self._answer(self.source.ops)

    async def _task(self, request: Request) -> Response:
        return await self._answer(self.source.task, request.path_params["at"])

    async def _answer(self, make: Any, *arguments: Any) -> Response:
        self.answers += 1
        try:
            made = await run_in_threadpool(make, *arguments)
            return Response(status_code=404) if made is None else JSONResponse(made)
        finally:
            self.answers -= 1

    async def _events(self, request: Request) -> Response:
        if self.streams >= MOST_STREAMS:
            return Response("too many pages are open", status_code=503)
        return EventSourceResponse(self._stream(), send_timeout=SEND_TIMEOUT_S, ping=600)

    async def _stream(self) -> AsyncIterator[dict[str, str]]:
        self.streams += 1
        try:
            sent = ""
            while not self._closing.is_set():
                text = await run_in_threadpool(self.events.text)
                if text != sent:
                    yield {"data": text}
                    sent = text
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), EVERY_S)
            yield {"data": await run_in_threadpool(self.events.last)}
        finally:
            self.streams -= 1


def names_of(host: str) -> set[str]:
    """Return the names and addresses under which a server that listens at `host` is reached."""
    loopback = {"localhost", "127.0.0.1", "::1"}
    if host in loopback:
        return loopback
    if host not in EVERY_ADDRESS:
        return {host}
    addresses = {each.address for rows in psutil.net_if_addrs().values() for each in rows if each.family in FAMILIES}
    return loopback | addresses | {socket.gethostname(), socket.getfqdn()}


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
