"""Records the best prices and the trades of markets of venue B, a line of JSON each, until Ctrl-C: recorder.py FILE TICKER…

DuckDB reads the file as it is, while it grows, too: select * from read_json_auto('FILE') where kind = 'quote'
"""

import json, os, signal, sys
from contextlib import suppress

from crossbook import Client, QuoteChanged, Signer, Stream, TradeSeen, venue_b

path, tickers = sys.argv[1], sys.argv[2:]
client = Client(f"http://127.0.0.1:{os.environ.get('CROSSBOOK_PORT', 8080)}", Signer.from_file(os.environ.get("CROSSBOOK_KEY_FILE", "data/demo/key.json")))
signal.signal(signal.SIGTERM, signal.default_int_handler)  # As Ctrl-C.
markets = [venue_b(ticker) for ticker in tickers]
count = 0

with open(path, "a", encoding="utf-8") as file, suppress(KeyboardInterrupt), Stream(client) as stream:
    stream.subscribe("quote", markets)
    stream.subscribe("trade", markets)
    for event in stream:
        match event:
            case QuoteChanged(market, quote):
                bid, ask = (level[0] if level else None for level in (quote["bid"], quote["ask"]))
                row = {"kind": "quote", "received_at": quote["receivedAt"], "state": quote["state"], "bid": bid, "ask": ask}
            case TradeSeen(market, trade):
                row = {"kind": "trade", "received_at": trade["receivedAt"], "id": trade["tradeId"]}
                row |= {"price": trade["price"], "size": trade["size"]}
            case _:
                continue
        file.write(json.dumps(row | {"ticker": market.address}) + "\n")
        file.flush()
        count += 1
        print(f"{count} rows", flush=True)
