"""A gateway that does not own the key's pod says which one does, and the client follows. And TLS, on real sockets."""

import asyncio
import tempfile
import unittest

from crossbook import (
    AsyncClient,
    Cancelled,
    Client,
    Done,
    Placed,
    Refused,
    Signer,
    Stream,
    Unauthenticated,
    Unavailable,
    Unknown,
    Unreachable,
)
from crossbook.events import Disconnected
from crossbook.models import VenueBOrderRequest
from scripted_server import Scripted, ScriptedServer, failure
from self_signed import self_signed

SIGNER = Signer("key-1", "00" * 32)
ORDER: VenueBOrderRequest = {"ticker": "KX", "side": "YES", "action": "BUY", "count": 1, "priceCents": 50}
PLACED: Scripted = (201, {"orderId": "o-1", "status": "OPEN"}, {})
CANCELLED: Scripted = (200, {"orderId": "o-1", "status": "CANCELLED", "filledCount": None}, {})


def elsewhere(status: int, owner: str) -> Scripted:
    code = "INTERNAL_ERROR" if status == 503 else "INVALID_REQUEST"
    return failure(status, code, "another gateway owns the pod", **{"SVC-Pod-Owner": owner})


def client_of(server: ScriptedServer) -> Client:
    return server.clients.enter_context(Client(server.url, SIGNER, retry_for_s=0.0))


class Owners(unittest.TestCase):
    def test_a_submission_follows_with_its_key_and_later_calls_go_there_at_once(self) -> None:
        with ScriptedServer(PLACED) as owner, ScriptedServer(elsewhere(503, owner.url)) as asked:
            client = client_of(asked)
            self.assertIsInstance(client.submit_venue_b_order(ORDER, idempotency_key="k"), Placed)
            self.assertIsInstance(client.submit_venue_b_order(ORDER), Placed)
            self.assertEqual((len(asked.heard), len(owner.heard)), (1, 2))
            [(_, _, first, sent)] = asked.heard
            (_, _, second, sent_again) = owner.heard[0]
            self.assertEqual((first["idempotency-key"], sent), (second["idempotency-key"], sent_again))

    def test_a_cancel_and_a_read_follow_too(self) -> None:
        with ScriptedServer(CANCELLED) as owner, ScriptedServer(elsewhere(421, owner.url)) as asked:
            self.assertIsInstance(client_of(asked).cancel_venue_b_order("o-1"), Cancelled)
        page: Scripted = (200, {"fills": [], "nextPageToken": None}, {})
        with ScriptedServer(page) as owner, ScriptedServer(elsewhere(421, owner.url)) as asked:
            self.assertEqual(client_of(asked).list_venue_b_order_fills("o-1")["fills"], [])

    def test_asyncio_is_the_same(self) -> None:
        async def call(url: str) -> None:
            async with AsyncClient(url, SIGNER) as client:
                self.assertIsInstance(await client.submit_venue_b_order(ORDER), Placed)

        with ScriptedServer(PLACED) as owner, ScriptedServer(elsewhere(503, owner.url)) as asked:
            asyncio.run(call(asked.url))
            self.assertEqual(len(owner.heard), 1)

    def test_an_owner_that_is_gone_sends_the_client_back(self) -> None:
        with ScriptedServer(PLACED) as gone:
            pass
        with ScriptedServer(PLACED) as next_owner:
            with ScriptedServer(elsewhere(503, gone.url), elsewhere(503, next_owner.url)) as asked:
                self.assertIsInstance(client_of(asked).submit_venue_b_order(ORDER), Placed)
                self.assertEqual((len(asked.heard), len(next_owner.heard)), (2, 1))

    def test_an_answer_that_is_lost_at_the_owner_is_an_unknown_outcome(self) -> None:
        with ScriptedServer(None) as owner, ScriptedServer(elsewhere(503, owner.url)) as asked:
            self.assertIsInstance(client_of(asked).submit_venue_b_order(ORDER), Unknown)
            self.assertEqual((len(asked.heard), len(owner.heard)), (1, 1))

    def test_gateways_that_send_it_round_end_with_a_refusal(self) -> None:
        with ScriptedServer(PLACED) as first:
            with ScriptedServer(elsewhere(503, first.url)) as second:
                # The first sends back to the second from now on.
                first.script(elsewhere(503, second.url))
                outcome = client_of(second).submit_venue_b_order(ORDER)
                assert isinstance(outcome, Refused)
                self.assertIsInstance(outcome.error, Unavailable)
                self.assertEqual(len(first.heard) + len(second.heard), 4)

    def test_only_an_origin_is_followed_and_only_after_421_and_503(self) -> None:
        cases: list[Scripted] = [
            elsewhere(503, "127.0.0.1:1"),
            elsewhere(503, "http://127.0.0.1:1/path"),
            elsewhere(503, "http://user@127.0.0.1:1"),
            elsewhere(503, "ftp://127.0.0.1"),
            elsewhere(404, "http://127.0.0.1:1"),
        ]
        for answer in cases:
            with self.subTest(answer), ScriptedServer(answer) as asked:
                self.assertIsInstance(client_of(asked).submit_venue_b_order(ORDER), Refused)
                self.assertEqual(len(asked.heard), 1)

    def test_an_upgrade_follows(self) -> None:
        unknown_key = failure(401, "INVALID_REQUEST", "SVC-Key-Id: unknown")
        with ScriptedServer(unknown_key) as owner, ScriptedServer(elsewhere(421, owner.url)) as asked:
            client = client_of(asked)
            client.session.clock.observe(0, 0, 0)
            with Stream(client) as stream, self.assertRaises(Unauthenticated):
                next(stream)
            self.assertEqual([target for _, target, _, _ in owner.heard], ["/v1/orderbook"])


