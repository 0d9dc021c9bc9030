"""Against a gateway on the paper exchanges. `CROSSBOOK_TEST` says where, as JSON: test/clients/python.test.ts."""

import asyncio
import json
import os
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from crossbook import (
    AsyncClient,
    AsyncStream,
    AsyncTrade,
    BookChanged,
    Cancelled,
    Client,
    Connected,
    Disconnected,
    Done,
    Following,
    NotFound,
    OrderChanged,
    OrderEnded,
    Placed,
    Refused,
    Rejected,
    ServerClock,
    Signer,
    Stream,
    StateChanged,
    Trade,
    TradeSeen,
    Unauthenticated,
    Unknown,
    venue_a,
    venue_b,
)
from crossbook.models import VenueABatch, VenueAOrderRequest, VenueBBatch, VenueBOrderRequest

sys.path.append(str(Path(__file__).parents[1]))
from self_signed import self_signed  # noqa: E402
from tls_proxy import TlsProxy  # noqa: E402

GATEWAY: dict[str, Any] = json.loads(os.environ["CROSSBOOK_TEST"])
SIGNER = Signer(GATEWAY["keyId"], GATEWAY["seedHex"])
TICKER: str = GATEWAY["ticker"]
TOKEN: str = GATEWAY["tokenId"]
PATIENCE_S = 60
#: Of a price that no market has.
NO_ORDER: VenueAOrderRequest = {"tokenId": TOKEN, "side": "BUY", "type": "LIMIT", "price": "2", "size": "5"}


def client(**options: Any) -> Client:
    return Client(GATEWAY["url"], SIGNER, **options)


def order(cents: int = 1, count: int = 1, **more: Any) -> VenueBOrderRequest:
    body = {"ticker": TICKER, "side": "YES", "action": "BUY", "count": count, "priceCents": cents, **more}
    return body  # type: ignore[return-value]


def batch(*orders: tuple[str, int]) -> VenueBBatch:
    body = {"orders": [dict(order(cents), idempotencyKey=key) for key, cents in orders]}
    return body  # type: ignore[return-value]


def fault(operation: str, rule: dict[str, Any]) -> None:
    body = json.dumps({"venue": "venue_b", "operation": operation, "countMax": 1, "fault": rule})
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(GATEWAY["control"] + "/faults", body.encode(), headers)).close()


def until(stream: Stream, wanted: type) -> Any:
    """The next event of a kind."""
    ends_at = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_at:
        event = stream.next_event(ends_at - time.monotonic())
        if isinstance(event, wanted):
            return event
    raise AssertionError(f"no {wanted.__name__} came")


