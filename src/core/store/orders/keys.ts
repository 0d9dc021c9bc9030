// The keys of the order store. Every list is one range of a table, stored in reading sequence. Pure.
//
//   text   its length as a varint, then UTF-8: no text is the beginning of another     scope   text(actor) venue
//   time   6 bytes, the highest first                                                   account text(pod) venue
//   id     16 bytes of an order id                                                      rest    a text up to the end
//
//   working         scope status time id                  → rest(address)      PENDING, SUBMITTED and OPEN
//   cancelAfters    rest(signing key id)                  → cancel-after
//   marks           rest(name)                            → mark
//   orders          id                                    → order              with its intent
//   ended           scope status time id                  → nothing            FILLED, CANCELLED and REJECTED
//   endedOfMarket   scope text(address) status time id    → nothing            likewise
//   awaited         time id                               → nothing            ended orders that may still get fills
//   venueOrders     account rest(venue order id)          → id
//   fills           1 id place, or 0 account place        → fill               place: 4 bytes, from 1
//   fillPlaces      account rest(fill id)                 → key in `fills`
//   positions       scope rest(address)                   → position
//   bookedChanges   scope text(address) number            → booked change      6 bytes, from 1
//   idempotency     scope rest(key)                       → idempotency entry  kept for good
//   events          text(actor) cursor                    → event              cursor: 6 bytes. No value: the last event, pruned
//   protections     scope rest(address, or nothing)       → protection         with the fills of its window
//   actions         scope time id                         → action             of a wallet; the list of all
//   actionPlaces    id                                    → key in `actions`
//   openActions     id                                    → nothing            actions that are not over: few
//   eventFloor      nothing                               → counter            the highest cursor from before a loss
//
// A commit costs the pages that it changes, so an order has few rows. Each list is one of these ranges, or a few of them merged.

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
  working: 1,
  cancelAfters: 4,
  marks: 5,
  orders: 6,
  ended: 9,
  endedOfMarket: 10,
  venueOrders: 12,
  fills: 13,
  fillPlaces: 14,
  positions: 15,
  idempotency: 16,
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

/** The value of an index row: the key holds everything. */
export const NOTHING = new Uint8Array(0);

const ORDER_ID_BYTES = 16;
/** The size of the time and the id that end every key of an order. */
const ORDER_END_BYTES = 6 + ORDER_ID_BYTES;
const CURSOR_BYTES = 6;
const PLACE_BYTES = 4;
const PLACE_MAX = 0xffff_ffff;
const WITH_ORDER = 1;
const WITHOUT_ORDER = 0;

/** The writer of keys. It holds one key at a time: a key's bytes are taken before the next key begins. */
const writer = new ByteWriter();

/** Writes a scope: an actor or pod, and a venue. */
export function writeScope(to: ByteWriter, owner: string, venue: Venue): ByteWriter {
  return to.text(owner).byte(venueWords.codes[venue]);
}

/** Writes the common prefix of a list's keys. A list has the orders of one status, or is a whole scope in tables without a status. */
export function writeList(
  to: ByteWriter,
  actorId: string,
  venue: Venue,
  address: string | null,
  status: OrderStatus | null,
): ByteWriter {
  writeScope(to, actorId, venue);
  if (address !== null) to.text(address);
  return status === null ? to : to.byte(statusWords.codes[status]);
}

export function writePosition(to: ByteWriter, { createdAt, orderId }: OrderPosition): ByteWriter {
  return to.time(createdAt).orderId(orderId);
}

export function scopeKey(actorId: string, venue: Venue): Uint8Array {
  return writeScope(writer.begin(), actorId, venue).copy();
}

export function listPrefix(
  actorId: string,
  venue: Venue,
  address: string | null,
  status: OrderStatus | null,
): Uint8Array {
  return writeList(writer.begin(), actorId, venue, address, status).copy();
}

export function listKey(
  actorId: string,
  venue: Venue,
  address: string | null,
  status: OrderStatus | null,
  position: OrderPosition,
): Uint8Array {
  return writePosition(writeList(writer.begin(), actorId, venue, address, status), position).copy();
}

