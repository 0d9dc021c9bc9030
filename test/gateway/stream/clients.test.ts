// Bounds of streams, on real sockets: how many in all and of one signing key, subprotocols, durations and messages.

import { afterEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { jsonCodec } from '../../../src/wire/json.ts';
import { protobufCodec } from '../../../src/wire/protobuf.ts';
import { type Rig, RigClient, startRig } from '../../support/stream-rig.ts';

let rig: Rig;
afterEach(() => rig.close());

function connect(keyId: string): Promise<RigClient> {
  return RigClient.connect({ url: rig.url, upgradeHeaders: () => ({ 'SVC-Key-Id': keyId }) });
}

it('a key has a bounded number of streams at once, and keeps none from the others', async () => {
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

it('all callers together have a bounded number of streams', async () => {
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

it.each([jsonCodec, protobufCodec])(
  'the first known subprotocol that a client offers is spoken: $subprotocol',
  async codec => {
    rig = await startRig();
    const others = [jsonCodec, protobufCodec].filter(other => other !== codec).map(({ subprotocol }) => subprotocol);
    const offers = ['somebody.v9', codec.subprotocol, ...others];
    const client = await RigClient.connect({ url: rig.url }, codec, offers);
    client.say({ op: 'ping', id: '1' });
    expect(await client.hear('pong')).toEqual({ type: 'pong', id: '1' });
  },
);

// By streamUncountedPerS and streamUncountedBurstMax.
it('a stream may send a bounded number of messages that count as no read, and ends with 1008 at one more', async () => {
  rig = await startRig({ uncounted: { perS: 1e-6, burstMax: 3 } });
  const client = await connect('one');
  const other = await connect('one');
  client.send(Buffer.from('nonsense'));
  for (const id of ['a', 'b', 'c']) {
    client.say({ op: 'subscribe', id, channel: 'orders', from: null, cancelOnDisconnect: false });
  }
  client.say({ op: 'unsubscribe', id: '2', channel: 'orders' });
  client.say({ op: 'ping', id: '3' });
  await client.hear('pong');
  expect(client.closedWith).toBeNull();
  client.say({ op: 'ping', id: '4' });
  await expect(client.hear('state')).rejects.toThrow('1008');
  expect(client.heard.filter(({ type }) => type === 'pong')).toHaveLength(1);
  other.say({ op: 'ping', id: '1' });
  await other.hear('pong');
});
