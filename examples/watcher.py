"""Watches games that both venues list, and prints what a share of each outcome costs at its cheaper venue, with fees.

Below 1 dollar together the two pay more than they cost: watcher.py
"""

import os
from decimal import Decimal

from crossbook import Client, OutcomeChanged, Rejected, Signer, Stream
from crossbook.models import CatalogMarket

client = Client(f"http://127.0.0.1:{os.environ.get('CROSSBOOK_PORT', 8080)}", Signer.from_file(os.environ.get("CROSSBOOK_KEY_FILE", "data/demo/key.json")))


def is_at_both(market: CatalogMarket) -> bool:
    venues = [{listing["venue"] for listing in outcome["listings"]} for outcome in market["outcomes"]]
    return len(venues) == 2 and all({"VENUE_A", "VENUE_B"} <= it for it in venues)


markets = client.list_markets(venue="venue_a", executable=True, page_size=100)["markets"]
titles = {market["id"]: market["title"] for market in markets if is_at_both(market)}
print(f"{len(titles)} markets at both venues", flush=True)

with Stream(client) as stream:
    stream.subscribe_outcomes(list(titles), min_interval_ms=1000)
    for event in stream:
        if isinstance(event, Rejected):
            print(f"refused: {event.message}", flush=True)
        if not isinstance(event, OutcomeChanged):
            continue
        routes = [outcome["buy"] for outcome in event.message["outcomes"]]
        found = [route for route in routes if route is not None]
        if len(found) < 2:
            continue
        total = sum((Decimal(route["netPrice"]) for route in found), Decimal(0))
        parts = " + ".join(f"{route['netPrice']} at {route['venue'].lower()}" for route in found)
        warning = " (they may settle differently)" if event.message["notes"] else ""
        title = titles[event.message["catalogMarket"]]
        print(f"{'BOTH ' if total < 1 else ''}{title}: {parts} = {total}{warning}", flush=True)
