"""What a stream asks for and yields, message by message, without a socket."""

import json
import unittest
from collections.abc import Callable
from typing import Any

from crossbook import (
    BookChanged,
    BookLost,
    Following,
    Notice,
    OrderChanged,
    OrdersRead,
    OutcomeChanged,
    QuoteChanged,
    Rejected,
    StateChanged,
    TradeSeen,
    venue_a,
    venue_b,
)
from crossbook.events import Event
from crossbook.market_requests import Options
from crossbook.stream_session import StreamSession
from test_book import MARKET, Server

OTHER = venue_a("123")


class Rig:
    """A session, what it has sent, and the tasks that it has put off."""

    def __init__(self, follow: Callable[[str], bool] = lambda _owner: False) -> None:
        self.sent: list[dict[str, Any]] = []
        self.later: list[tuple[float, Callable[[], None]]] = []
        self.session = StreamSession(self.sent.append, lambda pause_s, task: self.later.append((pause_s, task)), follow)

    def read(self, **message: Any) -> list[Event]:
        return self.session.read(json.dumps(message))

    def taken(self) -> list[dict[str, Any]]:
        sent, self.sent[:] = list(self.sent), []
        return sent

    def run_later(self) -> list[float]:
        tasks, self.later[:] = list(self.later), []
        for _, task in tasks:
            task()
        return [pause_s for pause_s, _ in tasks]


def followed() -> tuple[Rig, Server]:
    rig, server = Rig(), Server()
    rig.session.subscribe("book", [MARKET])
    rig.session.opened()
    rig.taken()
    server.delta(("bid", "0.5", "10"))
    [event] = rig.read(**server.snapshot())
    assert isinstance(event, BookChanged)
    return rig, server


