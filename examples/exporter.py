"""Serves the actor's positions at venue B as metrics. Prometheus scrapes them, and Grafana shows them beside those of the gateway.

exporter.py PORT, then `static_configs: [{targets: ['127.0.0.1:PORT']}]` in the scrape of Prometheus.
"""

import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from crossbook import Client, CrossbookError, Signer

client = Client(f"http://127.0.0.1:{os.environ.get('CROSSBOOK_PORT', 8080)}", Signer.from_file(os.environ.get("CROSSBOOK_KEY_FILE", "data/demo/key.json")))


def metrics() -> str:
    rows = client.get_venue_b_positions()["positions"]
    contracts = {(row["ticker"], row["side"]): row["size"] for row in rows}
    profits = {(row["ticker"], row["side"]): row["unrealizedPnlUsd"] for row in rows}
    lines = list[str]()
    for name, explained, values in (
        ("bot_position_contracts", "Contracts held.", contracts),
        ("bot_position_profit_usd", "What they would win at the mark, without fees.", profits),
    ):
        lines += [f"# HELP {name} {explained}", f"# TYPE {name} gauge"]
        lines += [f'{name}{{ticker="{ticker}",side="{side}"}} {value}' for (ticker, side), value in values.items()]
    return "\n".join(lines) + "\n"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        try:
            status, text = 200, metrics()
        except CrossbookError as error:
            status, text = 503, str(error)
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(text.encode())


server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9465), Handler)
print("listening", server.server_address, flush=True)
server.serve_forever()
