// The thread of the venues. It ends on command. A fault in it is reported, with its sockets closed, and does not abort the whole process.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { VenueThread } from '../../../src/core/runtime/venue-thread.ts';

const FILE = { name: 'venues', entry: new URL('./failing-venue-worker.ts', import.meta.url) };

/** Starts a thread. `failed` resolves with the reported fault. */
function start(workerData: string) {
  const failed = Promise.withResolvers<string>();
  return { thread: new VenueThread<number>(FILE, workerData, failed.resolve), failed: failed.promise };
}

it('ends when it is closed, with clients connected', async () => {
  const { thread } = start('');
  const client = connect(await thread.listening, '127.0.0.1');
  await once(client, 'connect');
  // The client may see a reset, which is an end as well.
  client.on('error', () => {});
  const ended = new Promise(resolve => client.once('close', resolve));
  await thread.close();
  await ended;
});

it('tells of a fault, closes its sockets first, and can be closed after', async () => {
  const { thread, failed } = start('');
  const port = await thread.listening;
  await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
  expect(await failed).toBe('a fault of its own');
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  await thread.close();
});

it.each([
  ['fails', 'cannot start'],
  ['ends', 'ended before it listened'],
])('a thread that %s before it listens says why', async (workerData, message) => {
  const { thread } = start(workerData);
  await expect(thread.listening).rejects.toThrow(message);
  await thread.close();
});
