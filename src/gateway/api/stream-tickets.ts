// POST /v1/orderbook/ticket (contract §8) and /v1/trade/ticket: a browser cannot sign a WebSocket upgrade, so a signed request gets it
// a ticket. A ticket is valid once, within 30 s, for the same key, address and path. Main thread.

import type { Tickets } from '../../auth/tickets.ts';
import { SECOND_MS } from '../../domain/durations.ts';
import type { SigningKey } from '../../domain/identity.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';
import { jsonReply } from '../../net/listen.ts';
import { formatTime } from '../../wire/time-text.ts';
import type { Handler } from './operation.ts';
import { refusal, signedRefusal } from './replies.ts';

/** `path`: of the WebSocket that it opens. */
export function createTicket(tickets: Tickets, path: string): Handler<SigningKey> {
  return ({ key: { keyId }, request: { remoteAddress } }) => {
    const issued = tickets.issue({ keyId, remoteAddress, path }, performance.now());
    if (!issued.ok) {
      const words = 'too many tickets are waiting to be used (ticketsPerKeyMax, ticketsMax)';
      return signedRefusal(refusal('limited', words, [['Retry-After', String(Math.ceil(issued.error / SECOND_MS))]]));
    }
    const expiresAt = formatTime((Date.now() + limits.ticketLifeMs) as UnixMillis);
    return jsonReply(201, { ticket: issued.value, expiresAt });
  };
}
