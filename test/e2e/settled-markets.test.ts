// Orders and books of markets that have settled, through the whole gateway.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASK, BID, type MarketKey, marketKey } from '../../src/core/domain/market.ts';
import { limits } from '../../src/limits.ts';
import { eventually } from '../support/eventually.ts';
import { ask, someTicker, someToken } from '../support/paper-traders.ts';
import { FeedRig, liveRig, liveRig as venueARig } from '../venues/venue-a/feed-rig.ts';
import { submitted } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST } from '../venues/venue-a/trading/trading-rig.ts';
import { TwinMarket } from '../venues/venue-a/twin-market.ts';
import { MARKET, OTHER, liveRig as venueBRig } from '../venues/venue-b/feed-rig.ts';
import { errorOf, OrdersRig } from './orders-rig.ts';
import { Subscriber } from './subscriber.ts';

// Found on the running product: a market's rules for orders are kept for up to ten minutes. The stream's report that the market is over did
// not reach them. The first order after a settlement at venue A was answered 400 "not yet ready" and left a REJECTED order; contract §3
// says 404. A closing at venue B and a new tick are alike.
describe('3006: an order after the settlement', () => {
  /** The number of orders that are sent at a time. */
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
      rig = await OrdersRig.shared(name);
    });
    afterAll(() => rig.close());

    it('every order is answered 404, and none is left behind', async () => {
      const address = await some(rig);
      const market = marketKey(venue, address);
      const subscriber = await Subscriber.connect(rig.gateway);
      await subscriber.subscribe('book', [market]);
      // Every thread that trades keeps the market's rules for orders from now on.
      const early = await Promise.all(Array.from({ length: AT_ONCE }, () => rig.submit(order(address))));
      expect(early.map(({ status }) => status)).toEqual(early.map(() => 201));
      await rig.control('POST', `/venues/${venue}/markets/${address}/settle`, { value: '1' });
      await subscriber.until(() => subscriber.book(market).state === 'CLOSED');
      // The feed tells the engine and the stream in two messages. The engine may take the first order before it hears of the close.
      const first = await rig.submit(order(address));
      const last = await rig.newest();
      const late = [first, ...(await Promise.all(Array.from({ length: AT_ONCE }, () => rig.submit(order(address)))))];
      expect(late.map(answer => [answer.status, errorOf(answer).code])).toEqual(late.map(() => [404, 'NOT_FOUND']));
      await eventually(async () => expect(await rig.newest()).toMatchObject({ orderId: last!.orderId }));
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
});

