// Positions in memory with their latest movements: all nonzero positions, and others for a while. The totals of an owner also count
// positions that have left memory. Engine thread.

import { ZERO } from '../../../core/domain/fraction.ts';
import type { Venue } from '../../../core/domain/market.ts';
import { exactly, type Position, type PositionTotals } from '../../../core/domain/position.ts';
import type { BookedChange } from '../../../core/store/order-records.ts';
import type { Archive, ArchivedPosition, PositionOfOwner } from '../archive.ts';
import { ByName, ByOwner } from './by-owner.ts';
import type { Candidate, EvictionQueue } from './eviction-queue.ts';
import type { UndoLog } from './undo-log.ts';

interface HeldPosition extends ArchivedPosition {
  readonly changedBy: number;
}

const NEVER_MOVED: ArchivedPosition = { position: null, movements: [] };
const NOTHING: PositionTotals = { realized: 0n, fees: 0n };

export class PositionTable {
  readonly #archive: Archive;
  readonly #queue: EvictionQueue;
  readonly #undo: UndoLog;
  readonly #held = new ByName<HeldPosition>();
  readonly #totals = new ByOwner<PositionTotals>();

  constructor(archive: Archive, queue: EvictionQueue, undo: UndoLog) {
    this.#archive = archive;
    this.#queue = queue;
    this.#undo = undo;
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Returns the position, which is recalled if it was evicted. A missing position is cached as well, since each order asks for its
   * position.
   */
  get(owner: string, venue: Venue, address: string): HeldPosition {
    const held = this.#held.get(owner, venue, address);
    if (held !== undefined) return held;
    const recalled = { ...(this.#archive.position(owner, venue, address) ?? NEVER_MOVED), changedBy: 0 };
    this.#held.set(owner, venue, address, recalled);
    this.#queue.addWaiting({ kind: 'position', owner, venue, name: address, changedBy: 0 });
    return recalled;
  }

  /** Returns the position if it is in memory. Null means that it is not. */
  held(owner: string, venue: Venue, address: string): Position | null {
    return this.#held.get(owner, venue, address)?.position ?? null;
  }

  /** Returns the positions in memory by address. Null means that there are none. */
  positionsOf(owner: string, venue: Venue): ReadonlyMap<string, unknown> | null {
    return this.#held.valuesOf(owner, venue);
  }

  /** Yields the positions in memory, ordered by address. */
  *all(owner: string, venue: Venue): Iterable<Position> {
    const held = this.#held.valuesOf(owner, venue);
    if (held === null) return;
    for (const address of [...held.keys()].sort()) {
      const position = held.get(address)?.position;
      if (position != null) yield position;
    }
  }

  totals(owner: string, venue: Venue): PositionTotals {
    return this.#totals.get(owner, venue) ?? NOTHING;
  }

  /** Loads a position from the history. A closed position is only counted in the totals. */
  load({ owner, position, movements }: PositionOfOwner): void {
    this.#count(owner, null, position);
    if (isClosed({ position })) return;
    this.#held.set(owner, position.venue, position.address, { position, movements, changedBy: 0 });
  }

  /** Keeps one of the latest movements, so that a failed trade can be reversed. */
  keepMovement(owner: string, booked: BookedChange, changedBy: number): void {
    const { venue, address } = booked.before;
    const others = this.get(owner, venue, address).movements.filter(it => it.number !== booked.number);
    const movements = [...others, booked].sort((one, other) => one.number - other.number);
    this.move(owner, venue, address, { movements }, changedBy);
  }

  dropMovement(owner: string, venue: Venue, address: string, number: number, changedBy: number): void {
    const movements = this.get(owner, venue, address).movements.filter(it => it.number !== number);
    this.move(owner, venue, address, { movements }, changedBy);
  }

  move(owner: string, venue: Venue, address: string, change: Partial<ArchivedPosition>, changedBy: number): void {
    const held = this.get(owner, venue, address);
    const moved = { ...held, ...change, changedBy };
    if (moved.position !== null) this.#count(owner, held.position, moved.position);
    if (isClosed(moved)) this.#queue.addChanged({ kind: 'position', owner, venue, name: address, changedBy });
    this.#undo.setName(this.#held, owner, venue, address, moved);
  }

  #count(owner: string, before: Position | null, after: Position): void {
    const { venue } = after;
    // Most fills open or add to a position, and so realize nothing.
    const isSame = before?.realized === after.realized;
    const realized = isSame ? 0n : exactly(after.realized) - exactly(before?.realized ?? ZERO);
    const fees = after.fees - (before?.fees ?? 0);
    if (realized === 0n && fees === 0) return;
    const counted = this.totals(owner, venue);
    this.#undo.note(restoreTotals, this.#totals, owner, venue, counted);
    this.#totals.set(owner, venue, { realized: counted.realized + realized, fees: counted.fees + BigInt(fees) });
  }

  evict({ owner, venue, name, changedBy }: Candidate): void {
    const held = this.#held.get(owner, venue, name);
    if (held?.changedBy === changedBy && isClosed(held)) this.#held.set(owner, venue, name, undefined);
  }
}

function isClosed({ position }: Pick<ArchivedPosition, 'position'>): boolean {
  return position === null || (position.size === 0 && !position.isRedeemable);
}

function restoreTotals(totals: ByOwner<PositionTotals>, owner: string, venue: Venue, before: PositionTotals): void {
  totals.set(owner, venue, before);
}
