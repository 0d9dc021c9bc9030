// Ceilings of the budget: which figures they hold, and which way they go.

import { describe, expect, it } from 'vitest';
import { type Ceilings, faultsOf, lowered, readCeilings } from './ceilings.ts';
import { COUNTED, FIGURES, type Figures } from './measure.ts';
import { OPERATIONS } from './operations.ts';

const NONE = Object.fromEntries(FIGURES.map(name => [name, 0])) as Figures;
const measured = (figures: Partial<Figures>) => ({ cancel: { main: { ...NONE, ...figures } } });
const ceilings: Ceilings = lowered(measured({ calls: 1_000, puts: 12 }), {});

describe('ceilings of the budget', () => {
  it('let a figure be a few per cent higher', () => {
    expect(faultsOf(measured({ calls: 1_040, puts: 12.4 }), ceilings)).toEqual([]);
  });

  it('name each figure that is higher', () => {
    expect(faultsOf(measured({ calls: 1_100, puts: 14 }), ceilings)).toEqual([
      'cancel, main: 1100 calls, above the ceiling 1000',
      'cancel, main: 14 puts, above the ceiling 12',
    ]);
  });

  it('name a thread that has none', () => {
    const [first] = faultsOf({ cancel: { engine: NONE } }, ceilings);
    expect(first).toBe('cancel, engine: 0 calls, without a ceiling');
  });

  it('go down, and never up', () => {
    const lower = lowered(measured({ calls: 900, puts: 13 }), ceilings);
    expect(lower.cancel?.main).toMatchObject({ calls: 900, puts: 12 });
  });

  it('do not hold what differs from run to run', () => {
    expect(faultsOf(measured({ buffers: 1_000_000 }), ceilings)).toEqual([]);
  });

  it('are there for each operation, and for each thread with a part in it', () => {
    const kept = readCeilings();
    expect(Object.keys(kept)).toEqual(OPERATIONS.map(({ name }) => name));
    const threads: readonly string[] = [...COUNTED, 'together'];
    for (const budget of Object.values(kept)) expect(threads).toEqual(expect.arrayContaining(Object.keys(budget)));
  });
});
