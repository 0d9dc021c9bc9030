// The engine's own ledger with its journal in memory: for tests of what stands on it, and for the simulation. A restart is the fold of
// its records.

import type { Durability } from '../../src/config.ts';
import { NO_ARCHIVE } from '../../src/engine/archive.ts';
import { EngineStore, type StepLog } from '../../src/engine/engine-store.ts';
import { type LedgerEvent, readEvents } from '../../src/engine/events.ts';
import { LedgerState } from '../../src/engine/state/state.ts';
import type { Account, StoredFill, StoredOrder } from '../../src/store/order-records.ts';
import { StoreError } from '../../src/store/store-error.ts';

export class MemoryLog implements StepLog {
  readonly records: Uint8Array[] = [];
  /** Whether the disk takes nothing more. */
  isFull = false;
  /** When what is appended is on disk. */
  synced: () => Promise<void> = () => Promise.resolve();

  get next(): number {
    return this.records.length + 1;
  }

  append(record: Uint8Array): void {
    if (this.isFull) throw new StoreError('no space left on device');
    this.records.push(new Uint8Array(record));
  }

  durable(): Promise<void> {
    return this.synced();
  }

  /** In their order. */
  events(): readonly LedgerEvent[] {
    return this.records.flatMap(record => readEvents(record));
  }
}

export class MemoryLedger extends EngineStore {
  readonly log: MemoryLog;

  /** What the log has is replayed. */
  constructor(log = new MemoryLog(), mode: Durability = 'process-safe') {
    super(replayed(log), log, mode);
    this.log = log;
  }

  set isFull(isFull: boolean) {
    this.log.isFull = isFull;
  }

  /** Of all actors, in the order in which they came. */
  allOrders(): readonly StoredOrder[] {
    const made = this.log.events().filter(event => event.type === 'order-made');
    const orderIds = new Set(made.map(({ stored }) => stored.order.orderId));
    return Array.from(orderIds, orderId => this.order(orderId)!);
  }

  allFills(): readonly StoredFill[] {
    const booked = this.log.events().filter(event => event.type === 'fill-booked');
    return booked.map(({ account, stored }) => this.fill(account, stored.fill.fillId)!);
  }

  /** All that can be asked of it, for comparing two of them. */
  picture(accounts: readonly Account[]): object {
    const events = this.log.events();
    const owners = new Set(events.flatMap(event => ('owner' in event ? [event.owner] : [])));
    const actors = new Set(events.flatMap(event => (event.type === 'told' ? [event.actorId] : [])));
    const kept = events.filter(event => event.type === 'key-kept');
    const ofAccount = (account: Account) => ({
      open: [...this.openOrders(account)],
      unclear: [...this.unclearOrders(account)],
      counts: Array.from(actors, actorId => [
        this.openCount(actorId, account.venue),
        ...this.ordersOf(actorId, account.venue, null),
      ]),
      held: Array.from(owners, owner =>
        Array.from(this.positions(owner, account.venue), position => [
          position,
          this.booked(owner, account.venue, position.address, Number.MAX_SAFE_INTEGER),
        ]),
      ),
    });
    const byVenueId = ({ order: { podId, request, venueOrderId }, intent }: StoredOrder) => {
      const name = venueOrderId ?? intent?.venueOrderId;
      return name == null ? null : this.orderOfVenue({ podId, venue: request.venue }, name);
    };
    return {
      accounts: accounts.map(ofAccount),
      orders: this.allOrders().map(stored => [
        stored,
        byVenueId(stored),
        this.fills(stored.order.orderId, 0, Number.MAX_SAFE_INTEGER),
      ]),
      fills: this.allFills(),
      keys: kept.map(({ actorId, venue, key }) => this.idempotency(actorId, venue, key)),
      cursors: Array.from(actors, actorId => this.lastCursor(actorId)),
      marks: events.flatMap(event => (event.type === 'mark-set' ? [this.mark(event.name)] : [])),
      switches: this.cancelAfters(),
    };
  }
}

function replayed(log: MemoryLog): LedgerState {
  const state = new LedgerState(NO_ARCHIVE);
  for (const [index, record] of log.records.entries())
    for (const event of readEvents(record)) state.apply(event, index + 1);
  return state;
}
