// Bounds of streams, on real sockets: the number of streams in all and per signing key, subprotocols, durations and messages.

import { afterEach, describe, expect, it } from 'vitest';
import { ASK, BID, type BookId, marketKey, PRIMARY, TAKER_BUY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { VenueStream } from '../../../src/gateway/stream/venue-stream.ts';
import { limits } from '../../../src/limits.ts';
import { memoryBooks } from '../../support/memory-stream.ts';
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
  // As the contract says, the connection ends without a close code.
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

// The bounds are streamUncountedPerS and streamUncountedBurstMax.
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

// A market's book took the place of another market's book in shared memory. Its feed was writing the book just when the stream began.
// Subscribers got the trades and states of the former market that the tape still held.
describe('0096: a place taken while it is written', () => {
  const NOW = 1_790_000_000_000 as UnixMillis;
  const SHARE = 1_000_000 as MicroShares;
  const TICKER = 'KXNEXT';

  it('nothing is sent of the market that had the place before', () => {
    const { region, writer, books } = memoryBooks(NOW);
    const reported: string[] = [];
    const turns: (() => void)[] = [];
    const stream = new VenueStream({
      venue: 'venue_b',
      region,
      books,
      publish: (_topic, frame) => {
        const message = jsonCodec.decodeServer(frame);
        reported.push(
          message.type === 'trade' ? message.tradeId : message.type === 'state' ? message.state : message.type,
        );
      },
      suspendLaggards: () => {},
      now: () => NOW,
      yieldTo: task => void turns.push(task),
    });
    const trade = (book: BookId, tradeId: string): void =>
      writer.trade(book, PRIMARY, 5_200 as Ticks, SHARE, TAKER_BUY, NOW, tradeId);

    const former = writer.openBook(100 as Ticks)!;
    trade(former, 'of the former');
    writer.setState(former, 'HALTED', 'MARKET_PAUSED');
    writer.releaseBook(former);
    const book = writer.openBook(100 as Ticks)!;
    expect(book).toBe(former);
    writer.setViews(book, true, false);
    writer.begin(book);
    writer.clear(book);
    void books.acquire(marketKey('venue_b', TICKER));
    const bound = books.settle('venue_b', TICKER, { book, view: PRIMARY })!;
    bound.outletOf(jsonCodec).subscribers.trade = 1;
    stream.begin(bound);
    turns.shift()!();
    writer.set(book, BID, 5_000 as Ticks, SHARE);
    writer.set(book, ASK, 5_200 as Ticks, SHARE);
    writer.commitSnapshot(book, NOW);
    trade(book, 'of the next');
    turns.shift()!();
    expect(reported).toEqual(['of the next', 'LIVE']);
    books.close();
  });
});
