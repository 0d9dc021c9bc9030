// An operation to another thread and its answer back, as between main and engine. The paths are messages of Node, and rings in shared memory with
// `Atomics.waitAsync` (ADR 0018). Measured one at a time, and with 64 in flight. The paths take turns.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type BenchRow, type BenchSuite, median, percentile, row } from './harness.ts';
import type { EchoData } from './load/echo-worker.ts';
import { createRing, Ring } from './load/ring.ts';

const NAME = 'threads/ring';
const ROUNDS = 10;
const LONE = 500;
const MANY = 20_000;
const SMOKE_COUNT = 50;
const UNDER_WAY = 64;
/** The pause between two lone operations, which is long enough for a thread to go to sleep. */
const PAUSE_MS = 1;
/** An operation as large as a submission on its path to the engine. */
const OPERATION = {
  name: 'submit',
  venue: 'venue_b',
  caller: {
    podId: 'demo',
    actorId: 'demo/maker',
    keyId: 'key-0123456789abcdef',
  },
  idempotencyKey: '01920000-0000-7000-8000-000000000000',
  body: {
    ticker: 'KXNBAGAME-26NOV21BOSLAL-LAL',
    side: 'NO',
    action: 'BUY',
    count: 3,
    priceCents: 40,
  },
  bodySha256Hex: 'ab'.repeat(32),
  notAfter: null,
};

export const suite: BenchSuite = {
  name: NAME,
  runsMax: 1,
  async run({ smoke }) {
    const ways = { messages: await opened(false), rings: await opened(true) };
    const us = { messages: [] as number[], rings: [] as number[] };
    const rates = { messages: [] as number[], rings: [] as number[] };
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
      for (const name of ['messages', 'rings'] as const) {
        us[name].push(...(await lone(ways[name], smoke ? SMOKE_COUNT : LONE)));
        rates[name].push(await rateOf(ways[name], smoke ? SMOKE_COUNT : MANY));
      }
    }
    await Promise.all([ways.messages.close(), ways.rings.close()]);
    const baseline = 'messages of Node';
    const p99 = (values: number[]): number => percentile(values, 0.99);
    const ratioOf = (of: (values: number[]) => number) => of(us.messages) / of(us.rings);
    const rate = median(rates.rings);
    return [
      row(`${NAME} messages p50`, median(us.messages), 'µs'),
      {
        name: `${NAME} rings p50`,
        value: median(us.rings),
        unit: 'µs',
        baseline,
        ratio: ratioOf(median),
      },
      row(`${NAME} messages p99`, p99(us.messages), 'µs'),
      {
        name: `${NAME} rings p99`,
        value: p99(us.rings),
        unit: 'µs',
        baseline,
        ratio: ratioOf(p99),
      },
      row(`${NAME} messages rate`, median(rates.messages), 'operations/s'),
      {
        ...{
          name: `${NAME} rings rate`,
          value: rate,
          unit: 'operations/s',
          baseline,
        },
        ratio: rate / median(rates.messages),
      },
    ] satisfies BenchRow[];
  },
};

interface Way {
  send(message: unknown): void;
  hear: () => void;
  close(): Promise<void>;
}

async function opened(isRing: boolean): Promise<Way> {
  const rings = isRing ? { there: createRing(), back: createRing() } : null;
  const worker = new Worker(new URL('./load/echo-worker.ts', import.meta.url), {
    workerData: { rings } satisfies EchoData,
  });
  await once(worker, 'message');
  const there = rings && new Ring(rings.there);
  const way: Way = {
    send: message => (there === null ? worker.postMessage(message) : there.push(message)),
    hear: () => {},
    close: async () => {
      unfollow();
      await worker.terminate();
    },
  };
  const unfollow = rings === null ? () => {} : new Ring(rings.back).follow(() => way.hear());
  if (rings === null) worker.on('message', () => way.hear());
  return way;
}

/** Returns round trips in microseconds. */
async function lone(way: Way, count: number): Promise<number[]> {
  const us: number[] = [];
  for (let number = 0; number < count; number++) {
    const answered = new Promise<void>(resolve => {
      way.hear = resolve;
    });
    const began = performance.now();
    way.send({ number, operation: OPERATION });
    await answered;
    us.push((performance.now() - began) * 1e3);
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
  }
  // The first round trips compile the code.
  return us.slice(us.length / 10);
}

/** Returns the round trips a second. */
async function rateOf(way: Way, count: number): Promise<number> {
  const done = Promise.withResolvers<void>();
  let [sent, heard] = [0, 0];
  const send = (): void => way.send({ number: sent++, operation: OPERATION });
  way.hear = () => {
    heard += 1;
    if (sent < count) send();
    else if (heard === count) done.resolve();
  };
  const began = performance.now();
  while (sent < Math.min(UNDER_WAY, count)) send();
  await done.promise;
  return count / ((performance.now() - began) / 1e3);
}
