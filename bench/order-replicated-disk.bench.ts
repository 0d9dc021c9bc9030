// The space that an order takes on disk from its intent to its cancel. Measured in the stream of a replicated gateway, headers included, and in the
// journal of an embedded gateway. One NATS server runs on this machine, with one replica.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { NatsServer } from '../test/support/nats-server.ts';
import { type BenchRow, type BenchSuite, row } from './harness.ts';
import type { OneCallerAnswer, OneCallerRequest } from './load/order-messages.ts';
import { type Desk, OrderRig } from './load/order-rig.ts';

const DESKS: readonly Desk[] = [
  { name: 'venue-a', venue: 'venue_a' },
  { name: 'venue-b', venue: 'venue_b' },
];
const SIZES = { count: 500, block: 50 };
const SMOKE = { count: 20, block: 10 };
/** An address that no client uses. */
const PUBLIC_URL = 'http://127.0.0.1:8080';
const BLOCKS = /\.blk$/;
const SEGMENTS = /^journal2-/;

export const suite: BenchSuite = {
  name: 'order/replicated-disk',
  runsMax: 1,
  async run({ smoke }) {
    const sizes = smoke ? SMOKE : SIZES;
    const rows: BenchRow[] = [];
    for (const desk of DESKS) {
      const stream = row(`order/replicated-disk ${desk.name} stream`, await streamBytes(desk, sizes), 'B an order');
      const embedded = row(
        `order/replicated-disk ${desk.name} embedded`,
        await journalBytes(desk, sizes),
        'B an order',
      );
      rows.push(stream, embedded);
    }
    return rows;
  },
};

async function streamBytes(desk: Desk, sizes: typeof SIZES): Promise<number> {
  const storeFolder = mkdtempSync(join(tmpdir(), 'crossbook-bench-nats-'));
  const nats = await NatsServer.start({ storeFolder });
  const environment = { CROSSBOOK_NATS: nats.url, CROSSBOOK_PUBLIC_URL: PUBLIC_URL };
  const rig = await OrderRig.start({ desks: [desk], durability: 'replicated', paperMode: 'exact', environment });
  try {
    return await bytesPerOrder(rig, desk, sizes, () => bytesOf(storeFolder, BLOCKS));
  } finally {
    await rig.close();
    await nats.close();
    rmSync(storeFolder, { recursive: true });
  }
}

async function journalBytes(desk: Desk, sizes: typeof SIZES): Promise<number> {
  const rig = await OrderRig.start({ desks: [desk], durability: 'process-safe', paperMode: 'exact' });
  try {
    return await bytesPerOrder(rig, desk, sizes, () => bytesOf(rig.folder, SEGMENTS));
  } finally {
    await rig.close();
  }
}

/** Returns the bytes of orders that rest and are then cancelled. */
async function bytesPerOrder(rig: OrderRig, desk: Desk, sizes: typeof SIZES, bytes: () => number): Promise<number> {
  const { count, block } = sizes;
  const caller = rig.thread('one-caller-worker.ts', rig.waysOf(desk));
  const ask = (request: OneCallerRequest) => caller.ask<OneCallerAnswer>(request);
  const before = bytes();
  await ask({ op: 'submit', count, block });
  await rig.expectResting(desk, count);
  await ask({ op: 'cancel', block });
  await rig.expectResting(desk, 0);
  return (bytes() - before) / count;
}

function bytesOf(folder: string, names: RegExp): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(it => names.test(basename(it)));
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
