// Order ids, derived from the submitter and its idempotency key (contract §4.6). Even if all records are lost, the id of a request stays
// the same. So a venue that knows the id refuses a second order. Pure but for the hash.

import type { Venue } from '../../core/domain/market.ts';
import type { Caller } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { HmacKey } from '../../core/runtime/hmac.ts';

/** Derives the ids of orders for all pods. */
export class OrderIds {
  readonly #keys: ReadonlyMap<string, HmacKey>;

  constructor(pods: readonly { readonly podId: string; readonly secretHex: string }[]) {
    this.#keys = new Map(pods.map(({ podId, secretHex }) => [podId, new HmacKey(Buffer.from(secretHex, 'hex'))]));
  }

  /** Returns whether the pod trades at any venue. */
  hasPod(podId: string): boolean {
    return this.#keys.has(podId);
  }

  /** Returns the id of the order that an idempotency key makes or would make. Null means that the pod trades nowhere. */
  idFor({ podId, actorId }: Pick<Caller, 'podId' | 'actorId'>, venue: Venue, idempotencyKey: string): OrderId | null {
    const key = this.#keys.get(podId);
    return key === undefined ? null : deriveOrderId(key, actorId, venue, idempotencyKey);
  }

  /** Returns the id of an action of the pod's wallet. Actions and orders have separate idempotency keys. */
  actionIdFor({ podId, actorId }: Pick<Caller, 'podId' | 'actorId'>, idempotencyKey: string): OrderId | null {
    const key = this.#keys.get(podId);
    return key === undefined ? null : derivedId(key, `${actorId}\0venue_a\0action\0${idempotencyKey}`);
  }
}

/** Derives a UUIDv8 (RFC 9562 §5.8). No part can hold a NUL: ids are checked when they are made, and keys are text of a header. */
export function deriveOrderId(podKey: HmacKey, actorId: string, venue: Venue, idempotencyKey: string): OrderId {
  return derivedId(podKey, `${actorId}\0${venue}\0${idempotencyKey}`);
}

const NO_BYTES = new Uint8Array(0);
const DIGITS = Buffer.from('0123456789abcdef');
const text = Buffer.from('00000000-0000-0000-0000-000000000000');
/** The place of the first digit of each byte in the text. */
const PLACES: readonly number[] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** The digits of a UUIDv8 (RFC 9562 §5.8) that hold its version and its variant. */
const VERSION = DIGITS[8]!;
const VARIANT_PLACE = 19;

function derivedId(podKey: HmacKey, name: string): OrderId {
  const digest = podKey.sign(name, NO_BYTES, 'binary');
  for (let index = 0; index < PLACES.length; index += 1) {
    const place = PLACES[index]!;
    const byte = digest.charCodeAt(index);
    text[place] = index === 6 ? VERSION : DIGITS[byte >> 4]!;
    text[place + 1] = DIGITS[byte & 15]!;
  }
  text[VARIANT_PLACE] = DIGITS[((digest.charCodeAt(8) >> 4) & 3) | 8]!;
  return text.toString('latin1') as OrderId;
}
