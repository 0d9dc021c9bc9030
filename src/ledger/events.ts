// Every change of the ledger: the closed union of events, and their bytes in the journal. The state is the fold of `apply` over
// them. Events carry results, not instructions, so that reading an old journal never depends on today's rules. Pure.

import type { Intent } from '../domain/intent.ts';
import type { Venue } from '../domain/market.ts';
import type { Ticks } from '../domain/numbers.ts';
import type { Order, OrderId } from '../domain/order.ts';
import type { Position } from '../domain/position.ts';
import { unreachable } from '../domain/result.ts';
import type {
  Account,
  BookedChange,
  CancelAfter,
  FillChange,
  IdempotencyEntry,
  OrderEventRecord,
  StoredFill,
  StoredOrder,
} from '../store/order-records.ts';
import {
  readBooked,
  readEntry,
  readPosition,
  readSwitch,
  writeBooked,
  writeEntry,
  writePosition,
  writeSwitch,
} from '../store/orders/account-records.ts';
import { ByteReader, type ByteWriter, RecordFault } from '../store/orders/bytes.ts';
import { readOptional, words, writeOptional } from '../store/orders/codec.ts';
import { readFill, settlementWords, writeFill } from '../store/orders/fill-record.ts';
import {
  errorKindWords,
  type OrderMotion,
  readIntent,
  readMotion,
  readOrder,
  venueWords,
  writeIntent,
  writeMotion,
  writeOrder,
} from '../store/orders/order-record.ts';

/** The whole order: it is new, was reopened, or got another request. */
interface OrderMade {
  readonly type: 'order-made';
  readonly stored: StoredOrder;
}
/** A known order: the fields that can change. */
interface OrderMoved {
  readonly type: 'order-moved';
  readonly orderId: OrderId;
  readonly motion: OrderMotion;
  readonly refusedAs: StoredOrder['refusedAs'];
}
/** The order of an idempotency key, and the answer its caller got. */
interface KeyKept {
  readonly type: 'key-kept';
  readonly actorId: string;
  readonly venue: Venue;
  readonly key: string;
  readonly entry: IdempotencyEntry;
}
interface FillBooked {
  readonly type: 'fill-booked';
  readonly account: Account;
  readonly stored: StoredFill;
}
/** An orphan fill now belongs to an order. */
interface FillClaimed {
  readonly type: 'fill-claimed';
  readonly account: Account;
  readonly stored: StoredFill;
}
interface FillAmended {
  readonly type: 'fill-amended';
  readonly account: Account;
  readonly fillId: string;
  readonly change: FillChange;
}
interface PositionMoved {
  readonly type: 'position-moved';
  readonly owner: string;
  readonly position: Position;
}
/** One of the latest movements of a position, needed to reverse a failed trade. */
interface MovementKept {
  readonly type: 'movement-kept';
  readonly owner: string;
  readonly booked: BookedChange;
}
interface MovementDropped {
  readonly type: 'movement-dropped';
  readonly owner: string;
  readonly venue: Venue;
  readonly address: string;
  readonly number: number;
}
/** An event of the actor's private stream: an order, and perhaps one of its fills, as they are at this point. */
interface EventAppended extends Pick<OrderEventRecord, 'actorId' | 'cursor' | 'event' | 'at'> {
  readonly type: 'event-appended';
  readonly orderId: OrderId;
  /** In the account of its order. */
  readonly fillId: string | null;
}
/** Cursors up to this one may have been given before events were lost (power cut): none is reused. */
interface CursorsLeapt {
  readonly type: 'cursors-leapt';
  readonly floor: number;
}
interface MarkSet {
  readonly type: 'mark-set';
  readonly name: string;
  readonly value: string;
}
interface SwitchArmed {
  readonly type: 'switch-armed';
  readonly cancelAfter: CancelAfter;
}
interface SwitchDisarmed {
  readonly type: 'switch-disarmed';
  readonly keyId: string;
}

export type LedgerEvent =
  | OrderMade
  | OrderMoved
  | KeyKept
  | FillBooked
  | FillClaimed
  | FillAmended
  | PositionMoved
  | MovementKept
  | MovementDropped
  | EventAppended
  | CursorsLeapt
  | MarkSet
  | SwitchArmed
  | SwitchDisarmed;

/** Version of the form of all events. A journal of another version is refused with a message. */
export const LEDGER_EVENTS_VERSION = 1;

/** Numbers never change: a new kind gets a new one. */
const kinds = words<LedgerEvent['type']>('kind of event', {
  'order-made': 0,
  'order-moved': 1,
  'key-kept': 2,
  'fill-booked': 3,
  'fill-claimed': 4,
  'fill-amended': 5,
  'position-moved': 6,
  'movement-kept': 7,
  'movement-dropped': 8,
  'event-appended': 9,
  'cursors-leapt': 10,
  'mark-set': 11,
  'switch-armed': 12,
  'switch-disarmed': 13,
});
const streamEventWords = words<OrderEventRecord['event']>('stream event', { STATUS: 0, FILL: 1, FILL_REVERSED: 2 });

