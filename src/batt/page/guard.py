"""Refuse requests that the live page did not make: other methods, hosts, origins and tokens. Knows ASGI alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from secrets import compare_digest
from typing import Any, TypeAlias

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
HEADERS = {
    "content-security-policy": f"{POLICY}; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ANSWER_S = 60.0
"""A client that has not taken its answer by then is dropped; streams of events drop it themselves."""
STREAM = "/events"


class Guard:
    """Passes on to `app` the requests that are right, without the token in their path, and adds headers to answers.

    `names` are the values of the header Host that are right.
    """

    def __init__(self, app: App, token: str, names: frozenset[str]) -> None:
        self.app = app
        self.token = token
        self.names = names

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            # A refusal of a WebSocket, before it is accepted.
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*_without(message.get("headers", ())), *given]
            await send(message)

        status = self._refusal(scope)
        if status:
            await _refuse(status, send_with_headers)
            return
        path = scope["path"].removeprefix(f"/{self.token}")
        inner = {**scope, "path": path or "/", "raw_path": (path or "/").encode(), "root_path": ""}
        if not path:
            # Addresses on the page are relative to its folder.
            await _refuse(308, send_with_headers, [(b"location", f"/{self.token}/".encode())])
        elif path == STREAM:
            await self.app(inner, receive, send_with_headers)
        else:
            try:
                await asyncio.wait_for(self.app(inner, receive, send_with_headers), ANSWER_S)
            except asyncio.TimeoutError:
                return

    def _refusal(self, scope: Message) -> int:
        """Return the status that refuses a request; 0 if it is right."""
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if scope["method"] != "GET":
            return 405
        if headers.get("host", "") not in self.names:
            return 421
        if not self._is_own(headers):
            return 403
        first, _, _ = scope["path"].removeprefix("/").partition("/")
        return 0 if compare_digest(first.encode(), self.token.encode()) else 404

    def _is_own(self, headers: dict[str, str]) -> bool:
        """Tell whether the page itself asks, or a person who follows a link to it."""
        if "origin" in headers and headers["origin"].removeprefix("http://") not in self.names:
            return False
        is_visit = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return is_visit or headers.get("sec-fetch-site", "none") in ("none", "same-origin")


async def _refuse(status: int, send: Send, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    allow = [(b"allow", b"GET")] if status == 405 else []
    await send({"type": "http.response.start", "status": status, "headers": [*(headers or []), *allow]})
    await send({"type": "http.response.body", "body": b""})


def _without(headers: Any) -> list[tuple[bytes, bytes]]:
    """Return the headers that the guard does not set itself."""
    return [(name, value) for name, value in headers if name.decode("latin-1").lower() not in HEADERS]
