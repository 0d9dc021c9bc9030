// What is kept of orders, and how it is asked for: records as domain values, every list a range. The engine answers what trading needs
// from memory, the history answers lists and pages from its tables. Any thread.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { Fill } from '../domain/fill.ts';
import type { Intent } from '../domain/intent.ts';
import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { Order, OrderId, OrderStatus } from '../domain/order.ts';
import type { Position, PositionChange } from '../domain/position.ts';

export interface StoredOrder {
  readonly order: Order;
  /** Null of an order that was refused before there was one. */
  readonly intent: Intent | null;
  readonly idempotencyKey: string;
  /** How a refusal was answered; null unless it is REJECTED. */
  readonly refusedAs: ApiErrorKind | null;
}

/** An answer as it was given, to be given again. */
export interface StoredAnswer {
  /** `made`: 201, with what the order's status was then. */
  readonly outcome: 'made' | ApiErrorKind;
  readonly status: OrderStatus;
  /** Of an error; empty otherwise. */
  readonly message: string;
  readonly at: UnixMillis;
}

/** Of (actor, venue, idempotency key): kept for good; its answer for `answerKeptMs`. */
export interface IdempotencyEntry {
  readonly orderId: OrderId;
  readonly bodySha256Hex: string;
  /** Null while none was given, and after it was pruned. */
  readonly answer: StoredAnswer | null;
}

/** A fill with whose it is; `orderId` null: nobody's order, booked to `unattributed`. */
export interface StoredFill {
  readonly fill: Fill;
  readonly orderId: OrderId | null;
}

/** A fill goes on to settle, or is seen in the frame of the request that made its order. */
export type FillChange = Partial<Pick<Fill, 'settlement' | 'price'>>;

/** What has moved a position, in order: kept for a while, since a trade that fails to settle is taken out again. */
export interface BookedChange extends Omit<PositionChange, 'at'> {
  /** Ascending, of that position. */
  readonly number: number;
  /** Null of what is no trade. */
  readonly fillId: string | null;
  /** What it has moved. */
  readonly before: Position;
}

/** Where a page ends: the last row's creation time and id. */
export interface OrderPosition {
  readonly createdAt: UnixMillis;
  readonly orderId: OrderId;
}

export interface OrderQuery {
  /** The full one, here and in every record: ids of actors are unique within their pod only. */
  readonly actorId: string;
  readonly venue: Venue;
  /** Token id or ticker; null: all. */
  readonly address: string | null;
  readonly status: OrderStatus | null;
  /** Rows after this one, newest first; null: from the newest. */
  readonly after: OrderPosition | null;
  readonly rowsMax: number;
}

/** The orders of an actor at one venue, all or of one status. */
export interface OrderList {
  readonly venue: Venue;
  readonly status: OrderStatus | null;
}

/** Orders of several lists as one, newest first. */
export interface MergedQuery {
  readonly actorId: string;
  /** No order is in two of them. */
  readonly lists: readonly OrderList[];
  readonly after: OrderPosition | null;
  /** Others are passed over. */
  readonly accepts: (order: Order) => boolean;
  readonly rowsMax: number;
  /** Orders looked at, accepted or not. */
  readonly looksMax: number;
}

export interface MergedOrders {
  readonly orders: readonly Order[];
  /** The last one looked at, where `looksMax` was the end of looking and there are more; else null. */
  readonly stoppedAt: OrderPosition | null;
}

/** What the private stream tells of an order; numbered for each actor from 1 without a gap, after a loss from further up. */
export interface OrderEventRecord {
  readonly cursor: number;
  readonly actorId: string;
  readonly event: 'STATUS' | 'FILL' | 'FILL_REVERSED';
  /** As it was then. */
  readonly order: Order;
  readonly fill: Fill | null;
  readonly at: UnixMillis;
}

/** A dead man's switch (contract §4.11). */
export interface CancelAfter {
  readonly keyId: string;
  readonly actorId: string;
  readonly podId: string;
  readonly deadline: UnixMillis;
}

export interface Account {
  readonly podId: string;
  readonly venue: Venue;
}

