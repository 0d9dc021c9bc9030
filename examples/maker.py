"""Quotes both sides of one market of venue B at the best prices, and cancels at exit: maker.py TICKER"""

import os, signal, sys
from contextlib import suppress

from crossbook import Book, Client, Done, OrderChanged, Placed, Refused, Rejected, Signer, Stream, Unknown, venue_b
from crossbook.models import OutcomeSide, VenueBOrderRequest

COUNT, HELD_MAX, ticker = 5, 20, sys.argv[1]
client = Client(f"http://127.0.0.1:{os.environ.get('CROSSBOOK_PORT', 8080)}", Signer.from_file(os.environ.get("CROSSBOOK_KEY_FILE", "data/demo/key.json")))
signal.signal(signal.SIGTERM, signal.default_int_handler)  # As Ctrl-C.


def held_yes() -> int:
    rows = client.get_venue_b_positions(ticker=ticker)["positions"]
    return sum(row["contracts"] if row["side"] == "YES" else -row["contracts"] for row in rows)


def quotes(book: Book | None, held: int) -> dict[OutcomeSide, int]:
    """Cents to pay for YES and for NO: to buy NO is to offer YES."""
    if book is None or book.state != "LIVE" or book.best_bid is None or book.best_ask is None:
        return {}
    yes, no = int(book.best_bid.price * 100), int((1 - book.best_ask.price) * 100)
    sides: list[tuple[OutcomeSide, int, bool]] = [("YES", yes, held + COUNT <= HELD_MAX), ("NO", no, held - COUNT >= -HELD_MAX)]
    return {side: cents for side, cents, is_free in sides if is_free and cents > 0}


def place(side: OutcomeSide, cents: int) -> None:
    order: VenueBOrderRequest = {"ticker": ticker, "side": side, "action": "BUY", "count": COUNT, "priceCents": cents}
    match client.submit_venue_b_order(order):
        case Placed(status=status):
            print(f"{COUNT} {side} at {cents} cents: {status}", flush=True)
        case Refused(error=error):
            print(f"no order: {error}", flush=True)
        case Unknown(message=message):
            sys.exit(f"an order may be at the venue: {message}")  # Cancels, below.


def cancel() -> bool:
    outcome = client.cancel_venue_b_orders(ticker=ticker)
    return isinstance(outcome, Done) and all(it["outcome"] != "RECONCILE" for it in outcome.value["results"])


held, resting = held_yes(), dict[OutcomeSide, int]()
try:
    with suppress(KeyboardInterrupt), Stream(client) as stream:
        stream.follow_orders(cancel_on_disconnect=True)
        stream.subscribe("book", [venue_b(ticker)])
        for event in stream:
            if isinstance(event, Rejected):
                sys.exit(event.message)
            is_fill = isinstance(event, OrderChanged) and event.message["event"] != "STATUS"
            held = held_yes() if is_fill else held
            wanted = quotes(stream.book(venue_b(ticker)), held)
            if (is_fill or wanted != resting) and cancel():
                resting = wanted
                for side, cents in wanted.items():
                    place(side, cents)
finally:
    print("all cancelled" if cancel() else "NOT all cancelled: read the open orders", flush=True)
