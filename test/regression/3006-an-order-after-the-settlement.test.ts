// Found on the running product: a market's rules for orders are kept for up to ten minutes. The stream's report that the market is over did
// not reach them. The first order after a settlement at venue A was answered 400 "not yet ready" and left a REJECTED order; contract §3
// says 404. A closing at venue B and a new tick are alike.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { marketKey } from '../../src/domain/market.ts';
import { errorOf, OrdersRig } from '../e2e/orders-rig.ts';
import { Subscriber } from '../e2e/subscriber.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker, someToken } from '../support/paper-traders.ts';
import { liveRig as venueARig } from '../venues/venue-a/feed-rig.ts';
import { submitted } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST } from '../venues/venue-a/trading/trading-rig.ts';
import { MARKET, OTHER, liveRig as venueBRig } from '../venues/venue-b/feed-rig.ts';

/** Orders at a time. */
const AT_ONCE = 6;

describe.each([
  {
    name: 'venue-a' as const,
    venue: 'venue_a' as const,
    some: (rig: OrdersRig) => someToken(rig.gateway.paper!.urls.venueA.gamma),
    order: (tokenId: string) => ({ tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.02' }),
  },
  {
    name: 'venue-b' as const,
    venue: 'venue_b' as const,
    some: (rig: OrdersRig) => someTicker(rig.gateway.paper!.urls.venueB.rest),
    order: (ticker: string) => ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1 }),
  },
])('at $name, once a subscriber has heard that the market is over', ({ name, venue, some, order }) => {
  let rig: OrdersRig;
  beforeAll(async () => {
    rig = await OrdersRig.start(name);
  });
  afterAll(() => rig.close());

  it('every order is answered 404, and none is left behind', async () => {
    const address = await some(rig);
    const market = marketKey(venue, address);
    const subscriber = await Subscriber.connect(rig.gateway);
    await subscriber.subscribe('book', [market]);
    // Every thread that trades keeps what the market asks of orders from now on.
    const early = await Promise.all(Array.from({ length: AT_ONCE }, () => rig.submit(order(address))));
    expect(early.map(({ status }) => status)).toEqual(early.map(() => 201));
    const last = await rig.newest();
    await rig.control('POST', `/venues/${venue}/markets/${address}/settle`, { value: '1' });
    await subscriber.until(() => subscriber.book(market).state === 'CLOSED');
    const late = [
      await rig.submit(order(address)),
      ...(await Promise.all(Array.from({ length: AT_ONCE }, () => rig.submit(order(address))))),
    ];
    expect(late.map(answer => [answer.status, errorOf(answer).code])).toEqual(late.map(() => [404, 'NOT_FOUND']));
    await eventually(async () => expect((await rig.newest())!.orderId).toBe(last!.orderId));
    subscriber.close();
  });
});

describe('where nobody has heard of it, the venue’s words are a 404', () => {
  it.each([`the orderbook ${FIRST} does not exist`, 'market not found'])('“%s”', async error => {
    const { outcome } = await submitted({ '/order': () => ({ status: 400, body: { error } }) });
    const venueError = { code: null, message: error };
    const refused = { type: 'refused', kind: 'notFound', error: { code: 'VENUE_REJECTED', message: error } };
    expect(outcome).toEqual({ ...refused, venueError });
  });
});

describe('venue A’s feed says so of a market', () => {
  it('that is resolved', async () => {
    const { twin, rig } = await venueARig();
    rig.socket.send({ event_type: 'market_resolved', market: twin.conditionId, assets_ids: twin.tokens });
    expect(rig.outdated).toEqual([twin.tokens[0]]);
  });

  it('that has another tick', async () => {
    const { twin, rig } = await venueARig();
    rig.socket.send(twin.tickSizeEvent('0.001'));
    expect(rig.outdated).toEqual([twin.tokens[0]]);
  });
});

describe('venue B’s feed says so of a market', () => {
  it.each([
    ['that is determined', 'determined', {}, true],
    [
      'that has another grid',
      'price_level_structure_updated',
      { price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0010' }] },
      true,
    ],
    [
      'whose grid is sent once more',
      'price_level_structure_updated',
      { price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }] },
      false,
    ],
    ['that is paused: a pause may end unheard', 'deactivated', { is_deactivated: true }, false],
  ] as const)('%s', async (_what, event, more, isSaid) => {
    const rig = await venueBRig();
    rig.venue.lifecycle(MARKET, event, more);
    expect(rig.outdated).toEqual(isSaid ? [MARKET] : []);
  });

  it('that closes by the clock', async () => {
    const rig = await venueBRig();
    rig.venue.lifecycle(OTHER, 'close_date_updated', { close_ts: Math.ceil(rig.timers.now() / 1_000) });
    await rig.timers.settle(2_000);
    expect(rig.outdated).toEqual([OTHER]);
  });
});
