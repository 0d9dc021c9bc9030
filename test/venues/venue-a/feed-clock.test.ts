// Feeds of both venues: clocks, ended markets, and trades and times in other forms.

import { describe, expect, it } from 'vitest';
import { ASK, BID, PRIMARY } from '../../../src/core/domain/market.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { closeBook } from '../../../src/venues/feed.ts';
import { fillRecordOf } from '../../../src/venues/venue-b/trading/reported-rows.ts';
import { RigClient, startRig, TICKER } from '../../support/stream-rig.ts';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from '../venue-b/feed-rig.ts';
import { FILL } from '../venue-b/trading/scripted-rest.ts';
import { FeedRig as VenueARig, liveRig as venueARig } from './feed-rig.ts';
import { SHARE, TwinMarket } from './twin-market.ts';

// The machine's clock was an hour ahead for a moment. Markets of venue B that would close within the hour were closed, and nothing opened
// them again. Timers of one second that were set in that moment waited for an hour.
describe('0072: books after the clock was set', () => {
  const HOUR_MS = 3_600_000;

  /** Sends an impossible delta, so that a snapshot has to recover the book. */
  const damage = (rig: FeedRig): void => rig.venue.delta(MARKET, 'yes', '0.4700', '-99.00');

  async function closingWithinTheHour(): Promise<FeedRig> {
    const rig = new FeedRig();
    const close_time = new Date(rig.timers.now() + HOUR_MS / 2).toISOString();
    for (const ticker of [MARKET, OTHER]) rig.venue.addMarket(ticker, BOOK, { close_time });
    rig.connect();
    await rig.want(MARKET, OTHER);
    return rig;
  }

  describe('venue B', () => {
    it('a market that the clock alone has closed is open again when the clock is right', async () => {
      const rig = await closingWithinTheHour();
      rig.timers.setClock(HOUR_MS);
      await rig.timers.settle(limits.venueBSweepMs);
      expect(stateOf(rig)).toBe('CLOSED MARKET_CLOSED');
      rig.timers.setClock(-HOUR_MS);
      await rig.timers.settle(limits.venueBSweepMs);
      expect([stateOf(rig, 0), stateOf(rig, 1), rig.levels()]).toEqual(['LIVE SNAPSHOT', 'LIVE SNAPSHOT', LIVE]);
    });

    it('a market that the venue says is over stays closed', async () => {
      const rig = await closingWithinTheHour();
      rig.timers.setClock(HOUR_MS);
      await rig.timers.settle(limits.venueBSweepMs);
      rig.venue.lifecycle(MARKET, 'determined');
      rig.timers.setClock(-HOUR_MS);
      await rig.timers.settle(2 * limits.venueBSweepMs);
      expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['CLOSED MARKET_RESOLVED', 'LIVE SNAPSHOT']);
    });

    it('a book is recovered as soon as ever', async () => {
      const rig = await liveRig();
      rig.timers.setClock(HOUR_MS);
      damage(rig);
      await rig.timers.settle();
      expect(stateOf(rig)).toBe('LIVE SNAPSHOT');
      rig.timers.setClock(-HOUR_MS);
      damage(rig);
      await rig.timers.settle(limits.venueBRecoveryPauseMs + limits.venueBSweepMs);
      expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
    });

    it('a missing snapshot is requested again', async () => {
      const rig = await liveRig();
      rig.timers.setClock(HOUR_MS);
      rig.venue.withoutSnapshot.add('get_snapshot');
      damage(rig);
      rig.timers.setClock(-HOUR_MS);
      await rig.timers.settle(limits.upstreamSnapshotMs + 2 * limits.venueBSweepMs);
      expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
    });

    it('a refused command is sent again', async () => {
      const rig = await liveRig();
      rig.timers.setClock(HOUR_MS);
      rig.venue.isAnswering = false;
      rig.venue.addMarket('KXNEW', BOOK);
      await rig.want('KXNEW');
      for (const { id } of [...rig.venue.commandsOf('add_markets')]) rig.venue.error(8, { id });
      rig.venue.isAnswering = true;
      rig.timers.setClock(-HOUR_MS);
      await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
      expect(stateOf(rig, 2)).toBe('LIVE SNAPSHOT');
    });
  });

  describe('venue A', () => {
    it('a market is subscribed anew as soon as ever', async () => {
      const { rig } = await venueARig();
      const subscriptions = () => rig.socket.subscriptions.filter(({ operation }) => operation === 'subscribe').length;
      rig.timers.setClock(HOUR_MS);
      rig.socket.sendText('{"event_type":');
      await rig.timers.settle();
      const before = subscriptions();
      expect(before).toBeGreaterThan(0);
      rig.timers.setClock(-HOUR_MS);
      await rig.timers.settle(limits.upstreamSnapshotMs);
      expect(subscriptions()).toBe(before + 1);
    });

    it('a frozen stream is found out', async () => {
      const { twin, rig } = await venueARig();
      rig.timers.setClock(HOUR_MS);
      rig.socket.send(twin.change(BID, 5_200, 7 * SHARE));
      rig.timers.setClock(-HOUR_MS);
      twin.change(ASK, 5_400, 7 * SHARE);
      for (let passed = 0; passed < 2 * limits.venueAQuietMs; passed += limits.upstreamPingMs) {
        if (rig.socket.isOpen) rig.socket.sendText('PONG');
        await rig.timers.settle(limits.upstreamPingMs);
      }
      const books = rig.requests.filter(url => url.startsWith('rest/book?') && url.endsWith(twin.tokens[PRIMARY]));
      expect(books).not.toEqual([]);
      expect(rig.counters.read('freezes')).toBe(1);
    });
  });
});

