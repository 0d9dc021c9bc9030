// Admits callers to /v1/orderbook (contract §8), by a signed upgrade or by a ticket in the query. Main thread.

import type { Tickets } from '../../auth/tickets.ts';
import type { SigningKey } from '../../domain/identity.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { InboundRequest } from '../../net/listen.ts';
import type { Admission, Needs } from './admission.ts';
import type { LiveKeys } from './live-keys.ts';
import { readQuery } from './query.ts';
import { type Refusal, refusal } from './replies.ts';

const NEEDS: Needs = { scope: 'read', bucket: 'reads' };

export class StreamAdmission {
  readonly #admission: Admission;
  readonly #tickets: Tickets;
  readonly #keys: LiveKeys;

  constructor(admission: Admission, tickets: Tickets, keys: LiveKeys) {
    this.#admission = admission;
    this.#tickets = tickets;
    this.#keys = keys;
  }

  /** The key that the stream belongs to. */
  admit(request: InboundRequest): Result<SigningKey, Refusal> {
    const query = readQuery(request.query, ['ticket']);
    if (!query.ok) return fail(refusal('invalid', query.error));
    const ticket = query.value.get('ticket');
    if (ticket !== undefined) return this.#redeem(ticket, request.remoteAddress);
    const admitted = this.#admission.signedUpgrade(request, NEEDS);
    return admitted.ok ? ok(admitted.value.key) : admitted;
  }

  #redeem(ticket: string, address: string): Result<SigningKey, Refusal> {
    const redeemed = this.#tickets.redeem(ticket, address, performance.now());
    const entry = redeemed.ok ? this.#keys.current().signingKey(redeemed.value) : undefined;
    if (entry === undefined || entry.key.revokedAt !== null) {
      const why = redeemed.ok ? 'ticket: its signing key was revoked' : redeemed.error;
      return fail(this.#admission.noTicket(address, why));
    }
    if (!entry.admits(address)) return fail(this.#admission.notFrom(address));
    const allowed = this.#admission.mayDo(entry.key, NEEDS);
    return allowed.ok ? ok(entry.key) : allowed;
  }
}
