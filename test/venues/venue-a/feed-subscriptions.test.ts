// Which markets the feed requests from the venue, when and how, and how the feed answers subscription requests.

import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY } from '../../../src/core/domain/market.ts';
import type { HttpAnswer } from '../../../src/core/net/http.ts';
import { limits } from '../../../src/limits.ts';
import type { RecordingSink } from '../../support/recording-sink.ts';
import { FeedRig } from './feed-rig.ts';
import { SHARE, TwinMarket } from './twin-market.ts';

const market = (number = 0) => new TwinMarket(number).seed([[BID, 5_300, 30_000_000]]);

function manyMarkets(count: number): TwinMarket[] {
  return Array.from({ length: count }, (_, number) => market(number));
}

describe('subscribing', () => {
  it('answers once the market has a book, and asks for both tokens in the message that opens a connection', async () => {
    const twin = market();
    const rig = new FeedRig(twin);
    expect(await rig.feed.subscribe(twin.tokens[PRIMARY])).toEqual({ book: 0, view: PRIMARY });
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'OPENING', step: 100 });
    expect(rig.book()).toMatchObject({ hasPrimaryView: true, hasComplementView: false });
    expect(rig.sockets).toEqual([]);
    await rig.timers.settle();
    rig.socket.open();
    expect(rig.socket.url).toBe('stream');
    expect(rig.socket.subscriptions).toEqual([
      { type: 'market', assets_ids: [...twin.tokens], custom_feature_enabled: true },
    ]);
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    expect(rig.book()).toMatchObject({ state: 'LIVE', reason: 'SNAPSHOT', epoch: 1, seq: 1 });
    expect(rig.picture()).toBe(twin.picture());
  });

  it('gives both tokens of a market one book', async () => {
    const twin = market();
    const rig = new FeedRig(twin);
    const answers = await Promise.all([...twin.tokens, twin.tokens[PRIMARY]].map(token => rig.feed.subscribe(token)));
    expect(answers).toEqual([
      { book: 0, view: PRIMARY },
      { book: 0, view: COMPLEMENT },
      { book: 0, view: PRIMARY },
    ]);
    expect(rig.sink.books).toHaveLength(1);
    expect(rig.book()).toMatchObject({ hasPrimaryView: true, hasComplementView: true });
  });

  it('tells all of one turn in one message, and later ones with an operation', async () => {
    const twins = manyMarkets(4);
    const rig = new FeedRig(...twins);
    await rig.live(...twins.slice(0, 2));
    expect(rig.socket.subscriptions[0]!.assets_ids).toHaveLength(4);
    for (const twin of twins.slice(2)) await rig.feed.subscribe(twin.tokens[COMPLEMENT]);
    await rig.timers.settle();
    const assets_ids = [...twins[2]!.tokens, ...twins[3]!.tokens];
    const subscribed = { operation: 'subscribe', assets_ids, custom_feature_enabled: true };
    expect(rig.socket.subscriptions.slice(1)).toEqual([subscribed]);
  });

  it('opens another connection for more tokens than one may carry', async () => {
    const twins = manyMarkets(limits.venueATokensPerConnectionMax / 2 + 1);
    const rig = new FeedRig(...twins);
    await Promise.all(twins.map(({ tokens }) => rig.feed.subscribe(tokens[PRIMARY])));
    await rig.timers.settle();
    for (const socket of rig.sockets) socket.open();
    const counts = rig.sockets.map(socket => socket.subscriptions[0]!.assets_ids.length);
    expect(counts).toEqual([limits.venueATokensPerConnectionMax, 2]);
    // The feed uses a free place on a connection before it opens another connection.
    rig.feed.unsubscribe(twins[0]!.tokens[PRIMARY]);
    await rig.feed.subscribe(twins[0]!.tokens[PRIMARY]);
    await rig.timers.settle();
    expect(rig.sockets).toHaveLength(2);
  });

  it('pings as text, but only after it has subscribed', async () => {
    const twin = market();
    const rig = new FeedRig(twin);
    await rig.timers.settle(limits.upstreamPingMs);
    expect(rig.sockets).toEqual([]);
    await rig.live(twin);
    rig.timers.advance(limits.upstreamPingMs);
    expect(rig.socket.sent.at(-1)).toBe('PING');
    rig.socket.sendText('PONG');
    rig.socket.sendText('NO NEW ASSETS');
    expect(rig.counters.read('unreadable')).toBe(0);
    expect(rig.book().state).toBe('LIVE');
  });

  it.each([
    ['a text that is no token', 'token', []],
    ['a token that the venue does not know', '123456', ['rest/markets-by-token/123456']],
  ])('refuses %s', async (_what, token, requests) => {
    const rig = new FeedRig(market());
    expect(await rig.feed.subscribe(token)).toMatchObject({ code: 'UNKNOWN_MARKET' });
    expect(rig.requests).toEqual(requests);
  });

  it.each<[string, string, { status: number; body: string } | Error]>([
    ['the venue fails', 'clob-markets', { status: 503, body: '' }],
    ['the venue limits us', 'markets-by-token', { status: 429, body: '' }],
    ['the network fails', 'markets-by-token', new Error('reset')],
    ['the answer is not JSON', 'clob-markets', { status: 200, body: '<html>' }],
    ['the answer is something else', 'clob-markets', { status: 200, body: '{"t":[]}' }],
  ])('says that the venue is unavailable when %s, and tries again when asked again', async (_what, path, answer) => {
    const twin = market();
    const rig = new FeedRig(twin);
    rig.answers.set(`rest/${path}/${path === 'clob-markets' ? twin.conditionId : twin.tokens[PRIMARY]}`, answer);
    expect(await rig.feed.subscribe(twin.tokens[PRIMARY])).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
    rig.answers.clear();
    expect(await rig.feed.subscribe(twin.tokens[PRIMARY])).toMatchObject({ view: PRIMARY });
  });

  it('says so when there is no room for another book', async () => {
    const twins = manyMarkets(1);
    const rig = new FeedRig(...twins);
    Object.assign(rig.sink, { openBook: () => null } satisfies Partial<RecordingSink>);
    expect(await rig.feed.subscribe(twins[0]!.tokens[PRIMARY])).toMatchObject({ code: 'BOOK_LIMIT' });
  });
});

