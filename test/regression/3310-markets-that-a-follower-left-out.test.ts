// Found by a test of readers by NATS that hung once. A thread that follows the books looks in the index whether a market has its book. It
// tried a thousand times, some microseconds, while the main thread wrote the index. The system may stop the main thread within a write for
// longer. Then the market was taken for gone: it was never published, recorded or in the shared file, and nothing said so.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { BID } from '../../src/domain/market.ts';
import { PublisherRig, TICKER } from '../relay/relay-rig.ts';

let worker: Worker;
afterEach(async () => {
  await worker.terminate();
});

async function withinAWrite(rig: PublisherRig): Promise<void> {
  worker = new Worker(new URL('./3310-pausing-writer.ts', import.meta.url), { workerData: rig.arena });
  await once(worker, 'message');
}

it('a market that is listed while the index is written is published', async () => {
  const rig = new PublisherRig();
  const book = rig.open();
  rig.begin(book);
  rig.index.put('venue_b', TICKER, { book, view: 0 });
  await withinAWrite(rig);
  rig.publisher.list(TICKER, { book, view: 0 });
  expect(rig.take().map(({ message }) => message.type)).toEqual(['snapshot']);
});

it('a book and a change that come while the index is written are published', async () => {
  const rig = new PublisherRig();
  const book = rig.open();
  rig.list(TICKER, book);
  rig.take();
  rig.begin(book);
  await withinAWrite(rig);
  expect(rig.take().map(({ message }) => message.type)).toEqual(['snapshot']);
  rig.write(book, [[BID, 4_100, 5]]);
  await withinAWrite(rig);
  expect(rig.take().map(({ message }) => message.type)).toEqual(['delta']);
});
