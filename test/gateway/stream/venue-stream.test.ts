// The published stream of a book, on real sockets: joins, order, gaps, laps, limits and slow consumers.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID, PRIMARY, TAKER_BUY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { Delta, ServerMessage, Snapshot } from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import { limits } from '../../../src/limits.ts';
import { MARKET, type Rig, RigClient, startRig, TICKER } from '../../support/stream-rig.ts';

const TRADE_ID = '3f2b6c1e-0000-4000-8000-000000000001';

let rig: Rig;
const clients: RigClient[] = [];

beforeEach(async () => {
  rig = await startRig();
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  rig.close();
});

async function connect(codec = jsonCodec): Promise<RigClient> {
  const client = await RigClient.connect(rig, codec);
  clients.push(client);
  return client;
}

/** Connects a client that is subscribed to the book of TICKER. The book is LIVE at seq 1. */
async function follower(codec = jsonCodec): Promise<RigClient> {
  const client = await connect(codec);
  client.subscribe('s', 'book', TICKER);
  await client.hear('subscribed');
  if (rig.writer.stateOf(rig.bookOf(TICKER)) !== 'LIVE') rig.snapshot(TICKER, 5_000, 5_200);
  await client.hear('snapshotsDone');
  return client;
}

function booksHeard(client: RigClient): (Snapshot | Delta)[] {
  return client.heard.filter(message => message.type === 'snapshot' || message.type === 'delta');
}

/** Checks that every delta follows the delta before it. */
function expectGapless(client: RigClient): void {
  let last: Snapshot | Delta | null = null;
  for (const message of booksHeard(client)) {
    if (message.type === 'delta') {
      expect(last).not.toBeNull();
      expect(message.epoch).toBe(last?.epoch);
      expect(message.seq).toBe((last?.seq ?? 0) + 1);
    }
    last = message;
  }
}

describe.each([jsonCodec, protobufCodec])('subscribing with $subprotocol', codec => {
  it('is acknowledged, then gets the state, the first snapshot, and that all are done', async () => {
    const client = await follower(codec);
    expect(client.heard.map(message => message.type)).toEqual(['subscribed', 'state', 'snapshot', 'snapshotsDone']);
    const snapshot = await client.hear('snapshot');
    expect(snapshot).toMatchObject({ market: MARKET, seq: 1, state: 'LIVE' });
    expect(snapshot.bids).toEqual([{ price: 5_000, size: 10_000_000 }]);
  });

  it('sends deltas with absolute sizes and consecutive seq', async () => {
    const client = await follower(codec);
    rig.change(TICKER, 'bid', 5_100, 3);
    rig.change(TICKER, 'bid', 5_100, 0);
    await client.hear('delta', delta => delta.seq === 3);
    expectGapless(client);
    expect(await client.hear('delta', delta => delta.seq === 3)).toMatchObject({
      changes: [{ side: 0, price: 5_100, size: 0 }],
    });
  });

  it('answers ping with pong', async () => {
    const client = await connect(codec);
    client.say({ op: 'ping', id: 'p' });
    expect(await client.hear('pong')).toEqual({ type: 'pong', id: 'p' });
  });
});

describe('joining a book that is being written', () => {
  it('gives every later client a snapshot that its next delta follows exactly', async () => {
    const first = await follower();
    for (let round = 1; round <= 30; round++) {
      rig.change(TICKER, 'bid', 4_900, round);
      const late = await connect();
      late.subscribe('late', 'book', TICKER);
      // The changes are written between the request and its answer, and between the answer and the next turn of the tape.
      rig.change(TICKER, 'ask', 5_300, round);
      await late.hear('snapshotsDone');
      rig.change(TICKER, 'ask', 5_400, round);
    }
    const last = 1 + 30 * 3;
    for (const client of clients) {
      await client.until(() => booksHeard(client).at(-1)?.seq === last);
      expectGapless(client);
    }
    expect(booksHeard(first).filter(message => message.type === 'delta')).toHaveLength(last - 1);
  });

  it('sends a snapshot on request to that client alone, consuming no seq', async () => {
    const client = await follower();
    const other = await follower();
    rig.change(TICKER, 'bid', 4_900, 7);
    client.say({ op: 'snapshot', id: 'again', market: { market: MARKET, side: null } });
    await client.hear('snapshotsDone', message => message.id === 'again');
    rig.change(TICKER, 'bid', 4_900, 8);
    await other.hear('delta', delta => delta.seq === 3);
    await client.hear('delta', delta => delta.seq === 3);
    expectGapless(client);
    expect(booksHeard(other).filter(message => message.type === 'snapshot')).toHaveLength(1);
  });
});

