// Admits callers to /v1/orderbook (contract §8) and /v1/trade, by a signed upgrade or by a ticket in the query. Main thread.

import type { Tickets } from '../../auth/tickets.ts';
import type { SigningKey } from '../../domain/identity.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { InboundRequest } from '../../net/listen.ts';
import type { Admission, Needs } from './admission.ts';
import { readQuery } from './query.ts';
import { type Refusal, refusal } from './replies.ts';

export class StreamAdmission {
  readonly #admission: Admission;
  readonly #tickets: Tickets;

  constructor(admission: Admission, tickets: Tickets) {
    this.#admission = admission;
    this.#tickets = tickets;
  }

  /** The key that the connection belongs to. */
  admit(request: InboundRequest, needs: Needs): Result<SigningKey, Refusal> {
    const query = readQuery(request.query, ['ticket']);
    if (!query.ok) return fail(refusal('invalid', query.error));
    const ticket = query.value.get('ticket');
    if (ticket !== undefined) return this.#redeem(ticket, request, needs);
    const admitted = this.#admission.signedUpgrade(request, needs);
    return admitted.ok ? ok(admitted.value.key) : admitted;
  }

  #redeem(ticket: string, request: InboundRequest, needs: Needs): Result<SigningKey, Refusal> {
    const { remoteAddress } = request;
    const redeemed = this.#tickets.redeem(ticket, request, performance.now());
    if (!redeemed.ok) return fail(this.#admission.noTicket(remoteAddress, redeemed.error));
    if (!this.#admission.isLive(redeemed.value)) {
      return fail(this.#admission.noTicket(remoteAddress, 'ticket: its signing key was revoked'));
    }
    return this.#admission.connected(redeemed.value, remoteAddress, needs);
  }
}