class Rest(unittest.TestCase):
    def test_every_read_is_answered(self) -> None:
        with client(api_key=GATEWAY["apiKey"]) as gateway:
            self.assertEqual(gateway.get_whoami()["actorId"], "demo")
            self.assertGreater(gateway.get_time()["unixSeconds"], 1_700_000_000)
            for page in (gateway.list_venue_a_orders(page_size=1), gateway.list_venue_b_orders(status="OPEN")):
                self.assertIn("nextPageToken", page)
            gateway.get_venue_a_positions()
            gateway.get_venue_b_positions(ticker=TICKER)
            self.assertIsInstance(gateway.get_venue_a_balance()["available"], (int, Decimal))
            self.assertIsInstance(gateway.get_venue_b_balance()["available"], (int, Decimal))
            sport = gateway.list_sports()["sports"][0]["id"]
            gateway.list_competitions(sport=sport)
            event = gateway.list_events(sport=sport, page_size=1)["events"][0]
            self.assertGreater(len(gateway.list_event_markets(event["id"])["markets"]), 0)
            self.assertEqual(len(gateway.list_markets(executable=True, page_size=2)["markets"]), 2)
            self.assertIsNone(gateway.list_older_orders(status=["open", "partial"], page_size=100)["nextPageToken"])
            gateway.get_older_balances()
            gateway.get_older_market("venue_d", "btc-up-or-down-daily")
            self.assertEqual(gateway.get_openapi()["openapi"][0], "3")
            self.assertEqual(gateway.get_asyncapi()["asyncapi"][0], "3")

    def test_an_order_is_placed_read_and_cancelled(self) -> None:
        with client() as gateway:
            placed = gateway.submit_venue_b_order(order())
            assert isinstance(placed, Placed), placed
            self.assertEqual(gateway.get_venue_b_order(placed.order_id)["status"], "OPEN")
            self.assertIsInstance(gateway.cancel_venue_b_order(placed.order_id), Cancelled)
            key = gateway.session.new_key()
            gateway.submit_venue_b_order(order(), idempotency_key=key)
            self.assertEqual(gateway.get_venue_b_order_by_client_id(key)["status"], "OPEN")
            self.assertIsInstance(gateway.cancel_venue_b_order_by_client_id(key), Cancelled)
            again = gateway.cancel_venue_b_order(placed.order_id)
            assert isinstance(again, Refused)
            self.assertIsInstance(again.error, OrderEnded)

    def test_an_order_at_venue_a_takes_decimals(self) -> None:
        with client() as gateway:
            placed = gateway.submit_venue_a_order(
                {"tokenId": TOKEN, "side": "BUY", "type": "LIMIT", "size": Decimal("20.5"), "price": Decimal("0.01")}
            )
            assert isinstance(placed, Placed), placed
            read = gateway.get_venue_a_order(placed.order_id)
            self.assertEqual((read["size"], read["price"]), ("20.5", "0.01"))
            cancelled = gateway.cancel_venue_a_orders(token_id=TOKEN)
            assert isinstance(cancelled, Done)
            self.assertIn({"orderId": placed.order_id, "outcome": "CANCELLED"}, cancelled.value["results"])

    def test_a_fill_is_listed(self) -> None:
        with client() as gateway:
            placed = gateway.submit_venue_b_order(order(99, 2, timeInForce={"type": "IOC"}))
            # The venue may report the trades a moment after the order.
            assert isinstance(placed, Placed) and placed.status in ("FILLED", "SUBMITTED"), placed
            filled, ends_at = Decimal(0), time.monotonic() + PATIENCE_S
            while filled < 2 and time.monotonic() < ends_at:
                fills = gateway.list_venue_b_order_fills(placed.order_id)["fills"]
                filled = sum((Decimal(it["size"]) for it in fills), Decimal(0))
            self.assertEqual(filled, 2)

    def test_a_refusal_names_field_and_rule(self) -> None:
        with client() as gateway:
            refused = gateway.submit_venue_b_order(order(100))
            assert isinstance(refused, Refused)
            self.assertEqual(vars(refused.error)["field"], "priceCents")
            with self.assertRaises(NotFound):
                gateway.get_venue_b_order("5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38")

    def test_the_same_key_makes_no_second_order(self) -> None:
        with client() as gateway:
            key = gateway.session.new_key()
            first, again = (gateway.submit_venue_b_order(order(), idempotency_key=key) for _ in range(2))
            assert isinstance(first, Placed) and isinstance(again, Placed)
            self.assertEqual((again.order_id, first.is_replayed, again.is_replayed), (first.order_id, False, True))
            gateway.cancel_venue_b_orders(ticker=TICKER)

    def test_an_unknown_outcome_is_one_and_the_same_key_asks_what_became_of_it(self) -> None:
        with client(retry_for_s=0) as gateway:
            # Longer than the gateway waits for the venue.
            fault("POST /portfolio/events/orders", {"kind": "hung", "isApplied": False, "hangMs": 7_000})
            body = order(ticker=GATEWAY["otherTicker"])
            doubt = gateway.submit_venue_b_order(body)
            assert isinstance(doubt, Unknown) and doubt.order_id is not None, doubt
            again = gateway.submit_venue_b_order(body, idempotency_key=doubt.idempotency_key)
            assert isinstance(again, Unknown), again
            self.assertEqual(again.order_id, doubt.order_id)

    def test_the_switch_is_set_and_disarmed(self) -> None:
        with client() as gateway:
            outcomes = [gateway.cancel_after({"timeoutMs": timeout_ms}) for timeout_ms in (600_000, 0)]
            self.assertEqual([type(it) for it in outcomes], [Done, Done])
            self.assertIsInstance(gateway.create_stream_ticket(), Done)

    def test_a_clock_that_is_an_hour_off_does_not_matter(self) -> None:
        wrong = ServerClock(lambda: (time.time() + 3_600) * 1000)
        with client(clock=wrong) as gateway, Stream(gateway) as stream:
            until(stream, Connected)
            self.assertEqual(gateway.get_whoami()["keyId"], SIGNER.key_id)

    def test_threads_may_share_a_client(self) -> None:
        with client() as gateway:
            answers: list[str] = []
            threads = [threading.Thread(target=lambda: answers.append(gateway.get_time()["iso"])) for _ in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(answers), 16)

    def test_the_unix_socket(self) -> None:
        with client(socket_path=GATEWAY["socketPath"]) as gateway, Stream(gateway) as stream:
            self.assertEqual(gateway.get_whoami()["keyId"], SIGNER.key_id)
            until(stream, Connected)


