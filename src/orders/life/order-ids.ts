// Order ids, derived from the submitter and its idempotency key (contract §4.6). The id is the same after any loss, so a venue
// that knows it refuses a second order. Pure but for the hash.

import { createHmac } from 'node:crypto';
import type { Venue } from '../../core/domain/market.ts';
import type { Caller } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';

/** Derives ids of orders for all pods. */
export class OrderIds {
  readonly #secrets: ReadonlyMap<string, Uint8Array>;

  constructor(pods: readonly { readonly podId: string; readonly secretHex: string }[]) {
    this.#secrets = new Map(pods.map(({ podId, secretHex }) => [podId, Buffer.from(secretHex, 'hex')]));
  }

  /** Whether the pod trades anywhere. */
  has(podId: string): boolean {
    return this.#secrets.has(podId);
  }

  /** The id of the order of an idempotency key, made or not; null if the pod trades nowhere. */
  of({ podId, actorId }: Pick<Caller, 'podId' | 'actorId'>, venue: Venue, idempotencyKey: string): OrderId | null {
    const secret = this.#secrets.get(podId);
    return secret === undefined ? null : deriveOrderId(secret, actorId, venue, idempotencyKey);
  }

  /** As `of`, of an action of the pod's wallet: its keys are others than those of orders. */
  ofAction({ podId, actorId }: Pick<Caller, 'podId' | 'actorId'>, idempotencyKey: string): OrderId | null {
    const secret = this.#secrets.get(podId);
    return secret === undefined ? null : derivedId(secret, `${actorId}\0venue_a\0action\0${idempotencyKey}`);
  }
}

/** A UUIDv8 (RFC 9562 §5.8). No part can hold a NUL: ids are checked when made, keys are header text. */
export function deriveOrderId(podSecret: Uint8Array, actorId: string, venue: Venue, idempotencyKey: string): OrderId {
  return derivedId(podSecret, `${actorId}\0${venue}\0${idempotencyKey}`);
}

function derivedId(podSecret: Uint8Array, name: string): OrderId {
  const bytes = createHmac('sha256', podSecret).update(name).digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as OrderId;
}
