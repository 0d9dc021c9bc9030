// The house of a backtest. It wakes only for frames that may fill an order, but every look at a market shows the right book. The tests compare it
// with a house that is caught up at every millisecond.

import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { PlayedClock, playBy, STEPPED } from '../../../src/core/runtime/played-clock.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { openGate, startOf } from '../../../src/market-data/recording/timeline.ts';
import { createDemoAccounts } from '../../../src/paper/control/demo-accounts.ts';
import { RecordedHouse } from '../../../src/paper/flow/recorded-house.ts';
import { recordingCatalog } from '../../../src/paper/flow/recording-catalog.ts';
import { THREADS } from '../../../src/threads.ts';
import { POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { makeRecording, RECORDED_FROM, tickerOf } from '../../support/made-recording.ts';
import { VenueBTrader } from '../../support/paper-traders.ts';
import { startQuietPaper } from '../../support/quiet-paper.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { ExchangeDesk } from './exchange-desk.ts';

const [MARKETS, SECONDS] = [10, 5];
const TICKERS = Array.from({ length: MARKETS }, (_, market) => tickerOf(market));
const TRADED = TICKERS.slice(0, 3);
const CENT = 100;
const SHARE = 1_000_000;
const ON_ITS_WAY_MS = 300;

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  await makeRecording({ folder, markets: MARKETS, changesPerS: 250, seconds: SECONDS });
});
afterAll(() => removeFolder(folder));

function house(gate: SharedArrayBuffer, from = folder, speed = STEPPED) {
  const recording = openRecording(from);
  const catalog = recordingCatalog(recording, [], RECORDED_FROM);
  const desks = {
    venueA: ExchangeDesk.ofVenueA(catalog, wallTimers),
    venueB: ExchangeDesk.ofVenueB(catalog, wallTimers),
  };
  const source = { speed, loop: false, gate, queue: 'proportional', timers: wallTimers } as const;
  const played = new RecordedHouse({ recording, catalog, desks, ...source });
  played.start();
  const desk = desks.venueB;
  const book = (ticker: string) => ([BID, ASK] as const).map(side => [...desk.levels(desk.market(ticker), side)]);
  return { played, desk, book };
}

/**
 * Plays a lazy house and a house that is caught up at every millisecond, until the recording ends. `act` returns the milliseconds after which it runs
 * again.
 */
async function playBoth(act: (both: readonly ReturnType<typeof house>[]) => number) {
  const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const clock = PlayedClock.stoppedAt(startOf(openRecording(folder), { speed: STEPPED })!, STEPPED);
  playBy(clock);
  const [lazy, eager] = [house(gate), house(gate)];
  for (const { played, desk } of [lazy, eager]) {
    // These orders wait for their books.
    void played.prepare(TRADED, true)?.then(() => {
      for (const ticker of TRADED) desk.trade(desk.market(ticker), BID, (50 * CENT) as Ticks, SHARE as MicroShares);
    });
  }
  let isOver = false;
  const again = (delayMs: number, task: () => number): void => {
    if (!isOver) wallTimers.after(delayMs, () => again(task(), task));
  };
  again(1, () => {
    eager.played.catchUp();
    return 1;
  });
  again(1_700, () => act([lazy, eager]));
  const stepper = new Worker(THREADS.clock.entry, { workerData: { clock: clock.memory } });
  await Promise.all([lazy.played.finished, eager.played.finished]);
  isOver = true;
  await stepper.terminate();
  expect(TICKERS.map(lazy.book)).toEqual(TICKERS.map(eager.book));
  return { lazy, eager };
}

/** Returns the times at which levels changed in the exchange of the house. */
const times = ({ desk }: ReturnType<typeof house>): Set<number> => new Set(desk.changes.map(({ at }) => at));

// A file of a recording, or the part of it that plays, may begin while a book is not LIVE. The feeds then showed the book as LIVE again, and the
// exchanges took no order in its market until the next gap.
it('6205: goes on with a book that was stated while it was not LIVE', async () => {
  const own = temporaryFolder();
  try {
    await makeRecording({ folder: own, markets: 1, changesPerS: 10, seconds: 1, isStaleFirst: true });
    const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const { played, desk } = house(gate, own, 10);
    openGate(gate);
    await played.finished;
    const market = desk.market(tickerOf(0));
    const { price, size } = desk.best(market, ASK)!;
    expect(desk.trade(market, BID, price, size)).toBe(size);
  } finally {
    removeFolder(own);
  }
});

