// Found by review: an order that takes several levels trades at their average, with any number of decimals. The account's own trades were
// read so, but a public one was refused as unreadable: it was in no `trade` message, and in no mark.

import { expect, it } from 'vitest';
import { BID, PRIMARY } from '../../src/domain/market.ts';
import { liveRig } from '../venues/venue-a/feed-rig.ts';
import { SHARE } from '../venues/venue-a/twin-market.ts';

it.each([
  ['0.5233333333333333', 5_233],
  ['0.46666667', 4_667],
  // Nothing is traded at nothing, or at a dollar.
  ['0.99999', 9_999],
  ['0.00001', 1],
])('a trade at %s is published at the nearest price of the finest grid', async (price, ticks) => {
  const { twin, rig } = await liveRig();
  rig.socket.send(twin.tradeEvent(PRIMARY, price, '3', 'BUY'));
  expect(rig.sink.events.at(-1)).toMatchObject({ kind: 'trade', price: ticks, size: 3 * SHARE });
  expect(rig.counters.read('unreadable')).toBe(0);
});

it.each(['0', '1', '1.5', '-0.5', '', 'NaN', '0.0000'])('a trade at %j is unreadable as before', async price => {
  const { twin, rig } = await liveRig();
  rig.socket.send(twin.tradeEvent(PRIMARY, price, '3', 'BUY'));
  expect(rig.sink.events.at(-1)!.kind).toBe('tradesMissed');
});

it('the book behind such a trade does not change', async () => {
  const { twin, rig } = await liveRig();
  rig.socket.send(twin.tradeEvent(PRIMARY, '0.5233333333333333', '3', 'BUY'));
  rig.socket.send(twin.change(BID, 5_200, SHARE));
  expect(rig.book().state).toBe('LIVE');
  expect(rig.picture()).toBe(twin.picture());
});
