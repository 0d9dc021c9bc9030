// The hash of a book decides. The feed publishes proven changes. It holds other changes back until the stream, a book or REST settles them.

import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { type FeedRig, liveRig } from './feed-rig.ts';
import { SHARE, type TwinMarket } from './twin-market.ts';

/** Loses a change, so that the next change is not proven. The next change makes `shares` the size of the best bid. */
function lose(twin: TwinMarket, rig: FeedRig, shares = 3): void {
  twin.change(ASK, 5_300, (shares - 2) * SHARE);
  rig.socket.send(twin.change(BID, 5_200, shares * SHARE));
}

/** Sends `count` changes that are not proven, while REST does not answer. */
async function holding(count: number) {
  const { twin, rig, restUrl } = await liveRig();
  rig.answers.set(restUrl, new Promise(() => {}));
  twin.lastTradePrice = '0.111';
  const { price_changes, ...event } = twin.change(BID, 5_200, 3 * SHARE) as { price_changes: object[] };
  const unproven = { ...event, price_changes: price_changes.slice(0, 1) };
  for (let held = 0; held < count; held += 1) rig.socket.send(unproven);
  expect(rig.book().state).toBe('STALE');
  return { twin, rig, unproven };
}

describe('a proven change', () => {
  it('is one delta, with either token first', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.change(BID, 5_300, 5 * SHARE));
    rig.socket.send(twin.change(ASK, 5_400, 0, COMPLEMENT));
    rig.socket.send(twin.change(ASK, 5_500, 1.5 * SHARE, COMPLEMENT), twin.change(BID, 5_300, 6 * SHARE));
    rig.expectLive(twin, { epoch: 1, seq: 5, venueTime: twin.time });
    expect(rig.counters.read('hashesVerified')).toBe(2 + 4 * 2);
  });

  it('that comes twice is published once', async () => {
    const { twin, rig } = await liveRig();
    const change = twin.change(BID, 5_300, 5 * SHARE);
    rig.socket.send(change);
    rig.socket.send(change);
    expect(rig.book()).toMatchObject({ state: 'LIVE', seq: 2 });
  });

  it('may come for one token only', async () => {
    const { twin, rig } = await liveRig();
    for (const first of [PRIMARY, COMPLEMENT] as const) {
      const change = twin.change(BID, 5_300 - first * 1_000, 5 * SHARE, first) as { price_changes: object[] };
      rig.socket.send({ ...change, price_changes: change.price_changes.slice(0, 1) });
    }
    rig.socket.send(twin.change(ASK, 5_400, 0));
    rig.expectLive(twin, { seq: 4 });
    expect(rig.counters.read('hashMismatches')).toBe(0);
  });

  it('may have several levels', async () => {
    const { twin, rig } = await liveRig();
    const changes = [twin.change(BID, 5_300, SHARE), twin.change(BID, 5_200, 0), twin.change(BID, 5_300, 2 * SHARE)];
    const price_changes = changes.flatMap(change => (change as { price_changes: object[] }).price_changes);
    // The hashes of the earlier entries are of other times. The last hashes cover the whole book.
    rig.socket.send({ ...changes.at(-1), price_changes });
    rig.expectLive(twin, { seq: 2 });
  });

  it('that crosses the book makes it resynchronise', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.change(BID, 5_600, SHARE));
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'CROSSED' });
    expect(rig.counters.read('crossed')).toBe(1);
    twin.change(BID, 5_600, 0);
    await rig.timers.settle();
    expect(rig.socket.subscriptions.at(-1)!.operation).toBe('subscribe');
    rig.socket.send(twin.bookEvent(PRIMARY));
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 2 });
  });
});

