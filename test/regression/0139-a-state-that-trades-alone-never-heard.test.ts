// Found by review: a client with the channel `trade` alone did not hear the market's state when it subscribed. Nor did it hear a state that
// changed while it read too slowly. A bot took a STALE market for LIVE, or the other way round, until the next change.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Rig, RigClient, startRig, TICKER } from '../support/stream-rig.ts';

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

/** All that is heard of a new subscription, until everything before a ping is answered. */
async function hearOf(channel: 'book' | 'trade', by: RigClient): Promise<unknown[]> {
  const from = by.heard.length;
  by.subscribe(channel, channel, TICKER);
  await by.hear('subscribed', ({ id }) => id === channel);
  by.say({ op: 'ping', id: channel });
  await by.hear('pong', ({ id }) => id === channel);
  return by.heard.slice(from).map(message => ('state' in message ? `${message.type} ${message.state}` : message.type));
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
