// The stored rows of orders, and the reads of them: records as domain values, every list a range. The engine serves trading from memory;
// the history serves lists and pages from its tables. Any thread.

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
  /** The intent of the order. Null for an order that was refused before its intent. */
  readonly intent: Intent | null;
  /** The kind of the error with which the order was refused; null unless the order is REJECTED. */
  readonly refusedAs: ApiErrorKind | null;
}

/** An answer as it was given, to be repeated. */
export interface StoredAnswer {
  /** The outcome. `made` means 201, with the order's status at the time. */
  readonly outcome: 'made' | ApiErrorKind;
  readonly status: OrderStatus;
  /** The message of an error; empty otherwise. */
  readonly message: string;
  readonly at: UnixMillis;
}

/** An entry by actor, venue and idempotency key. The entry is kept for good. */
export interface IdempotencyEntry {
  readonly orderId: OrderId;
  readonly bodySha256Hex: string;
  /** The answer. Null before the answer is given. */
  readonly answer: StoredAnswer | null;
}

/** A fill with the id of its order. Null means that no order of ours has the fill: the fill is booked to `unattributed`. */
export interface StoredFill {
  readonly fill: Fill;
  readonly orderId: OrderId | null;
}

/** A change of a fill: the fill settles, or its order gets the frame of the original request. */
export type FillChange = Partial<Pick<Fill, 'settlement' | 'price'>>;

/** A movement of a position, kept for a while so that a failed trade can be reversed. */
export interface BookedChange extends Omit<PositionChange, 'at'> {
  /** The number of the movement; numbers ascend within the position. */
  readonly number: number;
  /** The id of the fill. Null if the change is not a trade. */
  readonly fillId: string | null;
  /** The position before the movement. */
  readonly before: Position;
}

/** The end of a page: the creation time and the id of the last row. */
export interface OrderPosition {
  readonly createdAt: UnixMillis;
  readonly orderId: OrderId;
}

export interface OrderQuery {
  /** The full actor id, here and in every record: actor ids are unique within their pod only. */
  readonly actorId: string;
  readonly venue: Venue;
  /** A token id or ticker; null means all markets. */
  readonly address: string | null;
  readonly status: OrderStatus | null;
  /** The page has the rows after this row, newest first. Null means from the newest row. */
  readonly after: OrderPosition | null;
  readonly rowsMax: number;
}

/** The orders of an actor at one venue, all or of one status. */
export interface OrderList {
  readonly venue: Venue;
  readonly status: OrderStatus | null;
}

/** Asks for the orders of several lists as one list, newest first. */
export interface MergedQuery {
  readonly actorId: string;
  /** The lists. No order is in two of them. */
  readonly lists: readonly OrderList[];
  readonly after: OrderPosition | null;
  /** Whether the list includes an order. Other orders are skipped. */
  readonly isWanted: (order: Order) => boolean;
  readonly rowsMax: number;
  /** The largest number of orders to examine, accepted or not. */
  readonly looksMax: number;
}

export interface MergedOrders {
  readonly orders: readonly Order[];
  /** The last order examined, if `looksMax` ended the search before the lists ended; else null. */
  readonly stoppedAt: OrderPosition | null;
}

/** An event of the private stream. An actor's events are numbered from 1 without a gap; after a loss, the numbers go on from higher up. */
export interface OrderEventRecord {
  readonly cursor: number;
  readonly actorId: string;
  readonly event: 'STATUS' | 'FILL' | 'FILL_REVERSED';
  /** The order as it was at the event. */
  readonly order: Order;
  readonly fill: Fill | null;
  readonly at: UnixMillis;
}

/** An event of a wallet’s action, with the action as it was at the event. */
export interface ActionEventRecord extends Pick<OrderEventRecord, 'cursor' | 'actorId' | 'at'> {
  readonly event: 'ACTION';
  readonly action: WalletAction;
}

/** Returns the event of an action that was made or changed. The event is without the signed bytes, which no reader needs. */
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

/** Returns a name that is unique for each account. */
export function accountName({ podId, venue }: Account): string {
  return `${podId}/${venue}`;
}

/**
 * The pending holds of an actor's orders in one market, in micro-shares. The store keeps them as sums, so no read looks through the orders.
 */