it('6225: has the levels between whole cents that come only later', async () => {
  for (const lastBid of [150, 155] as Ticks[]) {
    const own = temporaryFolder();
    try {
      await makeRecording({ folder: own, markets: 1, changesPerS: 10, seconds: 1, lastBid });
      const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
      const { played, desk, book } = house(gate, own, 10);
      openGate(gate);
      await played.finished;
      expect(book(tickerOf(0))[BID]!.at(-1)).toEqual({ price: lastBid, size: SHARE });
      expect(desk.trade(desk.market(tickerOf(0)), ASK, lastBid, (1_000 * SHARE) as MicroShares)).toBeGreaterThan(0);
    } finally {
      removeFolder(own);
    }
  }
});

it.skipIf(process.platform !== 'linux')(
  '5002: sleeps while no order can fill, and shows any book as it is',
  async () => {
    let looks = 0;
    // The test acts as a caller that reads markets now and then.
    const { lazy, eager } = await playBoth(([one, other]) => {
      looks += 1;
      one!.played.prepare([], false);
      other!.played.prepare([], false);
      expect(TICKERS.map(one!.book)).toEqual(TICKERS.map(other!.book));
      return 137;
    });
    expect(looks).toBeGreaterThan(SECONDS);
    expect(times(lazy).size).toBeLessThan(times(eager).size / 4);
  },
);

it.skipIf(process.platform !== 'linux')('5004: fills the same orders at the same times', async () => {
  const random = new Random(5_004);
  const { lazy, eager } = await playBoth(both => {
    const [ticker, side] = [random.pick(TRADED), random.pick([BID, ASK] as const)];
    const [cents, size] = [random.pick([-1, 0, 0, 1, 1, 2]), (1 + random.below(40)) * SHARE];
    const leaves = random.below(3) === 0;
    for (const { played, desk } of both) {
      void played.prepare([ticker], true);
      const market = desk.market(ticker);
      if (leaves) desk.leave(market);
      const best = desk.best(market, side);
      // Prices range from behind the best price to a price that crosses to the other side.
      const price = best && best.price + (side === BID ? cents : -cents) * CENT;
      if (price !== null) desk.trade(market, side, price as Ticks, size as MicroShares);
    }
    return 1 + random.below(90);
  });
  expect(lazy.desk.trades).toEqual(eager.desk.trades);
  expect(lazy.desk.trades.length).toBeGreaterThan(20);
  expect(times(lazy).size).toBeLessThan(times(eager).size);
});

it.skipIf(process.platform !== 'linux')(
  '5005: an order that has been on its way meets the book of its arrival',
  async () => {
    const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const clock = PlayedClock.stoppedAt(startOf(openRecording(folder), { speed: STEPPED })!, STEPPED);
    playBy(clock);
    const accounts = await createDemoAccounts(POLYGON);
    const liquidity = { kind: 'recorded', folder, speed: STEPPED, loop: false, gate } as const;
    const terms = { queue: 'proportional', latency: { feed: [0], order: [ON_ITS_WAY_MS], cancel: [0] } } as const;
    const paper = await startQuietPaper(accounts, { liquidity, terms });
    const stepper = new Worker(THREADS.clock.entry, { workerData: { clock: clock.memory } });
    const trader = new VenueBTrader(paper.urls.venueB.rest, accounts);
    for (const ticker of TICKERS.slice(0, 4)) {
      const { body } = await trader.order(ticker, 'bid', '5000', '0.99', 'immediate_or_cancel');
      // The clock stands still while this code runs.
      expect(body).toMatchObject({ fill_count: asksAt(ticker, wallTimers.now()).toFixed(2) });
    }
    await stepper.terminate();
    paper.close();
  },
);

/** Returns the shares that were offered at that time. */
function asksAt(ticker: string, at: number): number {
  const sizes = new Map<number, number>();
  for (const event of openRecording(folder).events()) {
    if (event.at > at || event.market.address !== ticker) continue;
    if (event.kind === 'book') for (const { price, size } of event.asks) sizes.set(price, size);
    if (event.kind !== 'changes') continue;
    for (const { side, price, size } of event.changes) if (side === ASK) sizes.set(price, size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) / SHARE;
}