class Books(unittest.TestCase):
    def test_subscribes_once_it_is_up_and_again_after_every_reconnection(self) -> None:
        rig = Rig()
        rig.session.subscribe("book", [MARKET])
        rig.session.subscribe("trade", [OTHER])
        self.assertEqual(rig.sent, [])
        wanted = [("book", [MARKET.to_wire()]), ("trade", [OTHER.to_wire()])]
        for _ in range(2):
            rig.session.opened()
            self.assertEqual([(it["channel"], it["markets"]) for it in rig.taken()], wanted)
            rig.session.lost()

    def test_asks_for_depth_and_interval_again_after_a_reconnection(self) -> None:
        rig = Rig()
        rig.session.subscribe("book", [MARKET], Options(depth=10))
        rig.session.subscribe("book", [OTHER])
        rig.session.subscribe("quote", [OTHER], Options(min_interval_ms=100))
        for _ in range(2):
            rig.session.opened()
            asked = [(it["channel"], it.get("depth"), it.get("minIntervalMs")) for it in rig.taken()]
            self.assertEqual(asked, [("book", 10, None), ("book", None, None), ("quote", None, 100)])
            rig.session.lost()

    def test_splits_long_requests(self) -> None:
        rig = Rig()
        rig.session.opened()
        rig.session.subscribe("book", [venue_b(f"KX-{at}") for at in range(250)])
        self.assertEqual([len(it["markets"]) for it in rig.sent], [100, 100, 50])

    def test_a_book_is_empty_while_the_connection_is_lost(self) -> None:
        rig, _ = followed()
        rig.session.lost()
        self.assertFalse(rig.session.books[MARKET].is_synced)

    def test_asks_for_a_snapshot_after_a_gap(self) -> None:
        rig, server = followed()
        server.delta(("bid", "0.4", "1"))
        [event] = rig.read(**server.delta(("bid", "0.3", "1")))
        self.assertEqual(event, BookLost(rig.session.books[MARKET], "gap"))
        self.assertEqual([(it["op"], it["market"]) for it in rig.taken()], [("snapshot", MARKET.to_wire())])
        [event] = rig.read(**server.snapshot())
        self.assertIsInstance(event, BookChanged)

    def test_connects_anew_if_a_snapshot_is_wrong(self) -> None:
        rig, server = followed()
        rig.read(**{**server.snapshot(), "checksum": 1})
        self.assertIsNotNone(rig.session.broken)

    def test_a_heartbeat_shows_that_something_is_missing(self) -> None:
        rig, server = followed()
        self.assertEqual(rig.read(type="heartbeat", books=[[MARKET.to_wire(), server.epoch, server.seq]]), [])
        [event] = rig.read(type="heartbeat", books=[[MARKET.to_wire(), server.epoch, server.seq + 1]])
        self.assertIsInstance(event, BookLost)
        self.assertEqual([it["op"] for it in rig.taken()], ["snapshot"])

    def test_a_state_goes_to_the_book(self) -> None:
        rig, _ = followed()
        events = rig.read(type="state", market=MARKET.to_wire(), state="STALE", reason="SILENCE")
        self.assertEqual(events, [StateChanged(MARKET, "STALE", "SILENCE")])
        self.assertEqual(rig.session.books[MARKET].state, "STALE")

    def test_an_unknown_kind_of_message_is_ignored(self) -> None:
        self.assertEqual(Rig().read(type="news"), [])

    def test_a_quote(self) -> None:
        quote = {"type": "quote", "market": OTHER.to_wire(), "bid": ["0.5", "10"], "ask": None}
        [event] = Rig().read(**quote)
        assert isinstance(event, QuoteChanged)
        self.assertEqual((event.market, event.quote), (OTHER, quote))

    def test_outcomes_are_asked_for_by_interval_after_every_reconnection(self) -> None:
        rig = Rig()
        rig.session.subscribe_outcomes(["a:moneyline"], 250)
        rig.session.subscribe_outcomes(["b:moneyline", "c:moneyline"])
        self.assertEqual(rig.sent, [])
        wanted = [(250, ["a:moneyline"]), (0, ["b:moneyline", "c:moneyline"])]
        for _ in range(2):
            rig.session.opened()
            self.assertEqual([(it["minIntervalMs"], it["catalogMarkets"]) for it in rig.taken()], wanted)
            rig.session.lost()
        rig.session.opened()
        rig.taken()
        rig.session.unsubscribe_outcomes(["a:moneyline"])
        self.assertEqual([(it["op"], it["catalogMarkets"]) for it in rig.taken()], [("unsubscribe", ["a:moneyline"])])

    def test_outcomes_that_are_refused_for_now_are_asked_for_again(self) -> None:
        rig = Rig()
        rig.session.opened()
        rig.session.subscribe_outcomes(["a:moneyline", "b:moneyline"])
        rejected = [
            {"catalogMarket": "a:moneyline", "code": "UNKNOWN_MARKET", "message": "no such market"},
            {"catalogMarket": "b:moneyline", "code": "TOO_MANY_SUBSCRIPTIONS", "message": "later"},
        ]
        [asked] = rig.taken()
        answer = {"type": "subscribed", "id": asked["id"], "channel": "outcome", "accepted": [], "rejected": []}
        events = rig.read(**answer, acceptedCatalogMarkets=[], rejectedCatalogMarkets=rejected)
        self.assertEqual([it.again_in_s for it in events if isinstance(it, Rejected)], [None, 1.0])
        self.assertEqual(rig.run_later(), [1.0])
        self.assertEqual([it["catalogMarkets"] for it in rig.taken()], [["b:moneyline"]])

    def test_outcomes_that_are_refused_as_a_whole_are_asked_for_again(self) -> None:
        rig = Rig()
        rig.session.opened()
        rig.session.subscribe_outcomes(["a:moneyline", "b:moneyline"])
        rig.session.unsubscribe_outcomes(["a:moneyline"])
        asked = rig.taken()[0]
        for pause_s in (1.0, 2.0):
            [event] = rig.read(type="error", id=asked["id"], code="INVALID_REQUEST", message="reads of the rate profile")
            self.assertEqual(event, Rejected("INVALID_REQUEST", "reads of the rate profile", None, pause_s))
            self.assertEqual(rig.run_later(), [pause_s])
            [asked] = rig.taken()
            self.assertEqual((asked["op"], asked["catalogMarkets"]), ("subscribe", ["b:moneyline"]))

    def test_an_outcome(self) -> None:
        [event] = Rig().read(type="outcome", channel="outcome", catalogMarket="a:moneyline", outcomes=[], omitted=[], notes=[])
        assert isinstance(event, OutcomeChanged)
        self.assertEqual(event.message["catalogMarket"], "a:moneyline")

    def test_trades_and_notices(self) -> None:
        rig = Rig()
        trade = {"type": "trade", "market": OTHER.to_wire(), "price": "0.5"}
        [event] = rig.read(**trade)
        assert isinstance(event, TradeSeen)
        self.assertEqual((event.market, event.trade), (OTHER, trade))
        self.assertEqual(rig.read(type="error", code="LAGGED", message="slow"), [Notice("LAGGED", "slow")])


