// Books of venue A if messages come late, come twice, or do not come.

import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { VenueABook } from '../../../src/paper/replay/venue-a-book.ts';
import { FeedRig, liveRig, twinOf } from './feed-rig.ts';
import { SHARE, TwinMarket } from './twin-market.ts';

// The gateway read the account's own trades at an average price, but refused a public trade at an average price as unreadable. So that
// trade was in no `trade` message, and in no mark.
describe('0252: a public trade at an average', () => {
  it.each([
    ['0.5233333333333333', 5_233],
    ['0.46666667', 4_667],
    // No trade has a price of nothing or of a dollar.
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
    rig.expectLive(twin);
  });
});

// Venue A sends a `book` after each trade, on another path than the changes. So a book may come after changes that it does not contain. Its
// hash proves only that the book was once correct. The feed showed such a book in place of the newer book, LIVE, until the next change.
// While the feed held changes back in doubt, such a book dropped them. Now the feed passes over a late book. If the book is one of the
// states between the held-back changes, the feed shows it together with the later changes.
describe('3271: a book that comes late', () => {
  /** Takes half of the best bid, and returns the messages of the stream: the change, and the book of the taker's token. */
  function traded(twin: TwinMarket, lastTradePrice = '0.520'): [change: object, book: object] {
    twin.lastTradePrice = lastTradePrice;
    return [twin.change(BID, 5_200, 10 * SHARE), twin.bookEvent(COMPLEMENT, false)];
  }
  describe('a book behind later changes', () => {
    it('is passed over', async () => {
      const { twin, rig } = await liveRig();
      const [change, late] = traded(twin);
      rig.socket.send(change);
      rig.socket.send(twin.change(ASK, 5_400, 7 * SHARE));
      rig.socket.send(late);
      rig.expectLive(twin);
      expect([rig.book().epoch, rig.book().seq, rig.counters.read('messagesInBook')]).toEqual([1, 3, 1]);
      rig.socket.send(twin.change(ASK, 5_400, 0));
      rig.expectLive(twin);
      expect(rig.counters.read('hashMismatches')).toBe(0);
    });

    it('is passed over also if its hash has another last trade', async () => {
      const { twin, rig } = await liveRig();
      const late = twin.bookEvent(PRIMARY, false);
      rig.socket.send(traded(twin)[0]);
      twin.lastTradePrice = '0.510';
      rig.socket.send(twin.change(BID, 5_100, 7 * SHARE));
      rig.socket.send(late);
      await rig.timers.settle();
      rig.expectLive(twin);
      expect([rig.book().epoch, rig.counters.read('hashMismatches')]).toEqual([1, 0]);
    });

    it('is compared with REST if a change has the same time', async () => {
      const { twin, rig } = await liveRig();
      const [change, late] = traded(twin);
      twin.time -= 1;
      rig.socket.send(change);
      rig.socket.send(twin.change(ASK, 5_400, 7 * SHARE));
      rig.socket.send(late);
      expect(rig.book()).toMatchObject({ state: 'STALE', reason: 'HASH_MISMATCH' });
      await rig.timers.settle();
      rig.expectLive(twin);
      // A further change with the same millisecond is new all the same.
      twin.time -= 1;
      rig.socket.send(twin.change(ASK, 5_400, 0));
      rig.expectLive(twin);
      expect([rig.book().epoch, rig.book().seq]).toEqual([1, 4]);
    });
  });

  describe('a book while changes are held back', () => {
    it('is shown with those behind it', async () => {
      const { twin, rig, restUrl } = await liveRig();
      rig.answers.set(restUrl, new Promise(() => {}));
      // The price of the last trade cannot be guessed, so only a book proves the change.
      const [change, book] = traded(twin, '0.370');
      rig.socket.send(change);
      rig.socket.send(twin.change(ASK, 5_400, 7 * SHARE));
      expect(rig.book().state).toBe('STALE');
      rig.socket.send(twin.tradeEvent(PRIMARY, '0.37', '10', 'SELL'));
      rig.socket.send(book);
      rig.expectLive(twin);
      rig.socket.send(twin.change(ASK, 5_400, 0));
      rig.expectLive(twin);
    });

    it('is passed over if it is older than they are, and REST decides', async () => {
      const { twin, rig } = await liveRig();
      const [change, late] = traded(twin);
      rig.socket.send(change);
      const missed = twin.change(ASK, 5_500, SHARE);
      rig.socket.send(twin.change(ASK, 5_400, 7 * SHARE));
      rig.socket.send(late);
      expect([rig.book().state, missed]).toMatchObject(['STALE', { event_type: 'price_change' }]);
      await rig.timers.settle();
      rig.expectLive(twin);
    });
  });
});

