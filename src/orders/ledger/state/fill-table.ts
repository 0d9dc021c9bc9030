// Fills in memory: those of the orders in memory, and fills without an order. Engine thread.

import type { OrderId } from '../../../core/domain/order.ts';
import { assert } from '../../../core/domain/result.ts';
import type { Account, FillChange, StoredFill } from '../../../core/store/order-records.ts';
import type { Archive } from '../archive.ts';
import { ByName } from './by-owner.ts';
import type { Candidate, EvictionQueue } from './eviction-queue.ts';
import type { HeldOrder, OrderTable } from './order-table.ts';
import type { UndoLog } from './undo-log.ts';

/** An orphan or unattributed fill. */
interface HeldFill {
  readonly stored: StoredFill;
  readonly changedBy: number;
}

export class FillTable {
  readonly #archive: Archive;
  readonly #orders: OrderTable;
  readonly #queue: EvictionQueue;
  readonly #undo: UndoLog;
  /**
   * The fills by account and id. For a fill of an order, which is in memory, the value is the order's id. For a fill without an order, it
   * is the fill.
   */
  readonly #held = new ByName<OrderId | HeldFill>();

  constructor(archive: Archive, orders: OrderTable, queue: EvictionQueue, undo: UndoLog) {
    this.#archive = archive;
    this.#orders = orders;
    this.#queue = queue;
    this.#undo = undo;
  }

  get size(): number {
    return this.#held.size;
  }

  get(account: Account, fillId: string): StoredFill | null {
    const found = this.#held.get(account.podId, account.venue, fillId);
    if (found === undefined) return this.#recall(account, fillId);
    return typeof found === 'string' ? fillIn(this.#orders.existing(found), fillId) : found.stored;
  }

  book(account: Account, stored: StoredFill, sequence: number): void {
    const { orderId, fill } = stored;
    if (orderId === null) {
      this.#putOrphan(account, stored, sequence);
      return;
    }
    const held = this.#orders.existing(orderId);
    this.#set(held, held.fills.length, stored, sequence);
    this.#undo.setName(this.#held, account.podId, account.venue, fill.fillId, orderId);
  }

  claim(account: Account, stored: StoredFill, sequence: number): void {
    assert(this.#existing(account, stored.fill.fillId).orderId === null, 'a claimed fill has no order yet');
    this.book(account, stored, sequence);
  }

  amend(account: Account, fillId: string, change: FillChange, sequence: number): void {
    const { orderId, fill } = this.#existing(account, fillId);
    const stored = { orderId, fill: { ...fill, ...change } };
    if (orderId === null) {
      this.#putOrphan(account, stored, sequence);
      return;
    }
    const held = this.#orders.existing(orderId);
    this.#set(held, placeIn(held, fillId), stored, sequence);
  }

  /** Enters the fills of an order that was loaded. */
  addFills({ stored: { order }, fills }: HeldOrder): void {
    for (const { fill } of fills) this.#held.set(order.podId, order.request.venue, fill.fillId, order.orderId);
  }

  /** Removes the fills of an order that leaves memory. */
  dropFills({ stored: { order }, fills }: HeldOrder): void {
    for (const { fill } of fills) this.#held.set(order.podId, order.request.venue, fill.fillId, undefined);
  }

  /** Evicts a fill without an order if this is its last change. The history has it. */
  evict({ owner, venue, name, changedBy }: Candidate): void {
    const held = this.#held.get(owner, venue, name);
    if (typeof held === 'object' && held.changedBy === changedBy) this.#held.set(owner, venue, name, undefined);
  }

  #putOrphan({ podId, venue }: Account, stored: StoredFill, changedBy: number): void {
    const { fillId } = stored.fill;
    this.#queue.addChanged({ kind: 'fill', owner: podId, venue, name: fillId, changedBy });
    this.#undo.setName(this.#held, podId, venue, fillId, { stored, changedBy });
  }

  /**
   * Sets one fill of an order. Only one place changes, because an order may have tens of thousands of fills, each booked and settled
   * singly.
   */
  #set(held: HeldOrder, place: number, stored: StoredFill, sequence: number): void {
    this.#undo.note(restoreFill, held, place, held.fills[place], held.changedBy);
    held.fills[place] = stored;
    held.changedBy = sequence;
    this.#orders.queue(held.stored, sequence);
  }

  #existing(account: Account, fillId: string): StoredFill {
    const stored = this.get(account, fillId);
    assert(stored !== null, 'a fill that changes is known');
    return stored;
  }

  /** Returns an archived fill. If its order was evicted, this recalls the order with all of its fills. */
  #recall(account: Account, fillId: string): StoredFill | null {
    const archived = this.#archive.fill(account, fillId);
    if (archived === null || archived.orderId === null) return archived;
    const held = this.#orders.existing(archived.orderId);
    this.addFills(held);
    return fillIn(held, fillId);
  }
}

/** Returns a fill that the order has. */
function fillIn(held: HeldOrder, fillId: string): StoredFill {
  return held.fills[placeIn(held, fillId)]!;
}

/** Returns the index of a fill in its order. The search begins with the latest fill. */
function placeIn({ fills }: HeldOrder, fillId: string): number {
  const place = fills.findLastIndex(({ fill }) => fill.fillId === fillId);
  assert(place !== -1, 'a fill with a place exists in its order');
  return place;
}

function restoreFill(held: HeldOrder, place: number, before: StoredFill | undefined, changedBy: number): void {
  if (before === undefined) held.fills.pop();
  else held.fills[place] = before;
  held.changedBy = changedBy;
}
