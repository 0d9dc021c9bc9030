// Tickets (contract §8): a browser cannot set headers on a WebSocket, so it puts a ticket into the query. A ticket opens one connection, on
// the path for which it was issued, within `ticketLifeMs`, from the address that requested it. Tickets are in memory only. Main thread.

import { hash } from 'node:crypto';
import { limits } from '../../limits.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { RandomBytes } from './keyring.ts';

const TICKET_BYTES = 32;

interface TicketHolder {
  readonly keyId: string;
  readonly remoteAddress: string;
  /** The path of the WebSocket that the ticket opens. */
  readonly path: string;
}

export class Tickets {
  /** The tickets by hash, oldest first. The times are monotonic milliseconds. */
  readonly #issued = new Map<string, TicketHolder & { readonly expiresAt: number }>();
  readonly #randomBytes: RandomBytes;

  constructor(randomBytes: RandomBytes) {
    this.#randomBytes = randomBytes;
  }

  /**
   * Issues a ticket. Returns its secret, of which only the SHA-256 is kept. If `ticketsMax` tickets, or `ticketsPerKeyMax` of this key, are
   * unused, returns the milliseconds until there is room. The bound of each key keeps room for other keys.
   */
  issue({ keyId, remoteAddress, path }: TicketHolder, nowMs: number): Result<string, number> {
    this.#sweep(nowMs);
    const own = [...this.#issued.values()].filter(it => it.keyId === keyId);
    const isOwn = own.length >= limits.ticketsPerKeyMax;
    if (isOwn || this.#issued.size >= limits.ticketsMax) {
      const [oldest] = isOwn ? own : this.#issued.values();
      return fail(oldest!.expiresAt - nowMs);
    }
    const ticket = Buffer.from(this.#randomBytes(TICKET_BYTES)).toString('base64url');
    this.#issued.set(hash('sha256', ticket), {
      keyId,
      remoteAddress,
      path,
      expiresAt: nowMs + limits.ticketLifeMs,
    });
    return ok(ticket);
  }

  /**
   * Returns the id of the ticket's signing key, or the reason why the ticket is refused. The first attempt spends the ticket, even if the
   * attempt fails: a ticket that is used from another address has leaked.
   */
  redeem(ticket: string, { remoteAddress, path }: Omit<TicketHolder, 'keyId'>, nowMs: number): Result<string, string> {
    const hashHex = hash('sha256', ticket);
    const found = this.#issued.get(hashHex);
    if (found === undefined) return fail('ticket: unknown, used or expired; ask for a new one');
    this.#issued.delete(hashHex);
    if (nowMs >= found.expiresAt) return fail('ticket: expired; ask for a new one');
    if (remoteAddress !== found.remoteAddress) return fail('ticket: was issued to another address; ask for a new one');
    if (path !== found.path) return fail(`ticket: opens ${found.path} only; ask for a new one`);
    return ok(found.keyId);
  }

  /** Removes expired tickets. All tickets live equally long, so expired tickets come first. */
  #sweep(nowMs: number): void {
    for (const [hashHex, { expiresAt }] of this.#issued) {
      if (nowMs < expiresAt) return;
      this.#issued.delete(hashHex);
    }
  }
}