describe('a quiet book', () => {
  it('says every heartbeatIntervalMs where it is, and a busy one does not', async () => {
    const client = await follower();
    const { epoch } = await client.hear('snapshot');
    const now = Date.now();
    rig.stream.beatQuietBooks(now);
    rig.stream.beatQuietBooks(now + limits.heartbeatIntervalMs + 1_000);
    expect(await client.hear('heartbeat')).toEqual({ type: 'heartbeat', books: [{ market: MARKET, epoch, seq: 1 }] });
    client.say({ op: 'ping', id: 'p' });
    await client.hear('pong');
    expect(client.heard.filter(message => message.type === 'heartbeat')).toHaveLength(1);
  });

  it('says where it is although the clock was set back', async () => {
    const client = await follower();
    const { epoch } = await client.hear('snapshot');
    rig.stream.beatQuietBooks(Date.now() - 3_600_000);
    expect(await client.hear('heartbeat')).toEqual({ type: 'heartbeat', books: [{ market: MARKET, epoch, seq: 1 }] });
  });

  it('counts by this clock, although the one that heard the venue is ahead', async () => {
    const client = await follower();
    const { epoch } = await client.hear('snapshot');
    rig.writer.receivedAt = (Date.now() + limits.heartbeatIntervalMs - 1_000) as UnixMillis;
    rig.change(TICKER, 'bid', 4_900, 7);
    await client.hear('delta');
    rig.stream.beatQuietBooks(Date.now() + limits.heartbeatIntervalMs);
    expect(await client.hear('heartbeat')).toEqual({ type: 'heartbeat', books: [{ market: MARKET, epoch, seq: 2 }] });
  });

  it('says nothing while it has no levels', async () => {
    const client = await follower();
    rig.writer.setState(rig.bookOf(TICKER), 'RESYNCING', 'SEQUENCE_GAP');
    await client.hear('state', state => state.reason === 'SEQUENCE_GAP');
    rig.stream.beatQuietBooks(Date.now() + 2 * limits.heartbeatIntervalMs);
    client.say({ op: 'ping', id: 'p' });
    await client.hear('pong');
    expect(client.heard.some(message => message.type === 'heartbeat')).toBe(false);
  });
});

describe('a book that cannot be trusted', () => {
  it('announces RESYNCING, then continues with a snapshot of a greater epoch', async () => {
    const client = await follower();
    const before = (await client.hear('snapshot')).epoch;
    rig.writer.setState(rig.bookOf(TICKER), 'RESYNCING', 'SEQUENCE_GAP');
    expect(await client.hear('state', state => state.reason === 'SEQUENCE_GAP')).toMatchObject({ state: 'RESYNCING' });
    rig.snapshot(TICKER, 4_000, 4_100);
    const after = await client.hear('snapshot', snapshot => snapshot.epoch > before);
    expect(after.seq).toBe(1);
  });

  it('tells a client that joins meanwhile its state, and the snapshot when it comes', async () => {
    await follower();
    rig.writer.setState(rig.bookOf(TICKER), 'RESYNCING', 'CROSSED');
    const late = await connect();
    late.subscribe('late', 'book', TICKER);
    expect(await late.hear('state')).toMatchObject({ state: 'RESYNCING', reason: 'CROSSED' });
    rig.snapshot(TICKER, 4_000, 4_100);
    await late.hear('snapshotsDone');
    expect(late.heard.map(message => message.type)).toEqual(['subscribed', 'state', 'snapshot', 'snapshotsDone']);
  });

  it('survives a lapped tape: a snapshot at the present, then deltas that follow it', async () => {
    const client = await follower();
    // The feed writes more records than the ring holds, before the reader gets a turn.
    for (let index = 0; index <= limits.tapeSlotsPerVenue; index++) {
      rig.change(TICKER, 'bid', 4_900, 1 + (index % 7));
    }
    const resumed = await client.hear('snapshot', snapshot => snapshot.seq > 1);
    rig.change(TICKER, 'bid', 4_900, 99);
    await client.hear('delta', delta => delta.seq === resumed.seq + 1);
    expectGapless(client);
    expect(rig.stream.counts.laps).toBe(1);
  });

  it('reports trades that a lapped tape may have lost', async () => {
    const client = await connect();
    client.subscribe('t', 'trade', TICKER);
    await client.hear('subscribed');
    rig.snapshot(TICKER, 5_000, 5_200);
    for (let index = 0; index <= limits.tapeSlotsPerVenue; index++) {
      rig.change(TICKER, 'bid', 4_900, 1 + (index % 7));
    }
    expect((await client.hear('error')).code).toBe('TRADES_MISSED');
  });
});