export interface PendingHolds {
  /** Returns the quantity that orders may add in one direction (`directionOf`). Purchases in dollars (`immediate`) do not count. */
  growth(direction: 1 | -1): number;
  /**
   * Returns the largest amount of micro-dollars that orders in one direction may cost if the market pays against them. Purchases in dollars
   * count.
   */
  cost(direction: 1 | -1): MicroDollars;
  /** The quantity that is bought by the venue's sums, but not by reported fills yet. */
  readonly bought: number;
  /** The open orders that cannot rest. They are few, even if many orders rest. */
  readonly immediate: Iterable<StoredOrder>;
}

/** The reads that the engine serves from memory. The intent of an order that is no longer in flight has no payload. */
export interface LiveReads {
  order(orderId: OrderId): StoredOrder | null;
  pending(actorId: string, venue: Venue, address: string): PendingHolds;
  /** Returns the orders of an actor that are open, or that have ended and may still get fills. `address` null means all markets. */
  ordersOf(actorId: string, venue: Venue, address: string | null): Iterable<StoredOrder>;
  /** Returns the order with this id of the venue: the id that the venue gave or, at venue A, the id in the intent. */
  orderOfVenue(account: Account, venueOrderId: string): OrderId | null;
  idempotency(actorId: string, venue: Venue, key: string): IdempotencyEntry | null;
  /** Returns the open orders, oldest first. */
  openOrders(account: Account): Iterable<StoredOrder>;
  /**
   * Returns the open orders that are in flight or have a cancel request, orders in flight first. They are few, even if many orders rest.
   */
  unclearOrders(account: Account): Iterable<StoredOrder>;
  /** Returns the ended orders in memory that traded more by the venue's sum than by their fills. */
  unreportedOrders(account: Account): Iterable<StoredOrder>;
  /** Returns the number of an actor's orders that are OPEN, SUBMITTED or PENDING. `venue` null means both venues. */
  openCount(actorId: string, venue: Venue | null): number;
  /** Returns fills in the sequence of their arrival, from the place after `after`; 0 means from the first fill. */
  fills(orderId: OrderId, after: number, rowsMax: number): readonly Fill[];
  fill(account: Account, fillId: string): StoredFill | null;
  /** Returns the positions in memory, ordered by address: all that are held, and those that closed a short time ago. */
  positions(actorId: string, venue: Venue): Iterable<Position>;
  /** Returns the sums over all positions since the ledger began, closed positions included. */
  totals(actorId: string, venue: Venue): PositionTotals;
  position(actorId: string, venue: Venue, address: string): Position | null;
  /** Returns sets of addresses. Each market of the venue in which an actor may have a position or an order is in at least one set. */
  addressesOf(actorId: string, venue: Venue): readonly Pick<ReadonlySet<string>, 'has'>[];
  /** Returns the position as `position` does, but null also for a closed position that is not in memory. */
  held(actorId: string, venue: Venue, address: string): Position | null;
  /** Returns the latest movements of the position, oldest first. */
  movements(actorId: string, venue: Venue, address: string, rowsMax: number): readonly BookedChange[];
  lastCursor(actorId: string): number;
  /** Returns a named mark of the executions: how far a private stream was read. */
  mark(name: string): string | null;
  cancelAfters(): readonly CancelAfter[];
  action(actionId: OrderId): WalletAction | null;
  /** Returns the actions of a pod's wallet that are not over, in the sequence of their records. They are few. */
  openActions(podId: string): readonly WalletAction[];
  /** Returns the protections of an actor; null means the protections of all actors. */
  protections(actorId: string | null): readonly Protection[];
  protection(scope: ProtectionScope): Protection | null;
}

/** The reads that the history serves. Each throws a StoreError if a row cannot be read. */
export interface HistoryReads extends Pick<LiveReads, 'order' | 'fills' | 'lastCursor'> {
  /** Returns the actions of an actor, newest first. */
  actions(actorId: string, after: OrderPosition | null, rowsMax: number): readonly WalletAction[];
  /** Returns orders, newest first by (createdAt, orderId). */
  orders(query: OrderQuery): readonly Order[];
  /** Returns orders of several lists from one read snapshot. */
  mergedOrders(query: MergedQuery): MergedOrders;
  /**
   * Returns events after `cursor`, oldest first. Returns null if an event after the cursor is pruned, or if the cursor is of another
   * ledger.
   */
  events(actorId: string, after: number, rowsMax: number): readonly ActorEventRecord[] | null;
}

