// Whether the gateway hears a venue, as the venue's books show it on real sockets.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Rig, RigClient, startRig, TICKER } from '../../support/stream-rig.ts';

const OVER = `${TICKER}-OVER`;

let rig: Rig;
let client: RigClient;
beforeEach(async () => {
  rig = await startRig();
  client = await RigClient.connect(rig);
});
afterEach(() => {
  client.close();
  rig.close();
});

it('a venue is lost if books are asked of it, and none is live', async () => {
  expect(rig.stream.health).toBe('unasked');
  client.subscribe('s', 'book', TICKER);
  await client.hear('subscribed');
  expect(rig.stream.health).toBe('lost');
  rig.snapshot(TICKER, 5_000, 5_200);
  await client.hear('snapshot');
  expect(rig.stream.health).toBe('live');
  for (const [state, reason, health] of [
    ['STALE', 'SILENCE', 'lost'],
    ['LIVE', 'RESUMED', 'live'],
    ['HALTED', 'MARKET_PAUSED', 'live'],
    ['RESYNCING', 'DISCONNECTED', 'lost'],
  ] as const) {
    rig.writer.setState(rig.bookOf(TICKER), state, reason);
    await client.hear('state', message => message.reason === reason);
    expect(rig.stream.health).toBe(health);
  }
});

it('a book that is over says nothing of its venue', async () => {
  client.subscribe('s', 'book', TICKER, OVER);
  await client.hear('subscribed');
  for (const ticker of [TICKER, OVER]) rig.snapshot(ticker, 5_000, 5_200);
  rig.writer.setState(rig.bookOf(OVER), 'CLOSED', 'MARKET_RESOLVED');
  await client.hear('state', ({ state }) => state === 'CLOSED');
  expect(rig.stream.health).toBe('live');
  rig.writer.setState(rig.bookOf(TICKER), 'RESYNCING', 'DISCONNECTED');
  await client.hear('state', ({ reason }) => reason === 'DISCONNECTED');
  expect(rig.stream.health).toBe('lost');
  rig.writer.setState(rig.bookOf(TICKER), 'CLOSED', 'MARKET_CLOSED');
  await client.hear('state', ({ reason }) => reason === 'MARKET_CLOSED');
  expect(rig.stream.health).toBe('unasked');
});

// Nor did a client of trades alone hear a state that changed while it read too slowly. A bot took a STALE market for LIVE, or the other way
// round, until the next change.
describe('0139: a state that trades alone never heard', () => {
  let rig: Rig;
  let client: RigClient;
  beforeEach(async () => {
    rig = await startRig();
    client = await RigClient.connect(rig);
    client.subscribe('first', 'book', TICKER);
    await client.hear('subscribed');
    rig.snapshot(TICKER, 5_000, 5_200);
    await client.hear('snapshot');
  });
  afterEach(() => {
    client.close();
    rig.close();
  });

  /** Returns everything that a new subscription hears before the answer to a ping. */
  async function hearOf(channel: 'book' | 'trade', by: RigClient): Promise<unknown[]> {
    const from = by.heard.length;
    by.subscribe(channel, channel, TICKER);
    await by.hear('subscribed', ({ id }) => id === channel);
    by.say({ op: 'ping', id: channel });
    await by.hear('pong', ({ id }) => id === channel);
    return by.heard
      .slice(from)
      .map(message => ('state' in message ? `${message.type} ${message.state}` : message.type));
  }

  it.each([
    ['STALE', 'SILENCE'],
    ['HALTED', 'MARKET_PAUSED'],
    ['CLOSED', 'MARKET_CLOSED'],
    ['RESYNCING', 'DISCONNECTED'],
    ['LIVE', 'RESUMED'],
  ] as const)('a follower of trades alone hears that the market is %s', async (state, reason) => {
    if (state === 'LIVE') rig.writer.setState(rig.bookOf(TICKER), 'STALE', 'SILENCE');
    rig.writer.setState(rig.bookOf(TICKER), state, reason);
    await client.hear('state', message => message.reason === reason);
    const other = await RigClient.connect(rig);
    expect(await hearOf('trade', other)).toEqual(['subscribed', `state ${state}`, 'pong']);
    expect(await other.hear('state')).toMatchObject({ market: { ticker: TICKER }, state, reason });
    other.close();
  });

  it('a follower of the book hears it from the book alone', async () => {
    expect(await hearOf('trade', client)).toEqual(['subscribed', 'pong']);
    const other = await RigClient.connect(rig);
    await hearOf('trade', other);
    expect(await hearOf('book', other)).toEqual(['subscribed', 'snapshot LIVE', 'snapshotsDone', 'pong']);
    other.close();
  });
});