describe('more snapshots than a connection may have unsent', () => {
  it('go out as fast as the client reads, each followed by its deltas, and no client is disconnected', async () => {
    const requests = Array.from({ length: 4 }, (_, request) =>
      Array.from({ length: limits.marketsPerSubscribeMax }, (_, index) => `KXDEEP-${request}-${index}`),
    );
    const tickers = requests.flat();
    const opener = await connect();
    for (const [id, part] of requests.entries()) opener.subscribe(String(id), 'trade', ...part);
    await opener.hear('subscribed', ({ id }) => id === '3');
    for (const ticker of tickers) fillDeep(ticker);
    const client = await connect();
    for (const [id, part] of requests.entries()) client.subscribe(String(id), 'book', ...part);
    await client.hear('subscribed', ({ id }) => id === '3');
    for (const ticker of tickers) rig.change(ticker, 'bid', 4_000, 77);
    await client.hear('snapshotsDone', ({ id }) => id === '3');
    await client.until(() => tickers.every(ticker => lastSeq(client, ticker) === 2));
    expect(client.closedWith).toBeNull();
    expect(client.heard.some(message => message.type === 'error')).toBe(false);
  });

  /** About 45 KB of levels: four hundred of them are more than the kernel and streamCloseBytes take together. */
  function fillDeep(ticker: string): void {
    const book = rig.bookOf(ticker);
    rig.writer.regrid(book, 10 as Ticks);
    rig.writer.begin(book);
    rig.writer.clear(book);
    for (let price = 10; price < 5_000; price += 10) {
      rig.writer.set(book, BID, price as Ticks, (123_456_654_321 + price) as MicroShares);
      rig.writer.set(book, ASK, (10_000 - price) as Ticks, (123_456_654_321 + price) as MicroShares);
    }
    rig.writer.commitSnapshot(book, 1_790_000_000_000 as UnixMillis);
  }

  function lastSeq(client: RigClient, ticker: string): number | undefined {
    return booksHeard(client).findLast(({ market }) => 'ticker' in market && market.ticker === ticker)?.seq;
  }
});

describe('requests that cannot be granted', () => {
  it('rejects the NO side and unknown markets with UNKNOWN_MARKET, beside what it accepts', async () => {
    rig.refusals.set('KXNONE', { code: 'UNKNOWN_MARKET', message: 'the venue knows no market KXNONE' });
    const client = await connect();
    const markets = [
      { market: MARKET, side: 'no' },
      { market: { venue: 'venue_b', ticker: 'KXNONE' }, side: null },
      { market: MARKET, side: 'yes' },
    ] as const;
    client.say({ op: 'subscribe', id: 'mixed', channel: 'book', markets });
    const answer = await client.hear('subscribed');
    expect(answer.accepted).toEqual([MARKET]);
    expect(answer.rejected.map(rejection => rejection.code)).toEqual(['UNKNOWN_MARKET', 'UNKNOWN_MARKET']);
  });

  it('rejects the NO side in an unsubscription, and in a request for a snapshot', async () => {
    const client = await follower();
    await client.hear('snapshotsDone');
    const no = { market: MARKET, side: 'no' } as const;
    client.say({ op: 'unsubscribe', id: 'u', channel: 'book', markets: [no] });
    client.say({ op: 'snapshot', id: 's', market: no });
    client.say({ op: 'snapshot', id: 'still', market: { ...no, side: 'yes' } });
    expect((await client.hear('snapshotsDone', ({ id }) => id === 'still')).id).toBe('still');
    expect(client.heard.flatMap(it => (it.type === 'error' ? [[it.id, it.code]] : []))).toEqual([
      ['u', 'UNKNOWN_MARKET'],
      ['s', 'UNKNOWN_MARKET'],
    ]);
  });

  it('is an error with the rejections when nothing is accepted, and asks again next time', async () => {
    rig.refusals.set(TICKER, { code: 'VENUE_UNAVAILABLE', message: 'venue answered 503' });
    const client = await connect();
    client.subscribe('1', 'book', TICKER);
    const error = await client.hear('error');
    expect(error).toMatchObject({ id: '1', code: 'VENUE_UNAVAILABLE' });
    expect(error.rejected).toHaveLength(1);
    rig.refusals.clear();
    client.subscribe('2', 'book', TICKER);
    expect((await client.hear('subscribed')).id).toBe('2');
  });

  it('names the limit that a connection has reached', async () => {
    const client = await connect();
    const tickers = Array.from({ length: limits.marketsPerConnectionMax + 1 }, (_, index) => `KXLIMIT-${index}`);
    for (let start = 0; start < tickers.length; start += limits.marketsPerSubscribeMax) {
      client.subscribe(String(start), 'book', ...tickers.slice(start, start + limits.marketsPerSubscribeMax));
    }
    const error = await client.hear('error');
    expect(error.code).toBe('SUBSCRIPTION_LIMIT');
    expect(error.message).toContain('marketsPerConnectionMax');
  });

  it('says what is wrong with a message that it cannot read, and stays connected', async () => {
    const client = await connect();
    client.say({ op: 'subscribe', id: 'x', channel: 'books' as 'book', markets: [{ market: MARKET, side: null }] });
    expect((await client.hear('error')).message).toContain('channel');
    client.say({ op: 'ping', id: 'p' });
    await client.hear('pong');
  });

  it('refuses to unsubscribe or to snapshot what is not subscribed', async () => {
    const client = await connect();
    const market = { market: MARKET, side: null };
    client.say({ op: 'unsubscribe', id: 'u', channel: 'book', markets: [market] });
    expect((await client.hear('error', error => error.id === 'u')).code).toBe('NOT_SUBSCRIBED');
    client.say({ op: 'snapshot', id: 's', market });
    expect((await client.hear('error', error => error.id === 's')).code).toBe('NOT_SUBSCRIBED');
  });
});