class Streams(unittest.TestCase):
    def test_books_trades_and_orders(self) -> None:
        with client() as gateway, Stream(gateway) as stream:
            stream.follow_orders()
            stream.subscribe("book", [venue_b(TICKER), venue_a(TOKEN)])
            stream.subscribe("trade", [venue_b(TICKER)])
            while stream.order_cursor is None or not all(
                (book := stream.book(market)) is not None and book.state == "LIVE"
                for market in (venue_b(TICKER), venue_a(TOKEN))
            ):
                self.assertIsNotNone(stream.next_event(PATIENCE_S))
            placed = gateway.submit_venue_b_order(order(99, 1, timeInForce={"type": "IOC"}))
            assert isinstance(placed, Placed)
            seen: set[type] = set()
            while not {TradeSeen, OrderChanged, BookChanged} <= seen:
                event = stream.next_event(PATIENCE_S)
                self.assertIsNotNone(event)
                seen.add(type(event))
            book = stream.book(venue_b(TICKER))
            assert book is not None and book.best_ask is not None
            self.assertEqual(book.no().bids[0].price, 1 - book.best_ask.price)

    def test_orders_go_on_after_a_cursor(self) -> None:
        with client() as gateway:
            with Stream(gateway) as stream:
                stream.follow_orders()
                cursor = until(stream, Following).cursor
            placed = gateway.submit_venue_b_order(order())
            assert isinstance(placed, Placed)
            gateway.cancel_venue_b_order(placed.order_id)
            with Stream(gateway) as stream:
                stream.follow_orders(after=cursor)
                statuses: list[str] = []
                while statuses[-1:] != ["CANCELLED"]:
                    event = until(stream, OrderChanged)
                    self.assertEqual(event.message["cursor"], cursor + len(statuses) + 1)
                    statuses.append(event.message["order"]["status"])
                self.assertIn("OPEN", statuses)

    def test_goes_on_after_a_lost_connection(self) -> None:
        async def run() -> None:
            async with AsyncClient(GATEWAY["url"], SIGNER) as gateway, AsyncStream(gateway) as stream:
                stream.subscribe("book", [venue_b(TICKER)])
                stream.follow_orders(after=0)
                kinds: list[type] = []
                async for event in stream:
                    kinds.append(type(event))
                    if isinstance(event, BookChanged):
                        if Disconnected in kinds:
                            break
                        socket = stream._socket
                        assert socket is not None
                        socket.transport.abort()
                self.assertEqual(kinds.count(Connected), 2)
                book = stream.book(venue_b(TICKER))
                assert book is not None
                self.assertTrue(book.is_synced)

        asyncio.run(asyncio.wait_for(run(), PATIENCE_S))

    def test_an_unknown_market_is_rejected(self) -> None:
        with client() as gateway, Stream(gateway) as stream:
            stream.subscribe("book", [venue_b("NOPE")])
            rejected = until(stream, Rejected)
            self.assertEqual((rejected.code, rejected.again_in_s), ("UNKNOWN_MARKET", None))

    def test_trades_alone_come_with_the_state(self) -> None:
        with client() as gateway, Stream(gateway) as stream:
            stream.subscribe("trade", [venue_b(TICKER)])
            self.assertEqual(until(stream, StateChanged).market, venue_b(TICKER))

    def test_a_key_that_is_not_known_raises(self) -> None:
        with Client(GATEWAY["url"], Signer("nobody", "00" * 32)) as gateway, Stream(gateway) as stream:
            with self.assertRaises(Unauthenticated):
                stream.next_event(PATIENCE_S)

    def test_a_gateway_that_is_not_there_is_an_event(self) -> None:
        with Client("http://127.0.0.1:9", SIGNER, retry_for_s=0) as gateway, Stream(gateway) as stream:
            until(stream, Disconnected)