/** The writes to the ledger. */
export interface LedgerWrites {
  /** Writes the order and updates every index. */
  putOrder(stored: StoredOrder): void;
  putIdempotency(actorId: string, venue: Venue, key: string, entry: IdempotencyEntry): void;
  /** Adds a fill; does nothing if the fill id exists. */
  addFill(account: Account, stored: StoredFill): void;
  /** Gives an existing fill that has no order to the order in `stored`, as the order's last fill. */
  claimFill(account: Account, stored: StoredFill): void;
  amendFill(account: Account, fillId: string, change: FillChange): void;
  putPosition(actorId: string, position: Position): void;
  /** Appends a movement to those of its position. Beyond the bound, the oldest movement is dropped. */
  addBooked(actorId: string, booked: Omit<BookedChange, 'number'>): void;
  putBooked(actorId: string, booked: BookedChange): void;
  deleteBooked(actorId: string, booked: BookedChange): void;
  /** Appends an event, which takes the actor's next cursor. */
  appendEvent(event: Omit<OrderEventRecord, 'cursor'>): OrderEventRecord;
  /** Records an action that was made or changed. The actor gets an event with the next cursor. */
  putAction(action: WalletAction): ActionEventRecord;
  putMark(name: string, value: string): void;
  putCancelAfter(cancelAfter: CancelAfter): void;
  deleteCancelAfter(keyId: string): void;
  putProtection(protection: Protection): void;
  deleteProtection(scope: ProtectionScope): void;
  /** Counts a fill for an existing protection, and drops the `dropped` earliest counted fills. */
  countFill(scope: ProtectionScope, fill: CountedFill, dropped: number): void;
}

/** One step of the engine. The step's reads see its writes. */
export interface LedgerTransaction extends LiveReads, LedgerWrites {}

/** The ledger of the engine's thread: all reads are from memory, all changes are steps of its journal. */
export interface LedgerStore extends LiveReads {
  /** Runs one step, which survives kill -9 once it returns. Throws a StoreError, with nothing done, if the journal takes no record. */
  change<T>(work: (transaction: LedgerTransaction) => T): T;
  /** Returns the result that `change` would return, and changes nothing. Works even while the journal takes no record. */
  rehearse<T>(work: (transaction: LedgerTransaction) => T): T;
  /**
   * Resolves once every step so far is as safe as the mode says: on disk (power-safe), or in the pod's stream (replicated). Rejects with a
   * StoreError if the disk has failed, or while the stream acknowledges nothing. Null means that every step is safe, as always in the
   * process-safe mode. Requests of callers wait by `recordFault`, since a sync may hang.
   */
  durable(): Promise<void> | null;
  /** Resolves as `durable` does, but every step so far is then on disk in the process-safe mode, too. */
  onDisk(): Promise<void>;
  /** Called within a step for each position that the step moves. The step may still be undone. */
  onPositionMoved: ((owner: string, venue: Venue, address: string) => void) | null;
  /** Called for each position and pending hold that may have moved in a market. Called again if the step is undone. */
  onStakeMoved: ((owner: string, address: string) => void) | null;
  /** Why the journal would not take a step now. Null means that no reason is known. */
  readonly problem: StoreError | null;
  /** Why no new order is taken although steps are: too many records wait for the history. Null means that the history follows. */
  readonly backlog: string | null;
}

/** The mark with the loss limits of actors and pods, as `lossLimitsText` writes them. */
export const LOSS_LIMITS_MARK = 'loss-limits';

/** The mark with the latest change of a limit, in the words of the audit log. */
export const LIMIT_CHANGE_MARK = 'limit-change';

/** The mark with the scopes that an operator has stopped, a line each. */
export const STOPS_MARK = 'stops';

/** The owner of fills and orders that no actor has made (contract §5). */
export const UNATTRIBUTED = 'unattributed';

// The orders that the engine keeps in memory: all orders that may change or count without a request that names them.

/**
 * Whether the order must stay in memory. Any other order may be evicted once the history has it on disk, since only a request that names it
 * can change it. An ended order stays while it may still get fills. An order that was given up stays while an orphan fill may be its own.
 * `accountFirstReadMs` bounds both: later readings of an account look no further back unless the gateway was down for longer.
 */
export function mustStayInMemory({ order }: StoredOrder, now: UnixMillis): boolean {
  if (!isTerminal(order.status)) return true;
  const isLate = order.closedAt === null || order.closedAt <= now - limits.accountFirstReadMs;
  return !isLate && mayFillYet(order);
}

/** Whether the order is open, or has ended and may still get fills. */
export function isActive({ order }: StoredOrder): boolean {
  return !isTerminal(order.status) || mayFillYet(order);
}

/** Whether an order has ended and may still get fills. */
export function mayFillYet(order: Order): boolean {
  return isTerminal(order.status) && (hasUnreported(order) || leftNoTrace(order));
}