describe('unsubscribing', () => {
  it('keeps the book while one of its tokens is wanted, then gives it back and tells the venue', async () => {
    const twins = manyMarkets(2);
    const rig = await FeedRig.live(...twins);
    const [primary, complement] = twins[0]!.tokens;
    await rig.feed.subscribe(complement);
    rig.feed.unsubscribe(primary);
    expect(rig.book()).toMatchObject({ isReleased: false, hasPrimaryView: false, hasComplementView: true });
    rig.feed.unsubscribe(complement);
    expect(rig.book().isReleased).toBe(true);
    await rig.timers.settle();
    expect(rig.socket.subscriptions.at(-1)).toEqual({ operation: 'unsubscribe', assets_ids: [primary, complement] });
    // No book takes the messages of this market that are still in flight.
    rig.socket.send(twins[0]!.change(BID, 5_300, 0));
    rig.socket.send(twins[0]!.bookEvent(PRIMARY));
    rig.socket.send(twins[0]!.tradeEvent(PRIMARY, '0.53', '1', 'BUY'));
    expect(rig.counters.read('unknownMarkets')).toBeGreaterThan(0);
    expect(rig.book(twins[1]).state).toBe('LIVE');
  });

  it('makes nothing of a book that was asked for before: another market may have its place by then', async () => {
    const [twin, other] = manyMarkets(2) as [TwinMarket, TwinMarket];
    const rig = await FeedRig.live(twin, other);
    const late = Promise.withResolvers<HttpAnswer>();
    rig.answers.set(`rest/book?token_id=${twin.tokens[PRIMARY]}`, late.promise);
    twin.change(ASK, 6_000, SHARE);
    rig.socket.send(twin.change(BID, 5_300, SHARE));
    expect(rig.book(twin).state).toBe('STALE');
    rig.feed.unsubscribe(twin.tokens[PRIMARY]);
    const { length } = rig.sink.events;
    late.resolve({ status: 200, body: JSON.stringify(twin.restBook()) });
    await rig.timers.settle();
    expect(rig.sink.events).toHaveLength(length);
  });

  it('closes a connection that nothing is wanted on, and connects anew for the next', async () => {
    const twin = market();
    const rig = await FeedRig.live(twin);
    rig.feed.unsubscribe(twin.tokens[PRIMARY]);
    await rig.timers.settle();
    expect(rig.socket.isOpen).toBe(false);
    await rig.timers.settle(limits.upstreamBackoffMaxMs);
    expect(rig.sockets).toHaveLength(1);
    await rig.feed.subscribe(twin.tokens[PRIMARY]);
    await rig.timers.settle();
    rig.socket.open();
    expect(rig.sockets).toHaveLength(2);
    expect(rig.socket.subscriptions[0]!.type).toBe('market');
  });

  it('forgets a market that nobody wants any more before the venue has described it', async () => {
    const twin = market();
    const rig = new FeedRig(twin);
    const answer = rig.feed.subscribe(twin.tokens[PRIMARY]);
    rig.feed.unsubscribe(twin.tokens[PRIMARY]);
    expect(await answer).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
    expect(rig.sink.books).toEqual([]);
  });

  it('ends everything with close', async () => {
    const twin = market();
    const rig = await FeedRig.live(twin);
    rig.feed.close();
    await rig.timers.settle(limits.upstreamSilenceMs * 2);
    expect(rig.socket.isOpen).toBe(false);
    expect(rig.sockets).toHaveLength(1);
    expect(rig.timers.pending).toBe(0);
  });
});

