"""Generated from proto/openapi.yaml by test/support/make-python-client.ts. Not to be edited.

Every operation of the contract but the upgrades to WebSockets: a method of both clients.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal, TypeVar

from . import models
from .calls import Call, act, cancel, change, read, segment, submit
from .outcomes import Cancellation, Change, Submission

T = TypeVar("T")


class Operations(ABC):
    @abstractmethod
    def _run(self, call: Call[T]) -> T: ...

    def get_whoami(self) -> models.Whoami:
        """The calling key, its actor, pod, scopes and limits."""
        return self._run(read(models.Whoami, "/v1/whoami", {}, "signed"))

    def get_time(self) -> models.ServerTime:
        """The server's clock, for signing."""
        return self._run(read(models.ServerTime, "/v1/time", {}, "signed"))

    def list_venue_a_orders(
        self,
        *,
        token_id: str | None = None,
        status: models.OrderStatus | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        queue: Literal["true"] | None = None,
    ) -> models.VenueAOrderPage:
        """The actor's orders, newest first."""
        return self._run(
            read(
                models.VenueAOrderPage,
                "/v1/venue-a/orders",
                {
                    "tokenId": token_id,
                    "status": status,
                    "pageSize": page_size,
                    "pageToken": page_token,
                    "queue": queue,
                },
                "signed",
            )
        )

    def submit_venue_a_order(
        self,
        body: models.VenueAOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Submit a limit order or a market order."""
        return self._run(submit("/v1/venue-a/orders", body, idempotency_key, not_after_millis))

    def cancel_venue_a_orders(self, *, token_id: str | None = None) -> Change[models.CancelResults]:
        """Cancel the actor's open orders on venue A."""
        return self._run(change(models.CancelResults, "DELETE", "/v1/venue-a/orders", {"tokenId": token_id}))

    def preview_venue_a_order(self, body: models.VenueAOrderRequest) -> Change[models.OrderPreview]:
        """What this order would come to now. Nothing is recorded or sent."""
        return self._run(change(models.OrderPreview, "POST", "/v1/venue-a/orders/preview", {}, body))

    def submit_venue_a_batch(
        self,
        body: models.VenueABatch,
        *,
        not_after_millis: int | None = None,
    ) -> Change[models.BatchResults]:
        """Submit up to 15 orders at once."""
        return self._run(change(models.BatchResults, "POST", "/v1/venue-a/orders/batch", {}, body, not_after_millis))

    def cancel_venue_a_batch(self, body: models.CancelBatch) -> Change[models.VenueACancelBatchResults]:
        """Cancel up to 100 orders at once."""
        return self._run(change(models.VenueACancelBatchResults, "DELETE", "/v1/venue-a/orders/batch", {}, body))

    def get_venue_a_order(self, order_id: str, *, queue: Literal["true"] | None = None) -> models.VenueAOrder:
        """One order, with the reason if it failed."""
        return self._run(
            read(
                models.VenueAOrder,
                f"/v1/venue-a/orders/{segment('order_id', order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    def cancel_venue_a_order(self, order_id: str) -> Cancellation:
        """Cancel a working order."""
        return self._run(cancel(f"/v1/venue-a/orders/{segment('order_id', order_id)}", "filledShares"))

    def get_venue_a_order_by_client_id(
        self,
        client_order_id: str,
        *,
        queue: Literal["true"] | None = None,
    ) -> models.VenueAOrder:
        """One order by its idempotency key, also while its submission is under way."""
        return self._run(
            read(
                models.VenueAOrder,
                f"/v1/venue-a/orders/by-client-id/{segment('client_order_id', client_order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    def cancel_venue_a_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """Cancel a working order by its idempotency key."""
        return self._run(
            cancel(f"/v1/venue-a/orders/by-client-id/{segment('client_order_id', client_order_id)}", "filledShares")
        )

    def replace_venue_a_order(
        self,
        order_id: str,
        body: models.VenueAReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Replace a resting order."""
        return self._run(
            submit(
                f"/v1/venue-a/orders/{segment('order_id', order_id)}/replace",
                body,
                idempotency_key,
                not_after_millis,
            )
        )

    def list_venue_a_order_fills(
        self,
        order_id: str,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.FillPage:
        """Executions of one order, in their order of arrival."""
        return self._run(
            read(
                models.FillPage,
                f"/v1/venue-a/orders/{segment('order_id', order_id)}/fills",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    def list_venue_b_orders(
        self,
        *,
        ticker: str | None = None,
        status: models.OrderStatus | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        queue: Literal["true", "venue"] | None = None,
    ) -> models.VenueBOrderPage:
        """The actor's orders, newest first."""
        return self._run(
            read(
                models.VenueBOrderPage,
                "/v1/venue-b/orders",
                {
                    "ticker": ticker,
                    "status": status,
                    "pageSize": page_size,
                    "pageToken": page_token,
                    "queue": queue,
                },
                "signed",
            )
        )

    def submit_venue_b_order(
        self,
        body: models.VenueBOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Submit a limit order."""
        return self._run(submit("/v1/venue-b/orders", body, idempotency_key, not_after_millis))

    def cancel_venue_b_orders(self, *, ticker: str | None = None) -> Change[models.CancelResults]:
        """Cancel the actor's open orders on venue B."""
        return self._run(change(models.CancelResults, "DELETE", "/v1/venue-b/orders", {"ticker": ticker}))

    def preview_venue_b_order(self, body: models.VenueBOrderRequest) -> Change[models.OrderPreview]:
        """What this order would come to now. Nothing is recorded or sent."""
        return self._run(change(models.OrderPreview, "POST", "/v1/venue-b/orders/preview", {}, body))

    def submit_venue_b_batch(
        self,
        body: models.VenueBBatch,
        *,
        not_after_millis: int | None = None,
    ) -> Change[models.BatchResults]:
        """Submit up to 15 orders at once."""
        return self._run(change(models.BatchResults, "POST", "/v1/venue-b/orders/batch", {}, body, not_after_millis))

    def cancel_venue_b_batch(self, body: models.CancelBatch) -> Change[models.VenueBCancelBatchResults]:
        """Cancel up to 100 orders at once."""
        return self._run(change(models.VenueBCancelBatchResults, "DELETE", "/v1/venue-b/orders/batch", {}, body))

    def get_venue_b_order(
        self,
        order_id: str,
        *,
        queue: Literal["true", "venue"] | None = None,
    ) -> models.VenueBOrder:
        """One order, with the reason if it failed."""
        return self._run(
            read(
                models.VenueBOrder,
                f"/v1/venue-b/orders/{segment('order_id', order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    def cancel_venue_b_order(self, order_id: str) -> Cancellation:
        """Cancel a working order."""
        return self._run(cancel(f"/v1/venue-b/orders/{segment('order_id', order_id)}", "filledCount"))

    def get_venue_b_order_by_client_id(
        self,
        client_order_id: str,
        *,
        queue: Literal["true", "venue"] | None = None,
    ) -> models.VenueBOrder:
        """One order by its idempotency key, also while its submission is under way."""
        return self._run(
            read(
                models.VenueBOrder,
                f"/v1/venue-b/orders/by-client-id/{segment('client_order_id', client_order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    def cancel_venue_b_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """Cancel a working order by its idempotency key."""
        return self._run(
            cancel(f"/v1/venue-b/orders/by-client-id/{segment('client_order_id', client_order_id)}", "filledCount")
        )

    def replace_venue_b_order(
        self,
        order_id: str,
        body: models.VenueBReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Replace a resting order."""
        return self._run(
            submit(
                f"/v1/venue-b/orders/{segment('order_id', order_id)}/replace",
                body,
                idempotency_key,
                not_after_millis,
            )
        )

    def list_venue_b_order_fills(
        self,
        order_id: str,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.FillPage:
        """Executions of one order, in their order of arrival."""
        return self._run(
            read(
                models.FillPage,
                f"/v1/venue-b/orders/{segment('order_id', order_id)}/fills",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    def cancel_after(self, body: models.CancelAfterRequest) -> Change[models.CancelAfterAnswer]:
        """Cancel every open order of this signing key unless it is set anew in time."""
        return self._run(change(models.CancelAfterAnswer, "POST", "/v1/orders/cancel-after", {}, body))

    def list_protections(self) -> models.Protections:
        """The protections of the actor."""
        return self._run(read(models.Protections, "/v1/orders/protection", {}, "signed"))

    def set_protection(self, body: models.ProtectionRequest) -> Change[models.Protection]:
        """Cancel the actor's orders once too many are filled within a window."""
        return self._run(change(models.Protection, "POST", "/v1/orders/protection", {}, body))

    def end_protection(self, *, venue: models.TradingVenue, address: str | None = None) -> Change[models.Protection]:
        """End a protection; a triggered one refuses no more."""
        return self._run(
            change(models.Protection, "DELETE", "/v1/orders/protection", {"venue": venue, "address": address})
        )

    def reset_protection(self, body: models.ProtectionPlace) -> Change[models.Protection]:
        """Arm a protection anew, with nothing counted."""
        return self._run(change(models.Protection, "POST", "/v1/orders/protection/reset", {}, body))

    def get_venue_a_positions(self, *, token_id: str | None = None) -> models.VenueAPositions:
        """What the actor holds on venue A, by token."""
        return self._run(read(models.VenueAPositions, "/v1/venue-a/positions", {"tokenId": token_id}, "signed"))

    def redeem_venue_a_position(
        self,
        token_id: str,
        body: models.RedeemRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Change[models.WalletAction]:
        """Pay out shares of a resolved market on venue A."""
        return self._run(
            act(
                models.WalletAction,
                f"/v1/venue-a/positions/{segment('token_id', token_id)}/redeem",
                body,
                idempotency_key,
            )
        )

    def split_venue_a_position(
        self,
        token_id: str,
        body: models.SplitRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Change[models.WalletAction]:
        """Make shares of both outcomes out of cash on venue A."""
        return self._run(
            act(
                models.WalletAction,
                f"/v1/venue-a/positions/{segment('token_id', token_id)}/split",
                body,
                idempotency_key,
            )
        )

    def merge_venue_a_position(
        self,
        token_id: str,
        body: models.MergeRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Change[models.WalletAction]:
        """Make cash out of shares of both outcomes on venue A."""
        return self._run(
            act(
                models.WalletAction,
                f"/v1/venue-a/positions/{segment('token_id', token_id)}/merge",
                body,
                idempotency_key,
            )
        )

    def list_venue_a_actions(
        self,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.WalletActionPage:
        """Redemptions, splits and merges of the actor, newest first."""
        return self._run(
            read(
                models.WalletActionPage,
                "/v1/venue-a/actions",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    def get_venue_a_action(self, action_id: str) -> models.WalletAction:
        """One redemption, split or merge of the actor."""
        return self._run(
            read(models.WalletAction, f"/v1/venue-a/actions/{segment('action_id', action_id)}", {}, "signed")
        )

    def get_venue_b_positions(self, *, ticker: str | None = None) -> models.VenueBPositions:
        """What the actor holds on venue B, by ticker and side."""
        return self._run(read(models.VenueBPositions, "/v1/venue-b/positions", {"ticker": ticker}, "signed"))

    def get_venue_a_balance(self) -> models.VenueABalance:
        """The pod's cash on venue A."""
        return self._run(read(models.VenueABalance, "/v1/venue-a/balance", {}, "signed"))

    def get_venue_b_balance(self) -> models.VenueBBalance:
        """The pod's cash on venue B."""
        return self._run(read(models.VenueBBalance, "/v1/venue-b/balance", {}, "signed"))

    def get_risk(self) -> models.Risk:
        """The limits of the actor, what is used of each, and what is left."""
        return self._run(read(models.Risk, "/v1/risk", {}, "signed"))

    def get_pod(self) -> models.PodStatus:
        """The pod at a glance. Feeds, actors and their limits, what is not well, latencies."""
        return self._run(read(models.PodStatus, "/v1/pod", {}, "signed"))

    def list_pod_orders(self, *, queue: Literal["true", "venue"] | None = None) -> models.PodOrders:
        """Open orders of all actors at both venues."""
        return self._run(read(models.PodOrders, "/v1/pod/orders", {"queue": queue}, "signed"))

    def cancel_pod_orders(self) -> Change[models.CancelResults]:
        """Cancel all open orders of all actors of the pod."""
        return self._run(change(models.CancelResults, "DELETE", "/v1/pod/orders", {}))

    def cancel_pod_order(self, order_id: str) -> Cancellation:
        """Cancel an open order of any actor of the pod."""
        return self._run(cancel(f"/v1/pod/orders/{segment('order_id', order_id)}", "filledShares"))

    def stop_pod(self) -> Change[models.PodStop]:
        """Stop the pod. No new orders of any of its actors, and a cancel of all that are open."""
        return self._run(change(models.PodStop, "POST", "/v1/pod/stop", {}))

    def list_pod_positions(self) -> models.PodPositions:
        """What all actors hold at both venues."""
        return self._run(read(models.PodPositions, "/v1/pod/positions", {}, "signed"))

    def list_pod_events(self, *, after: int | None = None) -> models.PodEvents:
        """The latest events of the pod's orders, oldest first."""
        return self._run(read(models.PodEvents, "/v1/pod/events", {"after": after}, "signed"))

    def list_sports(self) -> models.Sports:
        """Every sport."""
        return self._run(read(models.Sports, "/v1/sports", {}, "signed"))

    def list_competitions(self, *, sport: str | None = None) -> models.Competitions:
        """Every competition, or those of one sport."""
        return self._run(read(models.Competitions, "/v1/sports/competitions", {"sport": sport}, "signed"))

    def list_events(
        self,
        *,
        sport: str | None = None,
        competition: str | None = None,
        status: models.EventStatus | None = None,
        starts_after: str | None = None,
        starts_before: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.EventPage:
        """Events, by start."""
        return self._run(
            read(
                models.EventPage,
                "/v1/sports/events",
                {
                    "sport": sport,
                    "competition": competition,
                    "status": status,
                    "startsAfter": starts_after,
                    "startsBefore": starts_before,
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    def list_event_markets(self, event_id: str) -> models.EventMarkets:
        """The markets of an event, with what an order needs on each venue."""
        return self._run(
            read(models.EventMarkets, f"/v1/sports/events/{segment('event_id', event_id)}/markets", {}, "signed")
        )

    def get_event_best(self, event_id: str) -> models.EventBest:
        """For each outcome of an event the best way to buy and to sell it, over both venues."""
        return self._run(
            read(models.EventBest, f"/v1/sports/events/{segment('event_id', event_id)}/best", {}, "signed")
        )

    def list_markets(
        self,
        *,
        q: str | None = None,
        venue: Literal["venue_a", "venue_b"] | None = None,
        sport: str | None = None,
        competition: str | None = None,
        event_id: str | None = None,
        executable: bool | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.CatalogMarketPage:
        """Markets of every kind, those outside sports too."""
        return self._run(
            read(
                models.CatalogMarketPage,
                "/v1/markets",
                {
                    "q": q,
                    "venue": venue,
                    "sport": sport,
                    "competition": competition,
                    "eventId": event_id,
                    "executable": executable,
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    def list_older_orders(
        self,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
        status: list[models.OlderOrderStatus] | None = None,
        type: list[models.OlderOrderType] | None = None,
    ) -> models.OlderOrderPage:
        """The actor's orders on every venue, newest first."""
        return self._run(
            read(
                models.OlderOrderPage,
                "/v1/orders",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                    "status": status,
                    "type": type,
                },
                "apiKey",
            )
        )

    def get_venue_a_market(self, token_id: str) -> models.VenueATerms:
        """The terms of a venue A market, and the best levels of a token's book."""
        return self._run(
            read(models.VenueATerms, f"/v1/venue-a/markets/{segment('token_id', token_id)}", {}, "signed")
        )

    def get_venue_b_market(self, ticker: str) -> models.VenueBTerms:
        """The terms of a venue B market, and the best levels of its YES book."""
        return self._run(read(models.VenueBTerms, f"/v1/venue-b/markets/{segment('ticker', ticker)}", {}, "signed"))

    def get_older_market(self, market_venue: str, market_id: str) -> models.OlderMarketAnswer:
        """One market of one venue, read live."""
        return self._run(
            read(
                models.OlderMarketAnswer,
                f"/v1/markets/{segment('market_venue', market_venue)}/{segment('market_id', market_id)}",
                {},
                "apiKey",
            )
        )

    def get_older_balances(self) -> models.OlderBalances:
        """The pod's account over every venue, in US dollars."""
        return self._run(read(models.OlderBalances, "/v1/balances", {}, "apiKey"))

    def create_stream_ticket(self) -> Change[models.StreamTicket]:
        """A single-use ticket that opens one stream."""
        return self._run(change(models.StreamTicket, "POST", "/v1/orderbook/ticket", {}))

    def create_trade_ticket(self) -> Change[models.StreamTicket]:
        """A single-use ticket that opens one connection for orders."""
        return self._run(change(models.StreamTicket, "POST", "/v1/trade/ticket", {}))

    def get_openapi(self) -> models.OpenApiDocument:
        """This document."""
        return self._run(read(models.OpenApiDocument, "/v1/openapi.json", {}, "open"))

    def get_asyncapi(self) -> models.AsyncApiDocument:
        """The stream's document."""
        return self._run(read(models.AsyncApiDocument, "/v1/asyncapi.json", {}, "open"))


class AsyncOperations(ABC):
    @abstractmethod
    async def _run(self, call: Call[T]) -> T: ...

    async def get_whoami(self) -> models.Whoami:
        """The calling key, its actor, pod, scopes and limits."""
        return await self._run(read(models.Whoami, "/v1/whoami", {}, "signed"))

    async def get_time(self) -> models.ServerTime:
        """The server's clock, for signing."""
        return await self._run(read(models.ServerTime, "/v1/time", {}, "signed"))

    async def list_venue_a_orders(
        self,
        *,
        token_id: str | None = None,
        status: models.OrderStatus | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        queue: Literal["true"] | None = None,
    ) -> models.VenueAOrderPage:
        """The actor's orders, newest first."""
        return await self._run(
            read(
                models.VenueAOrderPage,
                "/v1/venue-a/orders",
                {
                    "tokenId": token_id,
                    "status": status,
                    "pageSize": page_size,
                    "pageToken": page_token,
                    "queue": queue,
                },
                "signed",
            )
        )

    async def submit_venue_a_order(
        self,
        body: models.VenueAOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Submit a limit order or a market order."""
        return await self._run(submit("/v1/venue-a/orders", body, idempotency_key, not_after_millis))

    async def cancel_venue_a_orders(self, *, token_id: str | None = None) -> Change[models.CancelResults]:
        """Cancel the actor's open orders on venue A."""
        return await self._run(change(models.CancelResults, "DELETE", "/v1/venue-a/orders", {"tokenId": token_id}))

    async def preview_venue_a_order(self, body: models.VenueAOrderRequest) -> Change[models.OrderPreview]:
        """What this order would come to now. Nothing is recorded or sent."""
        return await self._run(change(models.OrderPreview, "POST", "/v1/venue-a/orders/preview", {}, body))

    async def submit_venue_a_batch(
        self,
        body: models.VenueABatch,
        *,
        not_after_millis: int | None = None,
    ) -> Change[models.BatchResults]:
        """Submit up to 15 orders at once."""
        return await self._run(
            change(models.BatchResults, "POST", "/v1/venue-a/orders/batch", {}, body, not_after_millis)
        )

    async def cancel_venue_a_batch(self, body: models.CancelBatch) -> Change[models.VenueACancelBatchResults]:
        """Cancel up to 100 orders at once."""
        return await self._run(
            change(models.VenueACancelBatchResults, "DELETE", "/v1/venue-a/orders/batch", {}, body)
        )

    async def get_venue_a_order(self, order_id: str, *, queue: Literal["true"] | None = None) -> models.VenueAOrder:
        """One order, with the reason if it failed."""
        return await self._run(
            read(
                models.VenueAOrder,
                f"/v1/venue-a/orders/{segment('order_id', order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    async def cancel_venue_a_order(self, order_id: str) -> Cancellation:
        """Cancel a working order."""
        return await self._run(cancel(f"/v1/venue-a/orders/{segment('order_id', order_id)}", "filledShares"))

    async def get_venue_a_order_by_client_id(
        self,
        client_order_id: str,
        *,
        queue: Literal["true"] | None = None,
    ) -> models.VenueAOrder:
        """One order by its idempotency key, also while its submission is under way."""
        return await self._run(
            read(
                models.VenueAOrder,
                f"/v1/venue-a/orders/by-client-id/{segment('client_order_id', client_order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    async def cancel_venue_a_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """Cancel a working order by its idempotency key."""
        return await self._run(
            cancel(f"/v1/venue-a/orders/by-client-id/{segment('client_order_id', client_order_id)}", "filledShares")
        )

    async def replace_venue_a_order(
        self,
        order_id: str,
        body: models.VenueAReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Replace a resting order."""
        return await self._run(
            submit(
                f"/v1/venue-a/orders/{segment('order_id', order_id)}/replace",
                body,
                idempotency_key,
                not_after_millis,
            )
        )

    async def list_venue_a_order_fills(
        self,
        order_id: str,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.FillPage:
        """Executions of one order, in their order of arrival."""
        return await self._run(
            read(
                models.FillPage,
                f"/v1/venue-a/orders/{segment('order_id', order_id)}/fills",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    async def list_venue_b_orders(
        self,
        *,
        ticker: str | None = None,
        status: models.OrderStatus | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
        queue: Literal["true", "venue"] | None = None,
    ) -> models.VenueBOrderPage:
        """The actor's orders, newest first."""
        return await self._run(
            read(
                models.VenueBOrderPage,
                "/v1/venue-b/orders",
                {
                    "ticker": ticker,
                    "status": status,
                    "pageSize": page_size,
                    "pageToken": page_token,
                    "queue": queue,
                },
                "signed",
            )
        )

    async def submit_venue_b_order(
        self,
        body: models.VenueBOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Submit a limit order."""
        return await self._run(submit("/v1/venue-b/orders", body, idempotency_key, not_after_millis))

    async def cancel_venue_b_orders(self, *, ticker: str | None = None) -> Change[models.CancelResults]:
        """Cancel the actor's open orders on venue B."""
        return await self._run(change(models.CancelResults, "DELETE", "/v1/venue-b/orders", {"ticker": ticker}))

    async def preview_venue_b_order(self, body: models.VenueBOrderRequest) -> Change[models.OrderPreview]:
        """What this order would come to now. Nothing is recorded or sent."""
        return await self._run(change(models.OrderPreview, "POST", "/v1/venue-b/orders/preview", {}, body))

    async def submit_venue_b_batch(
        self,
        body: models.VenueBBatch,
        *,
        not_after_millis: int | None = None,
    ) -> Change[models.BatchResults]:
        """Submit up to 15 orders at once."""
        return await self._run(
            change(models.BatchResults, "POST", "/v1/venue-b/orders/batch", {}, body, not_after_millis)
        )

    async def cancel_venue_b_batch(self, body: models.CancelBatch) -> Change[models.VenueBCancelBatchResults]:
        """Cancel up to 100 orders at once."""
        return await self._run(
            change(models.VenueBCancelBatchResults, "DELETE", "/v1/venue-b/orders/batch", {}, body)
        )

    async def get_venue_b_order(
        self,
        order_id: str,
        *,
        queue: Literal["true", "venue"] | None = None,
    ) -> models.VenueBOrder:
        """One order, with the reason if it failed."""
        return await self._run(
            read(
                models.VenueBOrder,
                f"/v1/venue-b/orders/{segment('order_id', order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    async def cancel_venue_b_order(self, order_id: str) -> Cancellation:
        """Cancel a working order."""
        return await self._run(cancel(f"/v1/venue-b/orders/{segment('order_id', order_id)}", "filledCount"))

    async def get_venue_b_order_by_client_id(
        self,
        client_order_id: str,
        *,
        queue: Literal["true", "venue"] | None = None,
    ) -> models.VenueBOrder:
        """One order by its idempotency key, also while its submission is under way."""
        return await self._run(
            read(
                models.VenueBOrder,
                f"/v1/venue-b/orders/by-client-id/{segment('client_order_id', client_order_id)}",
                {
                    "queue": queue,
                },
                "signed",
            )
        )

    async def cancel_venue_b_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """Cancel a working order by its idempotency key."""
        return await self._run(
            cancel(f"/v1/venue-b/orders/by-client-id/{segment('client_order_id', client_order_id)}", "filledCount")
        )

    async def replace_venue_b_order(
        self,
        order_id: str,
        body: models.VenueBReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        """Replace a resting order."""
        return await self._run(
            submit(
                f"/v1/venue-b/orders/{segment('order_id', order_id)}/replace",
                body,
                idempotency_key,
                not_after_millis,
            )
        )

    async def list_venue_b_order_fills(
        self,
        order_id: str,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.FillPage:
        """Executions of one order, in their order of arrival."""
        return await self._run(
            read(
                models.FillPage,
                f"/v1/venue-b/orders/{segment('order_id', order_id)}/fills",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    async def cancel_after(self, body: models.CancelAfterRequest) -> Change[models.CancelAfterAnswer]:
        """Cancel every open order of this signing key unless it is set anew in time."""
        return await self._run(change(models.CancelAfterAnswer, "POST", "/v1/orders/cancel-after", {}, body))

    async def list_protections(self) -> models.Protections:
        """The protections of the actor."""
        return await self._run(read(models.Protections, "/v1/orders/protection", {}, "signed"))

    async def set_protection(self, body: models.ProtectionRequest) -> Change[models.Protection]:
        """Cancel the actor's orders once too many are filled within a window."""
        return await self._run(change(models.Protection, "POST", "/v1/orders/protection", {}, body))

    async def end_protection(
        self,
        *,
        venue: models.TradingVenue,
        address: str | None = None,
    ) -> Change[models.Protection]:
        """End a protection; a triggered one refuses no more."""
        return await self._run(
            change(models.Protection, "DELETE", "/v1/orders/protection", {"venue": venue, "address": address})
        )

    async def reset_protection(self, body: models.ProtectionPlace) -> Change[models.Protection]:
        """Arm a protection anew, with nothing counted."""
        return await self._run(change(models.Protection, "POST", "/v1/orders/protection/reset", {}, body))

    async def get_venue_a_positions(self, *, token_id: str | None = None) -> models.VenueAPositions:
        """What the actor holds on venue A, by token."""
        return await self._run(read(models.VenueAPositions, "/v1/venue-a/positions", {"tokenId": token_id}, "signed"))

    async def redeem_venue_a_position(
        self,
        token_id: str,
        body: models.RedeemRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Change[models.WalletAction]:
        """Pay out shares of a resolved market on venue A."""
        return await self._run(
            act(
                models.WalletAction,
                f"/v1/venue-a/positions/{segment('token_id', token_id)}/redeem",
                body,
                idempotency_key,
            )
        )

    async def split_venue_a_position(
        self,
        token_id: str,
        body: models.SplitRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Change[models.WalletAction]:
        """Make shares of both outcomes out of cash on venue A."""
        return await self._run(
            act(
                models.WalletAction,
                f"/v1/venue-a/positions/{segment('token_id', token_id)}/split",
                body,
                idempotency_key,
            )
        )

    async def merge_venue_a_position(
        self,
        token_id: str,
        body: models.MergeRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Change[models.WalletAction]:
        """Make cash out of shares of both outcomes on venue A."""
        return await self._run(
            act(
                models.WalletAction,
                f"/v1/venue-a/positions/{segment('token_id', token_id)}/merge",
                body,
                idempotency_key,
            )
        )

    async def list_venue_a_actions(
        self,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.WalletActionPage:
        """Redemptions, splits and merges of the actor, newest first."""
        return await self._run(
            read(
                models.WalletActionPage,
                "/v1/venue-a/actions",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    async def get_venue_a_action(self, action_id: str) -> models.WalletAction:
        """One redemption, split or merge of the actor."""
        return await self._run(
            read(models.WalletAction, f"/v1/venue-a/actions/{segment('action_id', action_id)}", {}, "signed")
        )

    async def get_venue_b_positions(self, *, ticker: str | None = None) -> models.VenueBPositions:
        """What the actor holds on venue B, by ticker and side."""
        return await self._run(read(models.VenueBPositions, "/v1/venue-b/positions", {"ticker": ticker}, "signed"))

    async def get_venue_a_balance(self) -> models.VenueABalance:
        """The pod's cash on venue A."""
        return await self._run(read(models.VenueABalance, "/v1/venue-a/balance", {}, "signed"))

    async def get_venue_b_balance(self) -> models.VenueBBalance:
        """The pod's cash on venue B."""
        return await self._run(read(models.VenueBBalance, "/v1/venue-b/balance", {}, "signed"))

    async def get_risk(self) -> models.Risk:
        """The limits of the actor, what is used of each, and what is left."""
        return await self._run(read(models.Risk, "/v1/risk", {}, "signed"))

    async def get_pod(self) -> models.PodStatus:
        """The pod at a glance. Feeds, actors and their limits, what is not well, latencies."""
        return await self._run(read(models.PodStatus, "/v1/pod", {}, "signed"))

    async def list_pod_orders(self, *, queue: Literal["true", "venue"] | None = None) -> models.PodOrders:
        """Open orders of all actors at both venues."""
        return await self._run(read(models.PodOrders, "/v1/pod/orders", {"queue": queue}, "signed"))

    async def cancel_pod_orders(self) -> Change[models.CancelResults]:
        """Cancel all open orders of all actors of the pod."""
        return await self._run(change(models.CancelResults, "DELETE", "/v1/pod/orders", {}))

    async def cancel_pod_order(self, order_id: str) -> Cancellation:
        """Cancel an open order of any actor of the pod."""
        return await self._run(cancel(f"/v1/pod/orders/{segment('order_id', order_id)}", "filledShares"))

    async def stop_pod(self) -> Change[models.PodStop]:
        """Stop the pod. No new orders of any of its actors, and a cancel of all that are open."""
        return await self._run(change(models.PodStop, "POST", "/v1/pod/stop", {}))

    async def list_pod_positions(self) -> models.PodPositions:
        """What all actors hold at both venues."""
        return await self._run(read(models.PodPositions, "/v1/pod/positions", {}, "signed"))

    async def list_pod_events(self, *, after: int | None = None) -> models.PodEvents:
        """The latest events of the pod's orders, oldest first."""
        return await self._run(read(models.PodEvents, "/v1/pod/events", {"after": after}, "signed"))

    async def list_sports(self) -> models.Sports:
        """Every sport."""
        return await self._run(read(models.Sports, "/v1/sports", {}, "signed"))

    async def list_competitions(self, *, sport: str | None = None) -> models.Competitions:
        """Every competition, or those of one sport."""
        return await self._run(read(models.Competitions, "/v1/sports/competitions", {"sport": sport}, "signed"))

    async def list_events(
        self,
        *,
        sport: str | None = None,
        competition: str | None = None,
        status: models.EventStatus | None = None,
        starts_after: str | None = None,
        starts_before: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.EventPage:
        """Events, by start."""
        return await self._run(
            read(
                models.EventPage,
                "/v1/sports/events",
                {
                    "sport": sport,
                    "competition": competition,
                    "status": status,
                    "startsAfter": starts_after,
                    "startsBefore": starts_before,
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    async def list_event_markets(self, event_id: str) -> models.EventMarkets:
        """The markets of an event, with what an order needs on each venue."""
        return await self._run(
            read(models.EventMarkets, f"/v1/sports/events/{segment('event_id', event_id)}/markets", {}, "signed")
        )

    async def get_event_best(self, event_id: str) -> models.EventBest:
        """For each outcome of an event the best way to buy and to sell it, over both venues."""
        return await self._run(
            read(models.EventBest, f"/v1/sports/events/{segment('event_id', event_id)}/best", {}, "signed")
        )

    async def list_markets(
        self,
        *,
        q: str | None = None,
        venue: Literal["venue_a", "venue_b"] | None = None,
        sport: str | None = None,
        competition: str | None = None,
        event_id: str | None = None,
        executable: bool | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> models.CatalogMarketPage:
        """Markets of every kind, those outside sports too."""
        return await self._run(
            read(
                models.CatalogMarketPage,
                "/v1/markets",
                {
                    "q": q,
                    "venue": venue,
                    "sport": sport,
                    "competition": competition,
                    "eventId": event_id,
                    "executable": executable,
                    "pageSize": page_size,
                    "pageToken": page_token,
                },
                "signed",
            )
        )

    async def list_older_orders(
        self,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
        status: list[models.OlderOrderStatus] | None = None,
        type: list[models.OlderOrderType] | None = None,
    ) -> models.OlderOrderPage:
        """The actor's orders on every venue, newest first."""
        return await self._run(
            read(
                models.OlderOrderPage,
                "/v1/orders",
                {
                    "pageSize": page_size,
                    "pageToken": page_token,
                    "status": status,
                    "type": type,
                },
                "apiKey",
            )
        )

    async def get_venue_a_market(self, token_id: str) -> models.VenueATerms:
        """The terms of a venue A market, and the best levels of a token's book."""
        return await self._run(
            read(models.VenueATerms, f"/v1/venue-a/markets/{segment('token_id', token_id)}", {}, "signed")
        )

    async def get_venue_b_market(self, ticker: str) -> models.VenueBTerms:
        """The terms of a venue B market, and the best levels of its YES book."""
        return await self._run(
            read(models.VenueBTerms, f"/v1/venue-b/markets/{segment('ticker', ticker)}", {}, "signed")
        )

    async def get_older_market(self, market_venue: str, market_id: str) -> models.OlderMarketAnswer:
        """One market of one venue, read live."""
        return await self._run(
            read(
                models.OlderMarketAnswer,
                f"/v1/markets/{segment('market_venue', market_venue)}/{segment('market_id', market_id)}",
                {},
                "apiKey",
            )
        )

    async def get_older_balances(self) -> models.OlderBalances:
        """The pod's account over every venue, in US dollars."""
        return await self._run(read(models.OlderBalances, "/v1/balances", {}, "apiKey"))

    async def create_stream_ticket(self) -> Change[models.StreamTicket]:
        """A single-use ticket that opens one stream."""
        return await self._run(change(models.StreamTicket, "POST", "/v1/orderbook/ticket", {}))

    async def create_trade_ticket(self) -> Change[models.StreamTicket]:
        """A single-use ticket that opens one connection for orders."""
        return await self._run(change(models.StreamTicket, "POST", "/v1/trade/ticket", {}))

    async def get_openapi(self) -> models.OpenApiDocument:
        """This document."""
        return await self._run(read(models.OpenApiDocument, "/v1/openapi.json", {}, "open"))

    async def get_asyncapi(self) -> models.AsyncApiDocument:
        """The stream's document."""
        return await self._run(read(models.AsyncApiDocument, "/v1/asyncapi.json", {}, "open"))
