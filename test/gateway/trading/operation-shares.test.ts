// Which caller gets a place in the pool. The tests compare with a twin that looks through all places, and check the effects on callers who
// share the places.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VENUES } from '../../../src/core/domain/market.ts';
import type { OrderOperation } from '../../../src/core/domain/operation.ts';
import { OperationShares } from '../../../src/gateway/trading/operation-shares.ts';
import { limits } from '../../../src/limits.ts';

const NAMES = [
  'submit',
  'balance',
  'cancel',
  'cancel-all',
  'get',
  'list',
  'fills',
  'positions',
  'older-orders',
  'older-balances',
  'cancel-after',
] as const;
type Name = (typeof NAMES)[number];

/** As much of an operation as places are given by. */
function operationOf(name: Name, venue: (typeof VENUES)[number], keyId: string): OrderOperation {
  return { name, venue, caller: { podId: 'p', actorId: 'a', keyId } } as OrderOperation;
}

class NaiveShares {
  readonly #size: number;
  readonly #taken: OrderOperation[] = [];

  constructor(places: number) {
    this.#size = Math.floor(places / 6);
  }

  take(operation: OrderOperation): boolean {
    const part = this.#taken.filter(it => waitsFor(it) === waitsFor(operation));
    const own = part.filter(it => it.caller.keyId === operation.caller.keyId);
    const isTaken = own.length < limits.operationsPerKeyMin || own.length < this.#size - part.length;
    if (isTaken) this.#taken.push(operation);
    return isTaken;
  }

  giveBack(index: number): OrderOperation | null {
    return this.#taken.splice(index % Math.max(1, this.#taken.length), 1)[0] ?? null;
  }

  get inFlight(): number {
    return this.#taken.length;
  }
}

function waitsFor(operation: OrderOperation): string {
  const { name } = operation;
  if (name === 'submit' || name === 'balance') return `orders of ${operation.venue}`;
  if (name === 'older-balances') return 'all venues';
  return name === 'cancel' || name === 'cancel-all' ? `cancels of ${operation.venue}` : 'the store';
}

const operation = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VENUES), fc.constantFrom('k', 'l', 'm'))
  .map(it => operationOf(...it));
/** Mostly of the same few, so that they get crowded. */
const crowded = fc.oneof(
  operation,
  fc.constantFrom('k', 'l').map(keyId => operationOf('submit', 'venue_b', keyId)),
);
const step = fc.oneof({ weight: 6, arbitrary: crowded }, { weight: 1, arbitrary: fc.nat(50) });

it('gives what a twin gives that looks at all places', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 400 }), fc.array(step, { maxLength: 400 }), (places, steps) => {
      const shares = new OperationShares(places);
      const naive = new NaiveShares(places);
      for (const it of steps) {
        if (typeof it !== 'number') expect(shares.take(it)).toBe(naive.take(it));
        else {
          const given = naive.giveBack(it);
          if (given !== null) shares.giveBack(given);
        }
        expect(shares.inFlight).toBe(naive.inFlight);
      }
    }),
  );
});

describe('with as many orders of greedy keys as there is room for at a venue', () => {
  const PLACES = 12_000;

  function flooded(keys: number, name: Name = 'submit'): OperationShares {
    const shares = new OperationShares(PLACES);
    for (let key = 0; key < keys; key += 1) {
      while (shares.take(operationOf(name, 'venue_b', `greedy ${key}`)));
    }
    return shares;
  }

  it.each([1, 2, 5, 50])('of %i keys, another key has its orders taken there', keys => {
    const shares = flooded(keys);
    for (let taken = 0; taken < limits.operationsPerKeyMin; taken += 1) {
      expect(shares.take(operationOf('submit', 'venue_b', 'modest'))).toBe(true);
    }
  });

  it.each(['cancel', 'cancel-all', 'cancel-after', 'get', 'list'] as const)('everybody’s %s is', name => {
    expect(flooded(200).take(operationOf(name, 'venue_b', 'greedy 0'))).toBe(true);
  });

  it('the other venue’s are, with all the room they had', () => {
    const shares = flooded(200);
    let taken = 0;
    while (shares.take(operationOf('submit', 'venue_a', 'greedy 0'))) taken += 1;
    expect(taken).toBe(PLACES / 6 / 2);
  });

  it('of cancels, another key’s cancel is', () => {
    expect(flooded(5, 'cancel').take(operationOf('cancel', 'venue_b', 'modest'))).toBe(true);
  });
});
