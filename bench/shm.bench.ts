// The cost of a change for the shared file’s thread, and how long it takes until another process has it. That time runs from the change of a
// book by a feed’s thread until a process in C has read it from the file. Measured with a thread that sleeps between two looks, and with
// one that spins. The reader takes a core, and a thread that spins takes another. The feed sleeps between changes.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type BookId, PRIMARY } from '../src/core/domain/market.ts';
import { Metrics } from '../src/core/metrics/metrics.ts';
import { createLog } from '../src/core/runtime/log.ts';
import { BookIndexWriter } from '../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { FILE_BYTES } from '../src/market-data/shm/layout.ts';
import { MarketFile, TapeFollower } from '../src/market-data/shm/market-file.ts';
import { ShmLink } from '../src/market-data/shm/shm-link.ts';
import type { FeedSubscription } from '../src/venues/feed.ts';
import { openBooks, playChange, workload } from './book-workload.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, measure, median, percentile, row } from './harness.ts';
import type { ShmWriterOptions } from './shm-writer-worker.ts';

const CHANGES_PER_SECOND = 500;
const CHANGES = 5_000;
const SMOKE_CHANGES = 50;
const MARKET = 'KX-BENCH';
const BASELINE = 'a thread that sleeps between two looks';

export const suite: BenchSuite = {
  name: 'shm/',
  runsMax: 1,
  async run(options) {
    const { smoke } = options;
    const folder = mkdtempSync(join(sharedMemory(), 'crossbook-shm-'));
    try {
      const follow = row('shm/follow', followNs(options), 'ns');
      if (!compiles(folder)) return [follow];
      const asleep = await delaysUs(folder, false, smoke);
      const spinning = await delaysUs(folder, true, smoke);
      const p99 = (values: readonly number[]): number => percentile(values, 0.99);
      return [
        follow,
        row('shm/visible asleep p50', median(asleep), 'µs'),
        row('shm/visible asleep p99', p99(asleep), 'µs'),
        compared('shm/visible spinning p50', median(spinning), median(asleep)),
        compared('shm/visible spinning p99', p99(spinning), p99(asleep)),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Returns the ns from the tape into the file, for a change of one level with its book and record. Includes the change itself. */
function followNs(options: BenchOptions): number {
  const arena = createArena();
  const load = workload(100, options.smoke ? 1_000 : 100_000);
  const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
  const index = new BookIndexWriter(indexOf(arena));
  openBooks(writer, load, true);
  const follower = new TapeFollower('venue_b', arena, new MarketFile(new ArrayBuffer(FILE_BYTES)));
  for (let book = 0; book < load.bookCount; book++) {
    const binding: FeedSubscription = { book: book as BookId, view: PRIMARY };
    index.put('venue_b', `KX-${book}`, binding);
    follower.list(`KX-${book}`, binding);
  }
  let next = 0;
  return measure(times => {
    for (let done = 0; done < times; done++) {
      playChange(writer, load.stream, next);
      next = (next + 1) % load.stream.count;
      follower.follow();
    }
    return follower.markets;
  }, options);
}

/** Returns a folder that needs no disk. */
function sharedMemory(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

function compared(name: string, value: number, asleep: number): BenchRow {
  return { name, value, unit: 'µs', baseline: BASELINE, ratio: asleep / value };
}

/** Returns false if the machine has no C compiler. */
function compiles(folder: string): boolean {
  const { error, status, stderr } = spawnSync('cc', [
    '-std=c11',
    '-O2',
    '-o',
    join(folder, 'reader'),
    'bench/load/shm-reader.c',
  ]);
  if (error !== undefined) return false;
  if (status !== 0) throw new Error(stderr.toString());
  return true;
}

async function delaysUs(folder: string, spins: boolean, smoke: boolean): Promise<number[]> {
  const [arena, path] = [createArena(), join(folder, 'books')];
  const changedAt = new SharedArrayBuffer(8 * (2 + (smoke ? SMOKE_CHANGES : CHANGES)));
  const link = new ShmLink({ path, arena, spins, metrics: new Metrics({ operations: [] }), log: createLog('bench') });
  const workerData: ShmWriterOptions = { arena, changedAt, changesPerSecond: CHANGES_PER_SECOND };
  const worker = new Worker(new URL('shm-writer-worker.ts', import.meta.url), { workerData });
  try {
    const [book] = (await once(worker, 'message')) as [BookId];
    new BookIndexWriter(indexOf(arena)).put('venue_b', MARKET, { book, view: PRIMARY });
    link.places.put('venue_b', MARKET, { book, view: PRIMARY });
    const reader = await startReader(folder, path);
    worker.postMessage('begin');
    await once(worker, 'exit');
    await link.close();
    return delays(await reader.printed, new BigUint64Array(changedAt));
  } finally {
    await worker.terminate();
    await link.close();
  }
}

/** Starts the reader. Resolves once it reads, with the text that it will have printed in the end. The market may not be in the file yet. */
async function startReader(folder: string, path: string): Promise<{ readonly printed: Promise<string> }> {
  for (;;) {
    const child = spawn(join(folder, 'reader'), [path, MARKET], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8');
    const printed = once(child, 'close').then(() => text);
    const began = new Promise<boolean>(resolve => {
      child.stdout.on('data', (chunk: string) => {
        text += chunk;
        resolve(true);
      });
      child.once('close', () => resolve(false));
    });
    if (await began) return { printed };
  }
}

/**
 * Returns the delays in microseconds, without the first tenth, which compiles the code. A position that the reader never saw was replaced before
 * the reader looked.
 */
function delays(text: string, changedAt: BigUint64Array): number[] {
  const samples = text.split('\n').flatMap(line => {
    const [, seq, readAt] = /^(\d+) (\d+)$/.exec(line) ?? [];
    const began = changedAt[Number(seq)];
    return began === undefined || began === 0n ? [] : [Number(BigInt(readAt!) - began) / 1_000];
  });
  return samples.slice(samples.length / 10);
}