describe('connections', () => {
  it('lose their books, and bring them back as a new epoch', async () => {
    const twins = manyMarkets(2);
    const rig = await FeedRig.live(...twins);
    rig.socket.close();
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'DISCONNECTED' });
    expect(rig.picture()).toBe(' | ');
    for (const twin of twins) twin.change(BID, 5_200, 7_000_000);
    await rig.timers.settle(limits.upstreamBackoffMinMs);
    rig.socket.open();
    expect(rig.socket.subscriptions.map(({ assets_ids }) => assets_ids.length)).toEqual([4]);
    rig.socket.send(...twins.map(twin => twin.bookEvent(COMPLEMENT)));
    for (const twin of twins) rig.expectLive(twin, { epoch: 2, seq: 1 });
    expect(rig.counters.read('disconnects')).toBe(1);
    expect(rig.counters.read('connects')).toBe(2);
  });

  it('may be lost in the middle of the initial books', async () => {
    const twins = manyMarkets(2);
    const rig = await FeedRig.opened(...twins);
    rig.socket.send(twins[0]!.bookEvent(PRIMARY));
    rig.socket.close();
    expect(twins.map(twin => rig.book(twin).state)).toEqual(['RESYNCING', 'RESYNCING']);
    await rig.timers.settle(limits.upstreamBackoffMinMs);
    rig.socket.open();
    rig.socket.send(...twins.map(twin => twin.bookEvent(PRIMARY)));
    expect(twins.map(twin => rig.book(twin).state)).toEqual(['LIVE', 'LIVE']);
  });

  it('that fall silent make books stale, then are made anew', async () => {
    const rig = await FeedRig.live(market());
    await rig.timers.settle(limits.upstreamSilenceMs * 2);
    expect(rig.states()).toEqual(['STALE SILENCE', 'RESYNCING DISCONNECTED']);
    expect(rig.counters.read('silences')).toBe(1);
    await rig.timers.settle(limits.upstreamBackoffMinMs * 2);
    expect(rig.sockets).toHaveLength(2);
  });

  it('ask again for a book that does not come', async () => {
    const twins = manyMarkets(2);
    const rig = await FeedRig.opened(...twins);
    rig.socket.send(twins[0]!.bookEvent(PRIMARY));
    await rig.timers.settle(limits.upstreamSnapshotMs);
    expect(rig.socket.subscriptions.slice(1)).toEqual([
      { operation: 'unsubscribe', assets_ids: [...twins[1]!.tokens] },
      { operation: 'subscribe', assets_ids: [...twins[1]!.tokens], custom_feature_enabled: true },
    ]);
    rig.socket.sendText('PONG');
    await rig.timers.settle(limits.upstreamSnapshotMs);
    expect(rig.socket.subscriptions).toHaveLength(5);
    rig.socket.send(twins[1]!.bookEvent(PRIMARY));
    await rig.timers.settle(limits.upstreamSnapshotMs * 2);
    expect(rig.socket.subscriptions).toHaveLength(5);
  });
});

