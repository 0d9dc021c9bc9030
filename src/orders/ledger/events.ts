// Every change of the ledger: the closed union of events, and their bytes in the journal. `apply` over all events gives the state. Events
// carry results rather than instructions, so that the reading of an old journal never depends on the rules of today. Pure.

import type { Venue } from '../../core/domain/market.ts';
import type { OrderId } from '../../core/domain/order.ts';
import type { Position } from '../../core/domain/position.ts';
import type { CountedFill, Protection, ProtectionScope } from '../../core/domain/protection.ts';
import type { WalletAction } from '../../core/domain/wallet-action.ts';
import type {
  Account,
  BookedChange,
  CancelAfter,
  FillChange,
  IdempotencyEntry,
  OrderEventRecord,
  StoredFill,
  StoredOrder,
} from '../../core/store/order-records.ts';
import { ByteReader, type ByteWriter, RecordFault } from '../../core/store/orders/bytes.ts';
import { refuseOtherVersion } from '../../core/store/orders/codec.ts';
import {
  intent,
  madeOrder,
  millis,
  motion,
  type OrderMotion,
  refusedAs,
  ticks,
  venueWords,
} from '../../core/store/orders/order-record.ts';
import {
  booked,
  cancelAfter,
  countedFill,
  eventWords,
  idempotencyEntry,
  ownEntry,
  position,
  protection,
  protectionScope,
  settlementWords,
  storedFill,
  walletAction,
} from '../../core/store/orders/records.ts';
import {
  always,
  compile,
  count,
  fields,
  name,
  oneOf,
  optional,
  orderId,
  storedAs,
  text,
} from '../../core/store/orders/schema.ts';
import { StoreError } from '../../core/store/store-error.ts';

/** The parts that most changes of an order have. */
export interface OrderChange {
  /** The cursor of the STATUS event that shows the order after this change. Null means that the actor gets no such event. */
  readonly cursor: number | null;
  /** The new entry of the order's own idempotency key. Null means that the entry has not changed. */
  readonly key: Omit<IdempotencyEntry, 'orderId'> | null;
}
/** The whole order. It is new, was reopened, or got another request. */
export interface OrderMade extends OrderChange {
  readonly type: 'order-made';
  readonly stored: StoredOrder;
}
/** A change of a known order, with the fields that can change. */
export interface OrderMoved extends OrderChange {
  readonly type: 'order-moved';
  readonly orderId: OrderId;
  readonly motion: OrderMotion;
  readonly refusedAs: StoredOrder['refusedAs'];
}
/** The order of an idempotency key, and the answer that its caller got. It stands alone if no change of the order comes with it. */
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
/** An orphan fill that now belongs to an order. */
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
/** One of the latest movements of a position, which is kept so that a failed trade can be reversed. */
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
/** An event of the actor's private stream: the order as it is at this point, and perhaps one of its fills. */
interface EventAppended extends Pick<OrderEventRecord, 'actorId' | 'cursor' | 'event' | 'at'> {
  readonly type: 'event-appended';
  readonly orderId: OrderId;
  /** The id of the fill in the account of its order. Null means that the event has no fill. */
  readonly fillId: string | null;
}
/**
 * A leap of all cursors. Cursors up to `floor` may have been given out before events were lost in a power cut, so none of them is reused.
 */
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
/** A protection was armed, changed or triggered. */
interface ProtectionSet {
  readonly type: 'protection-set';
  readonly protection: Protection;
}
interface ProtectionEnded {
  readonly type: 'protection-ended';
  readonly scope: ProtectionScope;
}
/** A fill that counts under a protection. `dropped` of the earliest counted fills no longer count. */
interface FillCounted {
  readonly type: 'fill-counted';
  readonly scope: ProtectionScope;
  readonly fill: CountedFill;
  readonly dropped: number;
}

