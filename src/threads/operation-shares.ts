// For which operations there is room. Places are in equal parts by what an operation waits for, so that a venue
// that hangs keeps nothing from the other, and new orders keep nothing from cancels. Of a part a signing key gets a place as long as
// it has fewer than are free, and a few in any case: however much others have under way, it is never kept from everything. Main
// thread.

import { VENUES } from '../domain/market.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { OrderOperation } from './order-tasks.ts';

/** `store`: for no venue, so not for long. `venues`: for all of them. */
const PARTS = [
  'store',
  'venues',
  ...VENUES.flatMap(venue => [`${venue} orders`, `${venue} cancels`] as const),
] as const;
type PartName = (typeof PARTS)[number];

export class OperationShares {
  readonly #parts: ReadonlyMap<PartName, Part>;
  #inFlight = 0;

  constructor(places: number = limits.operationsMax) {
    const share = Math.floor(places / PARTS.length);
    this.#parts = new Map(PARTS.map(name => [name, new Part(share)]));
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** False, and nothing taken, if there is no room for it. */
  take(operation: OrderOperation): boolean {
    const isTaken = this.#partOf(operation).take(operation.caller.keyId);
    if (isTaken) this.#inFlight += 1;
    return isTaken;
  }

  /** Of an operation that took one. */
  giveBack(operation: OrderOperation): void {
    this.#partOf(operation).giveBack(operation.caller.keyId);
    this.#inFlight -= 1;
  }

  #partOf(operation: OrderOperation): Part {
    return this.#parts.get(partNameOf(operation))!;
  }
}

class Part {
  /** Below 0 by what keys have in any case. */
  #free: number;
  readonly #takenBy = new Map<string, number>();

  constructor(places: number) {
    this.#free = places;
  }

  take(keyId: string): boolean {
    const taken = this.#takenBy.get(keyId) ?? 0;
    if (taken >= Math.max(this.#free, limits.operationsPerKeyMin)) return false;
    this.#takenBy.set(keyId, taken + 1);
    this.#free -= 1;
    return true;
  }

  giveBack(keyId: string): void {
    const taken = this.#takenBy.get(keyId)! - 1;
    if (taken === 0) this.#takenBy.delete(keyId);
    else this.#takenBy.set(keyId, taken);
    this.#free += 1;
  }
}

function partNameOf(operation: OrderOperation): PartName {
  switch (operation.name) {
    case 'submit':
    case 'balance':
      return `${operation.venue} orders`;
    case 'older-balances':
      return 'venues';
    case 'cancel':
    case 'cancel-all':
      return `${operation.venue} cancels`;
    case 'get':
    case 'list':
    case 'fills':
    case 'positions':
    case 'older-orders':
    case 'cancel-after':
    case 'markets':
    case 'events':
    case 'event-markets':
      return 'store';
    default:
      return unreachable(operation);
  }
}
