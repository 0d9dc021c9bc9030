// Random lives of books for property tests: price grids, and the steps of a book from its opening snapshot on.

import fc from 'fast-check';
import {
  ASK,
  BID,
  type BookState,
  COMPLEMENT,
  PRIMARY,
  type Side,
  type StateReason,
  type View,
} from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/core/domain/numbers.ts';

export type Change =
  | { do: 'set' | 'add'; side: Side; price: Ticks; size: MicroShares }
  | { do: 'removeBest'; side: Side };

export type Step =
  | { do: 'batch'; isSnapshot: boolean; changes: Change[]; end: 'commit' | 'abandon' }
  | { do: 'state'; state: BookState; reason: StateReason }
  | { do: 'regrid'; step: Ticks }
  | { do: 'trade'; view: View; price: Ticks }
  | { do: 'views'; primary: boolean; complement: boolean };

export const anyGridStep = fc.constantFrom(1, 2, 5, 10, 20, 50, 100, 500) as fc.Arbitrary<Ticks>;

/** Draws a snapshot and then any steps, for a book on a grid of `step` ticks. */
export function bookLife(step: Ticks, stepsMax: number): fc.Arbitrary<Step[]> {
  return fc
    .tuple(snapshotOn(step), fc.array(stepOn(step), { maxLength: stepsMax }))
    .map(([first, rest]) => [first, ...rest]);
}

function snapshotOn(step: Ticks): fc.Arbitrary<Step> {
  return batchOf(changeOn(step), 60, true, 'commit');
}

export function stepOn(step: Ticks): fc.Arbitrary<Step> {
  const change = changeOn(step);
  return fc.oneof(
    { weight: 12, arbitrary: batchOf(change, 12, false, 'commit') },
    { weight: 2, arbitrary: snapshotOn(step) },
    { weight: 1, arbitrary: batchOf(change, 12, false, 'abandon') },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('state' as const),
        state: fc.constantFrom('STALE', 'LIVE', 'HALTED', 'RESYNCING'),
        reason: fc.constantFrom('SILENCE', 'MARKET_PAUSED', 'RESUMED', 'DISCONNECTED'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('regrid' as const), step: anyGridStep }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('trade' as const),
        view: fc.constantFrom(PRIMARY, COMPLEMENT),
        price: fc.integer({ min: 0, max: 10_000 }) as fc.Arbitrary<Ticks>,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('views' as const), primary: fc.boolean(), complement: fc.boolean() }),
    },
  );
}

function batchOf(
  change: fc.Arbitrary<Change>,
  maxLength: number,
  isSnapshot: boolean,
  end: 'commit' | 'abandon',
): fc.Arbitrary<Step> {
  return fc.array(change, { maxLength }).map(changes => ({ do: 'batch', isSnapshot, changes, end }));
}

const anySize = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 50 }).map(shares => shares * 10_000) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) },
) as fc.Arbitrary<MicroShares>;
const someChange = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -20, max: 40 }).map(shares => shares * 10_000) },
  { weight: 1, arbitrary: fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }) },
) as fc.Arbitrary<MicroShares>;

/** Draws mostly bids below the middle and asks above it, so that books live. Sometimes draws any price, so that books cross. */
function changeOn(step: Ticks): fc.Arbitrary<Change> {
  const middle = 5_000 / step;
  const near = fc.integer({ min: 0, max: Math.min(40, middle - 1) });
  const far = fc.integer({ min: 0, max: middle - 1 });
  const apart = fc
    .tuple(fc.constantFrom(BID, ASK), fc.oneof(near, far))
    .map(([side, away]) => ({ side, price: ((side === BID ? middle - 1 - away : middle + away) * step) as Ticks }));
  const anywhere = fc.record({ side: fc.constantFrom(BID, ASK), price: fc.integer({ min: -3, max: 10_003 }) });
  const place = fc.oneof({ weight: 20, arbitrary: apart }, { weight: 1, arbitrary: anywhere }) as typeof apart;
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(place, anySize).map(([at, size]) => ({ do: 'set' as const, ...at, size })) },
    { weight: 3, arbitrary: fc.tuple(place, someChange).map(([at, size]) => ({ do: 'add' as const, ...at, size })) },
    { weight: 3, arbitrary: fc.constantFrom(BID, ASK).map(side => ({ do: 'removeBest' as const, side })) },
  );
}
