// Stored rows of orders and the reads for them: records as domain values, every list a range. The engine serves trading from memory; the
// history serves lists and pages from its tables. Any thread.

import { limits } from '../../limits.ts';
import type { ApiErrorKind } from '../domain/answer.ts';
import type { Fill } from '../domain/fill.ts';
import type { Venue } from '../domain/market.ts';
import type { MicroDollars, UnixMillis } from '../domain/numbers.ts';
import { isTerminal, leftNoTrace, type Order, type OrderId, type OrderStatus } from '../domain/order.ts';
import type { Intent } from '../domain/order-request.ts';
import { hasUnreported } from '../domain/order-sums.ts';
import type { Position, PositionChange, PositionTotals } from '../domain/position.ts';
import type { CountedFill, Protection, ProtectionScope } from '../domain/protection.ts';
import type { WalletAction } from '../domain/wallet-action.ts';
import type { StoreError } from './store-error.ts';

export interface StoredOrder {
  readonly order: Order;
  /** Null for an order that was refused before its intent. */
  readonly intent: Intent | null;
  /** How a refusal was answered; null unless it is REJECTED. */
  readonly refusedAs: ApiErrorKind | null;
}

/** An answer as given, to be repeated. */
export interface StoredAnswer {
  /** `made`: 201, with the order's status at the time. */
  readonly outcome: 'made' | ApiErrorKind;
  readonly status: OrderStatus;
  /** The message of an error; empty otherwise. */
  readonly message: string;
  readonly at: UnixMillis;
}

/** An entry by (actor, venue, idempotency key). It is kept for good. */
export interface IdempotencyEntry {
  readonly orderId: OrderId;
  readonly bodySha256Hex: string;
  /** Null before the answer. */
  readonly answer: StoredAnswer | null;
}

/** A fill with its order. `orderId` is null for a fill without an order of ours, which is booked to `unattributed`. */
export interface StoredFill {
  readonly fill: Fill;
  readonly orderId: OrderId | null;
}

/** A fill settles, or its order gets the frame of the original request. */
export type FillChange = Partial<Pick<Fill, 'settlement' | 'price'>>;

/** A movement of a position, kept for a while so that a failed trade can be reversed. */
export interface BookedChange extends Omit<PositionChange, 'at'> {
  /** Ascending numbers within the position. */
  readonly number: number;
  /** Null if the change is not a trade. */
  readonly fillId: string | null;
  /** The position before it. */
  readonly before: Position;
}

/** The end of a page: the last row's creation time and id. */
export interface OrderPosition {
  readonly createdAt: UnixMillis;
  readonly orderId: OrderId;
}

export interface OrderQuery {
  /** The full actor id, here and in every record: actor ids are unique within their pod only. */
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
  /** No order is in two of these lists. */
  readonly lists: readonly OrderList[];
  readonly after: OrderPosition | null;
  /** Orders that this function refuses are skipped. */
  readonly accepts: (order: Order) => boolean;
  readonly rowsMax: number;
  /** Orders looked at, accepted or not. */
  readonly looksMax: number;
}

export interface MergedOrders {
  readonly orders: readonly Order[];
  /** The last order examined, if `looksMax` ended the search and there are more; else null. */
  readonly stoppedAt: OrderPosition | null;
}

/** An event of the private stream; numbered per actor from 1 without a gap, and from higher up after a loss. */
export interface OrderEventRecord {
  readonly cursor: number;
  readonly actorId: string;
  readonly event: 'STATUS' | 'FILL' | 'FILL_REVERSED';
  /** The order at the event. */
  readonly order: Order;
  readonly fill: Fill | null;
  readonly at: UnixMillis;
}

/** An event of a wallet’s action, with the action as it is at this point. */
export interface ActionEventRecord extends Pick<OrderEventRecord, 'cursor' | 'actorId' | 'at'> {
  readonly event: 'ACTION';
  readonly action: WalletAction;
}

/** The event of an action that was made or changed. Nobody needs the bytes. */
export function actionEvent(action: WalletAction): Omit<ActionEventRecord, 'cursor'> {
  return { actorId: action.actorId, event: 'ACTION', action: { ...action, intent: null }, at: action.updatedAt };
}

export type ActorEventRecord = OrderEventRecord | ActionEventRecord;

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

/** A name that is unique for each account. */
export function accountName({ podId, venue }: Account): string {
  return `${podId}/${venue}`;
}

