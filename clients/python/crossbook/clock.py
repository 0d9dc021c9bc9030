"""The gateway's clock, by `SVC-Server-Time` of every answer: signatures are valid although the own clock is wrong."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class ServerClock:
    """Estimates the gateway's clock. `now_ms` is the own clock, Unix milliseconds."""

    def __init__(self, now_ms: Callable[[], float] = lambda: time.time() * 1000) -> None:
        self.own_ms = now_ms
        self._least_ms = -math.inf
        self._most_ms = math.inf

    @property
    def is_compared(self) -> bool:
        """Whether an answer has stated the offset yet."""
        return self._least_ms != -math.inf

    @property
    def offset_ms(self) -> float:
        """Milliseconds to add to the own clock; 0 before the first answer."""
        return (self._least_ms + self._most_ms) / 2 if self.is_compared else 0.0

    def now_ms(self) -> float:
        """Estimate of the gateway's clock, Unix milliseconds."""
        return self.own_ms() + self.offset_ms

    def observe(self, sent_ms: float, received_ms: float, server_ms: float) -> None:
        """An answer states that it was `server_ms` at some moment between sending and receiving.

        Later answers narrow the bounds, so that slow ones do no harm. One that contradicts the bounds counts alone:
        clocks drift, and are set.
        """
        if received_ms < sent_ms:  # The own clock was set back meanwhile: no information.
            return
        least, most = server_ms - received_ms, server_ms - sent_ms
        if least > self._most_ms or most < self._least_ms:
            self._least_ms, self._most_ms = least, most
        else:
            self._least_ms, self._most_ms = max(least, self._least_ms), min(most, self._most_ms)
