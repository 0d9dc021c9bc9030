"""How answers become results: refusals, unknown outcomes, repetitions, the clock, exact numbers."""

import asyncio
import unittest
from decimal import Decimal

from crossbook import (
    ApiError,
    AsyncClient,
    Cancelled,
    Client,
    Done,
    InsufficientBalance,
    InvalidRequest,
    NotFound,
    Placed,
    RateLimit,
    RateLimited,
    Refused,
    ServerClock,
    Signer,
    Unauthenticated,
    Unavailable,
    Unknown,
    Unreachable,
    Unreadable,
    VenueFault,
)
from crossbook.calls import json_body, segment, target_of
from crossbook.exchange import Session
from crossbook.models import VenueBOrderRequest
from scripted_server import Scripted, ScriptedServer, failure

SIGNER = Signer("key-1", "00" * 32)
ORDER: VenueBOrderRequest = {"ticker": "KX", "side": "YES", "action": "BUY", "count": 1, "priceCents": 50}
PLACED: Scripted = (201, {"orderId": "o-1", "status": "OPEN"}, {})
IN_DOUBT = failure(504, "ORDER_RECONCILIATION_REQUIRED", "no answer", "o-1")
BUSY = failure(503, "INTERNAL_ERROR", "too many", **{"Retry-After": "1"})


def client_of(server: ScriptedServer, retry_for_s: float = 0.0) -> Client:
    return server.clients.enter_context(Client(server.url, SIGNER, retry_for_s=retry_for_s))


class Submissions(unittest.TestCase):
    def test_an_order_that_was_made(self) -> None:
        with ScriptedServer((201, {"orderId": "o-1", "status": "OPEN"}, {"Idempotency-Replayed": "true"})) as server:
            outcome = client_of(server).submit_venue_b_order(ORDER, idempotency_key="k", not_after_millis=5)
            self.assertEqual(outcome, Placed("o-1", "OPEN", True, "req_1"))
            [(method, target, headers, body)] = server.heard
            self.assertEqual((method, target), ("POST", "/v1/venue-b/orders"))
            self.assertEqual((headers["idempotency-key"], headers["svc-not-after-millis"]), ("k", "5"))
            self.assertEqual(body, b'{"ticker":"KX","side":"YES","action":"BUY","count":1,"priceCents":50}')

    def test_a_refusal_names_field_and_rule(self) -> None:
        with ScriptedServer(failure(400, "INVALID_REQUEST", "count: must be an integer")) as server:
            outcome = client_of(server).submit_venue_b_order(ORDER)
            assert isinstance(outcome, Refused) and isinstance(outcome.error, InvalidRequest)
            error = outcome.error
            self.assertEqual((error.code, error.field, error.rule), ("INVALID_REQUEST", "count", "must be an integer"))

    def test_4039_a_refusal_has_the_code_of_the_order(self) -> None:
        for given, known in (("NOT_FEASIBLE", "NOT_FEASIBLE"), ("OF_A_LATER_VERSION", None), (None, None)):
            error = {"code": "INVALID_REQUEST", "reason": given, "message": "not filled"}
            with self.subTest(given), ScriptedServer((400, {"error": error}, {})) as server:
                outcome = client_of(server).submit_venue_b_order(ORDER)
                assert isinstance(outcome, Refused) and isinstance(outcome.error, InvalidRequest)
                self.assertEqual((outcome.reason, outcome.error.reason), (known, known))

    def test_4033_an_order_till_a_time_has_the_time_that_holds(self) -> None:
        made = {"orderId": "o-1", "status": "OPEN", "expiresAt": "2026-11-26T12:00:00.000Z"}
        with ScriptedServer((201, made, {})) as server:
            outcome = client_of(server).submit_venue_b_order(ORDER)
            assert isinstance(outcome, Placed)
            self.assertEqual(outcome.expires_at, "2026-11-26T12:00:00.000Z")

    def test_outcomes_by_answer(self) -> None:
        cases: list[tuple[Scripted, type, type | None]] = [
            (failure(400, "INSUFFICIENT_BALANCE", "count: too many"), Refused, InsufficientBalance),
            (failure(401, "INVALID_REQUEST", "SVC-Signature: wrong"), Refused, Unauthenticated),
            (failure(404, "NOT_FOUND", "closed"), Refused, NotFound),
            (BUSY, Refused, Unavailable),
            (failure(500, "INTERNAL_ERROR", "a fault"), Refused, ApiError),
            ((429, "<html>", {}), Refused, Unreadable),
            (IN_DOUBT, Unknown, None),
            (failure(502, "INTERNAL_ERROR", "a proxy"), Unknown, None),
            (failure(500, None, "a proxy with JSON"), Unknown, None),
            ((502, "<html>", {}), Unknown, None),
            ((201, "{", {}), Unknown, None),
            (None, Unknown, None),
        ]
        for answer, kind, error in cases:
            with self.subTest(answer), ScriptedServer(answer) as server:
                outcome = client_of(server).submit_venue_b_order(ORDER)
                self.assertIsInstance(outcome, kind)
                self.assertEqual(len(server.heard), 1)
                if isinstance(outcome, Refused) and error is not None:
                    self.assertIsInstance(outcome.error, error)

    def test_one_that_never_left_is_refused(self) -> None:
        with ScriptedServer(PLACED) as server:
            url = server.url
        outcome = Client(url, SIGNER, retry_for_s=0).submit_venue_b_order(ORDER)
        assert isinstance(outcome, Refused)
        self.assertIsInstance(outcome.error, Unreachable)

    def test_an_unknown_outcome_is_asked_for_under_the_same_key_until_it_is_known(self) -> None:
        # What a repetition is refused for says nothing of the first.
        with ScriptedServer(None, IN_DOUBT, BUSY, failure(401, "INVALID_REQUEST", "revoked"), PLACED) as server:
            outcome = client_of(server, retry_for_s=60).submit_venue_b_order(ORDER)
            self.assertIsInstance(outcome, Placed)
            self.assertEqual(len({(headers["idempotency-key"], body) for _, _, headers, body in server.heard}), 1)
            self.assertEqual(len(server.heard), 5)

    def test_an_unknown_outcome_ends_as_the_refusal_of_its_order(self) -> None:
        with ScriptedServer(IN_DOUBT, failure(400, "INVALID_REQUEST", "refused by the venue")) as server:
            self.assertIsInstance(client_of(server, retry_for_s=60).submit_venue_b_order(ORDER), Refused)

    def test_the_time_of_repetitions_ends(self) -> None:
        with ScriptedServer(IN_DOUBT) as server:
            client = client_of(server, retry_for_s=0.15)
            client.session.monotonic_s = iter([0.0, 0.01, 0.2]).__next__
            outcome = client.submit_venue_b_order(ORDER, idempotency_key="k")
            self.assertEqual(outcome, Unknown("no answer", "o-1", "k", 504, "req_1"))
            self.assertEqual(len(server.heard), 2)

    def test_a_refused_order_is_not_sent_again(self) -> None:
        with ScriptedServer(BUSY) as server:
            outcome = client_of(server, retry_for_s=60).submit_venue_b_order(ORDER)
            assert isinstance(outcome, Refused)
            self.assertEqual((outcome.retry_after_s, len(server.heard)), (1, 1))