describe('a change that belongs to a trade', () => {
  it.each([
    ['the maker’s price', '0.520'],
    ['its complement', '0.480'],
  ])('is proven with %s as last trade price', async (_what, lastTradePrice) => {
    const { twin, rig } = await liveRig();
    twin.lastTradePrice = lastTradePrice;
    rig.socket.send(twin.change(BID, 5_200, 3 * SHARE));
    rig.socket.send(twin.bookEvent(COMPLEMENT, false));
    rig.socket.send(twin.tradeEvent(COMPLEMENT, '0.48', '17', 'BUY'));
    rig.socket.send(twin.change(BID, 5_100, 3 * SHARE));
    rig.expectLive(twin, { epoch: 1, seq: 3 });
    expect(rig.counters.read('hashesAdoptedLastTrade')).toBe(1);
    expect(rig.counters.read('hashMismatches')).toBe(0);
  });

  it('is proven with the price of the trade announced before it', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.tradeEvent(PRIMARY, '0.37', '17', 'SELL'));
    twin.lastTradePrice = '0.630';
    rig.socket.send(twin.change(BID, 5_200, 3 * SHARE));
    expect(rig.counters.read('hashesAdoptedLastTrade')).toBe(1);
    expect(rig.book().state).toBe('LIVE');
  });

  it('may have a book event first', async () => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.tradeEvent(PRIMARY, '0.52', '17', 'SELL'));
    twin.lastTradePrice = '0.520';
    twin.change(BID, 5_200, 3 * SHARE);
    rig.socket.send(twin.bookEvent(PRIMARY, false));
    rig.expectLive(twin, { epoch: 2 });
  });

  it.each([
    ['0.0001', '0.5201'],
    ['0.0001', '0.5200'],
    ['0.0001', '0.520'],
    ['0.001', '0.520'],
  ])('at a tick of %s may be written %s', async (tickSize, lastTradePrice) => {
    const { twin, rig } = await liveRig();
    rig.socket.send(twin.tickSizeEvent(tickSize));
    twin.tickSize = tickSize;
    twin.lastTradePrice = lastTradePrice;
    rig.socket.send(twin.change(BID, Number(lastTradePrice) * 10_000, 3 * SHARE));
    expect(rig.counters.read('hashesAdoptedLastTrade')).toBe(1);
    expect(rig.picture()).toBe(twin.picture());
  });
});

