// The house of a backtest: it is woken for markets that are traded alone, and has the same book of any market whenever somebody looks. Beside
// it plays a house that hears of every market.

import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import { PlayedClock, playBy, STEPPED } from '../../../src/core/runtime/played-clock.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { startOf } from '../../../src/market-data/recording/timeline.ts';
import { RecordedHouse } from '../../../src/paper/flow/recorded-house.ts';
import { recordingCatalog } from '../../../src/paper/flow/recording-catalog.ts';
import { THREADS } from '../../../src/threads.ts';
import { makeRecording, RECORDED_FROM, tickerOf } from '../../support/made-recording.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { ExchangeDesk } from './exchange-desk.ts';

const [MARKETS, SECONDS] = [10, 5];
const TRADED = tickerOf(1);

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  await makeRecording({ folder, markets: MARKETS, changesPerS: 100, seconds: SECONDS });
});
afterAll(() => removeFolder(folder));

/** `times`: when levels have changed in the exchange of the house. */
function house(gate: SharedArrayBuffer) {
  const recording = openRecording(folder);
  const catalog = recordingCatalog(recording, [], RECORDED_FROM);
  const desks = {
    venueA: ExchangeDesk.ofVenueA(catalog, wallTimers),
    venueB: ExchangeDesk.ofVenueB(catalog, wallTimers),
  };
  const source = { speed: STEPPED, loop: false, gate, queue: 'proportional', timers: wallTimers } as const;
  const played = new RecordedHouse({ recording, catalog, desks, ...source });
  played.start();
  const book = (ticker: string) =>
    ([BID, ASK] as const).map(side => [...desks.venueB.levels(desks.venueB.market(ticker), side)]);
  return { played, book, times: () => desks.venueB.changes.map(({ at }) => at) };
}

it.skipIf(process.platform !== 'linux')('5002: wakes for traded markets alone, and shows any as it is', async () => {
  const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const clock = PlayedClock.standingAt(startOf(openRecording(folder), { speed: STEPPED })!, STEPPED);
  playBy(clock);
  const [lazy, eager] = [house(gate), house(gate)];
  const tickers = Array.from({ length: MARKETS }, (_, market) => tickerOf(market));
  void eager.played.hear(tickers, true);
  void lazy.played.hear([TRADED], true);
  const looks: unknown[] = [];
  // As a caller that reads another market now and then.
  const look = (): void => {
    for (const ticker of tickers.slice(5)) {
      eager.played.hear([], false);
      lazy.played.hear([], false);
      looks.push(lazy.book(ticker));
      expect(lazy.book(ticker)).toEqual(eager.book(ticker));
    }
    if (looks.length < MARKETS * SECONDS) wallTimers.after(137, look);
  };
  wallTimers.after(700, look);
  const stepper = new Worker(THREADS.clock.entry, { workerData: { clock: clock.memory } });
  await Promise.all([lazy.played.finished, eager.played.finished]);
  await stepper.terminate();
  expect(looks.length).toBeGreaterThanOrEqual(MARKETS * SECONDS);
  expect(tickers.map(lazy.book)).toEqual(tickers.map(eager.book));
  expect(new Set(lazy.times()).size).toBeLessThan(new Set(eager.times()).size / 3);
});
