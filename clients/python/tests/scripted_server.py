"""A gateway on a real socket that answers as a test has written down."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Status, body and headers of an answer; or None, and the connection ends without one.
Scripted = tuple[int, Any, dict[str, str]] | None


class ScriptedServer:
    """Gives `answers` in their order, the last one again and again. Its clock is `ahead_s` ahead. With `tls` it is `localhost`."""

    def __init__(self, *answers: Scripted, ahead_s: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.heard: list[tuple[str, str, dict[str, str], bytes]] = []
        #: Closed with the server.
        self.clients = ExitStack()
        self._scripted = list(answers)
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.heard.append((self.command, self.path, headers, body))
                scripted = server._scripted
                answer = scripted.pop(0) if len(scripted) > 1 else scripted[0]
                if answer is None:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                now_ms = int(time.time() * 1000) + ahead_s * 1000
                if ahead_s and abs(int(headers["svc-timestamp"]) * 1000 - now_ms) > 30_000:
                    answer = 401, {"error": {"code": "INVALID_REQUEST", "message": "SVC-Timestamp: off"}}, {}
                status, value, more = answer
                sent = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                self.send_response(status)
                for name, text in {"SVC-Server-Time": str(now_ms), "SVC-Request-Id": "req_1", **more}.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        origin = "http://127.0.0.1" if tls is None else "https://localhost"
        self.url = f"{origin}:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def script(self, *answers: Scripted) -> None:
        """Other answers from now on."""
        self._scripted = list(answers)

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.clients.close()
        self._server.shutdown()
        self._server.server_close()


def failure(status: int, code: str | None, message: str, order_id: str | None = None, **headers: str) -> Scripted:
    error = {"code": code, "message": message, "orderId": order_id}
    return status, {"error": {name: it for name, it in error.items() if it is not None}}, headers