// A thousand markets of venue A became a thousand requests at once, each on its own connection. This happened if they were subscribed at
// once, or after their feed thread was replaced.
describe('0187: many markets at once', () => {
  const { venueADescribedAtOnceMax: AT_ONCE } = limits;

  /** Makes markets whose venue answers no request before a command. */
  function heldRig(count: number) {
    const twins = Array.from({ length: count }, (_, number) => new TwinMarket(number));
    const rig = new FeedRig(...twins);
    const held = new Map<string, (answer: HttpAnswer) => void>();
    for (const { tokens } of twins) {
      const url = `rest/markets-by-token/${tokens[PRIMARY]}`;
      rig.answers.set(url, new Promise(resolve => held.set(url, resolve)));
    }
    const answer = (twin: TwinMarket) => {
      const [primary_token_id, secondary_token_id] = twin.tokens;
      const body = JSON.stringify({ condition_id: twin.conditionId, primary_token_id, secondary_token_id });
      held.get(`rest/markets-by-token/${primary_token_id}`)!({ status: 200, body });
    };
    return { twins, rig, answer };
  }

  it('markets are described a few at a time, each as soon as there is room', async () => {
    const { twins, rig, answer } = heldRig(100);
    const outcomes = twins.map(twin => rig.feed.subscribe(twin.tokens[PRIMARY]));
    await rig.timers.settle();
    expect(rig.requests).toHaveLength(AT_ONCE);
    answer(twins[0]!);
    await rig.timers.settle();
    // These are the second request about the first market, and the first request about a further market.
    expect(rig.requests).toHaveLength(AT_ONCE + 2);
    twins.forEach(answer);
    await rig.timers.settle();
    const books = await Promise.all(outcomes);
    const places = books.map(outcome => ('book' in outcome ? Number(outcome.book) : -1)).sort((a, b) => a - b);
    expect(places).toEqual(twins.map((_, place) => place));
  });

  it('markets that are not wanted any more by then are not requested', async () => {
    const { twins, rig, answer } = heldRig(AT_ONCE + 2);
    const outcomes = twins.map(twin => rig.feed.subscribe(twin.tokens[PRIMARY]));
    await rig.timers.settle();
    rig.feed.unsubscribe(twins[AT_ONCE]!.tokens[PRIMARY]);
    twins.forEach(answer);
    await rig.timers.settle();
    expect(await outcomes[AT_ONCE]).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
    expect(await outcomes[AT_ONCE + 1]).toMatchObject({ view: PRIMARY });
    expect(rig.requests.some(url => url.endsWith(twins[AT_ONCE]!.tokens[PRIMARY]))).toBe(false);
  });

  it('hear in time that the venue has not come to them', async () => {
    const { twins, rig } = heldRig(AT_ONCE + 1);
    const outcomes = twins.map(twin => rig.feed.subscribe(twin.tokens[PRIMARY]));
    await rig.timers.settle(limits.subscribeAnswerMs);
    expect(await outcomes[AT_ONCE]).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
    expect(rig.requests).toHaveLength(AT_ONCE);
  });
});