export function writeEvent(writer: ByteWriter, event: LedgerEvent): void {
  writer.byte(kinds.code(event.type));
  switch (event.type) {
    case 'order-made':
      writeStored(writer, event.stored);
      break;
    case 'order-moved':
      writer.orderId(event.orderId);
      writeMotion(writer, event.motion);
      writeOptional(writer, event.refusedAs, kind => writer.byte(errorKindWords.code(kind)));
      break;
    case 'key-kept':
      writer.text(event.actorId);
      writer.byte(venueWords.code(event.venue));
      writer.text(event.key);
      writeEntry(writer, event.entry);
      break;
    case 'fill-booked':
    case 'fill-claimed':
      writeAccount(writer, event.account);
      writeOptional(writer, event.stored.orderId, id => writer.orderId(id));
      writeFill(writer, event.stored.fill);
      break;
    case 'fill-amended':
      writeAccount(writer, event.account);
      writer.text(event.fillId);
      writeOptional(writer, event.change.settlement ?? null, it => writer.byte(settlementWords.code(it)));
      writeOptional(writer, event.change.price ?? null, it => writer.count(it));
      break;
    default:
      writeRest(writer, event);
  }
}

type Rest = Exclude<LedgerEvent, OrderMade | OrderMoved | KeyKept | FillBooked | FillClaimed | FillAmended>;

function writeRest(writer: ByteWriter, event: Rest): void {
  switch (event.type) {
    case 'position-moved':
      writer.text(event.owner);
      writePosition(writer, event.position);
      break;
    case 'movement-kept':
      writer.text(event.owner);
      writer.count(event.booked.number);
      writeBooked(writer, event.booked);
      break;
    case 'movement-dropped':
      writer.text(event.owner);
      writer.byte(venueWords.code(event.venue));
      writer.text(event.address);
      writer.count(event.number);
      break;
    case 'event-appended':
      writer.text(event.actorId);
      writer.count(event.cursor);
      writer.byte(streamEventWords.code(event.event));
      writer.time(event.at);
      writer.orderId(event.orderId);
      writeOptional(writer, event.fillId, id => writer.text(id));
      break;
    case 'cursors-leapt':
      writer.count(event.floor);
      break;
    case 'mark-set':
      writer.text(event.name);
      writer.text(event.value);
      break;
    case 'switch-armed':
      writeSwitch(writer, event.cancelAfter);
      break;
    case 'switch-disarmed':
      writer.text(event.keyId);
      break;
    default:
      unreachable(event);
  }
}

/** All events of one step. Throws a RecordFault if the bytes are invalid. */
export function readEvents(bytes: Uint8Array): LedgerEvent[] {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== LEDGER_EVENTS_VERSION) throw new RecordFault(`has events of version ${version}`);
  const events: LedgerEvent[] = [];
  while (reader.hasMore) events.push(readEvent(reader));
  return events;
}

function readEvent(reader: ByteReader): LedgerEvent {
  const type = kinds.read(reader);
  // Fields of a literal are evaluated from top to bottom, so they stand in the sequence of the bytes.
  switch (type) {
    case 'order-made':
      return { type, stored: readStored(reader) };
    case 'order-moved':
      return { type, orderId: reader.orderId(), motion: readMotion(reader), refusedAs: readRefusedAs(reader) };
    case 'key-kept':
      return {
        type,
        actorId: reader.name(),
        venue: venueWords.read(reader),
        key: reader.text(),
        entry: readEntry(reader),
      };
    case 'fill-booked':
    case 'fill-claimed': {
      const account = readAccount(reader);
      const orderId = readOptional(reader, () => reader.orderId());
      return { type, account, stored: { orderId, fill: readFill(reader) } };
    }
    case 'fill-amended': {
      const [account, fillId] = [readAccount(reader), reader.text()];
      const settlement = readOptional(reader, () => settlementWords.read(reader));
      const price = readOptional(reader, () => reader.count() as Ticks);
      const change = { ...(settlement === null ? {} : { settlement }), ...(price === null ? {} : { price }) };
      return { type, account, fillId, change };
    }
    case 'position-moved':
      return { type, owner: reader.name(), position: readPosition(reader) };
    case 'movement-kept':
      return { type, owner: reader.name(), booked: { number: reader.count(), ...readBooked(reader) } };
    case 'movement-dropped':
      return {
        type,
        owner: reader.name(),
        venue: venueWords.read(reader),
        address: reader.name(),
        number: reader.count(),
      };
    case 'event-appended':
      return {
        type,
        actorId: reader.name(),
        cursor: reader.count(),
        event: streamEventWords.read(reader),
        at: reader.time() as OrderEventRecord['at'],
        orderId: reader.orderId(),
        fillId: readOptional(reader, () => reader.text()),
      };
    case 'cursors-leapt':
      return { type, floor: reader.count() };
    case 'mark-set':
      return { type, name: reader.text(), value: reader.text() };
    case 'switch-armed':
      return { type, cancelAfter: readSwitch(reader) };
    case 'switch-disarmed':
      return { type, keyId: reader.text() };
    default:
      return unreachable(type);
  }
}

function writeStored(writer: ByteWriter, { order, intent, idempotencyKey, refusedAs }: StoredOrder): void {
  writeOrder(writer, order);
  writeIntent(writer, intent);
  writer.text(idempotencyKey);
  writeOptional(writer, refusedAs, kind => writer.byte(errorKindWords.code(kind)));
}

function readStored(reader: ByteReader): StoredOrder {
  const [order, intent]: [Order, Intent | null] = [readOrder(reader), readIntent(reader)];
  return { order, intent, idempotencyKey: reader.text(), refusedAs: readRefusedAs(reader) };
}

function readRefusedAs(reader: ByteReader): StoredOrder['refusedAs'] {
  return readOptional(reader, () => errorKindWords.read(reader));
}

function writeAccount(writer: ByteWriter, { podId, venue }: Account): void {
  writer.text(podId);
  writer.byte(venueWords.code(venue));
}

function readAccount(reader: ByteReader): Account {
  return { podId: reader.name(), venue: venueWords.read(reader) };
}
