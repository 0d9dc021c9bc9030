// Epochs only grow: over writers, over starts, and also if the clock is set back.

import { expect, it } from 'vitest';
import type { Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { HF_EPOCH, headerOf } from '../../../src/market-data/book/layout.ts';
import { type Arena, createArena, regionOf, startEpochs } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { reserveEpochs } from '../../../src/orders/engine/engine-disk.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';

const NOON = 1_795_000_000_000 as UnixMillis;
const HOUR_MS = 3_600_000;

/** The epoch of the first book that a feed thread opens at the time `at`. */
function firstEpoch(arena: Arena, at: number): number {
  const region = regionOf(arena, 'venue_b');
  const writer = new BookWriter(region, () => {});
  writer.receivedAt = at as UnixMillis;
  const book = writer.openBook(100 as Ticks)!;
  return region.f64[(headerOf(book) >>> 1) + HF_EPOCH]!;
}

it('epochs grow over starts and feed threads, though the clock is set back before each', () => {
  const ledger = new MemoryLedger();
  const epochs: number[] = [];
  for (let start = 0; start < 3; start += 1) {
    const arena = createArena();
    startEpochs(arena, reserveEpochs(ledger, (NOON - start * HOUR_MS) as UnixMillis));
    for (const stepMs of [1, 2]) epochs.push(firstEpoch(arena, NOON - start * HOUR_MS - stepMs * HOUR_MS));
  }
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  expect(new Set(epochs).size).toBe(epochs.length);
  expect(epochs.every(Number.isSafeInteger)).toBe(true);
});

it('epochs are beyond those of earlier versions, which followed the clock and left no mark', () => {
  const arena = createArena();
  startEpochs(arena, reserveEpochs(new MemoryLedger(), NOON));
  expect(firstEpoch(arena, NOON)).toBeGreaterThan(NOON * 1_000);
});
