"""A book against a plain dictionary, and against messages that are missing, repeated or wrong."""

import random
import unittest
import zlib
from decimal import Decimal
from typing import Any

from crossbook import Book, Level, venue_b

MARKET = venue_b("KX-1")


class Server:
    """What the gateway has: levels in dictionaries, messages with right checksums."""

    def __init__(self) -> None:
        self.sides: dict[str, dict[str, str]] = {"bid": {}, "ask": {}}
        self.epoch, self.seq = 1_795_237_201_000, 1

    def levels(self, side: str) -> list[list[str]]:
        prices = sorted(self.sides[side], key=Decimal, reverse=side == "bid")
        return [[price, self.sides[side][price]] for price in prices]

    def common(self) -> dict[str, Any]:
        checked = self.levels("bid")[:10] + self.levels("ask")[:10]
        checksum = zlib.crc32("|".join(f"{price}:{size}" for price, size in checked).encode())
        market = MARKET.to_wire()
        return {"market": market, "epoch": self.epoch, "seq": self.seq, "checksum": checksum, "venueTime": None}

    def snapshot(self) -> Any:
        bids, asks = self.levels("bid"), self.levels("ask")
        return {"type": "snapshot", "state": "LIVE", "bids": bids, "asks": asks, **self.common()}

    def delta(self, *changes: tuple[str, str, str]) -> Any:
        self.seq += 1
        for side, price, size in changes:
            if size == "0":
                self.sides[side].pop(price, None)
            else:
                self.sides[side][price] = size
        return {"type": "delta", "prevSeq": self.seq - 1, "changes": [list(it) for it in changes], **self.common()}


def followed() -> tuple[Server, Book]:
    server, book = Server(), Book(MARKET)
    server.delta(("bid", "0.5", "10"), ("bid", "0.49", "5.5"), ("ask", "0.52", "7"))
    assert book.apply(server.snapshot()) == "applied"
    return server, book


def level(price: str, size: str) -> Level:
    return Level(Decimal(price), Decimal(size))


class Books(unittest.TestCase):
    def test_has_the_levels_of_the_gateway_after_every_delta(self) -> None:
        chance = random.Random(7)
        server, book = followed()
        for _ in range(2_000):
            ticks = [str(Decimal(chance.randint(1, 60)).scaleb(-4)) for _ in range(3)]
            sizes = [chance.choice(["0", "1", "24.37", "0.000001", "1234567.5"]) for _ in range(3)]
            sides = [chance.choice(["bid", "ask"]) for _ in range(3)]
            prices = [str(Decimal(it).normalize()) for it in ticks]
            self.assertEqual(book.apply(server.delta(*zip(sides, prices, sizes))), "applied")
            for side, levels in (("bid", book.bids), ("ask", book.asks)):
                self.assertEqual([[str(it.price), str(it.size)] for it in levels], server.levels(side))

    def test_agrees_with_the_protocols_example(self) -> None:
        server, book = Server(), Book(MARKET)
        server.delta(("bid", "0.53", "24.37"), ("bid", "0.52", "100"), ("ask", "0.54", "5"), ("ask", "0.55", "1200.5"))
        book.apply(server.snapshot())
        self.assertEqual(book.checksum(), 1514347192)
        self.assertEqual(Book(MARKET).checksum(), 0)

    def test_names_the_best_levels_and_the_other_outcome(self) -> None:
        _, book = followed()
        self.assertEqual((book.best_bid, book.best_ask), (level("0.5", "10"), level("0.52", "7")))
        self.assertEqual(book.no().bids, [level("0.48", "7")])
        self.assertEqual(book.no().asks, [level("0.5", "10"), level("0.51", "5.5")])

    def test_waits_for_a_snapshot(self) -> None:
        server, book = Server(), Book(MARKET)
        self.assertEqual(book.apply(server.delta(("bid", "0.5", "1"))), "ignored")
        self.assertEqual(book.apply(server.snapshot()), "applied")
        self.assertEqual(book.bids, [level("0.5", "1")])

    def test_notices_what_is_missing_and_is_empty_until_the_next_snapshot(self) -> None:
        for is_epoch in (False, True):
            server, book = followed()
            if is_epoch:
                server.epoch, server.seq = server.epoch + 1, 1
            else:
                server.delta(("bid", "0.01", "1"))
            self.assertEqual(book.apply(server.delta(("ask", "0.9", "1"))), "gap")
            self.assertEqual((book.is_synced, book.state, book.bids, book.best_ask), (False, "RESYNCING", [], None))
            self.assertEqual(book.apply(server.delta(("ask", "0.91", "1"))), "ignored")
            self.assertEqual(book.apply(server.snapshot()), "applied")
            self.assertEqual(book.apply(server.delta(("ask", "0.91", "0"))), "applied")

    def test_ignores_what_it_is_past(self) -> None:
        server, book = followed()
        old: Any = server.delta(("bid", "0.5", "3"))
        self.assertEqual([book.apply(old), book.apply(old)], ["applied", "ignored"])
        server.epoch += 1
        self.assertEqual(book.apply(server.snapshot()), "applied")
        older: Any = {**old, "seq": old["seq"] + 1}
        self.assertEqual(book.apply(older), "ignored")

    def test_notices_a_wrong_checksum(self) -> None:
        server, book = followed()
        delta: Any = server.delta(("bid", "0.5", "4"))
        delta["changes"] = [["bid", "0.5", "5"]]
        self.assertEqual(book.apply(delta), "checksum")
        self.assertEqual((book.is_synced, book.bids), (False, []))
        wrong: Any = {**server.snapshot(), "checksum": 1}
        self.assertEqual(book.apply(wrong), "checksum")

    def test_keeps_its_levels_while_stale_and_loses_them_while_it_is_rebuilt(self) -> None:
        server, book = followed()
        book.set_state("STALE")
        self.assertEqual((book.state, len(book.bids)), ("STALE", 2))
        book.set_state("RESYNCING")
        self.assertEqual((book.is_synced, book.bids), (False, []))
        book.set_state("LIVE")
        self.assertEqual(book.state, "RESYNCING")

    def test_knows_by_a_heartbeat_whether_it_is_behind(self) -> None:
        server, book = followed()
        steps = [(0, 0), (0, 1), (1, -1), (-1, 9)]
        behind = [book.is_behind(server.epoch + epoch, server.seq + seq) for epoch, seq in steps]
        self.assertEqual(behind, [False, True, True, False])
