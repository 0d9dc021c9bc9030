// THE keys of the order store. Every list is one range of a table, stored in reading sequence. Pure.
//
//   text   its length as a varint, then UTF-8: no text is the beginning of another     scope   text(actor) venue
//   time   6 bytes, the highest first                                                   account text(pod) venue
//   id     16 bytes of an order id                                                      rest    a text up to the end
//
//   inFlight                  scope text(address) status time id     → nothing                PENDING and SUBMITTED: few
//   eventSpans                rest(actor)                            → event span
//   cancelAfters              rest(signing key id)                   → cancel-after
//   marks                     rest(name)                             → mark
//   orders                    scope time id                          → order                  the list of everything
//   submissions               id                                     → submission             where it is, how it was made
//   ordersByMarket            scope text(address) time id            → nothing                of those that are not in flight
//   ordersByStatus            scope status time id                   → nothing                likewise
//   ordersByMarketAndStatus   scope text(address) status time id     → nothing                likewise
//   openOrders                account time id                        → nothing                OPEN
//   awaited                   time id                                → nothing                ended; may still get fills
//   venueOrders               account rest(venue order id)           → id
//   fills                     1 id place, or 0 account place         → fill                   place: 4 bytes, from 1
//   fillPlaces                account rest(fill id)                  → key in `fills`
//   positions                 scope rest(address)                    → position
//   bookedChanges             scope text(address) number             → booked change         6 bytes, from 1
//   idempotency               scope rest(key)                        → idempotency entry      for good
//   answerAges                time scope rest(key)                   → nothing                answers to prune, by age
//   events                    text(actor) cursor                     → event                  cursor: 6 bytes
//   protections               scope rest(address, or nothing)        → protection             with the fills of its window
//   actions                   scope time id                          → action                 of a wallet; the list of all
//   actionPlaces              id                                     → key in `actions`
//   openActions               id                                     → nothing                those that are not over: few
//   eventFloor                nothing                                → counter                cursors up to it are from before a loss
//
// A commit costs the pages that it changes. So the small tables that every order changes come first and share a page. An order
// enters the lists by market and status with its first answer: until then it is in flight, in one row.

import type { Venue } from '../../domain/market.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import type { OrderId, OrderStatus } from '../../domain/order.ts';
import type { Position } from '../../domain/position.ts';
import { assert } from '../../domain/result.ts';
import type { Account, OrderPosition } from '../order-records.ts';
import type { Tables } from '../tables.ts';
import { ByteReader, ByteWriter, RecordFault } from './bytes.ts';
import { damaged } from './codec.ts';
import { statusWords, venueWords } from './order-record.ts';

export const ORDER_TABLES = {
  inFlight: 1,
  eventSpans: 3,
  cancelAfters: 4,
  marks: 5,
  orders: 6,
  submissions: 7,
  ordersByMarket: 8,
  ordersByStatus: 9,
  ordersByMarketAndStatus: 10,
  openOrders: 11,
  venueOrders: 12,
  fills: 13,
  fillPlaces: 14,
  positions: 15,
  idempotency: 16,
  answerAges: 17,
  events: 18,
  eventFloor: 19,
  bookedChanges: 21,
  awaited: 22,
  protections: 23,
  actions: 24,
  actionPlaces: 25,
  openActions: 26,
} as const satisfies Tables<string>;
export type OrderTable = keyof typeof ORDER_TABLES;

/** The row of an index whose key holds everything. */
export const NOTHING = new Uint8Array(0);

const ORDER_ID_BYTES = 16;
/** Time and id end every key of an order. */
const ORDER_END_BYTES = 6 + ORDER_ID_BYTES;
const CURSOR_BYTES = 6;
const PLACE_BYTES = 4;
const PLACE_MAX = 0xffff_ffff;
const OF_ORDER = 1;
const OF_NOBODY = 0;

/** The writer holds one key at a time: its bytes are taken before the next key begins. */
const writer = new ByteWriter();

export function scopeKey(actorId: string, venue: Venue): Uint8Array {
  return begin(actorId, venue).taken();
}

/** The common prefix of a list's keys: of all orders, a market, a status, or both. */
export function listPrefix(
  actorId: string,
  venue: Venue,
  address: string | null,
  status: OrderStatus | null,
): Uint8Array {
  return beginList(actorId, venue, address, status).taken();
}

export function listTable(address: string | null, status: OrderStatus | null): OrderTable {
  if (address === null) return status === null ? 'orders' : 'ordersByStatus';
  return status === null ? 'ordersByMarket' : 'ordersByMarketAndStatus';
}

export function listKey(
  actorId: string,
  venue: Venue,
  address: string | null,
  status: OrderStatus | null,
  { createdAt, orderId }: OrderPosition,
): Uint8Array {
  return beginList(actorId, venue, address, status).time(createdAt).orderId(orderId).taken();
}

/** Time and id, which end every key of an order and define the sequence of the lists. */
export function orderEnd(key: Uint8Array): Uint8Array {
  return key.subarray(key.length - ORDER_END_BYTES);
}

export function readOrderEnd(end: Uint8Array): OrderPosition {
  return readKey(end, reader => ({ createdAt: reader.time() as UnixMillis, orderId: reader.orderId() }));
}

