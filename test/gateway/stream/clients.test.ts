// How many streams there may be, and of one signing key, and how long a message, on real sockets.

import { afterEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { type Rig, RigClient, startRig } from '../../support/stream-rig.ts';

let rig: Rig;
afterEach(() => rig.close());

function connect(keyId: string): Promise<RigClient> {
  return RigClient.connect({ url: rig.url, upgradeHeaders: () => ({ 'SVC-Key-Id': keyId }) });
}

it('a key has so many streams at once, and keeps none from the others', async () => {
  rig = await startRig({ streamsPerKeyMax: 2 });
  const first = await connect('one');
  await connect('one');
  await expect(connect('one')).rejects.toThrow('429');
  await connect('other');
  first.close();
  await expect.poll(() => rig.clients.count).toBe(2);
  await connect('one');
  await expect(connect('one')).rejects.toThrow('429');
});

it('there are so many streams at once, whosever they are', async () => {
  rig = await startRig({ connectionsMax: 2 });
  const first = await connect('one');
  await connect('other');
  await expect(connect('another')).rejects.toThrow('503');
  first.close();
  await expect.poll(() => rig.clients.count).toBe(1);
  await connect('another');
});

it('a message of streamMessageBytesMax is answered, and one that is a byte longer ends its stream', async () => {
  rig = await startRig();
  const client = await connect('one');
  client.send(Buffer.alloc(limits.streamMessageBytesMax, ' '));
  await client.hear('error');
  expect(client.closedWith).toBeNull();
  client.send(Buffer.alloc(limits.streamMessageBytesMax + 1, ' '));
  await expect(client.until(() => client.heard.length > 1)).rejects.toThrow('the stream ended');
  // As the contract says: without a close code.
  expect(client.closedWith).toBe('code 1006');
});
