// Order ids, derived from the submitter and its idempotency key (contract §4.6). The id is the same after any loss, so a venue
// that knows it refuses a second order. Pure but for the hash.

import { hash } from 'node:crypto';
import type { Venue } from '../../core/domain/market.ts';
import type { Caller } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { assert } from '../../core/domain/result.ts';

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

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** The two padded keys of HMAC-SHA-256 (RFC 2104) by secret. The second has room for the hash of the first. */
const padded = new WeakMap<Uint8Array, readonly [inner: Buffer, outer: Buffer]>();

function paddedOf(secret: Uint8Array): readonly [inner: Buffer, outer: Buffer] {
  assert(secret.length <= BLOCK_BYTES, 'the secret of a pod fits a block of its hash');
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);
  for (const [index, byte] of secret.entries()) {
    inner[index]! ^= byte;
    outer[index]! ^= byte;
  }
  padded.set(secret, [inner, outer]);
  return [inner, outer];
}

const DIGITS = Buffer.from('0123456789abcdef');
const text = Buffer.from('00000000-0000-0000-0000-000000000000');
/** The place of each byte's first digit in the text. */
const PLACES: readonly number[] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** Of UUIDv8 (RFC 9562 §5.8): the digits for its version, and for its variant. */
const VERSION = DIGITS[8]!;
const VARIANT_PLACE = 19;

/** Two hashes at one go take less time than an object of Hmac. */
function derivedId(podSecret: Uint8Array, name: string): OrderId {
  const [inner, outer] = padded.get(podSecret) ?? paddedOf(podSecret);
  const message = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(name));
  message.set(inner);
  message.write(name, BLOCK_BYTES);
  // Each character of such a text is a byte: it takes less memory than a buffer.
  outer.write(hash('sha256', message, 'binary'), BLOCK_BYTES, 'latin1');
  const digest = hash('sha256', outer, 'binary');
  for (let index = 0; index < PLACES.length; index += 1) {
    const place = PLACES[index]!;
    const byte = digest.charCodeAt(index);
    text[place] = index === 6 ? VERSION : DIGITS[byte >> 4]!;
    text[place + 1] = DIGITS[byte & 15]!;
  }
  text[VARIANT_PLACE] = DIGITS[((digest.charCodeAt(8) >> 4) & 3) | 8]!;
  return text.toString('latin1') as OrderId;
}
