// How the feed recovers from each fault of a stream. Virtual time, a scripted venue, a recording sink.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { BOOK, EMPTY, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from './feed-rig.ts';
import { DECI_CENT } from './scripted-venue.ts';

describe('a stream that can no longer be trusted', () => {
  const faults: Record<string, (rig: FeedRig) => void> = {
    'a dropped frame': rig => {
      rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
      rig.venue.delta(OTHER, 'yes', '0.4700', '1.00');
    },
    'a repeated frame': rig => {
      const frame = rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
      rig.venue.send(frame);
      rig.venue.send(frame);
    },
    'two frames in the wrong order': rig => {
      const first = rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
      rig.venue.send(rig.venue.deltaFrame(OTHER, 'yes', '0.4700', '1.00'));
      rig.venue.send(first);
    },
    'a dropped acknowledgement': rig => {
      rig.venue.take('orderbook_delta');
      rig.venue.delta(MARKET, 'yes', '0.4700', '1.00');
    },
  };
  it.each(Object.keys(faults))('resynchronises every book after %s', async name => {
    const rig = await liveRig();
    faults[name]?.(rig);
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['RESYNCING SEQUENCE_GAP', 'RESYNCING SEQUENCE_GAP']);
    expect([rig.levels(0), rig.levels(1)]).toEqual([EMPTY, EMPTY]);
    expect(rig.counters.read('sequenceGaps')).toBe(1);
    expect(rig.venue.isOpen).toBe(false);
    rig.reconnect();
    expect([rig.levels(0), rig.levels(1), rig.book(0).epoch]).toEqual([LIVE, LIVE, 2]);
  });

  it.each([
    '{"type":"orderbook_delta","sid":2,"seq":3,"msg":{"market_ti',
    'not JSON',
    '',
    '[]',
    '{"sid":2,"seq":4}',
    '{"type":"orderbook_delta","msg":{}}',
  ])('resynchronises every book after the unreadable frame %j', async frame => {
    const rig = await liveRig();
    rig.venue.send(frame);
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['RESYNCING UNREADABLE', 'RESYNCING UNREADABLE']);
    expect(rig.counters.read('unreadable')).toBe(1);
    rig.reconnect();
    expect([rig.levels(0), rig.levels(1)]).toEqual([LIVE, LIVE]);
  });

  it('hears nothing more of the old connection', async () => {
    const rig = await liveRig();
    const late = rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
    rig.venue.send('cut');
    rig.venue.send(late);
    expect([rig.levels(), rig.counters.read('deltas')]).toEqual([EMPTY, 0]);
  });
});