class OtherCalls(unittest.TestCase):
    def test_a_cancel_is_not_repeated(self) -> None:
        with ScriptedServer(None) as server:
            self.assertIsInstance(client_of(server, retry_for_s=60).cancel_venue_b_order("o-1"), Unknown)
            self.assertEqual(len(server.heard), 1)

    def test_a_cancel_says_whether_it_is_recorded(self) -> None:
        answer = {"orderId": "o-1", "status": "CANCELLED", "filledCount": "2"}
        with ScriptedServer((200, answer, {"SVC-Recorded": "false"})) as server:
            outcome = client_of(server).cancel_venue_b_order("o-1")
            self.assertEqual(outcome, Cancelled("o-1", "CANCELLED", "2", False, "req_1"))

    def test_two_equal_changes_differ_by_their_keys(self) -> None:
        with ScriptedServer((200, {"results": []}, {})) as server:
            client = client_of(server)
            self.assertEqual([type(client.cancel_venue_a_orders()) for _ in range(2)], [Done, Done])
            self.assertEqual(len({headers["svc-signature"] for _, _, headers, _ in server.heard}), 2)

    def test_a_read_is_repeated_while_that_may_help(self) -> None:
        page: Scripted = (200, {"fills": [], "nextPageToken": None}, {})
        with ScriptedServer(None, BUSY, page) as server:
            answer = client_of(server, retry_for_s=60).list_venue_b_order_fills("o-1")
            self.assertEqual((answer["fills"], len(server.heard)), ([], 3))

    def test_a_read_says_whether_it_may_lack_news(self) -> None:
        heard: list[str] = []
        page: dict[str, object] = {"fills": [], "nextPageToken": None}
        with ScriptedServer((200, page, {"SVC-Current": "false"}), (200, page, {})) as server:
            client = server.clients.enter_context(Client(server.url, SIGNER, on_behind=heard.append))
            client.list_venue_b_order_fills("o-1")
            client.list_venue_b_order_fills("o-2")
        self.assertEqual(heard, ["/v1/venue-b/orders/o-1/fills"])

    def test_a_read_raises(self) -> None:
        cases: list[tuple[Scripted, type[Exception]]] = [
            (failure(429, "INVALID_REQUEST", "too many reads", **{"Retry-After": "1"}), RateLimited),
            (failure(404, "NOT_FOUND", "no such order"), NotFound),
            ((502, {"error": {"message": "venue_e: HTTP 500"}}, {}), VenueFault),
            ((403, {"message": "Forbidden"}, {}), ApiError),
            ((200, "[]", {}), Unreadable),
            (None, Unreachable),
        ]
        for answer, error in cases:
            with self.subTest(answer), ScriptedServer(answer) as server, self.assertRaises(error):
                client_of(server).get_venue_b_order("o-1")

    def test_numbers_are_exact(self) -> None:
        balance = '{"available": 0.1, "unconverted": 0, "claimable": 3, "total": 3.1}'
        with ScriptedServer((200, balance, {"RateLimit": '"reads";r=1999;t=1'})) as server:
            client = client_of(server)
            answer = client.get_venue_a_balance()
            self.assertEqual(answer["available"] + answer["claimable"], answer["total"])
            self.assertEqual(client.rate_limits, {"reads": RateLimit(1999, 1)})

    def test_a_wrong_clock_is_corrected_by_the_first_refusal(self) -> None:
        with ScriptedServer(PLACED, ahead_s=3_600) as server:
            client = client_of(server)
            self.assertIsInstance(client.submit_venue_b_order(ORDER), Placed)
            self.assertIsInstance(client.submit_venue_b_order(ORDER), Placed)
            self.assertEqual(len(server.heard), 3)
            self.assertAlmostEqual(client.session.clock.offset_ms, 3_600_000, delta=60_000)

    def test_asyncio_is_the_same(self) -> None:
        async def calls(url: str) -> None:
            async with AsyncClient(url, SIGNER, retry_for_s=60) as client:
                self.assertIsInstance(await client.submit_venue_b_order(ORDER), Placed)

        with ScriptedServer(None, IN_DOUBT, PLACED, ahead_s=3_600) as server:
            asyncio.run(calls(server.url))
            self.assertGreaterEqual(len(server.heard), 3)