// In seeded runs venue A froze and lost messages, and books were never correct again. A stream that froze before its first books kept its
// markets RESYNCING as long as it answered PING. The feed compared only shown books with REST. A change that was lost after another change
// of the same millisecond was not noticed: REST showed nothing later than the last event.
describe('3273: a stream that is frozen from the start', () => {
  const { venueAQuietMs, venueAProbeMs, venueAFreezeGraceMs, upstreamSnapshotMs } = limits;
  const FOUND_OUT_MS = venueAQuietMs + 2 * venueAProbeMs + venueAFreezeGraceMs;

  /** Lets time pass on a connection that answers PING and sends nothing else. */
  async function pass(rig: FeedRig, forMs: number): Promise<void> {
    for (let leftMs = forMs; leftMs > 0; leftMs -= venueAProbeMs) {
      await rig.timers.settle(venueAProbeMs);
      if (rig.socket.isOpen) rig.socket.sendText('PONG');
    }
  }

  it('a connection on which no book comes is made anew if REST has one', async () => {
    const twin = twinOf();
    const rig = await FeedRig.opened(twin);
    await pass(rig, FOUND_OUT_MS);
    expect([rig.counters.read('freezes'), rig.book().state]).toEqual([1, 'RESYNCING']);
    await rig.timers.settle(limits.upstreamBackoffMaxMs);
    expect(rig.sockets).toHaveLength(2);
    rig.socket.open();
    rig.socket.send(twin.bookEvent(PRIMARY));
    rig.expectLive(twin);
  });

  it('it stays if the venue has no book of the market, or sends those of others', async () => {
    const [empty, active] = [new TwinMarket(0), twinOf(1)];
    const rig = await FeedRig.opened(empty, active);
    rig.socket.send(active.bookEvent(PRIMARY));
    for (let size = 1; size < 6; size += 1) {
      await pass(rig, venueAQuietMs / 2);
      rig.socket.send(active.change(BID, 5_200, size * SHARE));
    }
    expect([rig.sockets.length, rig.counters.read('freezes'), rig.counters.read('stalls')]).toEqual([1, 0, 0]);
    empty.seed([[BID, 5_200, SHARE]]);
    await pass(rig, FOUND_OUT_MS - venueAQuietMs / 2);
    rig.socket.send(active.change(BID, 5_200, 7 * SHARE));
    await pass(rig, venueAQuietMs / 2);
    expect([rig.sockets.length, rig.counters.read('freezes'), rig.counters.read('stalls')]).toEqual([1, 0, 1]);
    expect(rig.book(active)).toMatchObject({ state: 'LIVE', epoch: 1 });
  });

  it('a change that was lost behind one of the same millisecond is missed', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.change(BID, 5_200, 7 * SHARE));
    twin.time -= 1;
    twin.change(ASK, 5_400, 8 * SHARE);
    await pass(rig, FOUND_OUT_MS);
    expect(rig.counters.read('freezes')).toBe(1);
    await rig.timers.settle(limits.upstreamBackoffMaxMs + upstreamSnapshotMs);
    rig.socket.open();
    rig.socket.send(twin.bookEvent(PRIMARY));
    rig.expectLive(twin);
  });
});