/** What the engine answers from memory. The intent of an order that is not in flight any more comes without its payload. */
export interface LiveReads {
  order(orderId: OrderId): StoredOrder | null;
  /** Of an actor: not terminal, or over since lately. In one market, or in all (null). */
  ordersOf(actorId: string, venue: Venue, address: string | null): Iterable<StoredOrder>;
  /** By the venue's id of it, as learned from the venue or, at venue A, as its intent has it. */
  orderOfVenue(account: Account, venueOrderId: string): OrderId | null;
  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null;
  /** Of those that are not terminal, oldest first. */
  openOrders(account: Account): Iterable<StoredOrder>;
  /** Of those, the ones that are in flight or wanted cancelled: few, however many rest. In flight first. */
  unclearOrders(account: Account): Iterable<StoredOrder>;
  /** Of one actor, those of them that are OPEN, SUBMITTED or PENDING; how many there are. */
  openCount(actorId: string, venue: Venue): number;
  /** In order of arrival, from the place after `after` (0: from the first). */
  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[];
  fill(account: Account, fillId: string): StoredFill | null;
  /** Ordered by address, also of those that were closed. */
  positions(actorId: string, venue: Venue): Iterable<Position>;
  position(actorId: string, venue: Venue, address: string): Position | null;
  /** What has moved it lately, oldest first. */
  booked(actorId: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[];
  lastCursor(actorId: string): number;
  /** Named marks of the executions: how far a private stream was read. */
  mark(name: string): string | null;
  cancelAfters(): readonly CancelAfter[];
}

/** What the history answers. Throws a StoreError where a row cannot be read. */
export interface HistoryReads extends Pick<LiveReads, 'order' | 'fills' | 'lastCursor'> {
  /** Newest first by (createdAt, orderId). */
  orders(query: OrderQuery): readonly Order[];
  /** All of one moment. */
  mergedOrders(query: MergedQuery): MergedOrders;
  /** After `cursor`, oldest first; null: what followed it is not kept any more, or the cursor is of another ledger. */
  events(actorId: string, after: number, rowsMax: number): readonly OrderEventRecord[] | null;
}

/** What changes the ledger. */
export interface LedgerWrites {
  /** Keeps every index true. */
  putOrder(stored: StoredOrder): void;
  putIdempotency(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void;
  /** Once for a fill id: nothing is done if it is there. */
  addFill(account: Account, stored: StoredFill): void;
  /** A fill that is there and nobody's becomes an order's: as `stored` has it, and the last of the order's fills. */
  claimFill(account: Account, stored: StoredFill): void;
  /** What is told of a fill that is there. */
  amendFill(account: Account, fillId: string, change: FillChange): void;
  putPosition(actorId: string, position: Position): void;
  /** As the last of its position; of many the oldest is forgotten. */
  addBooked(actorId: string, booked: Omit<BookedChange, 'number'>): void;
  putBooked(actorId: string, booked: BookedChange): void;
  deleteBooked(actorId: string, booked: BookedChange): void;
  /** Takes the next cursor of the actor. */
  appendEvent(event: Omit<OrderEventRecord, 'cursor'>): OrderEventRecord;
  putMark(name: string, value: string): void;
  putCancelAfter(cancelAfter: CancelAfter): void;
  deleteCancelAfter(keyId: string): void;
}

/** One step of the engine: reads see what it has written. */
export interface LedgerTransaction extends LiveReads, LedgerWrites {}

/** The ledger of the engine's thread: all reads are from memory, all changes are steps of its journal. */
export interface LedgerStore extends LiveReads {
  /** One step; survives kill -9 once it returns. Throws a StoreError if the journal takes no record, having done nothing. */
  change<T>(work: (transaction: LedgerTransaction) => T): T;
  /** What `change` would return; nothing changes. Also while the journal takes no record. */
  rehearse<T>(work: (transaction: LedgerTransaction) => T): T;
  /** In the power-safe mode: resolves once every step so far is on disk; rejects with a StoreError if the disk has failed. */
  durable(): Promise<void>;
}

/** Whose the fills and orders are that nobody here has made (contract §5). */
export const UNATTRIBUTED = 'unattributed';
