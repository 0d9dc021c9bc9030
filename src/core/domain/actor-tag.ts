// An actor's mark in the ids by which a venue knows our orders (contract §4.6). If our record of an order is lost, the tag leads
// to its actor. It is neither secret nor proof: adoption compares it with the tags of the pod's actors. Pure.

import { BoundedMap } from './bounded-map.ts';
import type { OrderId } from './order.ts';

/** Crockford's alphabet: no letter that reads as a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHARACTER = 5;
const CHARACTERS_PER_HALF = 4;

/**
 * Returns the tag of an actor, which is the same on every machine. A tag has 8 characters (40 bits), so that actors of one pod do not
 * collide.
 */
export function actorTag(actorId: string): string {
  const known = tags.get(actorId);
  if (known !== undefined) return known;
  const tag = hashed(actorId);
  tags.set(actorId, tag);
  return tag;
}

/** The tags made so far, by actor. The bound is usually larger than the number of actors of a gateway. */
const tags = new BoundedMap<string, string>(1_000);

function hashed(actorId: string): string {
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let index = 0; index < actorId.length; index += 1) {
    const code = actorId.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  return half(mixed(high, low)) + half(mixed(low, high));
}

/** Returns the client order id of one of our orders. The id has 45 characters; the venue accepts 64. */
export function clientOrderIdOf(orderId: OrderId, actorId: string): string {
  return `${orderId}.${actorTag(actorId)}`;
}

interface ClientOrderId {
  readonly orderId: OrderId;
  readonly tag: string;
}

const OURS = /^([0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\.([0-9a-hjkmnp-tv-z]{8})$/;

/** Like `readClientOrderId(text)?.orderId === orderId`, but allocates nothing. */
export function isClientOrderIdOf(text: string, orderId: OrderId): boolean {
  return text.startsWith(orderId) && OURS.test(text);
}

/** Returns null if this gateway did not make the client order id. */
export function readClientOrderId(text: string): ClientOrderId | null {
  const match = OURS.exec(text);
  return match === null ? null : { orderId: match[1] as OrderId, tag: match[2]! };
}

/** Mixes two halves of a hash: every bit of both halves affects every bit of the result. */
function mixed(own: number, other: number): number {
  let bits = Math.imul(own ^ (own >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x27d4eb2f);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function half(bits: number): string {
  let text = '';
  for (let index = 0; index < CHARACTERS_PER_HALF; index += 1) {
    text += ALPHABET[(bits >>> (index * BITS_PER_CHARACTER)) & 31];
  }
  return text;
}