describe('leaving', () => {
  it('hears nothing more after unsubscribing, and the last one gives the market back', async () => {
    const leaver = await follower();
    const stayer = await follower();
    leaver.say({ op: 'unsubscribe', id: 'u', channel: 'book', markets: [{ market: MARKET, side: null }] });
    await leaver.hear('unsubscribed');
    rig.change(TICKER, 'bid', 4_900, 1);
    await stayer.hear('delta');
    leaver.say({ op: 'ping', id: 'p' });
    await leaver.hear('pong');
    expect(leaver.heard.some(message => message.type === 'delta')).toBe(false);
    expect(rig.unsubscribed).toEqual([]);
    stayer.close();
    const watcher = await connect();
    watcher.subscribe('w', 'book', TICKER);
    await watcher.hear('subscribed');
    watcher.say({ op: 'unsubscribe', id: 'u', channel: 'book', markets: [{ market: MARKET, side: null }] });
    await watcher.hear('unsubscribed');
    await expect.poll(() => rig.unsubscribed).toContain(TICKER);
  });
});

describe('trades', () => {
  it('reach the trade channel once, with taker side and id, and never the book channel', async () => {
    const client = await connect();
    client.subscribe('t', 'trade', TICKER);
    await client.hear('subscribed');
    rig.snapshot(TICKER, 5_000, 5_200);
    const [price, size] = [5_200 as Ticks, 4_000_000 as MicroShares];
    const venueTime = 1_790_000_000_123 as UnixMillis;
    rig.writer.trade(rig.bookOf(TICKER), PRIMARY, price, size, TAKER_BUY, venueTime, TRADE_ID);
    expect(await client.hear('trade')).toMatchObject({
      market: MARKET,
      price: 5_200,
      size: 4_000_000,
      takerSide: 1,
      tradeId: TRADE_ID,
    });
    expect(client.heard.some((message: ServerMessage) => message.type === 'snapshot')).toBe(false);
  });

  it('come with the states of the book, LIVE again by a snapshot included', async () => {
    const client = await connect();
    client.subscribe('t', 'trade', TICKER);
    await client.hear('subscribed');
    rig.snapshot(TICKER, 5_000, 5_200);
    await client.hear('state', ({ state }) => state === 'LIVE');
    rig.writer.setState(rig.bookOf(TICKER), 'RESYNCING', 'CROSSED');
    await client.hear('state', ({ reason }) => reason === 'CROSSED');
    rig.snapshot(TICKER, 5_000, 5_200);
    await client.until(() => client.heard.filter(it => it.type === 'state').length === 4);
    rig.snapshot(TICKER, 5_000, 5_300);
    rig.writer.setState(rig.bookOf(TICKER), 'HALTED', 'MARKET_PAUSED');
    await client.hear('state', ({ state }) => state === 'HALTED');
    expect(client.heard.flatMap(it => (it.type === 'state' ? [`${it.state} ${it.reason}`] : []))).toEqual([
      'RESYNCING OPENING',
      'LIVE SNAPSHOT',
      'RESYNCING CROSSED',
      'LIVE SNAPSHOT',
      'HALTED MARKET_PAUSED',
    ]);
  });

  it('of a market that has left do not hear of the one that has its place in memory', async () => {
    const client = await connect();
    client.subscribe('t', 'trade', TICKER);
    await client.hear('subscribed');
    rig.snapshot(TICKER, 5_000, 5_200);
    await client.hear('state');
    const book = rig.bookOf(TICKER);
    const trade = (id: string): void => {
      const [price, size] = [5_200 as Ticks, 4_000_000 as MicroShares];
      rig.writer.trade(book, PRIMARY, price, size, TAKER_BUY, 1_790_000_000_123 as UnixMillis, id);
    };
    rig.withdraw(TICKER);
    trade('of the former');
    rig.writer.setState(book, 'HALTED', 'MARKET_PAUSED');
    expect(rig.answer(TICKER)).toBe(book);
    trade('of the next');
    expect((await client.hear('trade')).tradeId).toBe('of the next');
    expect(client.heard.some(it => it.type === 'state' && it.state === 'HALTED')).toBe(false);
  });
});
