// Admits callers to /v1/orderbook (contract §8) and /v1/trade, by a signed upgrade or by a ticket in the query, and issues the tickets.
// Main thread, and the engine's (src/gateway/door), which has no tickets.

import type { Tickets } from '../../core/auth/tickets.ts';
import { SECOND_MS } from '../../core/domain/durations.ts';
import type { SigningKey } from '../../core/domain/identity.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { type InboundRequest, jsonReply } from '../../core/net/listen.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import { limits } from '../../limits.ts';
import { type Refusal, refusal, signedRefusal } from './api-refusals.ts';
import type { CallerAdmission } from './caller-admission.ts';
import type { Handler } from './operation.ts';
import { readQuery } from './query.ts';
import type { Needs } from './reserved.ts';

export class StreamAdmission {
  readonly #admission: CallerAdmission;
  readonly #tickets: Tickets | null;

  /** If `tickets` is null, no ticket opens a connection here. */
  constructor(admission: CallerAdmission, tickets: Tickets | null) {
    this.#admission = admission;
    this.#tickets = tickets;
  }

  /** Returns the key that the connection belongs to. */
  admit(request: InboundRequest, needs: Needs): Result<SigningKey, Refusal> {
    const query = readQuery(request.query, ['ticket']);
    if (!query.ok) return fail(refusal('invalid', query.error));
    const ticket = query.value.get('ticket');
    if (ticket !== undefined) return this.#redeem(ticket, request, needs);
    const admitted = this.#admission.admitUpgrade(request, needs);
    return admitted.ok ? ok(admitted.value.key) : admitted;
  }

  #redeem(ticket: string, request: InboundRequest, needs: Needs): Result<SigningKey, Refusal> {
    const { remoteAddress } = request;
    if (this.#tickets === null) return fail(this.#admission.refuseTicket(remoteAddress, NO_TICKETS));
    const redeemed = this.#tickets.redeem(ticket, request, performance.now());
    if (!redeemed.ok) return fail(this.#admission.refuseTicket(remoteAddress, redeemed.error));
    if (!this.#admission.isLive(redeemed.value)) {
      return fail(this.#admission.refuseTicket(remoteAddress, 'ticket: its signing key was revoked'));
    }
    return this.#admission.admitMessage(redeemed.value, remoteAddress, needs);
  }
}

const NO_TICKETS = 'ticket: tickets open connections at the usual address only; sign the upgrade here';

/**
 * POST /v1/orderbook/ticket and /v1/trade/ticket. A browser cannot sign a WebSocket upgrade, so a signed request gets a ticket for it. The
 * ticket is valid once, within 30 s, for the same key, the same address, and the WebSocket at `path`.
 */
export function createTicket(tickets: Tickets, path: string): Handler<SigningKey> {
  return ({ key: { keyId }, request: { remoteAddress } }) => {
    const issued = tickets.issue({ keyId, remoteAddress, path }, performance.now());
    if (!issued.ok) {
      const words = 'too many tickets are waiting to be used (ticketsPerKeyMax, ticketsMax)';
      return signedRefusal(refusal('limited', words, [['Retry-After', String(Math.ceil(issued.error / SECOND_MS))]]));
    }
    const expiresAt = formatTime((wallTimers.now() + limits.ticketLifeMs) as UnixMillis);
    return jsonReply(201, { ticket: issued.value, expiresAt });
  };
}