class Requests(unittest.TestCase):
    def test_a_target_is_sent_as_it_is_signed(self) -> None:
        target = target_of("/v1/x", {"a": "é &=", "b": None, "c": True, "d": ["x", "y"], "e": 7})
        self.assertEqual(target, "/v1/x?a=%C3%A9%20%26%3D&c=true&d=x%2Cy&e=7")
        with ScriptedServer((200, {"markets": []}, {})) as server:
            client_of(server).list_event_markets("a/b ?ü%2F")
            self.assertEqual(server.heard[0][1], "/v1/sports/events/a%2Fb%20%3F%C3%BC%252F/markets")

    def test_a_part_of_a_path_is_an_identifier(self) -> None:
        for value in ("", ".", ".."):
            with self.subTest(value), self.assertRaises(ValueError):
                segment("order_id", value)

    def test_decimals_become_text_and_floats_are_refused(self) -> None:
        body = json_body({"price": Decimal("0.53"), "n": {"size": Decimal("1E+2")}})
        self.assertEqual(body, b'{"price":"0.53","n":{"size":"100"}}')
        with self.assertRaisesRegex(TypeError, "body.n.size"):
            json_body({"n": {"size": 0.5}})

    def test_keys_are_version_7(self) -> None:
        session = Session(None, None, 0, ServerClock(lambda: 1_700_000_000_123.0))
        keys = {session.new_key() for _ in range(100)}
        self.assertEqual(len(keys), 100)
        for key in keys:
            self.assertRegex(key, r"^018bcfe5-687b-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")

    def test_the_url_is_an_origin(self) -> None:
        for url in ("http://127.0.0.1/api", "ftp://127.0.0.1", "http://127.0.0.1/?x"):
            with self.subTest(url), self.assertRaises(ValueError):
                Client(url)

    def test_a_signed_call_needs_a_signer(self) -> None:
        with self.assertRaisesRegex(ValueError, "signer"):
            Client().get_time()
        with self.assertRaisesRegex(ValueError, "api_key"):
            Client().get_older_balances()
