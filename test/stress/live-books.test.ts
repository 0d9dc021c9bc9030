// Books that go from market to market on one thread, and quotes asked for by market on another, every outcome counted:
//
//   quoted   the prices of the market that was asked for                      ACCEPTABLE
//   none     nobody carries it, it has no levels yet, or it is being changed  ACCEPTABLE of markets that come and go
//   missed   the same of a market that is carried all the time                ACCEPTABLE: its thread was stopped while it wrote
//   alien    prices of another market, or of none                             FORBIDDEN

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { LiveBooks } from '../../src/market-data/book/live-books.ts';
import { createArena } from '../../src/market-data/book/memory.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { DONE, STARTED, type StressOptions } from './stress-book.ts';
import { askOf, bidOf, KEPT, MARKETS, nameOf } from './stress-markets.ts';

it('a quote is never another market’s', async () => {
  const arena = createArena();
  const control = new SharedArrayBuffer(12);
  const flags = new Int32Array(control);
  const books = new LiveBooks(arena);
  const outcomes = { quoted: 0, none: 0, missed: 0, alien: 0 };
  const workerData = { arena, control } satisfies StressOptions;
  const worker = new Worker(new URL('live-books-worker.ts', import.meta.url), { workerData });
  const exit = once(worker, 'exit');
  Atomics.wait(flags, STARTED, 0, PATIENCE_MS);
  for (let turn = 0; Atomics.load(flags, DONE) === 0 || turn < MARKETS; turn++) {
    const market = turn % MARKETS;
    const { bid, ask } = books.prices('venue_b', nameOf(market));
    if (bid === bidOf(market) && ask === askOf(market)) outcomes.quoted += 1;
    else if (bid === null && ask === null) outcomes[market < KEPT ? 'missed' : 'none'] += 1;
    else outcomes.alien += 1;
  }
  const [code] = await exit;
  console.table(outcomes);
  expect(code).toBe(0);
  expect(outcomes.alien).toBe(0);
  expect(outcomes.quoted).toBeGreaterThan(0);
  for (let market = 0; market < KEPT; market++) {
    expect(books.prices('venue_b', nameOf(market)).bid).toBe(bidOf(market));
  }
});
