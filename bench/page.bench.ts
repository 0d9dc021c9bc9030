// The web page while its market changes 2 000 times a second: how many frames Chromium draws, and how much stays on the page's heap. The real
// gateway runs on a recording that its paper exchanges play. `--long` watches the heap for an hour.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { trendOf } from '../test/soak/trend.ts';
import { OwnProcess } from '../test/support/child-process.ts';
import { lacks } from '../test/support/debian-packages.ts';
import { BrowserPage } from '../test/tools/page/browser-page.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, median, percentile, row } from './harness.ts';
import { deltaFrame, snapshotFrame } from './load/bench-market.ts';

const CHANGES_PER_S = 2_000;
/** The length of the recording, which is played again and again. */
const RECORDED_S = 20;
const WATCHED_MS = 20_000;
const ROUNDS = 3;
/** The minutes until the page's plots and lists are full. */
const FILLED_MIN = 12;
const LONG_MIN = 72;
const MINUTE_MS = 60_000;
const MIB = 1_024 * 1_024;
const KIB = 1_024;

export const suite: BenchSuite = {
  name: 'page/',
  runsMax: 1,
  async run(options) {
    if (lacks('chromium')) {
      console.warn('page: no chromium, no rows');
      return [];
    }
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const recording = join(folder, 'load.jsonl');
    writeFileSync(recording, recordingOf(options.smoke ? 1 : RECORDED_S));
    const gateway = new OwnProcess(['src/main.ts', '--replay', recording, '--loop'], {
      ...{ CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data'), CROSSBOOK_LOG: 'warn' },
    });
    const browser = await BrowserPage.start();
    try {
      const [, url] = await gateway.said(/listening on (\S+)/);
      return await measured(browser, url!, join(folder, 'data'), options);
    } finally {
      await browser.close();
      gateway.signal('SIGTERM');
      await gateway.ended;
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Returns a recording of one book of venue B. */
function recordingOf(seconds: number): string {
  const lineOf = (atMs: number, frame: string): string => `{"received_ms":${atMs},"frame":${frame.trimEnd()}}\n`;
  const deltas = Array.from({ length: seconds * CHANGES_PER_S }, (_, index) =>
    lineOf(1 + Math.floor((index * 1_000) / CHANGES_PER_S), deltaFrame(1, index + 2)),
  );
  return lineOf(0, snapshotFrame(1)) + deltas.join('');
}

async function measured(
  browser: BrowserPage,
  url: string,
  dataDir: string,
  options: BenchOptions,
): Promise<BenchRow[]> {
  const { smoke, isLong = false } = options;
  const watchedMs = smoke ? 300 : WATCHED_MS;
  const rounds = Array.from({ length: smoke ? 1 : ROUNDS });
  // The gateway and its exchanges have the same work in all measurements.
  const empty: Watched[] = [];
  for (const _ of rounds) empty.push(await watch(browser, watchedMs));
  await browser.openRegistered(url, dataDir);
  const session = await browser.page.context().newCDPSession(browser.page);
  await session.send('Performance.enable');
  const before = await threadTimes(session);
  const shown: Watched[] = [];
  for (const _ of rounds) shown.push(await watch(browser, watchedMs));
  const after = await threadTimes(session);
  const rates = shown.map(it => it.framesPerS);
  const changes = shown.map(it => it.changesPerS);
  if (!smoke && median(changes) < CHANGES_PER_S / 2)
    console.warn(`page: of ${CHANGES_PER_S} changes/s it has shown ${median(changes)}: the figures are of less work`);
  const emptyRate = median(empty.map(it => it.framesPerS));
  const frames = row('page/frames', rates, 'frames/s');
  return [
    {
      ...frames,
      baseline: 'an empty page in the same browser, beside the same gateway',
      ratio: median(rates) / emptyRate,
    },
    row(
      'page/frames p99',
      shown.map(({ gapsMs }) => percentile(gapsMs, 0.99)),
      'ms from frame to frame',
    ),
    row('page/changes', changes, `changes/s shown, of ${CHANGES_PER_S}`),
    row('page/cpu', (100 * (after.usedS - before.usedS)) / (after.atS - before.atS), '% of a core, the page’s thread'),
    row('page/heap', (await heapBytes(session)) / MIB, 'MiB'),
    ...(isLong ? await anHour(session) : []),
  ];
}

interface Watched {
  readonly framesPerS: number;
  /** The milliseconds between frames. */
  readonly gapsMs: readonly number[];
  readonly changesPerS: number;
}

/** The number of changes that the page shows each second; 0 on an empty page. */
const CHANGES = `Number([...document.querySelectorAll('dt')].find(it => it.textContent === 'book changes/s')?.nextSibling.textContent ?? 0)`;

const FRAMES = `ms => new Promise(resolve => {
  const times = [];
  const changes = [];
  const reading = setInterval(() => changes.push(${CHANGES}), 1000);
  const frame = time => {
    times.push(time);
    if (time - times[0] < ms) requestAnimationFrame(frame);
    else {
      clearInterval(reading);
      resolve({ times, changes: changes.length > 0 ? changes : [${CHANGES}] });
    }
  };
  requestAnimationFrame(frame);
})`;

async function watch({ page }: BrowserPage, durationMs: number): Promise<Watched> {
  interface Seen {
    readonly times: readonly number[];
    readonly changes: readonly number[];
  }
  const { times, changes } = await page.evaluate<Seen>(`(${FRAMES})(${durationMs})`);
  const gapsMs = times.slice(1).map((time, index) => time - times[index]!);
  const framesPerS = (gapsMs.length * 1_000) / (times.at(-1)! - times[0]!);
  return { framesPerS, gapsMs, changesPerS: median(changes) };
}

/** Returns the processor time of the thread that runs the page. */
async function threadTimes(session: CDPSession): Promise<{ readonly usedS: number; readonly atS: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const metricOf = (name: string): number => metrics.find(it => it.name === name)?.value ?? Number.NaN;
  return { usedS: metricOf('ThreadTime'), atS: metricOf('Timestamp') };
}

/** Measures the growth of the heap, and of the document, by the minutes after the page has filled. */
async function anHour(session: CDPSession): Promise<BenchRow[]> {
  const heap: { x: number; y: number }[] = [];
  const nodes: { x: number; y: number }[] = [];
  for (let minute = 1; minute <= LONG_MIN; minute += 1) {
    await pause(MINUTE_MS);
    if (minute <= FILLED_MIN) continue;
    const x = minute / 60;
    heap.push({ x, y: (await heapBytes(session)) / KIB });
    const counts = await session.send('Memory.getDOMCounters');
    nodes.push({ x, y: counts.nodes + counts.jsEventListeners });
  }
  return [
    row('page/heap growth', trendOf(heap).slope, 'KiB/h'),
    row('page/document growth', trendOf(nodes).slope, 'nodes and listeners/h'),
  ];
}

/** Returns the bytes of the heap, without garbage. */
async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}
