"""Bids for YES of a game at venue B. What fills is hedged at venue A by a share of the other outcome.

That share pays if YES does not. A dead man's switch cancels the bid if this program dies: hedger.py TICKER CENTS
"""

import os, signal, sys
from contextlib import suppress
from decimal import ROUND_UP, Decimal
from time import monotonic, sleep

from crossbook import Client, Done, Following, OrderChanged, Placed, Signer, Stream, Unknown, venue_a
from crossbook.models import Outcome, VenueAMarketOrder, VenueBOrderRequest

COUNT, SWITCH_S, CENT, DOLLAR = 10, 5, Decimal("0.01"), Decimal(1)
ticker, cents = sys.argv[1], int(sys.argv[2])
client = Client(f"http://127.0.0.1:{os.environ.get('CROSSBOOK_PORT', 8080)}", Signer.from_file(os.environ.get("CROSSBOOK_KEY_FILE", "data/demo/key.json")))
signal.signal(signal.SIGTERM, signal.default_int_handler)  # As Ctrl-C.


def is_bid(outcome: Outcome) -> bool:
    return any(it["venue"] == "VENUE_B" and it["ticker"] == ticker and it["side"] == "YES" for it in outcome["listings"])


def other_token() -> str:
    for market in client.list_markets(q=ticker)["markets"]:
        if len(market["outcomes"]) == 2 and any(is_bid(it) for it in market["outcomes"]):
            other = next(it for it in market["outcomes"] if not is_bid(it))
            for listing in other["listings"]:
                if listing["venue"] == "VENUE_A":
                    return listing["tokenId"]
    sys.exit(f"{ticker}: no market of two outcomes that venue A lists, too")


def hold() -> float:
    """Cancels the key's open orders in five seconds, unless this is repeated. The time to repeat it."""
    armed = client.cancel_after({"timeoutMs": SWITCH_S * 1000})
    if not isinstance(armed, Done):
        print(f"the switch is not renewed: {armed}", flush=True)
    return monotonic() + SWITCH_S / 2


def bought(order_id: str) -> Decimal:
    """What the hedge has bought, once it has ended: venue A may hold it for a moment."""
    while (order := client.get_venue_a_order(order_id))["status"] not in ("FILLED", "CANCELLED", "REJECTED"):
        sleep(0.2)
    return Decimal(order["filledShares"] or 0)


def buy(size: Decimal, price: Decimal) -> Decimal:
    """Buys so much at venue A, all of it or nothing; what it bought. Less than a dollar waits for more fills."""
    amount = (size * price).quantize(CENT, ROUND_UP)
    if amount < DOLLAR:
        return Decimal(0)
    order: VenueAMarketOrder = {"tokenId": token, "side": "BUY", "type": "MARKET", "amount": str(amount)}
    outcome = client.submit_venue_a_order(order)
    if isinstance(outcome, Unknown):
        sys.exit(f"the hedge may be at the venue: {outcome.message}")
    filled = bought(outcome.order_id) if isinstance(outcome, Placed) else Decimal(0)
    if not filled:
        print(f"not hedged: {outcome}", flush=True)
    return filled


token, left = other_token(), Decimal(0)
try:
    with suppress(KeyboardInterrupt), Stream(client) as stream:
        stream.follow_orders()
        stream.subscribe("book", [venue_a(token)])
        while not isinstance(stream.next_event(timeout_s=1), Following):
            pass  # Fills are heard from now on.
        repeat_at = hold()
        bid: VenueBOrderRequest = {"ticker": ticker, "side": "YES", "action": "BUY", "count": COUNT, "priceCents": cents}
        print("bid", client.submit_venue_b_order(bid), flush=True)
        while True:
            event = stream.next_event(timeout_s=max(0.0, repeat_at - monotonic()))
            if monotonic() >= repeat_at:
                repeat_at = hold()
            if isinstance(event, OrderChanged) and event.message["venue"] == "venue_b" and "fill" in event.message:
                sign = 1 if event.message["event"] == "FILL" else -1
                left += sign * Decimal(event.message["fill"]["size"])
            book = stream.book(venue_a(token))
            if left > 0 and book and book.state == "LIVE" and book.best_ask:
                hedged = buy(left, book.best_ask.price)
                left = max(Decimal(0), left - hedged)
                if hedged:
                    print(f"hedged {hedged} at {book.best_ask.price} or better", flush=True)
finally:
    print(f"open and not hedged: {left};", client.cancel_venue_b_orders(ticker=ticker), flush=True)
