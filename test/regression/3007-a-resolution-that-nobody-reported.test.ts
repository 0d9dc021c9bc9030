// Found on the running product. A market of venue A had resolved before it was subscribed, or its `market_resolved` was lost. It stayed
// LIVE and empty. Now an empty book, by the stream, its changes or REST, is checked against the market's state. The paper exchange and the
// replay went on showing a book, where the venue answers 404.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASK, BID, type MarketKey, marketKey } from '../../src/domain/market.ts';
import { limits } from '../../src/limits.ts';
import { OrdersRig } from '../e2e/orders-rig.ts';
import { Subscriber } from '../e2e/subscriber.ts';
import { ask, someToken } from '../support/paper-traders.ts';
import { FeedRig, liveRig } from '../venues/venue-a/feed-rig.ts';
import { TwinMarket } from '../venues/venue-a/twin-market.ts';

const OVER = { status: 200, body: '{"closed":true}' };
const GOES_ON = { status: 200, body: '{"closed":false}' };
const CLOSED = { state: 'CLOSED', reason: 'MARKET_RESOLVED' };

describe('on the paper exchange', () => {
  let rig: OrdersRig;
  let market: MarketKey;
  let tokenId: string;

  beforeAll(async () => {
    rig = await OrdersRig.start('venue-a');
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
    // It resolves later than its book was emptied, and the stream does not tell.
    rig.answers.set(`rest/markets/${twin.conditionId}`, OVER);
    for (let passed = 0; passed <= limits.venueAQuietMs; passed += limits.upstreamPingMs) {
      rig.socket.sendText('PONG');
      await rig.timers.settle(limits.upstreamPingMs);
    }
    expect(rig.book()).toMatchObject(CLOSED);
  });
});