/** An action that was made or changed, with its actor's event of the private stream. */
interface ActionPut {
  readonly type: 'action-put';
  readonly cursor: number;
  readonly action: WalletAction;
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
  | SwitchDisarmed
  | ProtectionSet
  | ProtectionEnded
  | FillCounted
  | ActionPut;

/** The version of the form of all events. It must be raised with every change of the form. */
export const LEDGER_EVENTS_VERSION = 3;

const account = fields<Account>({ podId: name, venue: venueWords });

/** The change of a fill. Each member is absent if it does not change. */
const fillChange = storedAs<FillChange, { [Name in keyof FillChange]-?: NonNullable<FillChange[Name]> | null }>(
  fields({ settlement: optional(settlementWords), price: optional(ticks) }),
  {
    to: ({ settlement, price }) => ({ settlement: settlement ?? null, price: price ?? null }),
    from: ({ settlement, price }) => ({
      ...(settlement === null ? {} : { settlement }),
      ...(price === null ? {} : { price }),
    }),
  },
);

const stored = fields<StoredOrder>({ order: madeOrder, intent, refusedAs });
const CHANGE = { cursor: optional(count()), key: optional(ownEntry) };

/** The numbers of the kinds never change. A new kind gets a new number. */
const coder = compile(
  oneOf<{ [Type in LedgerEvent['type']]: Extract<LedgerEvent, { type: Type }> }>('kind of event', ({ type }) => type, {
    'order-made': [0, fields<OrderMade>({ type: always('order-made'), stored, ...CHANGE })],
    'order-moved': [1, fields<OrderMoved>({ type: always('order-moved'), orderId, motion, refusedAs, ...CHANGE })],
    'key-kept': [
      2,
      fields<KeyKept>({
        type: always('key-kept'),
        actorId: name,
        venue: venueWords,
        key: text,
        entry: idempotencyEntry,
      }),
    ],
    'fill-booked': [3, fields<FillBooked>({ type: always('fill-booked'), account, stored: storedFill })],
    'fill-claimed': [4, fields<FillClaimed>({ type: always('fill-claimed'), account, stored: storedFill })],
    'fill-amended': [
      5,
      fields<FillAmended>({ type: always('fill-amended'), account, fillId: text, change: fillChange }),
    ],
    'position-moved': [6, fields<PositionMoved>({ type: always('position-moved'), owner: name, position })],
    'movement-kept': [7, fields<MovementKept>({ type: always('movement-kept'), owner: name, booked })],
    'movement-dropped': [
      8,
      fields<MovementDropped>({
        type: always('movement-dropped'),
        owner: name,
        venue: venueWords,
        address: name,
        number: count(),
      }),
    ],
    'event-appended': [
      9,
      fields<EventAppended>({
        type: always('event-appended'),
        actorId: name,
        cursor: count(),
        event: eventWords,
        at: millis,
        orderId,
        fillId: optional(text),
      }),
    ],
    'cursors-leapt': [10, fields<CursorsLeapt>({ type: always('cursors-leapt'), floor: count() })],
    'mark-set': [11, fields<MarkSet>({ type: always('mark-set'), name: text, value: text })],
    'switch-armed': [12, fields<SwitchArmed>({ type: always('switch-armed'), cancelAfter })],
    'switch-disarmed': [13, fields<SwitchDisarmed>({ type: always('switch-disarmed'), keyId: text })],
    'protection-set': [14, fields<ProtectionSet>({ type: always('protection-set'), protection })],
    'protection-ended': [15, fields<ProtectionEnded>({ type: always('protection-ended'), scope: protectionScope })],
    'fill-counted': [
      16,
      fields<FillCounted>({
        type: always('fill-counted'),
        scope: protectionScope,
        fill: countedFill,
        dropped: count(),
      }),
    ],
    'action-put': [17, fields<ActionPut>({ type: always('action-put'), cursor: count(), action: walletAction })],
  }),
);

export function writeEvent(writer: ByteWriter, event: LedgerEvent): void {
  coder.write(writer, event);
}

/** Returns all events of a record of the journal. Throws a StoreError that names the record if it is damaged, or of another release. */
export function eventsOf(sequence: number, record: Uint8Array): LedgerEvent[] {
  try {
    return readEvents(record);
  } catch (error) {
    if (error instanceof RecordFault) throw new StoreError(`journal record ${sequence}: ${error.message}`);
    throw error;
  }
}

/** Returns all events of one step. Throws a RecordFault if the bytes are invalid. */
export function readEvents(bytes: Uint8Array): LedgerEvent[] {
  const reader = new ByteReader(bytes);
  refuseOtherVersion(reader.byte(), LEDGER_EVENTS_VERSION);
  const { length } = reader.bytes;
  // The list begins with its first event, because an empty list would get room for 17 events when the first is added.
  const events = reader.at < length ? [coder.read(reader)] : [];
  while (reader.at < length) events.push(coder.read(reader));
  return events;
}
