"""Answer only requests that know the address: a token in it, the right host, no other page's requests.

The server listens on the loopback address, but pages of other hosts can make a browser ask it, also under a name of
theirs that they point at this machine. So each request must name this host and begin with the token; one that changes
something must come from a page of ours. Every answer forbids the page to ask any other host.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


LARGEST = 8 << 20
"""The largest request, in bytes."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """An application of ASGI around another, which sees paths without the token."""

    def __init__(self, app: ASGIApp, token: str, hosts: tuple[str, ...]) -> None:
        self.app = app
        self.token = token
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        status = self.refusal(scope["method"], scope["path"], headers)
        if status is not None:
            await _refuse(status, send)
            return
        path = scope["path"][len(self.token) + 1 :]
        inner = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        await self.app(inner, receive, sending)

    def refusal(self, method: str, path: str, headers: dict[str, str]) -> int | None:
        """Return the status for refusing a request; None if it is answered."""
        if headers.get("host", "") not in self.hosts:
            return 421
        token, slash, _ = path.removeprefix("/").partition("/")
        if not slash or not compare_digest(token.encode(), self.token.encode()):
            return 404
        if method not in ("GET", "POST"):
            return 405
        origin = headers.get("origin")
        if origin is not None and origin not in [f"http://{host}" for host in self.hosts]:
            return 403
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403
        if method == "POST":
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 415
            length = headers.get("content-length", "")
            if not length.isascii() or not length.isdecimal() or int(length) > LARGEST:
                return 413
        return None


async def _refuse(status: int, send: Send) -> None:
    headers: list[tuple[bytes, Any]] = [(b"content-type", b"text/plain"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
