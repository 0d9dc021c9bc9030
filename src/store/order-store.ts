// The order store: orders, fills, positions, events and promises on the durable tables. A thread opens one; what it reads is the
// latest commit of any. One of all is the owner (durable/durable-store.ts), whose affair checkpoints and pruning are.

import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OrderId } from '../domain/order.ts';
import type { Position } from '../domain/position.ts';
import { limits } from '../limits.ts';
import { type DurableStore, type DurableStoreOptions, openDurableStore } from './durable/durable-store.ts';
import type { Until } from './durable/group-commit.ts';
import type { Recovery } from './durable/recover.ts';
import type { Reader, Transaction } from './durable/tables.ts';
import type { Account, MergedQuery, OrderQuery, OrderStore, OrderTransaction, StoredOrder } from './order-records.ts';
import { leapOverLostEvents } from './orders/after-loss.ts';
import { liveFault } from './orders/check-live.ts';
import { ORDER_TABLES, type OrderTable } from './orders/keys.ts';
import { OrderReader } from './orders/order-reader.ts';
import { ORDER_SCHEMA } from './orders/order-schema.ts';
import { OrderWriter } from './orders/order-writer.ts';
import { PRUNE_FROM_START, type PrunePlace, pruneSlice, type RetentionBounds } from './orders/prune.ts';

export interface OrderStoreOptions
  extends Omit<DurableStoreOptions<OrderTable>, 'tables' | 'schema' | 'onLoss' | 'faultOf'> {
  readonly retention?: RetentionBounds;
  /** Of the owner: rows that every start reads are checked first. False by default: a command that looks at a damaged store leaves it as it is. */
  readonly checksLive?: boolean;
}

/** With what only its keeper asks for. */
export interface OpenedOrderStore extends OrderStore {
  /** What the owner found when it opened; null for a member. */
  readonly recovery: Recovery | null;
  /** Removes a slice of what need not be kept any longer; true if there is more, which may wait for other work. */
  prune(now: UnixMillis): boolean;
  /** Whether any actor of the pod has ever made an order that is kept. */
  hasOrders(podId: string): boolean;
  /** The tables at one moment, for whoever checks or exports them. */
  inspect<T>(work: (reader: Reader<OrderTable>) => T): T;
  readonly durable: Pick<
    DurableStore<OrderTable>,
    | 'durable'
    | 'flush'
    | 'rings'
    | 'rung'
    | 'unflushed'
    | 'taking'
    | 'isCheckpointDue'
    | 'checkpoint'
    | 'abandonCheckpoint'
    | 'forgetDeadReaders'
    | 'lookThrough'
    | 'backup'
  >;
}

/** Rejects with a StoreError that names the file when it cannot be used. */
export async function openOrderStore(options: OrderStoreOptions): Promise<OpenedOrderStore> {
  const { retention = limits, checksLive = false, ...rest } = options;
  const durable = await openDurableStore({
    ...rest,
    tables: ORDER_TABLES,
    schema: ORDER_SCHEMA,
    onLoss: leapOverLostEvents,
    ...(checksLive && { faultOf: liveFault }),
  });
  return new TabledOrderStore(durable, retention);
}

class TabledOrderStore implements OpenedOrderStore {
  readonly durable: DurableStore<OrderTable>;
  readonly #retention: RetentionBounds;
  #prunePlace: PrunePlace = PRUNE_FROM_START;

  constructor(durable: DurableStore<OrderTable>, retention: RetentionBounds) {
    this.durable = durable;
    this.#retention = retention;
  }

  get recovery(): Recovery | null {
    return this.durable.recovery;
  }

  change<T>(work: (transaction: OrderTransaction) => T): T {
    return this.durable.transact(transaction => work(this.#writer(transaction)));
  }

  rehearse<T>(work: (transaction: OrderTransaction) => T): T {
    return this.durable.rehearse(transaction => work(this.#writer(transaction)));
  }

  commit<T>(work: (transaction: OrderTransaction) => T, until: Until = 'safe'): Promise<T> {
    return this.durable.commit(transaction => work(this.#writer(transaction)), until);
  }

  prune(now: UnixMillis): boolean {
    const slice = this.durable.transact(it => pruneSlice(it, now, this.#prunePlace, this.#retention));
    this.#prunePlace = slice.next;
    return slice.isMore;
  }

  hasOrders(podId: string) {
    return this.#read(it => it.hasOrders(podId));
  }

  inspect<T>(work: (reader: Reader<OrderTable>) => T): T {
    return this.durable.read(work);
  }

  order(orderId: OrderId) {
    return this.#read(it => it.order(orderId));
  }

  orderOfVenue(account: Account, venueOrderId: string) {
    return this.#read(it => it.orderOfVenue(account, venueOrderId));
  }

  idempotency(actorId: string, venue: Venue, key: string) {
    return this.#read(it => it.idempotency(actorId, venue, key));
  }

  orders(query: OrderQuery) {
    return this.#read(it => it.orders(query));
  }

  mergedOrders(query: MergedQuery) {
    return this.#read(it => it.mergedOrders(query));
  }

  /** Each as it is when it comes up: whoever goes through them may change them meanwhile. */
  openOrders(account: Account): Iterable<StoredOrder> {
    return new OrderReader(this.durable).openOrders(account);
  }

  /** Likewise. */
  unclearOrders(account: Account): Iterable<StoredOrder> {
    return new OrderReader(this.durable).unclearOrders(account);
  }

  /** Likewise. */
  positions(actorId: string, venue: Venue): Iterable<Position> {
    return new OrderReader(this.durable).positions(actorId, venue);
  }

  openCount(actorId: string, venue: Venue) {
    return this.#read(it => it.openCount(actorId, venue));
  }

  fills(orderId: OrderId, after: number, rowsMax: number) {
    return this.#read(it => it.fills(orderId, after, rowsMax));
  }

  fill(account: Account, fillId: string) {
    return this.#read(it => it.fill(account, fillId));
  }

  position(actorId: string, venue: Venue, address: string) {
    return this.#read(it => it.position(actorId, venue, address));
  }

  booked(actorId: string, venue: Venue, address: string, rowsMax: number) {
    return this.#read(it => it.booked(actorId, venue, address, rowsMax));
  }

  events(actorId: string, after: number, rowsMax: number) {
    return this.#read(it => it.events(actorId, after, rowsMax));
  }

  lastCursor(actorId: string) {
    return this.#read(it => it.lastCursor(actorId));
  }

  mark(name: string) {
    return this.#read(it => it.mark(name));
  }

  cancelAfters() {
    return this.#read(it => it.cancelAfters());
  }

  close(): Promise<void> {
    return this.durable.close();
  }

  /** All of one moment. */
  #read<T>(work: (reads: OrderReader) => T): T {
    return this.durable.read(reader => work(new OrderReader(reader)));
  }

  #writer(transaction: Transaction<OrderTable>): OrderWriter {
    return new OrderWriter(transaction, this.#retention.orderEventsKeptMax);
  }
}