// Found on the running product. A market of venue A had resolved before it was subscribed, or its `market_resolved` was lost. It stayed
// LIVE and empty. Now an empty book, by the stream, its changes or REST, is checked against the market's state. The paper exchange and the
// replay went on showing a book, where the venue answers 404.
describe('3007: a resolution that nobody reported', () => {
  const OVER = { status: 200, body: '{"closed":true}' };
  const GOES_ON = { status: 200, body: '{"closed":false}' };
  const CLOSED = { state: 'CLOSED', reason: 'MARKET_RESOLVED' };

  describe('on the paper exchange', () => {
    let rig: OrdersRig;
    let market: MarketKey;
    let tokenId: string;

    beforeAll(async () => {
      rig = await OrdersRig.shared('venue-a');
      tokenId = await someToken(rig.gateway.paper!.urls.venueA.gamma);
      market = marketKey('venue_a', tokenId);
    });
    afterAll(() => rig.close());

    const closedFor = async (): Promise<Subscriber> => {
      const subscriber = await Subscriber.connect(rig.gateway);
      await subscriber.subscribe('book', [market]);
      return subscriber;
    };

    it('a market whose resolution is lost is CLOSED to its subscribers, and to later ones', async () => {
      const early = await closedFor();
      await early.until(() => early.book(market).state === 'LIVE');
      await rig.fault({ venue: 'venue_a', operation: 'market_resolved', fault: { kind: 'drop' }, countMax: 10 });
      await rig.control('POST', `/venues/venue_a/markets/${tokenId}/settle`, { value: '1' });
      await early.until(() => early.book(market).state === 'CLOSED');
      early.close();
      const late = await closedFor();
      await late.until(() => late.book(market).state === 'CLOSED');
      expect(late.book(market).bids).toEqual([]);
      late.close();
    });

    it('a resolved market has no book and no price, as at the venue', async () => {
      const { rest } = rig.gateway.paper!.urls.venueA;
      for (const path of ['/book', '/midpoint', '/spread', '/last-trade-price']) {
        const answer = await ask(`${rest}${path}?token_id=${tokenId}`);
        expect(answer).toEqual({ status: 404, body: { error: 'No orderbook exists for the requested token id' } });
      }
      expect(await ask(`${rest}/books`, 'POST', [{ token_id: tokenId }])).toEqual({ status: 200, body: [] });
    });
  });

  describe('a market that takes no orders when it is subscribed', () => {
    it.each([
      ['is over', OVER, CLOSED],
      ['pauses', GOES_ON, { state: 'LIVE' }],
      ['cannot be looked up', { status: 503, body: '' }, { state: 'LIVE' }],
    ])('is CLOSED only if it is over: it %s', async (_what, answer, book) => {
      const twin = new TwinMarket(0);
      const rig = new FeedRig(twin);
      const [first, second] = twin.tokens;
      const short = { c: twin.conditionId, t: [{ t: first }, { t: second }], mts: 0.01, mos: 5 };
      rig.answers.set(`rest/clob-markets/${twin.conditionId}`, { status: 200, body: JSON.stringify(short) });
      rig.answers.set(`rest/markets/${twin.conditionId}`, answer);
      await rig.feed.subscribe(first);
      await rig.timers.settle();
      if (book.state === 'LIVE') {
        rig.socket.open();
        rig.socket.send(twin.bookEvent(0), twin.bookEvent(1));
      } else expect(rig.sockets).toEqual([]);
      expect(rig.book()).toMatchObject(book);
    });
  });

  describe('an empty book', () => {
    it.each([
      ['is over', OVER, CLOSED],
      ['goes on', GOES_ON, { state: 'LIVE' }],
    ])('of the stream, of a market that %s', async (_what, answer, book) => {
      const twin = new TwinMarket(0);
      const rig = new FeedRig(twin);
      rig.answers.set(`rest/markets/${twin.conditionId}`, answer);
      await rig.live(twin);
      await rig.timers.settle();
      expect(rig.book()).toMatchObject({ ...book, epoch: 1 });
    });

    it('that changes have left', async () => {
      const { twin, rig } = await liveRig();
      rig.answers.set(`rest/markets/${twin.conditionId}`, OVER);
      for (const price of [5_200, 5_100]) rig.socket.send(twin.change(BID, price, 0));
      rig.socket.send(twin.change(ASK, 5_400, 0));
      await rig.timers.settle();
      expect(rig.book().state).toBe('LIVE');
      rig.socket.send(twin.change(ASK, 5_500, 0));
      await rig.timers.settle();
      expect(rig.book()).toMatchObject(CLOSED);
    });

    it('that REST shows of a quiet market', async () => {
      const twin = new TwinMarket(0);
      const rig = new FeedRig(twin);
      rig.answers.set(`rest/markets/${twin.conditionId}`, GOES_ON);
      await rig.live(twin);
      await rig.timers.settle();
      // The market resolves after its book was emptied, and the stream does not report the resolution.
      rig.answers.set(`rest/markets/${twin.conditionId}`, OVER);
      for (let passed = 0; passed <= limits.venueAQuietMs; passed += limits.upstreamPingMs) {
        rig.socket.sendText('PONG');
        await rig.timers.settle(limits.upstreamPingMs);
      }
      expect(rig.book()).toMatchObject(CLOSED);
    });
  });
});