// A market closed while its book was being recovered, or before the market was subscribed. Its subscribers got no snapshot, or a snapshot
// with seq 0 and a time in 1970. A market of venue A stayed LIVE if the stream did not report its resolution.
describe('0073: books of markets that are over', () => {
  /** The state of an empty, closed book. Its snapshot has the time at which the book was closed. */
  const EMPTY_EPOCH = { state: 'CLOSED', epoch: 1, seq: 1 };

  describe('venue B', () => {
    it.each([
      ['closed', 'MARKET_CLOSED'],
      ['finalized', 'MARKET_RESOLVED'],
    ])('a market that is %s when it is subscribed has an empty epoch', async (status, reason) => {
      const rig = new FeedRig();
      rig.venue.addMarket(MARKET, BOOK, { status });
      rig.connect();
      await rig.want(MARKET);
      expect(rig.book()).toMatchObject({ ...EMPTY_EPOCH, reason });
      expect(rig.sink.receivedAt).toBe(rig.timers.now());
    });

    it('a market that closes while it is RESYNCING has an empty epoch, too', async () => {
      const rig = await liveRig();
      rig.venue.addMarket(MARKET, BOOK, { status: 'determined' });
      rig.venue.withoutSnapshot.add('subscribe');
      rig.venue.drop('reset');
      rig.reconnect();
      await rig.timers.settle();
      expect(rig.book()).toMatchObject({ state: 'CLOSED', reason: 'MARKET_RESOLVED', epoch: 2, seq: 1 });
      expect(rig.levels()).toEqual({ bids: [], asks: [] });
    });

    it('a market that closes while it is LIVE keeps its levels, also once it is resolved', async () => {
      const rig = await liveRig();
      rig.venue.lifecycle(MARKET, 'determined');
      rig.venue.lifecycle(MARKET, 'settled');
      expect([stateOf(rig), rig.book().epoch, rig.levels()]).toEqual(['CLOSED MARKET_RESOLVED', 1, LIVE]);
    });
  });

  describe('venue A', () => {
    const closed = { status: 200, body: JSON.stringify({ closed: true }) };

    it('a market that is resolved before its first book has an empty epoch', async () => {
      const twin = new TwinMarket(0);
      const rig = await VenueARig.opened(twin);
      rig.socket.send({ event_type: 'market_resolved', market: twin.conditionId, assets_ids: twin.tokens });
      expect(rig.book()).toMatchObject({ ...EMPTY_EPOCH, reason: 'MARKET_RESOLVED' });
    });

    it('a market that sends no book is looked up, and closed if it is over', async () => {
      const twin = new TwinMarket(0);
      const rig = await VenueARig.opened(twin);
      rig.answers.set(`rest/markets/${twin.conditionId}`, closed);
      await rig.timers.settle(limits.upstreamSnapshotMs);
      expect(rig.book()).toMatchObject({ ...EMPTY_EPOCH, reason: 'MARKET_RESOLVED' });
      const subscriptions = rig.socket.subscriptions.length;
      await rig.timers.settle(limits.upstreamSnapshotMs);
      expect(rig.socket.subscriptions).toHaveLength(subscriptions);
    });

    it.each([
      ['that is not over', { status: 200, body: '{"closed":false}' }, 'LIVE'],
      ['that cannot be looked up', { status: 503, body: '' }, 'LIVE'],
      ['that is over', closed, 'CLOSED'],
    ])('a quiet market %s, and that REST has no book of, is looked up', async (_which, answer, state) => {
      const { twin, rig, restUrl } = await venueARig();
      rig.answers.set(restUrl, { status: 404, body: '{"error":"No orderbook exists for the requested token id"}' });
      rig.answers.set(`rest/markets/${twin.conditionId}`, answer);
      for (let passed = 0; passed <= limits.venueAQuietMs; passed += limits.upstreamPingMs) {
        rig.socket.sendText('PONG');
        await rig.timers.settle(limits.upstreamPingMs);
      }
      expect(rig.book()).toMatchObject({ state, epoch: 1 });
      rig.socket.send(twin.change(BID, 5_200, 7 * SHARE));
      expect(rig.book().state).toBe(state);
    });
  });

  it('subscribers of a book that closes before it has levels have its snapshot, late ones too', async () => {
    const rig = await startRig();
    const client = await RigClient.connect(rig);
    client.subscribe('s', 'book', TICKER);
    await client.hear('subscribed');
    const now = 1_790_000_000_005 as UnixMillis;
    closeBook(rig.writer, rig.bookOf(TICKER), 'MARKET_CLOSED', now);
    await client.hear('snapshotsDone');
    const late = await RigClient.connect(rig);
    late.subscribe('late', 'book', TICKER);
    await late.hear('snapshotsDone');
    for (const one of [client, late]) {
      const closed = { seq: 1, state: 'CLOSED', bids: [], asks: [], checksum: 0, receivedAt: now };
      expect(await one.hear('snapshot')).toMatchObject(closed);
      one.close();
    }
    rig.close();
  });
});

