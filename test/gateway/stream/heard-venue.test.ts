// Whether a venue is heard, by its books, on real sockets.

import { afterEach, beforeEach, expect, it } from 'vitest';
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
