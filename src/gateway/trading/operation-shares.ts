// Bounds the operations in flight. The places are divided into parts by the party that an operation waits for. So a hung venue does not
// block operations of the other venue, and new orders do not block cancels. A signing key gets places of a part as long as it has fewer
// than are free. A few places are always guaranteed to it. Main thread.

import { VENUES } from '../../core/domain/market.ts';
import type { OrderOperation } from '../../core/domain/operation.ts';
import { unreachable } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';

/** The parts. Operations of `store` need no venue, so they are short. Operations of `venues` need all venues. */
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

  /** Takes a place for the operation. Returns false, and takes nothing, if there is no room. */
  take(operation: OrderOperation): boolean {
    const isTaken = this.#partOf(operation).take(operation.caller.keyId);
    if (isTaken) this.#inFlight += 1;
    return isTaken;
  }

  /** Gives back the place of an operation. */
  giveBack(operation: OrderOperation): void {
    this.#partOf(operation).giveBack(operation.caller.keyId);
    this.#inFlight -= 1;
  }

  #partOf(operation: OrderOperation): Part {
    return this.#parts.get(partNameOf(operation))!;
  }
}

class Part {
  /** The number of free places. It is negative when keys use their guaranteed places. */
  #free: number;
  /**
   * The number of taken places by key. A key stays in the map for good. Keys are few, and a Map that loses its last entry allocates its
   * memory anew.
   */
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
    this.#takenBy.set(keyId, this.#takenBy.get(keyId)! - 1);
    this.#free += 1;
  }
}

function partNameOf(operation: OrderOperation): PartName {
  switch (operation.name) {
    case 'submit':
    case 'submit-batch':
    case 'replace':
    case 'wallet-action':
    case 'balance':
    case 'queue-positions':
    case 'preview':
      return `${operation.venue} orders`;
    case 'older-balances':
    case 'stop':
      return 'venues';
    case 'cancel':
    case 'cancel-batch':
    case 'cancel-all':
      return `${operation.venue} cancels`;
    case 'get':
    case 'list':
    case 'fills':
    case 'positions':
    case 'older-orders':
    case 'list-actions':
    case 'get-action':
    case 'cancel-after':
    case 'protection':
    case 'resume':
    case 'loss-limit':
    case 'exposure':
    case 'markets':
    case 'events':
    case 'event-markets':
      return 'store';
    default:
      return unreachable(operation);
  }
}