export function positionEnd({ createdAt, orderId }: OrderPosition): Uint8Array {
  return writer.begin().time(createdAt).orderId(orderId).taken();
}

/** Whether a row of `inFlight` is of that status. */
export function isOfStatus(key: Uint8Array, status: OrderStatus): boolean {
  return key[key.length - ORDER_END_BYTES - 1] === statusWords.code(status);
}

/** Key in `orders` of the order with this key end. */
export function orderKeyOf(scope: Uint8Array, end: Uint8Array): Uint8Array {
  return writer.begin().raw(scope).raw(end).taken();
}

/** Id of the order at the end of a key. */
export function orderIdAtEnd(key: Uint8Array): OrderId {
  return readKey(key.subarray(-ORDER_ID_BYTES), reader => reader.orderId());
}

export function idKey(orderId: OrderId): Uint8Array {
  return writer.begin().orderId(orderId).taken();
}

export function accountKey({ podId, venue }: Account, rest = ''): Uint8Array {
  return begin(podId, venue).rawText(rest).taken();
}

export function openKey(account: Account, { createdAt, orderId }: OrderPosition): Uint8Array {
  return begin(account.podId, account.venue).time(createdAt).orderId(orderId).taken();
}

/** Prefix of the keys of an order's fills, or of fills without an order. */
export function fillsPrefix(account: Account, orderId: OrderId | null): Uint8Array {
  return beginFills(account, orderId).taken();
}

export function fillKey(account: Account, orderId: OrderId | null, place: number): Uint8Array {
  assert(place <= PLACE_MAX, 'places of fills have four bytes');
  beginFills(account, orderId);
  for (let shift = 24; shift >= 0; shift -= 8) writer.byte((place >>> shift) & 0xff);
  return writer.taken();
}

export function placeAtEnd(key: Uint8Array): number {
  return key.subarray(key.length - PLACE_BYTES).reduce((place, byte) => place * 256 + byte, 0);
}

export function scopedKey(actorId: string, venue: Venue, rest: string): Uint8Array {
  return begin(actorId, venue).rawText(rest).taken();
}

export function bookedKey(
  actorId: string,
  { venue, address }: Pick<Position, 'venue' | 'address'>,
  number: number,
): Uint8Array {
  return beginList(actorId, venue, address, null).time(number).taken();
}

export function answerAgeKey(at: UnixMillis, idempotencyKey: Uint8Array): Uint8Array {
  return writer.begin().time(at).raw(idempotencyKey).taken();
}

export function timeKey(at: UnixMillis): Uint8Array {
  return writer.begin().time(at).taken();
}

export function readAnswerAgeKey(key: Uint8Array): { readonly at: UnixMillis; readonly idempotencyKey: Uint8Array } {
  return readKey(key, reader => ({ at: reader.time() as UnixMillis, idempotencyKey: key.subarray(6) }));
}

export function eventsPrefix(actorId: string): Uint8Array {
  return writer.begin().text(actorId).taken();
}

export function eventKey(actorId: string, cursor: number): Uint8Array {
  return writer.begin().text(actorId).time(cursor).taken();
}

export function readEventActor(key: Uint8Array): string {
  return readKey(key, reader => reader.text());
}

export function numberAtEnd(key: Uint8Array): number {
  return readKey(key.subarray(-CURSOR_BYTES), reader => reader.time());
}

export function textKey(text: string): Uint8Array {
  return writer.begin().rawText(text).taken();
}

export function readTextKey(key: Uint8Array): string {
  return readKey(key, reader => reader.rawText());
}

/** Reads the head of a key: an actor or pod, and a venue. */
export function readScope(key: Uint8Array): { readonly owner: string; readonly venue: Venue } {
  return readKey(key, reader => ({ owner: reader.text(), venue: venueWords.read(reader) }));
}

/** The next key after all keys that begin with `prefix`. */
export function beyond(prefix: Uint8Array): Uint8Array {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  assert(length > 0, 'keys follow this prefix');
  const next = new Uint8Array(prefix.subarray(0, length));
  next[length - 1] = next[length - 1]! + 1;
  return next;
}

/** The next key after `key`. */
export function following(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Throws a StoreError if the key has another form. */
function readKey<T>(key: Uint8Array, read: (reader: ByteReader) => T): T {
  try {
    return read(new ByteReader(key));
  } catch (error) {
    if (error instanceof RecordFault) throw damaged('key of a', key, error.message);
    throw error;
  }
}

function begin(owner: string, venue: Venue): ByteWriter {
  return writer.begin().text(owner).byte(venueWords.code(venue));
}

function beginList(actorId: string, venue: Venue, address: string | null, status: OrderStatus | null): ByteWriter {
  begin(actorId, venue);
  if (address !== null) writer.text(address);
  return status === null ? writer : writer.byte(statusWords.code(status));
}

function beginFills({ podId, venue }: Account, orderId: OrderId | null): ByteWriter {
  if (orderId !== null) return writer.begin().byte(OF_ORDER).orderId(orderId);
  return writer.begin().byte(OF_NOBODY).text(podId).byte(venueWords.code(venue));
}