// Found on recorded sessions. `venueTime` was null if the venue stated only `ts`, as ISO text or in seconds, and not `ts_ms`. Trades of
// venue A had no time if their timestamp was a number, or was in seconds.
describe('3009: times that are stated otherwise', () => {
  const AT = 1_781_159_489_000;
  const SECONDS = AT / 1_000;

  type Stamp = Readonly<Record<string, unknown>>;

  const STAMPS: readonly (readonly [what: string, stamp: Stamp, at: number])[] = [
    ['milliseconds', { ts_ms: AT + 957 }, AT + 957],
    ['both', { ts: '2026-06-11T06:31:29.957081Z', ts_ms: AT + 957 }, AT + 957],
    ['ISO text', { ts: '2026-06-11T06:31:29.957081Z' }, AT + 957],
    ['ISO text without a zone', { ts: '2026-06-11T06:31:29' }, AT],
    ['seconds', { ts: SECONDS }, AT],
    ['seconds with a fraction', { ts: SECONDS + 0.5 }, AT + 500],
    ['ISO text beside milliseconds that are none', { ts: '2026-06-11T06:31:29Z', ts_ms: null }, AT],
    ['nothing', {}, 0],
    ['a text that is no time', { ts: 'soon' }, 0],
  ];

  describe('venue B states', () => {
    it.each(STAMPS)('%s of a change', async (_what, stamp, at) => {
      const rig = await liveRig();
      const msg = { market_ticker: MARKET, price_dollars: '0.4700', delta_fp: '1.00', side: 'yes', ...stamp };
      rig.venue.send({ type: 'orderbook_delta', ...rig.venue.take('orderbook_delta'), msg });
      expect(rig.book()).toMatchObject({ state: 'LIVE', seq: 2, venueTime: at });
    });

    it.each(STAMPS)('%s of a trade', async (_what, stamp, at) => {
      const rig = await liveRig();
      const trade = { trade_id: 't', market_ticker: MARKET, yes_price_dollars: '0.3600', count_fp: '1.00' };
      rig.venue.send({ type: 'trade', ...rig.venue.take('trade'), msg: { ...trade, taker_side: 'no', ...stamp } });
      expect(rig.sink.events.at(-1)).toMatchObject({ kind: 'trade', venueTime: at });
    });

    it.each(STAMPS)('%s of a fill, which is nothing without', (_what, stamp, at) => {
      expect(fillRecordOf({ ...FILL, ts_ms: undefined, ...stamp })?.executedAt ?? 0).toBe(at);
    });
  });

  describe('venue A states', () => {
    it.each([
      ['milliseconds as text', String(AT), AT],
      ['milliseconds as a number', AT, AT],
      ['seconds', String(SECONDS), AT],
      ['ISO text', '2026-06-11T06:31:29Z', AT],
      ['nothing', undefined, 0],
    ])('%s of a trade', async (_what, timestamp, at) => {
      const { twin, rig } = await venueARig();
      rig.socket.send({ ...twin.tradeEvent(0, '0.52', '17', 'SELL'), timestamp });
      expect(rig.sink.events.at(-1)).toMatchObject({ kind: 'trade', venueTime: at });
    });
  });
});