class Refusals(unittest.TestCase):
    def test_an_unknown_market_is_given_up_and_another_refusal_is_tried_again(self) -> None:
        rig = Rig()
        rig.session.opened()
        rig.session.subscribe("book", [MARKET, OTHER])
        for pause_s in (1.0, 2.0, 4.0):
            [request] = rig.taken()
            rejected = [{"market": OTHER.to_wire(), "code": "VENUE_UNAVAILABLE", "message": "not now"}]
            if MARKET in rig.session.books:
                rejected.append({"market": MARKET.to_wire(), "code": "UNKNOWN_MARKET", "message": "no such"})
            events = rig.read(type="subscribed", id=request["id"], channel="book", accepted=[], rejected=rejected)
            self.assertEqual(events[0], Rejected("VENUE_UNAVAILABLE", "not now", OTHER, pause_s))
            self.assertEqual(list(rig.session.books), [OTHER])
            self.assertEqual(rig.run_later(), [pause_s])
        self.assertEqual(rig.sent[0]["markets"], [OTHER.to_wire()])

    def test_a_request_that_is_refused_as_a_whole_is_sent_again_as_far_as_it_applies(self) -> None:
        rig = Rig()
        rig.session.opened()
        rig.session.subscribe("book", [MARKET, OTHER])
        [request] = rig.taken()
        rig.session.unsubscribe("book", [OTHER])
        rig.taken()
        events = rig.read(type="error", id=request["id"], code="INVALID_REQUEST", message="too many")
        self.assertEqual(events, [Rejected("INVALID_REQUEST", "too many", None, 1.0)])
        rig.run_later()
        self.assertEqual([it["markets"] for it in rig.sent], [[MARKET.to_wire()]])

    def test_a_refused_snapshot_is_asked_for_again(self) -> None:
        rig, server = followed()
        server.delta(("bid", "0.4", "1"))
        rig.read(**server.delta(("bid", "0.3", "1")))
        for pause_s in (1.0, 2.0):
            [request] = rig.taken()
            rig.read(type="error", id=request["id"], code="INVALID_REQUEST", message="too many")
            self.assertEqual(rig.run_later(), [pause_s])


def order(cursor: int) -> dict[str, Any]:
    return {"type": "order", "channel": "orders", "cursor": cursor, "event": "STATUS", "order": {}}


class RefusedOutcomes(unittest.TestCase):
    def test_are_not_asked_for_again_if_they_are_unknown(self) -> None:
        rig = Rig()
        rig.session.opened()
        rig.session.subscribe_outcomes(["a:moneyline"])
        [request] = rig.taken()
        no = {"catalogMarket": "a:moneyline", "code": "UNKNOWN_MARKET", "message": "no"}
        refused = rig.read(
            type="error", id=request["id"], code="UNKNOWN_MARKET", message="no", rejectedCatalogMarkets=[no]
        )
        self.assertEqual(refused, [Rejected("UNKNOWN_MARKET", "a:moneyline: no", None, None)])
        self.assertEqual(rig.run_later(), [])
        rig.session.unsubscribe_outcomes(["a:moneyline"])
        [end] = rig.taken()
        self.assertEqual(
            rig.read(type="error", id=end["id"], code="NOT_SUBSCRIBED", message="no", rejectedCatalogMarkets=[no]), []
        )


