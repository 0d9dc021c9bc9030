// The events other than changes: whole books, ticks, trades, resolutions, and refused events.

import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY, TAKER_SELL, TAKER_UNKNOWN } from '../../../src/core/domain/market.ts';
import { unknownWords } from '../../../src/core/metrics/unknown-words.ts';
import { limits } from '../../../src/limits.ts';
import { FeedRig, liveRig } from './feed-rig.ts';
import { SHARE, TwinMarket } from './twin-market.ts';

const finer = (twin: TwinMarket) => Object.assign(twin, { tickSize: '0.001' });

describe('a book event', () => {
  it('that shows what is known changes nothing', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.bookEvent(COMPLEMENT, false));
    expect(rig.book()).toMatchObject({ epoch: 1, seq: 1 });
  });

  it('that shows something else and is proven is a new epoch', async () => {
    const { twin, rig } = await liveRig();
    twin.change(ASK, 5_300, SHARE);
    rig.socket.send(twin.bookEvent(COMPLEMENT, false));
    rig.expectLive(twin, { epoch: 2, seq: 1 });
  });

  it.each<[string, (twin: TwinMarket) => unknown, string]>([
    ['crosses itself', twin => twin.change(BID, 5_600, SHARE), 'CROSSED'],
    ['has a level that the ladder has no place for', twin => twin.change(BID, 5_230, SHARE), 'OFF_GRID'],
    ['has ticks that the ladder has no place for', twin => finer(twin).change(BID, 5_300, SHARE), 'TICK_SIZE_CHANGED'],
    ['has such ticks, and levels that are known', finer, 'TICK_SIZE_CHANGED'],
  ])(
    'that is proven and %s is not shown, nor what was before; another book is asked for',
    async (_, happen, reason) => {
      const { twin, rig } = await liveRig();
      Object.assign(rig.sink, { regrid: () => false });
      happen(twin);
      rig.socket.send(twin.bookEvent(PRIMARY));
      expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason });
      expect(rig.picture()).toBe(' | ');
      await rig.timers.settle();
      expect(rig.socket.subscriptions.at(-1)).toMatchObject({ operation: 'subscribe', assets_ids: twin.tokens });
    },
  );

  it('that is not proven is not shown before REST has explained it', async () => {
    const twin = new TwinMarket(0).seed([[BID, 5_100, SHARE]]);
    const rig = new FeedRig(twin);
    await rig.feed.subscribe(twin.tokens[PRIMARY]);
    // The venue's hashes cover another minimum order size than the venue has stated.
    twin.minOrderSize = 15;
    await rig.timers.settle();
    rig.socket.open();
    rig.socket.send(twin.bookEvent(PRIMARY));
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', epoch: 0 });
    await rig.timers.settle();
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1 });
    rig.socket.send(twin.change(BID, 5_200, SHARE));
    expect(rig.picture()).toBe(twin.picture());
    expect(rig.counters.read('hashMismatches')).toBe(1);
  });
});

describe('ticks', () => {
  it('that change move the book to another grid, levels kept', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.tickSizeEvent('0.001', PRIMARY));
    rig.socket.send(twin.tickSizeEvent('0.001', COMPLEMENT));
    twin.tickSize = '0.001';
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 1, step: 10 });
    rig.socket.send(twin.change(BID, 5_230, SHARE));
    expect(rig.picture()).toBe(twin.picture());
    expect(rig.counters.read('hashMismatches')).toBe(0);
  });

  it('that changed unannounced are learned from REST', async () => {
    const { twin, rig } = await liveRig();
    twin.tickSize = '0.001';
    rig.socket.send(twin.change(BID, 5_230, SHARE));
    expect(rig.book().state).toBe('STALE');
    await rig.timers.settle();
    rig.expectLive(twin, { step: 10 });
  });

  it('that changed unannounced to what the ladder has no room for make the book resynchronise', async () => {
    const { twin, rig } = await liveRig();
    Object.assign(rig.sink, { regrid: () => false });
    twin.tickSize = '0.001';
    rig.socket.send(twin.change(BID, 5_300, SHARE));
    expect(rig.book().state).toBe('STALE');
    await rig.timers.settle();
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'TICK_SIZE_CHANGED' });
    expect(rig.picture()).toBe(' | ');
  });

  it.each([{ new_tick_size: 0.001 }, { new_tick_size: undefined }])(
    'that cannot be read make the book resynchronise: %j',
    async change => {
      const { twin, rig } = await liveRig();
      rig.socket.send({ ...twin.tickSizeEvent('0.001'), ...change });
      expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'UNREADABLE' });
    },
  );

  it('do not stop a level that a hash proves', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.change(BID, 5_230, SHARE));
    rig.expectLive(twin, { step: 10, seq: 2 });
  });

  it('that the sink has no room for make the book resynchronise', async () => {
    const { twin, rig } = await liveRig();
    Object.assign(rig.sink, { regrid: () => false });
    rig.socket.send(twin.tickSizeEvent('0.001'));
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'TICK_SIZE_CHANGED' });
    twin.tickSize = '0.01';
    rig.socket.send(twin.bookEvent(PRIMARY));
    rig.socket.send(twin.change(BID, 5_230, SHARE));
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'OFF_GRID' });
  });
});

