"""The WebSocket of a browser tab: requests to watch topics, and their messages."""

import asyncio
import time
from collections import deque
from contextlib import suppress

import msgspec
from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from ludus.core.errors import InvalidError, LudusError
from ludus.web.live.hub import Hub, Viewer

router = APIRouter()
MOST_LETTERS = 1000
"""Letters of a request."""
_MOST_REQUESTS, _WITHIN = 200, 10.0  # the most requests, within this many seconds


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """A request: to watch a topic, perhaps after a message that the viewer already has, or to leave it."""

    watch: str | None = None
    leave: str | None = None
    after: int | None = None


_decoder = msgspec.json.Decoder(Wish)


@router.websocket("/socket")
async def attend(socket: WebSocket) -> None:
    """Serve a viewer until it leaves."""
    hub: Hub = socket.app.state.site.hub
    await socket.accept()
    try:
        viewer = hub.join()
    except LudusError as error:
        await _refuse(socket, str(error))
        await socket.close(1013)
        return
    sending = asyncio.create_task(_send(socket, viewer))
    try:
        await _receive(socket, hub, viewer)
    finally:
        hub.part(viewer)
        sending.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
            await sending


async def _receive(socket: WebSocket, hub: Hub, viewer: Viewer) -> None:
    times: deque[float] = deque(maxlen=_MOST_REQUESTS)
    with suppress(WebSocketDisconnect):
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            now = time.monotonic()
            if len(times) == _MOST_REQUESTS and now - times[0] < _WITHIN:
                await _refuse(socket, "These are too many requests.")
                await socket.close(1008)
                return
            times.append(now)
            wish = Wish()
            try:
                wish = _read(message.get("text"))
                if wish.leave is not None:
                    hub.leave(viewer, wish.leave)
                if wish.watch is not None:
                    hub.watch(viewer, wish.watch, wish.after)
            except LudusError as error:
                await _refuse(socket, str(error), wish.watch)


def _read(text: str | None) -> Wish:
    if text is None or len(text) > MOST_LETTERS:
        raise InvalidError(f"A request is a text of at most {MOST_LETTERS} letters.")
    try:
        wish = _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise InvalidError(f'This is not a request such as {{"watch": "runs"}}: {error}.') from None
    if (wish.watch is None) == (wish.leave is None):
        raise InvalidError('A request has one of "watch" and "leave".')
    return wish


async def _refuse(socket: WebSocket, sentence: str, topic: str | None = None) -> None:
    about = {} if topic is None else {"topic": topic}
    await socket.send_text(msgspec.json.encode({**about, "error": sentence}).decode())


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    """Send what is new, as fast as the viewer reads."""
    while True:
        await viewer.wake.wait()
        viewer.wake.clear()
        while (sent := viewer.next()) is not None:
            await socket.send_text(sent.text)
