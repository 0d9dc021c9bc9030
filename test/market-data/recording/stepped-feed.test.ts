// A recorded feed and its timeline by a stepped clock. Markets that nobody follows cost no step of their own, and `stepMs` delivers at the
// end of each step.

import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { PlayedClock, playBy, STEPPED } from '../../../src/core/runtime/played-clock.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { createArena, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { RecordedFeed } from '../../../src/market-data/recording/recorded-feed.ts';
import { startOf, type TimedEvent, timeline } from '../../../src/market-data/recording/timeline.ts';
import { THREADS } from '../../../src/threads.ts';
import { makeRecording, tickerOf } from '../../support/made-recording.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const FOLLOWED = tickerOf(1);
const STEP_MS = 30;

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  await makeRecording({ folder, markets: 10, changesPerS: 400, seconds: 5 });
});
afterAll(() => removeFolder(folder));

function played(stepMs: number): TimedEvent[] {
  const source = { speed: STEPPED, span: { from: null, to: null, stepMs } };
  return [...timeline(openRecording(folder), source, () => {})];
}

it('4501: delivers what was recorded within a step at the end of the step, in its sequence', () => {
  const [exact, stepped] = [played(0), played(STEP_MS)];
  expect(stepped.map(({ event }) => event)).toEqual(exact.map(({ event }) => event));
  expect(stepped.map(({ exactMs }) => exactMs)).toEqual(exact.map(({ atMs }) => atMs));
  for (const { atMs, exactMs } of stepped) {
    expect(atMs % STEP_MS).toBe(0);
    expect(atMs - exactMs).toBeGreaterThanOrEqual(0);
    expect(atMs - exactMs).toBeLessThan(STEP_MS);
  }
});

it.skipIf(process.platform !== 'linux')(
  '4502: steps for followed markets alone, and applies the others on the way',
  async () => {
    const source = { folder, speed: STEPPED, loop: false, gate: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
    const clock = PlayedClock.stoppedAt(startOf(openRecording(folder), source)!, STEPPED);
    playBy(clock);
    let commits = 0;
    const times = new Set<number>();
    const sink = new BookWriter(regionOf(createArena(), 'venue_b'), () => {});
    const commit = sink.commit.bind(sink);
    sink.commit = (...batch) => {
      commits += 1;
      times.add(clock.played());
      return commit(...batch);
    };
    const counters = new FeedCounters();
    const feed = new RecordedFeed('venue_b', source, { sink, timers: wallTimers, counters, log: silentLog });
    feed.start();
    await feed.subscribe(FOLLOWED);
    const stepper = new Worker(THREADS.clock.entry, { workerData: { clock: clock.memory } });
    await feed.finished;
    await stepper.terminate();
    feed.close();
    const changes = played(0).filter(({ event }) => event.kind === 'changes');
    expect(commits).toBe(changes.length);
    const heard = new Set(
      played(0)
        .filter(({ event }) => event.market.address === FOLLOWED)
        .map(({ atMs }) => atMs),
    );
    // The clock stops in between while the followed market is silent for a long time, and at the last change.
    const others = [...times].filter(time => !heard.has(time));
    expect(others.length).toBeLessThan(times.size / 20);
  },
);
