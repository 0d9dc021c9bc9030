// Venue A sends a `book` after each trade, on another path than the changes: it may come after changes that it lacks. Its hash proves that the
// book was so once. It was shown in place of the newer one, LIVE, until the next change; and while changes were held back in doubt, it
// dropped them. A late book is passed over now, and one from among the changes held back is shown with those behind it.

import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY } from '../../src/domain/market.ts';
import { type FeedRig, liveRig } from '../venues/venue-a/feed-rig.ts';
import { SHARE, type TwinMarket } from '../venues/venue-a/twin-market.ts';

/** Takes half of the best bid, as the stream tells it: the change, and the book of the taker's token. */
function traded(twin: TwinMarket, lastTradePrice = '0.520'): [change: object, book: object] {
  twin.lastTradePrice = lastTradePrice;
  return [twin.change(BID, 5_200, 10 * SHARE), twin.bookEvent(COMPLEMENT, false)];
}

function expectNow(rig: FeedRig, twin: TwinMarket): void {
  expect(rig.book()).toMatchObject({ state: 'LIVE' });
  expect(rig.picture()).toBe(twin.picture());
}

describe('a book behind later changes', () => {
  it('is passed over', async () => {
    const { twin, rig } = await liveRig();
    const [change, late] = traded(twin);
    rig.socket.send(change);
    rig.socket.send(twin.change(ASK, 5_400, 7 * SHARE));
    rig.socket.send(late);
    expectNow(rig, twin);
    expect([rig.book().epoch, rig.book().seq, rig.counters.read('messagesInBook')]).toEqual([1, 3, 1]);
    rig.socket.send(twin.change(ASK, 5_400, 0));
    expectNow(rig, twin);
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
    expectNow(rig, twin);
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
    expectNow(rig, twin);
    // A further change of that millisecond is new all the same.
    twin.time -= 1;
    rig.socket.send(twin.change(ASK, 5_400, 0));
    expectNow(rig, twin);
    expect([rig.book().epoch, rig.book().seq]).toEqual([1, 4]);
  });
});

describe('a book while changes are held back', () => {
  it('is shown with those behind it', async () => {
    const { twin, rig, restUrl } = await liveRig();
    rig.answers.set(restUrl, new Promise(() => {}));
    // A last trade that cannot be guessed: only a book proves it.
    const [change, book] = traded(twin, '0.370');
    rig.socket.send(change);
    rig.socket.send(twin.change(ASK, 5_400, 7 * SHARE));
    expect(rig.book().state).toBe('STALE');
    rig.socket.send(twin.tradeEvent(PRIMARY, '0.37', '10', 'SELL'));
    rig.socket.send(book);
    expectNow(rig, twin);
    rig.socket.send(twin.change(ASK, 5_400, 0));
    expectNow(rig, twin);
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
    expectNow(rig, twin);
  });
});
