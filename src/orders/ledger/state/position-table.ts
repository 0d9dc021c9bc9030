// Positions in memory with their latest movements: all nonzero ones, and others for a while. Engine thread.

import type { Venue } from '../../../core/domain/market.ts';
import type { Position } from '../../../core/domain/position.ts';
import type { Archive, ArchivedPosition, HeldByOwner } from '../archive.ts';
import { ByName, setName } from './by-owner.ts';
import type { Candidate, EvictionQueue } from './eviction-queue.ts';

interface HeldPosition extends ArchivedPosition {
  readonly changedBy: number;
}

const NEVER_MOVED: ArchivedPosition = { position: null, movements: [] };

export class PositionTable {
  readonly #archive: Archive;
  readonly #queue: EvictionQueue;
  readonly #held = new ByName<HeldPosition>();

  constructor(archive: Archive, queue: EvictionQueue) {
    this.#archive = archive;
    this.#queue = queue;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Recalls the position if it was evicted. A missing position is cached, too, since each order asks for its position. */
  get(owner: string, venue: Venue, address: string): ArchivedPosition {
    const held = this.#held.get(owner, venue, address);
    if (held !== undefined) return held;
    const recalled = { ...(this.#archive.position(owner, venue, address) ?? NEVER_MOVED), changedBy: 0 };
    this.#held.set(owner, venue, address, recalled);
    this.#queue.wait({ kind: 'position', owner, venue, name: address, changedBy: 0 });
    return recalled;
  }

  /** Positions in memory, ordered by address. */
  *all(owner: string, venue: Venue): Iterable<Position> {
    const held = this.#held.of(owner, venue);
    if (held === null) return;
    for (const address of [...held.keys()].sort()) {
      const position = held.get(address)?.position;
      if (position != null) yield position;
    }
  }

  /** Loads a position as the history has it. */
  load({ owner, position, movements }: HeldByOwner): void {
    this.#held.set(owner, position.venue, position.address, { position, movements, changedBy: 0 });
  }

  /** Returns the function that undoes it. */
  move(owner: string, venue: Venue, address: string, change: Partial<ArchivedPosition>, changedBy: number): () => void {
    const { position, movements } = this.get(owner, venue, address);
    const moved = { position, movements, ...change, changedBy };
    if (isClosed(moved)) this.#queue.changed({ kind: 'position', owner, venue, name: address, changedBy });
    return setName(this.#held, owner, venue, address, moved);
  }

  leave({ owner, venue, name, changedBy }: Candidate): void {
    const held = this.#held.get(owner, venue, name);
    if (held?.changedBy === changedBy && isClosed(held)) this.#held.set(owner, venue, name, undefined);
  }
}

function isClosed({ position }: ArchivedPosition): boolean {
  return position === null || (position.size === 0 && !position.isRedeemable);
}