/** The pending holds of an actor's orders in one market, in micro-shares. They are kept as sums: no read looks through the orders. */
export interface PendingHolds {
  /** The quantity that orders may add in one direction (`directionOf`), without purchases in dollars (`passing`). */
  growth(direction: 1 | -1): number;
  /** The most that orders in one direction may cost if the market pays against them, in micro-dollars. Purchases in dollars count. */
  cost(direction: 1 | -1): MicroDollars;
  /** Bought by the venue's sums, and not by fills yet. */
  readonly bought: number;
  /** Open orders that cannot rest: few, even if many orders rest. */
  readonly passing: Iterable<StoredOrder>;
}

/** Reads that the engine serves from memory. The intent of an order no longer in flight has no payload. */
export interface LiveReads {
  order(orderId: OrderId): StoredOrder | null;
  pending(actorId: string, venue: Venue, address: string): PendingHolds;
  /** Orders of an actor that are open, or have ended and may still get fills. In one market, or in all (null). */
  ordersOf(actorId: string, venue: Venue, address: string | null): Iterable<StoredOrder>;
  /** The order by its venue id: the id that the venue gave or, at venue A, the id in the intent. */
  orderOfVenue(account: Account, venueOrderId: string): OrderId | null;
  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null;
  /** Open orders, oldest first. */
  openOrders(account: Account): Iterable<StoredOrder>;
  /** Open orders that are in flight or have a cancel request, in flight first: few, even if many orders rest. */
  unclearOrders(account: Account): Iterable<StoredOrder>;
  /** Ended orders in memory that traded more, by the venue's sum, than their fills say. */
  unreportedOrders(account: Account): Iterable<StoredOrder>;
  /** Number of an actor's orders that are OPEN, SUBMITTED or PENDING; at both venues (null). */
  openCount(actorId: string, venue: Venue | null): number;
  /** Fills in order of arrival, from the place after `after` (0: from the first). */
  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[];
  fill(account: Account, fillId: string): StoredFill | null;
  /** Positions in memory, ordered by address: all that are held, and those that closed a short time ago. */
  positions(actorId: string, venue: Venue): Iterable<Position>;
  /** Sums over all positions since the ledger began, closed ones included. */
  totals(actorId: string, venue: Venue): PositionTotals;
  position(actorId: string, venue: Venue, address: string): Position | null;
  /** Addresses of markets of the venue in which an actor may have a position or an order. An address is in at least one of these. */
  addressesOf(actorId: string, venue: Venue): readonly Pick<ReadonlySet<string>, 'has'>[];
  /** Like `position`; null, too, for a closed position that is not in memory. */
  held(actorId: string, venue: Venue, address: string): Position | null;
  /** The position's latest movements, oldest first. */
  booked(actorId: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[];
  lastCursor(actorId: string): number;
  /** Named marks of the executions: how far a private stream was read. */
  mark(name: string): string | null;
  cancelAfters(): readonly CancelAfter[];
  action(actionId: OrderId): WalletAction | null;
  /** Actions of a pod's wallet that are not over, in the order of their records: few. */
  openActions(podId: string): readonly WalletAction[];
  /** Protections of an actor; null means those of all actors. */
  protections(actorId: string | null): readonly Protection[];
  protection(scope: ProtectionScope): Protection | null;
}

/** Reads that the history serves. Throws a StoreError if a row cannot be read. */
export interface HistoryReads extends Pick<LiveReads, 'order' | 'fills' | 'lastCursor'> {
  /** The actions of an actor, newest first. */
  actions(actorId: string, after: OrderPosition | null, rowsMax: number): readonly WalletAction[];
  /** Newest first by (createdAt, orderId). */
  orders(query: OrderQuery): readonly Order[];
  /** Orders of several lists from one read snapshot. */
  mergedOrders(query: MergedQuery): MergedOrders;
  /** Events after `cursor`, oldest first. Null if later events are pruned, or the cursor is of another ledger. */
  events(actorId: string, after: number, rowsMax: number): readonly ActorEventRecord[] | null;
}

/** Writes to the ledger. */
export interface LedgerWrites {
  /** Writes the order and updates every index. */
  putOrder(stored: StoredOrder): void;
  putIdempotency(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void;
  /** Does nothing if the fill id is there. */
  addFill(account: Account, stored: StoredFill): void;
  /** Gives an existing fill without an order to the order in `stored`, as its last fill. */
  claimFill(account: Account, stored: StoredFill): void;
  /** Changes an existing fill. */
  amendFill(account: Account, fillId: string, change: FillChange): void;
  putPosition(actorId: string, position: Position): void;
  /** Appends to the movements of its position; beyond the bound the oldest is dropped. */
  addBooked(actorId: string, booked: Omit<BookedChange, 'number'>): void;
  putBooked(actorId: string, booked: BookedChange): void;
  deleteBooked(actorId: string, booked: BookedChange): void;
  /** Takes the actor's next cursor. */
  appendEvent(event: Omit<OrderEventRecord, 'cursor'>): OrderEventRecord;
  /** Made or changed; its actor gets an event with the next cursor. */
  putAction(action: WalletAction): ActionEventRecord;
  putMark(name: string, value: string): void;
  putCancelAfter(cancelAfter: CancelAfter): void;
  deleteCancelAfter(keyId: string): void;
  putProtection(protection: Protection): void;
  deleteProtection(scope: ProtectionScope): void;
  /** Counts a fill under an existing protection, and drops that many of the earliest counted ones. */
  countFill(scope: ProtectionScope, fill: CountedFill, dropped: number): void;
}

/** One step of the engine: its reads see its writes. */
export interface LedgerTransaction extends LiveReads, LedgerWrites {}

/** The ledger of the engine's thread: all reads are from memory, all changes are steps of its journal. */
export interface LedgerStore extends LiveReads {
  /** Runs one step, which survives kill -9 once it returns. Throws a StoreError, with nothing done, if the journal takes no record. */
  change<T>(work: (transaction: LedgerTransaction) => T): T;
  /** The result that `change` would return; nothing changes. Works while the journal takes no record, too. */
  rehearse<T>(work: (transaction: LedgerTransaction) => T): T;
  /**
   * Resolves once every step so far is as safe as the mode says: on disk (power-safe), or in the pod's stream (replicated). Rejects with a
   * StoreError if the disk has failed, or while the stream acknowledges nothing. Null if every step is safe, as always in the process-safe
   * mode. Callers of requests wait by `recordFault`, since a sync may hang.
   */
  durable(): Promise<void> | null;
  /** Like `durable`, and in the process-safe mode, too, every step so far is on disk then. */
  onDisk(): Promise<void>;
  /** Called within a step for each position that it moves. The step may be undone. */
  onPositionMoved: ((owner: string, venue: Venue, address: string) => void) | null;
  /** Called for each position and pending hold that may have moved in a market, and again if the step is undone. */
  onStakeMoved: ((owner: string, address: string) => void) | null;
  /** Why a step recorded now would not be; null: no reason is known. */
  readonly problem: StoreError | null;
  /** Why no new order is taken, though steps are: too many records wait for the history. Null if it follows. */
  readonly backlog: string | null;
}

/** Mark with the loss limits of actors and pods, as `lossLimitsText` writes them. */
export const LOSS_LIMITS_MARK = 'loss-limits';

/** Mark with the latest change of a limit, in the words of the audit log. */
export const LIMIT_CHANGE_MARK = 'limit-change';

/** Mark with the scopes that an operator has stopped, a line each. */
export const STOPS_MARK = 'stops';

/** Owner of fills and orders that no actor has made (contract §5). */
export const UNATTRIBUTED = 'unattributed';

// The orders that the engine keeps in memory: all that may change or count without being named.

/**
 * False: it may be evicted once the history has it on disk, since it can only change by name. An ended order stays while it may
 * still get fills, and a given-up one while an orphan fill may be its own. `accountFirstReadMs` bounds both: later readings of an
 * account look no further back unless the gateway was down for longer.
 */
export function staysInMemory({ order }: StoredOrder, now: UnixMillis): boolean {
  if (!isTerminal(order.status)) return true;
  const isLate = order.closedAt === null || order.closedAt <= now - limits.accountFirstReadMs;
  return !isLate && mayFillYet(order);
}

/** Open, or ended and may still get fills. */
export function isAtWork({ order }: StoredOrder): boolean {
  return !isTerminal(order.status) || mayFillYet(order);
}

/** Whether an order has ended and may still get fills. */
export function mayFillYet(order: Order): boolean {
  return isTerminal(order.status) && (hasUnreported(order) || leftNoTrace(order));
}
