"""Access to the site: who may read it, and what its pages may load.

On an address of this machine alone, the name in the address bar must be one of this machine: otherwise a page of a
stranger, whose name suddenly leads here, could read the site. On any other address a token is asked for.
"""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import blake2b
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

COOKIE = "ludus"
LOGIN = "/login"
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_OPEN = (LOGIN, "/static/")
"""Paths that nobody needs a token for."""
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def policy(**changed: str) -> str:
    """The Content-Security-Policy of a page, with these directives changed, as in `style_src="'self'"`."""
    directives = _POLICY | {name.replace("_", "-"): value for name, value in changed.items()}
    return "; ".join(f"{name} {value}" for name, value in directives.items())


class Access:
    """The address of the site, and its token if it needs one."""

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        self.is_local = host in _LOOPBACK
        self.token_is_new = token is None and not self.is_local
        self.token = secrets.token_urlsafe(12) if self.token_is_new else token
        shown = f"[{host}]" if ":" in host else host
        self.address = f"http://{shown}:{port}/"
        self._key = secrets.token_bytes(32)

    def admits(self, token: str) -> bool:
        """True if this is the token, or none is needed."""
        return self.token is None or hmac.compare_digest(token.encode(), self.token.encode())

    def pass_for_browser(self) -> str:
        """The value of the cookie of a browser that has shown the token; a new start of the site ends it."""
        return blake2b((self.token or "").encode(), key=self._key, digest_size=24).hexdigest()

    def has_pass(self, connection: HTTPConnection) -> bool:
        """True if no token is needed, or the browser or program has shown it."""
        if self.token is None:
            return True
        shown = connection.headers.get("authorization", "").removeprefix("Bearer ")
        cookie = connection.cookies.get(COOKIE, "")
        return self.admits(shown) or hmac.compare_digest(cookie.encode(), self.pass_for_browser().encode())

    def knows(self, host: str) -> bool:
        """True if a request may name this host: any, unless the site is for this machine alone."""
        return not self.is_local or _name_of(host) in _LOOPBACK


def _name_of(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def same_origin(headers: Headers) -> bool:
    """True if a request comes from a page of the site, or from a program, which names no origin."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


class Guard:
    """Refuses requests without access, and gives every answer the headers that keep its page safe."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a refusal."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(HTTPConnection(scope))
        if refusal is not None and scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
            return
        await (refusal or self._app)(scope, receive, _with_headers(send))

    def _refusal(self, connection: HTTPConnection) -> Response | None:
        headers, path = connection.headers, connection.url.path
        if not self._access.knows(headers.get("host", "")):
            return PlainTextResponse(f"This site is at {self._access.address}", 421)
        is_read = connection.scope["type"] == "http" and connection.scope["method"] in ("GET", "HEAD", "OPTIONS")
        if not is_read and not same_origin(headers):
            return PlainTextResponse("This request comes from the page of another site.", 403)
        if path.startswith(_OPEN) or self._access.has_pass(connection):
            return None
        if path.startswith("/api/"):
            return JSONResponse({"error": "Send the token of this site as 'Authorization: Bearer TOKEN'."}, 401)
        return RedirectResponse(f"{LOGIN}?next={quote(path)}", 303)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _safe():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _safe() -> Iterable[tuple[str, str]]:
    yield "Content-Security-Policy", policy()
    yield "X-Content-Type-Options", "nosniff"
    yield "Referrer-Policy", "no-referrer"
    yield "Cross-Origin-Opener-Policy", "same-origin"
    yield "Cross-Origin-Resource-Policy", "same-origin"
    yield "Cache-Control", "no-cache"