/** Returns the time and the id that end every key of an order. They define the sequence of the lists. */
export function orderEnd(key: Uint8Array): Uint8Array {
  return key.subarray(key.length - ORDER_END_BYTES);
}

export function positionEnd(position: OrderPosition): Uint8Array {
  return writePosition(writer.begin(), position).copy();
}

/** Returns the id of the order at the end of a key. */
export function orderIdAtEnd(key: Uint8Array): OrderId {
  return readKey(idAtEnd(key), reader => reader.orderId());
}

/** Returns the key in `orders` of the order with the id at the end of this key. */
export function idAtEnd(key: Uint8Array): Uint8Array {
  return key.subarray(-ORDER_ID_BYTES);
}

export function idKey(orderId: OrderId): Uint8Array {
  return writer.begin().orderId(orderId).copy();
}

export function accountKey({ podId, venue }: Account, rest = ''): Uint8Array {
  return writeScope(writer.begin(), podId, venue).rawText(rest).copy();
}

/** Returns the prefix of the keys of an order's fills, or of the fills without an order. */
export function fillsPrefix(account: Account, orderId: OrderId | null): Uint8Array {
  return beginFills(account, orderId).copy();
}

export function fillKey(account: Account, orderId: OrderId | null, place: number): Uint8Array {
  assert(place <= PLACE_MAX, 'places of fills have four bytes');
  beginFills(account, orderId);
  for (let shift = 24; shift >= 0; shift -= 8) writer.byte((place >>> shift) & 0xff);
  return writer.copy();
}

export function placeAtEnd(key: Uint8Array): number {
  return key.subarray(key.length - PLACE_BYTES).reduce((place, byte) => place * 256 + byte, 0);
}

export function scopedKey(actorId: string, venue: Venue, rest: string): Uint8Array {
  return writeScope(writer.begin(), actorId, venue).rawText(rest).copy();
}

export function bookedKey(
  actorId: string,
  { venue, address }: Pick<Position, 'venue' | 'address'>,
  number: number,
): Uint8Array {
  return writeList(writer.begin(), actorId, venue, address, null).time(number).copy();
}

export function timeKey(at: UnixMillis): Uint8Array {
  return writer.begin().time(at).copy();
}

export function eventsPrefix(actorId: string): Uint8Array {
  return writer.begin().text(actorId).copy();
}

export function eventKey(actorId: string, cursor: number): Uint8Array {
  return writer.begin().text(actorId).time(cursor).copy();
}

export function readEventActor(key: Uint8Array): string {
  return readKey(key, reader => reader.text());
}

export function numberAtEnd(key: Uint8Array): number {
  return readKey(key.subarray(-CURSOR_BYTES), reader => reader.time());
}

export function textKey(text: string): Uint8Array {
  return writer.begin().rawText(text).copy();
}

export function readTextKey(key: Uint8Array): string {
  return readKey(key, reader => reader.rawText());
}

/** Reads the scope at the head of a key: an actor or pod, and a venue. */
export function readScope(key: Uint8Array): { readonly owner: string; readonly venue: Venue } {
  return readKey(key, reader => ({ owner: reader.text(), venue: venueWords.read(reader) }));
}

/** Returns the first key after all keys that begin with `prefix`. */
export function prefixEnd(prefix: Uint8Array): Uint8Array {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  assert(length > 0, 'keys follow this prefix');
  const next = new Uint8Array(prefix.subarray(0, length));
  next[length - 1] = next[length - 1]! + 1;
  return next;
}

/** Returns the next possible key after `key`. */
export function nextKey(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Reads a key. Throws a StoreError if the key has another form. */
function readKey<T>(key: Uint8Array, read: (reader: ByteReader) => T): T {
  try {
    return read(new ByteReader(key));
  } catch (error) {
    if (error instanceof RecordFault) throw damaged('key of a', key, error.message);
    throw error;
  }
}

function beginFills({ podId, venue }: Account, orderId: OrderId | null): ByteWriter {
  if (orderId !== null) return writer.begin().byte(WITH_ORDER).orderId(orderId);
  return writer.begin().byte(WITHOUT_ORDER).text(podId).byte(venueWords.codes[venue]);
}
