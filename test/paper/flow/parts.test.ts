// The small parts of the market flow: the order of the agenda, and quotes on grids. The committed calibration equals the script's measurement of the
// recordings.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOnGrid, uniformGrid } from '../../../src/core/domain/grid.ts';
import type { Ticks } from '../../../src/core/domain/numbers.ts';
import { Agenda } from '../../../src/paper/flow/market-flow.ts';
import { calibration, indexOf, priceAt, quoteAround } from '../../../src/paper/flow/market-maker.ts';
import { CALIBRATION_PATH, makeCalibration } from '../../support/calibrate-flow.ts';
import { recordingsPresent } from '../../support/recordings.ts';

const cents = (price: Ticks) => isOnGrid(uniformGrid(100 as Ticks), price);
const deciCents = (price: Ticks) => isOnGrid(uniformGrid(10 as Ticks), price);

describe('agenda', () => {
  it('gives tasks by time, and those of one time as they came', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), times => {
        const agenda = new Agenda<number>();
        for (const [index, at] of times.entries()) agenda.add(at, index);
        const taken: { at: number; task: number }[] = [];
        for (let due = agenda.take(99); due !== null; due = agenda.take(99)) taken.push({ at: due.at, task: due.task });
        const expected = times.map((at, task) => ({ at, task })).sort((a, b) => a.at - b.at || a.task - b.task);
        expect(taken).toEqual(expected);
      }),
    );
  });

  it('keeps what is not due', () => {
    const agenda = new Agenda<string>();
    agenda.add(10, 'later');
    expect([agenda.nextAt, agenda.take(9), agenda.take(10)?.task, agenda.nextAt]).toEqual([10, null, 'later', null]);
  });
});

describe('quotes', () => {
  it.each([
    [5_234.5, 0, { bid: 5_200, ask: 5_300 }],
    [5_200, 0, { bid: 5_200, ask: 5_300 }],
    [5_234.5, 1, { bid: 5_100, ask: 5_300 }],
    [5_234.5, 2, { bid: 5_100, ask: 5_400 }],
    [40, 0, { bid: null, ask: 100 }],
    [9_960, 0, { bid: 9_900, ask: null }],
  ])('around %s, %s steps wider', (fair, wider, quote) => {
    expect(quoteAround(cents, fair, wider, 'bid')).toEqual(quote);
  });

  it('take the finer grid where there is one, half a cent apart at least', () => {
    expect(quoteAround(deciCents, 5_234.5, 0, 'ask')).toEqual({ bid: 5_200, ask: 5_260 });
    expect(quoteAround(deciCents, 5_234.5, 1, 'ask')).toEqual({ bid: 5_200, ask: 5_270 });
    expect(quoteAround(deciCents, 12, 0, 'ask')).toEqual({ bid: null, ask: 40 });
    expect(priceAt(deciCents, 9_995, 1)).toBeNull();
  });

  it('never cross or leave the grid', () => {
    const fairs = fc.double({ min: 1, max: 9_999, noNaN: true });
    fc.assert(
      fc.property(fairs, fc.nat(4), fc.constantFrom('bid' as const, 'ask' as const), (fair, wider, first) => {
        const { bid, ask } = quoteAround(cents, fair, wider, first);
        expect(bid === null || cents(bid)).toBe(true);
        expect(ask === null || cents(ask)).toBe(true);
        if (bid !== null && ask !== null) expect(bid).toBeLessThan(ask);
      }),
    );
  });
});

describe('drawing by shares', () => {
  it.each([
    [0, 0],
    [0.69, 0],
    [0.71, 1],
    [0.95, 2],
    [0.9999, 2],
  ])('%s of 70, 20 and 10 %% is number %s', (uniform, index) => {
    expect(indexOf([0.7, 0.2, 0.0999], uniform)).toBe(index);
  });
});

describe.skipIf(!recordingsPresent)('the calibration (needs the recordings)', () => {
  it('is up to date: npm run make:flow-calibration', async () => {
    expect(readFileSync(CALIBRATION_PATH, 'utf8')).toBe(await makeCalibration());
  });
});

describe('the calibration', () => {
  it.each(['clusterShares', 'distanceShares', 'spreadShares'] as const)('has %s that add up to 1', name => {
    expect(calibration[name].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
  });

  it('has pauses of mean 1, and sizes that can be traded', () => {
    expect(calibration.pauses.reduce((sum, pause) => sum + pause, 0) / calibration.pauses.length).toBeCloseTo(1, 3);
    const { tradeSizes, venueA, venueB } = calibration;
    for (const size of [tradeSizes, venueA.addSizes, venueA.depth, venueB.addSizes, venueB.depth].flat()) {
      expect([size > 0, size % 10_000]).toEqual([true, 0]);
    }
  });
});