describe('one book that cannot be right', () => {
  const before2026 = { price: 47, delta: -5, side: 'yes', market_ticker: MARKET };
  const faults: Record<string, [reason: string, (rig: FeedRig) => void]> = {
    'a size below zero': ['NEGATIVE_SIZE', rig => rig.venue.delta(MARKET, 'yes', '0.4700', '-3.01')],
    'a crossed book': ['CROSSED', rig => rig.venue.delta(MARKET, 'no', '0.5300', '1.00')],
    'a delta whose size is no number': ['UNREADABLE', rig => rig.venue.delta(MARKET, 'yes', '0.4700', 'many')],
    'a delta of before 2026': ['UNREADABLE', rig => rig.venue.say('orderbook_delta', before2026)],
    'a snapshot of before 2026': [
      'UNREADABLE',
      rig => rig.venue.say('orderbook_snapshot', { market_ticker: MARKET, yes: [[47, 3]] }),
    ],
  };
  it.each(Object.keys(faults))('is read anew after %s, its neighbour untouched', async name => {
    const rig = await liveRig();
    const [reason, fault] = faults[name] ?? ['', () => {}];
    fault(rig);
    expect([stateOf(rig), rig.levels()]).toEqual([`RESYNCING ${reason}`, EMPTY]);
    rig.venue.delta(MARKET, 'yes', '0.4700', '1.00');
    expect(rig.levels()).toEqual(EMPTY);
    await rig.timers.settle();
    expect(rig.named('get_snapshot')).toEqual([[MARKET]]);
    expect([stateOf(rig), rig.levels(), rig.book().epoch]).toEqual(['LIVE SNAPSHOT', LIVE, 2]);
    expect([rig.levels(1), rig.book(1).epoch, rig.venue.handshakes.length]).toEqual([LIVE, 1, 1]);
  });

  it('asks no more often than allowed for a book that stays crossed', async () => {
    const rig = await liveRig();
    rig.venue.books.set(MARKET, { yes: [['0.5500', '1.00']], no: [['0.5000', '1.00']] });
    rig.venue.snapshot(MARKET);
    await rig.timers.settle();
    expect(rig.venue.commandsOf('get_snapshot')).toHaveLength(1);
    await rig.timers.settle(limits.venueBRecoveryPauseMs - 1);
    expect(rig.venue.commandsOf('get_snapshot').length + rig.venue.commandsOf('delete_markets').length).toBe(1);
    rig.venue.books.set(MARKET, BOOK);
    await rig.timers.settle(2 * limits.venueBSweepMs);
    expect(rig.levels()).toEqual(LIVE);
    expect(rig.counters.read('crossed')).toBe(2);
  });

  it('reads the grid again when a price is off it', async () => {
    const rig = await liveRig();
    rig.venue.addMarket(MARKET, { yes: [['0.4750', '3.00']] }, { price_ranges: DECI_CENT });
    rig.venue.delta(MARKET, 'yes', '0.4750', '3.00');
    expect(stateOf(rig)).toBe('RESYNCING OFF_GRID');
    await rig.timers.settle();
    expect([rig.book().step, rig.levels()]).toEqual([10, { bids: ['3@0.475'], asks: [] }]);
  });

  it('does nothing with a grid that comes when nobody wants the market any more', async () => {
    const rig = await liveRig();
    rig.venue.addMarket(MARKET, BOOK, { price_ranges: DECI_CENT });
    const { promise, resolve: arrive } = Promise.withResolvers<void>();
    rig.venue.restDelay = promise;
    rig.venue.delta(MARKET, 'yes', '0.4750', '3.00');
    await rig.timers.settle();
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    const { length } = rig.sink.events;
    arrive();
    await rig.timers.settle();
    expect([rig.book().isReleased, rig.book().step, rig.sink.events.length]).toEqual([true, 100, length]);
    expect([stateOf(rig, 1), rig.levels(1)]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });

  it('subscribes a market anew whose snapshot stays away', async () => {
    const rig = await FeedRig.withMarkets({ [OTHER]: BOOK });
    rig.venue.addMarket(MARKET, BOOK);
    rig.venue.withoutSnapshot.add('add_markets');
    await rig.want(MARKET);
    expect([rig.book(0).state, rig.book(1).state]).toEqual(['LIVE', 'RESYNCING']);
    rig.venue.withoutSnapshot.clear();
    await rig.timers.settle(limits.upstreamSnapshotMs + limits.venueBSweepMs);
    expect(rig.named('delete_markets')).toEqual([[MARKET]]);
    expect([rig.levels(1), rig.book(0).epoch]).toEqual([LIVE, 1]);
  });
});

describe('the connection', () => {
  it('loses every book with it and subscribes all of them again', async () => {
    const rig = await liveRig();
    rig.venue.drop('code 1006');
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['RESYNCING DISCONNECTED', 'RESYNCING DISCONNECTED']);
    rig.reconnect();
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')[0]?.params.market_tickers).toEqual([MARKET, OTHER]);
    expect(rig.venue.commandsOf('subscribe')).toHaveLength(3);
    expect([rig.levels(0), rig.levels(1), rig.book(0).epoch]).toEqual([LIVE, LIVE, 2]);
    expect([rig.counters.read('connects'), rig.counters.read('disconnects')]).toEqual([2, 1]);
  });

  it('may die between the snapshots', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK);
    rig.venue.addMarket(OTHER, BOOK);
    rig.venue.withoutSnapshot.add('subscribe');
    rig.connect();
    await rig.want(MARKET, OTHER);
    rig.venue.snapshot(MARKET);
    rig.venue.send('{"type":"orderbook_snapshot","sid":2,"seq":2,"msg":{"market_ticker":"KXNBA');
    rig.venue.drop('reset');
    expect([rig.book(0).state, rig.book(1).state]).toEqual(['RESYNCING', 'RESYNCING']);
    rig.venue.withoutSnapshot.clear();
    rig.reconnect();
    expect([rig.levels(0), rig.levels(1)]).toEqual([LIVE, LIVE]);
  });

  it('that is silent makes books STALE before it is given up', async () => {
    const rig = await liveRig();
    rig.timers.advance(2 * limits.upstreamSilenceMs);
    const announced = rig.sink.events.filter(event => event.kind === 'state' && event.book === 0);
    expect(announced).toMatchObject([
      { state: 'STALE', reason: 'SILENCE' },
      { state: 'RESYNCING', reason: 'DISCONNECTED' },
    ]);
    expect([rig.counters.read('silences'), rig.venue.isOpen]).toEqual([1, false]);
  });

  it('stays closed once the feed is closed', async () => {
    const rig = await liveRig();
    rig.feed.close();
    rig.timers.advance(10 * limits.upstreamBackoffMaxMs);
    expect([rig.venue.isOpen, rig.venue.handshakes.length, rig.timers.pending]).toEqual([false, 1, 0]);
  });
});