describe('a change that is not proven', () => {
  it('is held back: the book stands still, stale, until a later hash proves the whole', async () => {
    const { twin, rig } = await liveRig();
    const before = twin.picture();
    twin.lastTradePrice = '0.111';
    rig.socket.send(twin.change(BID, 5_200, 3 * SHARE));
    expect(rig.book()).toMatchObject({ state: 'STALE', reason: 'HASH_MISMATCH', seq: 1 });
    expect(rig.picture()).toBe(before);
    twin.lastTradePrice = '0.500';
    rig.socket.send(twin.change(ASK, 5_300, 4 * SHARE));
    rig.expectLive(twin, { reason: 'RESUMED', epoch: 1, seq: 2 });
    expect(rig.counters.read('hashesHealed')).toBe(1);
    // The REST answer to the question that was asked meanwhile comes too late to matter.
    await rig.timers.settle();
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1 });
    expect(rig.counters.read('bookRereads')).toBe(1);
  });

  it('resynchronises once more than venueAPendingChangesMax are held back', async () => {
    const { rig, unproven } = await holding(limits.venueAPendingChangesMax);
    rig.socket.send(unproven);
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'HASH_MISMATCH' });
  });

  it('resynchronises though a later one is proven if that finds no place among venueAPendingChangesMax', async () => {
    const { twin, rig } = await holding(limits.venueAPendingChangesMax);
    twin.lastTradePrice = '0.500';
    rig.socket.send(twin.change(ASK, 5_300, 4 * SHARE));
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'HASH_MISMATCH' });
    expect(rig.picture()).toBe(' | ');
  });

  it.each<[string, 5_230 | 5_600, string]>([
    ['has no place on the ladder', 5_230, 'OFF_GRID'],
    ['crosses the book', 5_600, 'CROSSED'],
  ])('resynchronises if a later hash proves it and it %s', async (_what, price, reason) => {
    const { twin, rig } = await liveRig();
    twin.lastTradePrice = '0.111';
    rig.socket.send(twin.change(BID, price, 3 * SHARE));
    expect(rig.book().state).toBe('STALE');
    Object.assign(rig.sink, { regrid: () => false });
    twin.lastTradePrice = '0.500';
    rig.socket.send(twin.change(ASK, 5_700, SHARE));
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason });
    expect(rig.picture()).toBe(' | ');
  });

  it('is settled by REST when that shows the same state with another last trade', async () => {
    const { twin, rig, restUrl } = await liveRig();
    twin.lastTradePrice = '0.111';
    rig.socket.send(twin.change(BID, 5_200, 3 * SHARE));
    await rig.timers.settle();
    expect(rig.requests.at(-1)).toBe(restUrl);
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 2 });
    rig.socket.send(twin.change(BID, 5_200, 4 * SHARE));
    rig.expectLive(twin, { seq: 3 });
  });

  it('is settled by REST as a new epoch when a change was lost', async () => {
    const { twin, rig } = await liveRig();
    lose(twin, rig);
    expect(rig.book().state).toBe('STALE');
    await rig.timers.settle();
    rig.expectLive(twin, { epoch: 2 });
    rig.socket.send(twin.change(BID, 5_200, 4 * SHARE));
    expect(rig.picture()).toBe(twin.picture());
    expect(rig.counters.read('hashMismatches')).toBe(1);
  });

  it('is settled by a REST book from the middle of what has come since', async () => {
    const { twin, rig, restUrl } = await liveRig();
    lose(twin, rig);
    rig.answers.set(restUrl, { status: 200, body: JSON.stringify(twin.restBook()) });
    rig.socket.send(twin.change(BID, 5_200, 4 * SHARE));
    rig.socket.send(twin.change(BID, 5_100, 0));
    expect(rig.book().state).toBe('STALE');
    await rig.timers.settle();
    rig.expectLive(twin, { epoch: 2, venueTime: twin.time });
  });

  it('is settled by a REST book that is ahead of the stream, which is not applied twice', async () => {
    const { twin, rig } = await liveRig();
    lose(twin, rig);
    const late = [twin.change(BID, 5_200, 4 * SHARE), twin.change(BID, 5_200, 5 * SHARE)];
    await rig.timers.settle();
    rig.expectLive(twin, { epoch: 2 });
    for (const frame of late) rig.socket.send(frame);
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 2, seq: 1 });
    rig.socket.send(twin.change(BID, 5_200, 6 * SHARE));
    rig.expectLive(twin, { epoch: 2, seq: 2 });
  });

  it('is settled by a REST book that is ahead of the stream, and of the book events that come late', async () => {
    const { twin, rig } = await liveRig();
    lose(twin, rig);
    const late = twin.bookEvent(COMPLEMENT, false);
    twin.change(BID, 5_200, 5 * SHARE);
    await rig.timers.settle();
    const ahead = twin.picture();
    rig.socket.send(late);
    expect(rig.picture()).toBe(ahead);
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 2, seq: 1 });
    rig.socket.send(twin.change(BID, 5_200, 6 * SHARE));
    expect(rig.picture()).toBe(twin.picture());
  });

  it('is settled by a book event', async () => {
    const { twin, rig } = await liveRig();
    lose(twin, rig);
    rig.socket.send(twin.bookEvent(COMPLEMENT, false));
    rig.expectLive(twin, { epoch: 2 });
  });

  it('resynchronises on the second mismatch, after REST had settled the first', async () => {
    const { twin, rig } = await liveRig();
    lose(twin, rig);
    await rig.timers.settle();
    expect(rig.book().state).toBe('LIVE');
    lose(twin, rig, 4);
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'HASH_MISMATCH' });
    expect(rig.counters.read('hashMismatchesAfterReread')).toBe(1);
    await rig.timers.settle();
    expect(rig.socket.subscriptions.slice(1)).toEqual([
      { operation: 'unsubscribe', assets_ids: [...twin.tokens] },
      { operation: 'subscribe', assets_ids: [...twin.tokens], custom_feature_enabled: true },
    ]);
    rig.socket.send(twin.change(BID, 5_200, 5 * SHARE));
    expect(rig.book().state).toBe('RESYNCING');
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    rig.expectLive(twin, { epoch: 3, seq: 1 });
  });

  it.each<[string, (twin: TwinMarket) => { status: number; body: string } | Error, number]>([
    ['REST fails', () => new Error('timed out'), 0],
    ['REST has no such book', () => ({ status: 404, body: '{}' }), 0],
    [
      'REST shows a book with a wrong hash',
      twin => ({ status: 200, body: JSON.stringify({ ...twin.restBook(), hash: '0'.repeat(40) }) }),
      1,
    ],
    ['REST shows an older book', twin => ({ status: 200, body: JSON.stringify(twin.restBook()) }), 1],
  ])('resynchronises when %s', async (_what, answer, afterReread) => {
    const { twin, rig, restUrl } = await liveRig();
    rig.answers.set(restUrl, answer(twin));
    lose(twin, rig);
    await rig.timers.settle();
    expect(rig.states()).toEqual(['STALE HASH_MISMATCH', 'RESYNCING HASH_MISMATCH']);
    expect(rig.counters.read('hashMismatchesAfterReread')).toBe(afterReread);
    expect(rig.counters.read('resyncs')).toBe(1);
  });

  it('does not ask the venue more often than once per upstreamSnapshotMs', async () => {
    const { twin, rig, restUrl } = await liveRig();
    rig.answers.set(restUrl, new Error('reset'));
    const fail = async () => {
      twin.change(ASK, 5_300, twin.time * SHARE);
      rig.socket.send(twin.change(BID, 5_200, twin.time * SHARE));
      await rig.timers.settle();
      const asked = rig.socket.subscriptions.length;
      rig.socket.send(twin.bookEvent(PRIMARY));
      return asked;
    };
    const asked = [await fail(), await fail(), await fail()];
    expect(asked).toEqual([3, 3, 3]);
    twin.change(ASK, 5_300, SHARE);
    rig.socket.send(twin.change(BID, 5_200, 1));
    rig.socket.sendText('PONG');
    await rig.timers.settle(limits.upstreamSnapshotMs);
    expect(rig.socket.subscriptions).toHaveLength(5);
  });

  it('of several levels counts two tokens that contradict each other, though each has its own hash right', async () => {
    const { twin, rig } = await liveRig();
    const time = twin.time;
    const entriesWith = (size: number) => {
      twin.time = time;
      return [twin.change(BID, 5_200, size), twin.change(ASK, 5_500, SHARE)] as { price_changes: object[] }[];
    };
    const [one, two] = entriesWith(3 * SHARE);
    const [other, same] = entriesWith(4 * SHARE);
    const price_changes = [one, two].map(it => it!.price_changes[0]!);
    const mirrored = [other, same].map(it => it!.price_changes[1]!);
    rig.socket.send({ ...same, price_changes: [...price_changes, ...mirrored] });
    expect(rig.book()).toMatchObject({ state: 'STALE', reason: 'HASH_MISMATCH' });
  });

  it('counts two tokens that contradict each other, though each has its own hash right', async () => {
    const { twin, rig } = await liveRig();
    const one = twin.change(BID, 5_200, 3 * SHARE) as { price_changes: object[] };
    const time = twin.time;
    twin.time -= 1;
    const other = twin.change(BID, 5_200, 4 * SHARE) as { price_changes: object[] };
    expect(twin.time).toBe(time);
    rig.socket.send({ ...one, price_changes: [one.price_changes[0]!, other.price_changes[1]!] });
    expect(rig.book().state).toBe('STALE');
    expect(rig.counters.read('hashMismatches')).toBe(1);
  });
});