// Found on recorded sessions. After a subscription the stream sends changes from before its books, which the books already include. Each
// such change raised HASH_MISMATCH and a read by REST. If the REST book was of another moment, the book was emptied. Timestamps alone do
// not decide, because they step back. Now the feed applies a change first. If the hash then fails, and the change is not later than the
// `book`, the book already included the change.
describe('3008: changes that are in the book already', () => {
  type Change = {
    readonly timestamp: string;
    readonly price_changes: readonly { readonly hash: string; readonly asset_id: string }[];
  };

  const START = 1_786_845_510_030;

  /** Opens a market with an acknowledged subscription and no book yet. REST does not answer. The requests show each question to it. */
  async function opened(): Promise<{ twin: TwinMarket; rig: FeedRig }> {
    const twin = Object.assign(twinOf(), { time: START });
    const rig = await FeedRig.opened(twin);
    rig.answers.set(`rest/book?token_id=${twin.tokens[PRIMARY]}`, new Promise(() => {}));
    return { twin, rig };
  }

  function expectUndoubted(rig: FeedRig, twin: TwinMarket, passedOver: number): void {
    rig.expectLive(twin, { epoch: 1 });
    const names = ['hashMismatches', 'bookRereads', 'resyncs', 'messagesInBook'] as const;
    expect(names.map(name => rig.counters.read(name))).toEqual([0, 0, 0, passedOver]);
  }

  /** Makes three changes at the milliseconds 31, 32 and 33. The last two changes concern the same level. */
  function threeChanges(twin: TwinMarket): Change[] {
    const old = twin.change(ASK, 5_500, 7 * SHARE);
    return [old, twin.change(BID, 5_300, 2 * SHARE), twin.change(BID, 5_300, 3 * SHARE)] as Change[];
  }

  describe('changes that follow a book which has them', () => {
    it('are passed over, and the next new one is a delta', async () => {
      const { twin, rig } = await opened();
      const old = threeChanges(twin).slice(0, 2);
      twin.change(BID, 5_100, SHARE);
      twin.change(ASK, 5_400, 29 * SHARE);
      rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
      for (const change of old) rig.socket.send(change);
      expectUndoubted(rig, twin, 2);
      rig.socket.send(twin.change(BID, 5_300, 9 * SHARE));
      rig.expectLive(twin, { epoch: 1, seq: 2 });
    });

    it('are passed over up to the one that has led to it, whose hash it is', async () => {
      const { twin, rig } = await opened();
      const changes = threeChanges(twin);
      rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
      for (const change of changes) rig.socket.send(change);
      rig.socket.send(twin.change(ASK, 5_500, 0));
      rig.expectLive(twin, { epoch: 1 });
      expect((['hashMismatches', 'bookRereads'] as const).map(name => rig.counters.read(name))).toEqual([0, 0]);
    });

    it('are passed over if one is stamped before the book whose very hash it states', async () => {
      const { twin, rig } = await opened();
      twin.change(BID, 5_300, 3 * SHARE);
      twin.time = START + 4;
      const change = twin.change(ASK, 5_500, 7 * SHARE) as Change;
      rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
      expect(change.price_changes[0]!.hash).toBe(twin.hash(PRIMARY));
      rig.socket.send({ ...change, timestamp: String(START + 2) });
      expectUndoubted(rig, twin, 1);
    });

    it('are passed over if several share the stamp of the book', async () => {
      const { twin, rig } = await opened();
      const first = twin.change(BID, 5_300, 2 * SHARE) as Change;
      twin.time = START;
      const second = twin.change(ASK, 5_500, 7 * SHARE) as Change;
      expect(first.timestamp).toBe(second.timestamp);
      rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
      for (const change of [first, second]) rig.socket.send(change);
      expectUndoubted(rig, twin, 1);
    });

    it('are passed over if an older book of the other token comes in between', async () => {
      const { twin, rig } = await opened();
      const [first, second] = threeChanges(twin);
      const older = twin.bookEvent(COMPLEMENT);
      const last = twin.change(ASK, 5_600, SHARE);
      rig.socket.send(twin.bookEvent(PRIMARY), older);
      for (const change of [first!, second!, last]) rig.socket.send(change);
      expectUndoubted(rig, twin, 3);
      rig.socket.send(twin.change(BID, 5_300, 9 * SHARE));
      rig.expectLive(twin, { epoch: 1, seq: 2 });
    });
  });

  it('a change that is new though its stamp is older is applied', async () => {
    const { twin, rig } = await opened();
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    twin.time = START - 3;
    rig.socket.send(twin.change(BID, 5_300, 5 * SHARE));
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 2 });
    expectUndoubted(rig, twin, 0);
  });

  it('once a change has been proven on the book, an older one that fails is a loss', async () => {
    const { twin, rig } = await opened();
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    rig.socket.send(twin.change(BID, 5_300, 5 * SHARE));
    twin.change(BID, 5_100, SHARE);
    twin.time = START - 3;
    rig.socket.send(twin.change(ASK, 5_500, 7 * SHARE));
    expect(rig.book()).toMatchObject({ state: 'STALE', reason: 'HASH_MISMATCH' });
    expect(rig.counters.read('bookRereads')).toBe(1);
  });

  it('a book that is hashed with the earlier stamp of the change behind it is shown with that change', async () => {
    const { twin, rig } = await opened();
    const change = twin.change(BID, 5_300, 3 * SHARE);
    const timestamp = String(START + 4);
    const books = ([PRIMARY, COMPLEMENT] as const).map(view => ({ ...twin.bookEvent(view), timestamp }));
    rig.socket.send(...books);
    rig.socket.send(change);
    rig.expectLive(twin, { epoch: 1, seq: 1 });
    expect(rig.counters.read('resyncs')).toBe(0);
  });

  it('a replayed session has the book that was recorded, also with older changes and books behind it', () => {
    const twin = Object.assign(twinOf(), { time: START });
    const { conditionId, tokens, tickSize, negRisk, minOrderSize } = twin;
    const facts = { conditionId, tokens, tickSize, negRisk, minOrderSize: String(minOrderSize) };
    const book = new VenueABook({ ...facts, outcomes: ['Yes', 'No'] });
    const old = threeChanges(twin).slice(0, 2);
    const older = twin.bookEvent(COMPLEMENT);
    const last = twin.change(ASK, 5_600, SHARE);
    for (const message of [twin.bookEvent(PRIMARY), older, ...old, last]) {
      book.apply(message as Parameters<VenueABook['apply']>[0]);
      expect([book.timestamp, book.hash(twin.tokens[0])]).toEqual([String(twin.time), twin.hash(PRIMARY)]);
    }
    book.apply(twin.change(BID, 5_300, 9 * SHARE) as Parameters<VenueABook['apply']>[0]);
    expect(book.hash(twin.tokens[0])).toBe(twin.hash(PRIMARY));
  });
});