class Tls(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.certificate, self.context = self_signed(folder.name)

    def test_a_certificate_of_a_known_authority_is_taken(self) -> None:
        with ScriptedServer(PLACED, tls=self.context) as server:
            with Client(server.url, SIGNER, ca_file=self.certificate) as client:
                self.assertIsInstance(client.submit_venue_b_order(ORDER), Placed)

            async def call() -> None:
                async with AsyncClient(server.url, SIGNER, ca_file=self.certificate) as client:
                    self.assertIsInstance(await client.submit_venue_b_order(ORDER), Placed)

            asyncio.run(call())

    def test_any_other_certificate_and_another_name_are_not(self) -> None:
        with ScriptedServer(PLACED, tls=self.context) as server:
            for url, ca_file in [(server.url, None), (server.url.replace("localhost", "127.0.0.1"), self.certificate)]:
                with self.subTest(url), Client(url, SIGNER, ca_file=ca_file, retry_for_s=0) as client:
                    outcome = client.submit_venue_b_order(ORDER)
                    assert isinstance(outcome, Refused)
                    self.assertIsInstance(outcome.error, Unreachable)
                    self.assertRegex(str(outcome.error), "(?i)certificate")
                    with Stream(client) as stream:
                        event = next(stream)
                        assert isinstance(event, Disconnected)
                        self.assertRegex(event.reason, "(?i)certificate")
            self.assertEqual(server.heard, [])

    def test_it_is_not_left_for_an_owner_without_it(self) -> None:
        with ScriptedServer(PLACED) as owner, ScriptedServer(elsewhere(503, owner.url), tls=self.context) as asked:
            with Client(asked.url, SIGNER, ca_file=self.certificate, retry_for_s=0) as client:
                self.assertIsInstance(client.submit_venue_b_order(ORDER), Refused)
            self.assertEqual(owner.heard, [])

    def test_an_owner_with_it_is_followed(self) -> None:
        with ScriptedServer((200, {"results": []}, {}), tls=self.context) as owner:
            with ScriptedServer(elsewhere(421, owner.url)) as asked:
                with Client(asked.url, SIGNER, ca_file=self.certificate) as client:
                    self.assertIsInstance(client.cancel_venue_b_orders(), Done)