describe('trades', () => {
  it('are reported in the frame of the taker’s token', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.tradeEvent(COMPLEMENT, '0.46', '21.42857', 'SELL', `0x${'ab'.repeat(32)}`));
    const terms = { price: 4_600, size: 21_428_570, takerSide: TAKER_SELL };
    const names = { venueTime: twin.time, tradeId: 'ab'.repeat(32) };
    expect(rig.sink.events.at(-1)).toEqual({ kind: 'trade', book: 0, view: COMPLEMENT, ...terms, ...names });
  });

  it('without a transaction are named by time, price and size', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send({ ...twin.tradeEvent(PRIMARY, '0.46', '3', 'BUY'), transaction_hash: undefined });
    expect(rig.sink.events.at(-1)).toMatchObject({ tradeId: `${twin.time}-0.46-3` });
  });

  it('are reported also without taker and time', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send({ ...twin.tradeEvent(PRIMARY, '0.46', '3', 'BUY'), side: 'NONE', timestamp: 'soon' });
    const trade = { kind: 'trade', price: 4_600, takerSide: TAKER_UNKNOWN, venueTime: 0 };
    expect(rig.sink.events.at(-1)).toMatchObject(trade);
  });

  it('are reported in the book of their token, also if other tokens are named with it', async () => {
    const twins = [0, 1].map(number => new TwinMarket(number).seed([[BID, 5_100, SHARE]]));
    const rig = await FeedRig.live(...twins);
    const [twin, other] = twins as [TwinMarket, TwinMarket];
    rig.socket.send({ ...other.tradeEvent(COMPLEMENT, '0.46', '3', 'BUY'), assets_ids: twin.tokens });
    const reported = rig.sink.events.filter(event => event.kind === 'trade');
    expect(reported).toMatchObject([{ book: 1, view: COMPLEMENT, price: 4_600 }]);
  });

  it('that only look like JSON make the books of their connection resynchronise', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.sendText(JSON.stringify(twin.tradeEvent(PRIMARY, '0.46', '3', 'BUY')).replace('"BUY"', '"\\q"'));
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'UNREADABLE' });
    expect(rig.counters.read('unreadable')).toBe(1);
  });

  it('that cannot be read are counted, and reported as missing', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.tradeEvent(PRIMARY, '1.46', '3', 'BUY'));
    expect(rig.sink.events.at(-1)!.kind).toBe('tradesMissed');
    expect(rig.counters.read('unreadable')).toBe(1);
    expect(rig.book().state).toBe('LIVE');
  });
});

describe('other events', () => {
  it('a resolution closes the book for good', async () => {
    const { twin, rig } = await liveRig();
    const ended = { event_type: 'market_resolved', market: twin.conditionId, assets_ids: twin.tokens };
    rig.socket.send({ ...ended, winning_outcome: 'Yes' });
    expect(rig.book()).toMatchObject({ state: 'CLOSED', reason: 'MARKET_RESOLVED' });
    const picture = rig.picture();
    rig.socket.send(twin.change(BID, 5_200, SHARE));
    rig.socket.send(twin.bookEvent(PRIMARY));
    rig.socket.send(twin.tickSizeEvent('0.001'));
    rig.socket.close();
    expect(rig.book().state).toBe('CLOSED');
    expect(rig.picture()).toBe(picture);
    // No market is left to subscribe to. A connection that stays open would send a ping within this time.
    await rig.timers.settle(limits.upstreamPingMs);
    rig.socket.open();
    await rig.timers.settle(limits.upstreamPingMs);
    expect(rig.socket.sent).toEqual([]);
    expect(rig.socket.isOpen).toBe(false);
  });

  it('that are known and of no use are passed over, unknown ones counted', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send({ event_type: 'best_bid_ask', asset_id: twin.tokens[PRIMARY], best_bid: '0.5' });
    rig.socket.send({ event_type: 'new_market', assets_ids: twin.tokens });
    rig.socket.send({ event_type: 'something_new', asset_id: twin.tokens[PRIMARY] });
    expect(rig.counters.read('unknownTypes')).toBe(1);
    expect(unknownWords.rows()).toContainEqual({ values: ['venue_a', 'message_type', 'something_new'], value: 1 });
    expect(rig.book()).toMatchObject({ state: 'LIVE', seq: 1 });
  });

  const level = { price: '0.52', size: '1', side: 'BUY' };
  it.each([
    ['a flat price_change', { event_type: 'price_change', ...level }],
    ['a price_change with `changes`', { event_type: 'price_change', changes: [level] }],
    ['a book with `buys` and `sells`', { event_type: 'book', buys: [], sells: [] }],
  ])('%s is refused, and its book is not left as if nothing had been', async (_what, event) => {
    const { twin, rig } = await liveRig();
    rig.socket.send({ ...event, asset_id: twin.tokens[PRIMARY], hash: '0'.repeat(40), timestamp: '1' });
    expect(rig.counters.read('legacyRefused')).toBe(1);
    expect(rig.counters.read('unreadable')).toBe(0);
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'UNREADABLE' });
  });
});