class Orders(unittest.TestCase):
    def rig(self, after: int | None = None) -> Rig:
        rig = Rig()
        rig.session.follow_orders(after, True, None)
        rig.session.opened()
        return rig

    def test_goes_on_after_the_last_cursor(self) -> None:
        rig = self.rig()
        [request] = rig.taken()
        self.assertNotIn("from", request)
        self.assertTrue(request["cancelOnDisconnect"])
        events = rig.read(type="subscribed", id=request["id"], channel="orders", accepted=[], rejected=[], cursor=7)
        self.assertEqual(events, [Following(7)])
        self.assertEqual([len(rig.read(**order(cursor))) for cursor in (8, 8, 7, 9)], [1, 0, 0, 1])
        rig.session.lost()
        rig.session.opened()
        self.assertEqual(rig.taken()[0]["from"], 9)

    def test_events_before_the_answer_are_of_an_earlier_subscription(self) -> None:
        self.assertEqual(self.rig(3).read(**order(4)), [])

    def test_connects_anew_if_an_event_is_missing(self) -> None:
        rig = self.rig(3)
        rig.read(type="subscribed", id="1", channel="orders", accepted=[], rejected=[], cursor=3)
        [event] = rig.read(**order(4))
        self.assertIsInstance(event, OrderChanged)
        self.assertEqual(rig.read(**order(6)), [])
        self.assertIsNotNone(rig.session.broken)

    def test_goes_on_with_a_snapshot_where_the_cursor_has_expired(self) -> None:
        rig = self.rig(3)
        expired = rig.read(type="error", id="1", code="CURSOR_EXPIRED", message="gone")
        self.assertEqual(expired, [Rejected("CURSOR_EXPIRED", "gone", None, None)])
        for has_more, cursor in ((True, 3), (False, 90)):
            [event] = rig.read(type="ordersSnapshot", id="1", channel="orders", cursor=90, orders=[], hasMore=has_more)
            self.assertIsInstance(event, OrdersRead)
            assert rig.session.orders is not None
            self.assertEqual(rig.session.orders.cursor, cursor)
        self.assertEqual(len(rig.read(**order(91))), 1)

    def test_a_refused_subscription_ends_unless_the_reason_passes(self) -> None:
        rig = self.rig(3)
        rig.read(type="error", id="1", code="INVALID_REQUEST", message="too many (reads of the rate profile)")
        self.assertEqual(rig.run_later(), [1.0])
        self.assertEqual(len(rig.sent), 2)
        rig.read(type="error", id="2", code="INVALID_REQUEST", message="the key lacks the scope trade")
        self.assertIsNone(rig.session.orders)

    def test_connects_to_the_owner_of_the_pod(self) -> None:
        elsewhere = {"type": "error", "id": "1", "code": "POD_ELSEWHERE", "message": "elsewhere", "podOwner": "https://two"}
        for may_follow in (True, False):
            rig = Rig({"https://two": may_follow}.__getitem__)
            rig.session.follow_orders(3, True, None)
            rig.session.opened()
            rejected = rig.read(**elsewhere)
            self.assertEqual(rejected, [] if may_follow else [Rejected("POD_ELSEWHERE", "elsewhere", None, None)])
            self.assertEqual(rig.session.broken is not None, may_follow)
            self.assertEqual(rig.session.orders is not None, may_follow)

    def test_following_anew_is_no_refusal(self) -> None:
        rig = self.rig()
        rig.session.follow_orders(None, True, None)
        self.assertEqual([(it["op"], it["id"]) for it in rig.taken()], [("subscribe", "1"), ("unsubscribe", "2"), ("subscribe", "3")])
        ended = "the subscription ended before it began"
        self.assertEqual(rig.read(type="error", id="1", code="NOT_SUBSCRIBED", message=ended), [])
        self.assertEqual(rig.read(type="unsubscribed", id="2", channel="orders", accepted=[], rejected=[]), [])
        begun = rig.read(type="subscribed", id="3", channel="orders", accepted=[], rejected=[], cursor=7)
        self.assertEqual(begun, [Following(7)])

    def test_following_anew_is_not_asked_twice_after_a_refusal(self) -> None:
        rig = self.rig()
        rig.read(type="error", id="1", code="INVALID_REQUEST", message="too many (reads of the rate profile)")
        rig.session.follow_orders(None, True, None)
        self.assertEqual(rig.read(type="error", id="2", code="NOT_SUBSCRIBED", message="not subscribed"), [])
        rig.read(type="subscribed", id="3", channel="orders", accepted=[], rejected=[], cursor=7)
        rig.taken()
        rig.run_later()
        self.assertEqual(rig.taken(), [])

    def test_unfollowing_that_is_refused_is_an_event(self) -> None:
        rig = self.rig()
        rig.read(type="subscribed", id="1", channel="orders", accepted=[], rejected=[], cursor=7)
        rig.session.unfollow_orders()
        [refused] = rig.read(type="error", id="2", code="INVALID_REQUEST", message="too many (reads of the rate profile)")
        self.assertIsInstance(refused, Rejected)

    def test_unfollowing_tells_the_gateway(self) -> None:
        rig = self.rig()
        rig.taken()
        rig.session.unfollow_orders()
        self.assertEqual([(it["op"], it["channel"]) for it in rig.taken()], [("unsubscribe", "orders")])