class TradeConnections(unittest.TestCase):
    def run_with(self, test: Callable[[AsyncClient, AsyncTrade, list[str]], Awaitable[None]]) -> None:
        async def run() -> None:
            accepted: list[str] = []
            async with AsyncClient(GATEWAY["url"], SIGNER) as gateway:
                async with AsyncTrade(gateway, accepted=accepted.append) as trade:
                    await test(gateway, trade, accepted)

        asyncio.run(asyncio.wait_for(run(), PATIENCE_S))

    def test_orders_are_placed_and_cancelled_in_flight(self) -> None:
        async def test(gateway: AsyncClient, trade: AsyncTrade, accepted: list[str]) -> None:
            outcomes = await asyncio.gather(*(trade.submit_venue_b_order(order(1 + at)) for at in range(5)))
            ids = [it.order_id for it in outcomes if isinstance(it, Placed)]
            self.assertEqual((len(ids), set(accepted)), (5, set(ids)))
            self.assertIsInstance(await trade.cancel_venue_b_order(ids[0]), Cancelled)
            ended = await trade.cancel_venue_b_order(ids[0])
            assert isinstance(ended, Refused)
            self.assertIsInstance(ended.error, OrderEnded)
            rest = await trade.cancel_venue_b_orders(ticker=TICKER)
            assert isinstance(rest, Done)
            self.assertEqual({it["outcome"] for it in rest.value["results"]}, {"CANCELLED"})
            _, at_once = await asyncio.gather(
                trade.submit_venue_b_order(order(2), idempotency_key="at once"),
                trade.cancel_venue_b_order_by_client_id("at once"),
            )
            self.assertIsInstance(at_once, Cancelled)
            refused = await trade.submit_venue_b_order(order(100))
            assert isinstance(refused, Refused)
            self.assertEqual(vars(refused.error)["field"], "priceCents")
            self.assertIsInstance(await trade.cancel_venue_b_order("nothing"), Refused)
            for enabled in (True, False):
                switched = await trade.cancel_on_disconnect(enabled)
                assert isinstance(switched, Done)
                self.assertEqual(switched.value, {"enabled": enabled})

        self.run_with(test)

    def test_an_order_is_replaced(self) -> None:
        async def test(gateway: AsyncClient, trade: AsyncTrade, accepted: list[str]) -> None:
            old = await trade.submit_venue_b_order(order(1))
            assert isinstance(old, Placed)
            new = await trade.replace_venue_b_order(old.order_id, {"priceCents": 2})
            assert isinstance(new, Placed), new
            self.assertEqual(new.replaces, {"orderId": old.order_id, "status": "CANCELLED"})
            self.assertEqual(accepted, [old.order_id, new.order_id])
            again = await trade.replace_venue_b_order(old.order_id, {"priceCents": 3})
            assert isinstance(again, Refused) and isinstance(again.error, OrderEnded)
            self.assertEqual(again.error.replaces, {"orderId": old.order_id, "status": "CANCELLED"})
            last = await gateway.replace_venue_b_order(new.order_id, {"count": 2})
            assert isinstance(last, Placed), last
            self.assertEqual((await gateway.get_venue_b_order(last.order_id))["priceCents"], 2)
            self.assertIsInstance(await gateway.cancel_venue_b_order(last.order_id), Cancelled)

        self.run_with(test)

    def test_batches_are_placed_as_over_rest(self) -> None:
        async def test(gateway: AsyncClient, trade: AsyncTrade, accepted: list[str]) -> None:
            body = batch((str(uuid4()), 1), (str(uuid4()), 100))
            placed = await trade.submit_venue_b_batch(body)
            assert isinstance(placed, Done), placed
            self.assertEqual([it["status"] for it in placed.value["results"]], [201, 400])
            again = await gateway.submit_venue_b_batch(body)
            assert isinstance(again, Done), again
            first, repeated = placed.value["results"][0], again.value["results"][0]
            self.assertEqual((repeated.get("replayed"), repeated.get("order")), (True, first.get("order")))
            nothing: VenueABatch = {"orders": []}
            for late in (
                await trade.submit_venue_b_batch(batch(("late", 1)), not_after_millis=1),
                await gateway.submit_venue_b_batch(batch(("later", 1)), not_after_millis=1),
            ):
                assert isinstance(late, Done), late
                self.assertEqual([it["status"] for it in late.value["results"]], [400])
            self.assertIsInstance(await trade.submit_venue_a_batch(nothing), Refused)
            await trade.cancel_venue_b_orders(ticker=TICKER)

        self.run_with(test)

    def test_a_lost_connection_leaves_an_unknown_outcome_and_rest_has_the_answer(self) -> None:
        async def test(gateway: AsyncClient, trade: AsyncTrade, accepted: list[str]) -> None:
            self.assertIsInstance(await trade.cancel_venue_a_orders(), Done)
            placing = asyncio.create_task(trade.submit_venue_b_order(order(3)))
            while not trade._pending:
                await asyncio.sleep(0)
            socket = trade._socket
            assert socket is not None
            socket.transport.abort()
            doubt = await placing
            assert isinstance(doubt, Unknown), doubt
            placed = await gateway.submit_venue_b_order(order(3), idempotency_key=doubt.idempotency_key)
            self.assertIsInstance(placed, Placed)
            again = await trade.submit_venue_b_order(order(3), idempotency_key=doubt.idempotency_key)
            assert isinstance(again, Placed) and isinstance(placed, Placed)
            self.assertEqual((again.order_id, again.is_replayed), (placed.order_id, True))
            await trade.cancel_venue_b_orders(ticker=TICKER)

        self.run_with(test)

    def test_a_gateway_that_is_not_there_refuses(self) -> None:
        async def run() -> None:
            nowhere = AsyncClient("http://127.0.0.1:9", SIGNER, retry_for_s=0)
            async with nowhere, AsyncTrade(nowhere) as trade:
                self.assertIsInstance(await trade.submit_venue_b_order(order()), Refused)

        asyncio.run(run())

    def test_without_asyncio_threads_share_a_connection(self) -> None:
        accepted: list[str] = []
        with client() as gateway, Trade(gateway, accepted=accepted.append) as trade:
            with ThreadPoolExecutor(5) as threads:
                outcomes = list(threads.map(lambda at: trade.submit_venue_b_order(order(1 + at)), range(5)))
            ids = [it.order_id for it in outcomes if isinstance(it, Placed)]
            self.assertEqual((len(ids), set(accepted)), (5, set(ids)))
            queue = trade.queue_ahead("venue_b", ids[1])
            assert isinstance(queue, Done)
            self.assertEqual(queue.value["orderId"], ids[1])
            assert queue.value["queueAhead"] is not None
            self.assertGreaterEqual(float(queue.value["queueAhead"]["low"]), 0)
            self.assertIsInstance(trade.cancel_venue_b_order(ids[0]), Cancelled)
            rest = trade.cancel_venue_b_orders(ticker=TICKER)
            assert isinstance(rest, Done)
            self.assertEqual(len(rest.value["results"]), 4)
            for refused in (
                trade.cancel_venue_a_order("nothing"),
                trade.cancel_venue_a_order_by_client_id("nothing"),
                trade.cancel_venue_b_order_by_client_id("nothing"),
                trade.submit_venue_a_order(NO_ORDER),
                trade.replace_venue_a_order("nothing", {"size": "5"}),
                trade.replace_venue_b_order("nothing", {"count": 2}),
            ):
                self.assertIsInstance(refused, Refused)
            self.assertIsInstance(trade.cancel_venue_a_orders(token_id=TOKEN), Done)
            self.assertIsInstance(trade.cancel_on_disconnect(False), Done)
        trade.close()


class OverTls(unittest.TestCase):
    def test_orders_books_and_the_trade_connection(self) -> None:
        port = urlsplit(GATEWAY["url"]).port
        assert port is not None
        with tempfile.TemporaryDirectory() as folder:
            certificate, context = self_signed(folder)
            with TlsProxy(port, context) as proxy, Client(proxy.url, SIGNER, ca_file=certificate) as gateway:
                placed = gateway.submit_venue_b_order(order())
                assert isinstance(placed, Placed)
                with Stream(gateway) as stream:
                    stream.subscribe("book", [venue_b(TICKER)])
                    self.assertEqual(until(stream, BookChanged).book.state, "LIVE")
                with Trade(gateway) as trade:
                    self.assertIsInstance(trade.cancel_venue_b_order(placed.order_id), Cancelled)
