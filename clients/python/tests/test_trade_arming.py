"""What becomes of `cancel_on_disconnect` on the next connection. Against a gateway on a real socket."""

from __future__ import annotations

import asyncio
import json
import time
import unittest
from http import HTTPStatus
from typing import Any

import websockets.server
from crossbook import AsyncClient, AsyncTrade, Done, Refused, Signer
from websockets.datastructures import HeadersLike
from websockets.typing import Subprotocol

SIGNER = Signer("key-1", "00" * 32)
PATIENCE_S = 10.0
WHY = "cancelOnDisconnect: needs the scope trade"

Script = list[dict[str, Any] | None]


class Gateway:
    """Answers each request to arm with the next of `answers`, and drops the connection for None; what else is asked has worked."""

    def __init__(self, answers: Script) -> None:
        self.answers = answers
        self.heard: list[str] = []

    async def serve(self, socket: websockets.server.WebSocketServerProtocol) -> None:
        async for text in socket:
            request = json.loads(text)
            self.heard.append(request["op"])
            arms = request["op"] == "cancel-on-disconnect"
            answer = self.answers.pop(0) if arms else {"status": 200, "order": {}}
            if answer is None:
                await socket.close()
            else:
                await socket.send(json.dumps({"type": "result", "id": request["id"]} | answer))

    async def answer(self, path: str, _headers: object) -> tuple[HTTPStatus, HeadersLike, bytes] | None:
        if path == "/v1/trade":
            return None
        return HTTPStatus.OK, {"SVC-Server-Time": str(int(time.time() * 1000))}, b"{}"


ARMED = {"status": 200, "enabled": True}
NOT_ARMED = {"status": 403, "error": {"code": "INVALID_REQUEST", "message": WHY}}


class Arming(unittest.TestCase):
    def after_a_loss(self, second: dict[str, Any] | None) -> tuple[object, list[str], list[str]]:
        """The outcome of the first call after a lost connection, why nothing is armed, and what the gateway heard since."""

        async def run() -> tuple[object, list[str], list[str]]:
            gateway = Gateway([ARMED, ARMED, second])
            server = await websockets.server.serve(
                gateway.serve, "127.0.0.1", 0, process_request=gateway.answer, subprotocols=[Subprotocol("crossbook.v1.json")]
            )
            [listening] = server.sockets
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            unarmed: list[str] = []
            async with AsyncClient(url, SIGNER) as client, AsyncTrade(client, unarmed=unarmed.append) as trade:
                self.assertIsInstance(await trade.cancel_on_disconnect(True), Done)
                assert trade._socket is not None
                await trade._socket.close()
                gateway.heard.clear()
                outcome = await trade.limits()
            server.close()
            await server.wait_closed()
            return outcome, unarmed, gateway.heard

        return asyncio.run(asyncio.wait_for(run(), PATIENCE_S))

    def test_is_asked_for_again_first(self) -> None:
        outcome, unarmed, heard = self.after_a_loss(ARMED)
        self.assertIsInstance(outcome, Done)
        self.assertEqual((unarmed, heard), ([], ["cancel-on-disconnect", "limits"]))

    def test_that_is_refused_is_reported_and_the_call_goes_on(self) -> None:
        with self.assertLogs("crossbook", "WARNING"):
            outcome, unarmed, heard = self.after_a_loss(NOT_ARMED)
        self.assertIsInstance(outcome, Done)
        self.assertEqual((unarmed, heard), ([WHY], ["cancel-on-disconnect", "limits"]))

    def test_a_connection_that_is_lost_over_it_sends_nothing(self) -> None:
        outcome, _, heard = self.after_a_loss(None)
        self.assertIsInstance(outcome, Refused)
        self.assertEqual(heard, ["cancel-on-disconnect"])


if __name__ == "__main__":
    unittest.main()
