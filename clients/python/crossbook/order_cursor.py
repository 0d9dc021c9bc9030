"""Cursor of our own order events: a new subscription starts after it, without a gap or a repetition."""

from __future__ import annotations

from typing import Any, Literal

from .models import OrdersSnapshot


class OrderCursor:
    def __init__(self, after: int | None, cancel_on_disconnect: bool, queue_step: str | None) -> None:
        #: Of the last known event; None until the gateway has stated one.
        self.cursor = after
        self._cancel_on_disconnect = cancel_on_disconnect
        self._queue_step = queue_step
        #: Id of the open request: messages before its answer belong to an earlier subscription.
        self.awaited: str | None = None

    def request(self, request_id: str) -> dict[str, Any]:
        self.awaited = request_id
        message: dict[str, Any] = {"op": "subscribe", "id": request_id, "channel": "orders"}
        if self.cursor is not None:
            message["from"] = self.cursor
        if self._cancel_on_disconnect:
            message["cancelOnDisconnect"] = True
        if self._queue_step is not None:
            message["queueStep"] = self._queue_step
        return message

    def awaits(self, request_id: str) -> bool:
        return request_id != "" and request_id == self.awaited

    def begin(self, request_id: str, cursor: int) -> bool:
        """Whether the answer is of this subscription."""
        if not self.awaits(request_id):
            return False
        self.awaited = None
        self.cursor = cursor
        return True

    def replace(self, snapshot: OrdersSnapshot) -> bool:
        """Whether the snapshot is of this subscription. Only its last part moves the cursor."""
        if self.awaited is not None and not self.awaits(snapshot.get("id", "")):
            return False
        if not snapshot["hasMore"]:
            self.awaited = None
            self.cursor = snapshot["cursor"]
        return True

    def take(self, cursor: int) -> Literal["next", "known", "gap"]:
        if self.awaited is not None or self.cursor is None or cursor <= self.cursor:
            return "known"
        if cursor != self.cursor + 1:
            return "gap"
        self.cursor = cursor
        return "next"
