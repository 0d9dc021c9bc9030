// One client's session on a connection in memory, for a state that is rare on real sockets: the buffer is full at the worst time.

import { expect, it } from 'vitest';
import { BID, marketKey, PRIMARY } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { Connection } from '../../../src/core/net/listen.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { StreamSession } from '../../../src/gateway/stream/session.ts';
import { VenueStream } from '../../../src/gateway/stream/venue-stream.ts';
import { limits } from '../../../src/limits.ts';
import { memoryBooks } from '../../support/memory-stream.ts';
import { ANYBODY } from '../../support/stream-rig.ts';

const NOW = 1_790_000_000_000 as UnixMillis;
const MARKETS = ['KXTEST-A', 'KXTEST-B', 'KXTEST-C'].map(ticker => marketKey('venue_b', ticker));

/** Counts the frames that it gets. It is full after `fullAfter` frames, like a connection with a client that does not read. */
class MemoryConnection implements Connection<null> {
  readonly context = null;
  readonly topics = new Set<string>();
  sent = 0;
  readonly frames: string[] = [];
  fullAfter = Number.POSITIVE_INFINITY;
  /** The unsent bytes. By default the buffer is full. */
  unsentBytes: number = limits.streamCloseBytes + 1;
  endedWith: number | null = null;
  onEnd: () => void = () => {};

  send(frame: Uint8Array): boolean {
    this.sent += 1;
    this.frames.push(Buffer.from(frame).toString());
    return true;
  }

  ping(): void {}
  batch(task: () => void): void {
    task();
  }

  subscribe(topic: string): void {
    this.topics.add(topic);
  }

  unsubscribe(topic: string): void {
    this.topics.delete(topic);
  }

  bufferedBytes(): number {
    return this.sent >= this.fullAfter ? this.unsentBytes : 0;
  }

  /** Ends as the native socket does: `close` of the route runs before this returns. */
  end(code: number): void {
    this.endedWith = code;
    this.onEnd();
  }

  terminate(): void {
    this.onEnd();
  }
}

interface Rig {
  readonly session: StreamSession;
  readonly connection: MemoryConnection;
  readonly subscribers: () => number[];
  readonly clock: { now: number };
  /** Gives every book its first levels, which are published by topic. */
  readonly publish: () => Promise<void>;
  /** The number of reads that the session's key has left. */
  readonly reads: { left: number };
}

/** Opens a session that has subscribed to the books of MARKETS. No book has levels yet. */
async function openingSession(): Promise<Rig> {
  const clock = { now: NOW as number };
  const { region, writer, books } = memoryBooks(NOW);
  const parts = {
    venue: 'venue_b',
    region,
    books,
    publish() {},
    suspendLaggards() {},
    now: () => NOW,
    yieldTo: queueMicrotask,
  } as const;
  const stream = new VenueStream(parts);
  const connection = new MemoryConnection();
  const streams = { venue_a: stream, venue_b: stream };
  const reads = { left: Number.POSITIVE_INFINITY };
  const takeRead = () => {
    reads.left -= 1;
    return reads.left >= 0;
  };
  const own = {
    codec: jsonCodec,
    key: ANYBODY,
    orders: null,
    takeRead,
    nowMs: () => clock.now,
    yieldTo: queueMicrotask,
  };
  const session = new StreamSession({ ...own, books, streams }, connection);
  connection.onEnd = () => session.close();
  const markets = MARKETS.map(market => ({ market, side: null }));
  session.receive(jsonCodec.encodeClient({ op: 'subscribe', id: 's', channel: 'book', markets }));
  await Promise.resolve();
  const opened = MARKETS.map(market => {
    const book = writer.openBook(100 as Ticks)!;
    const ticker = market.venue === 'venue_b' ? market.ticker : '';
    return { book, outcome: books.settle('venue_b', ticker, { book, view: PRIMARY })! };
  });
  const publish = async (): Promise<void> => {
    for (const { book, outcome } of opened) {
      writer.begin(book);
      writer.set(book, BID, 5_000 as Ticks, 1_000_000 as MicroShares);
      writer.commitSnapshot(book, NOW);
      stream.continueWithSnapshot(outcome);
    }
    await turns();
  };
  await turns();
  const bound = MARKETS.map(market => books.find(market)!);
  const subscribers = (): number[] => bound.map(book => book.outletOf(jsonCodec).subscribers.book);
  return { session, connection, subscribers, clock, publish, reads };
}

async function subscribedSession(): Promise<Rig> {
  const rig = await openingSession();
  await rig.publish();
  return rig;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

it('leaves no topic behind, nor one too many, when it is closed in the midst of catching up', async () => {
  const { session, connection, subscribers } = await subscribedSession();
  expect(subscribers()).toEqual([1, 1, 1]);
  session.fallBehind();
  expect(subscribers()).toEqual([0, 0, 0]);
  // The connection takes LAGGED and the first snapshot, and is full after that.
  connection.fullAfter = connection.sent + 2;
  session.catchUp();
  expect(subscribers()).toEqual([0, 0, 0]);
  expect(connection.topics.size).toBe(0);
});

it('says that its snapshots are done after they were sent, also if they came while it was behind', async () => {
  const { session, connection, publish } = await openingSession();
  const types = () => connection.frames.map(frame => JSON.parse(frame).type);
  expect(types()).toEqual(['subscribed', 'state', 'state', 'state']);
  session.fallBehind();
  await publish();
  expect(types()).toHaveLength(4);
  session.catchUp();
  expect(types().slice(4)).toEqual(['error', 'snapshot', 'snapshot', 'snapshot', 'snapshotsDone']);
});

it('is back on its topics when it has caught up', async () => {
  const { session, connection, subscribers } = await subscribedSession();
  const topics = [...connection.topics].sort();
  session.fallBehind();
  expect(connection.topics.size).toBe(0);
  session.catchUp();
  expect(subscribers()).toEqual([1, 1, 1]);
  expect([...connection.topics].sort()).toEqual(topics);
});

it('suspends a client that does not read, and sends it away with 1013 once streamLagMs have passed', async () => {
  const { session, connection, subscribers, clock } = await subscribedSession();
  expect(session.checkLag()).toBe(false);
  connection.unsentBytes = limits.streamLagBytes + 1;
  connection.fullAfter = connection.sent;
  expect(session.checkLag()).toBe(true);
  expect(subscribers()).toEqual([0, 0, 0]);
  clock.now += limits.streamLagMs;
  expect(session.checkLag()).toBe(false);
  expect(connection.endedWith).toBeNull();
  clock.now += 1;
  session.checkLag();
  expect(connection.endedWith).toBe(1013);
});

it('gives a client that reads nothing no more time for asking on', async () => {
  const { session, connection, clock } = await subscribedSession();
  connection.unsentBytes = limits.streamLagBytes + 1;
  connection.fullAfter = connection.sent;
  session.checkLag();
  clock.now += limits.streamLagMs;
  const markets = MARKETS.map(market => ({ market, side: null }));
  session.receive(jsonCodec.encodeClient({ op: 'subscribe', id: 'again', channel: 'book', markets }));
  await turns();
  expect(connection.frames.at(-1)).toContain('subscribed');
  clock.now += 1;
  session.checkLag();
  expect(connection.endedWith).toBe(1013);
});

it('gives a client that reads, and has more to read, as much time again', async () => {
  const { session, connection, clock } = await subscribedSession();
  session.fallBehind();
  clock.now += limits.streamLagMs;
  connection.unsentBytes = limits.streamLagBytes;
  // The connection takes LAGGED and a snapshot, and is full again after that.
  connection.fullAfter = connection.sent + 2;
  session.catchUp();
  clock.now += limits.streamLagMs;
  session.checkLag();
  expect(connection.endedWith).toBeNull();
});

it('sends a client away as soon as it is seen that more than streamCloseBytes are unsent, by topics too', async () => {
  const { session, connection } = await subscribedSession();
  connection.unsentBytes = limits.streamCloseBytes;
  connection.fullAfter = connection.sent;
  session.checkLag();
  expect(connection.endedWith).toBeNull();
  connection.unsentBytes += 1;
  session.checkLag();
  expect(connection.endedWith).toBe(1013);
});

it('sends requested snapshots as far as there is room, and the others when there is room again', async () => {
  const { session, connection } = await subscribedSession();
  const before = connection.sent;
  connection.unsentBytes = limits.streamLagBytes;
  connection.fullAfter = before + 2;
  for (const [index, market] of MARKETS.entries()) {
    session.receive(jsonCodec.encodeClient({ op: 'snapshot', id: `s${index}`, market: { market, side: null } }));
  }
  await turns();
  expect(connection.sent).toBe(before + 2);
  connection.fullAfter = Number.POSITIVE_INFINITY;
  session.catchUp();
  const done = connection.frames.slice(before).filter(frame => frame.includes('"snapshotsDone"'));
  expect(done.map(frame => JSON.parse(frame).id)).toEqual(['s0', 's1', 's2']);
});

it('tells followers of trades alone in which state their market is, when it has lagged: 0139', async () => {
  const { session, connection } = await subscribedSession();
  const markets = MARKETS.slice(0, 2).map(market => ({ market, side: null }));
  const ask = (op: 'subscribe' | 'unsubscribe', channel: 'book' | 'trade'): void =>
    session.receive(jsonCodec.encodeClient({ op, id: `${op} ${channel}`, channel, markets }));
  ask('subscribe', 'trade');
  ask('unsubscribe', 'book');
  await turns();
  session.fallBehind();
  const before = connection.frames.length;
  session.catchUp();
  const heard = connection.frames.slice(before).map(frame => JSON.parse(frame));
  expect(heard.map(({ type, market, state }) => [type, market?.ticker, state])).toEqual([
    ['error', undefined, undefined],
    ['state', 'KXTEST-A', 'LIVE'],
    ['state', 'KXTEST-B', 'LIVE'],
    ['snapshot', 'KXTEST-C', 'LIVE'],
  ]);
});

it('refuses a request beyond its key’s reads by its id, but no ping and no unsubscription', async () => {
  const { session, connection, reads } = await subscribedSession();
  const market = { market: MARKETS[0]!, side: null };
  reads.left = 1;
  const before = connection.frames.length;
  session.receive(jsonCodec.encodeClient({ op: 'subscribe', id: 'first', channel: 'trade', markets: [market] }));
  session.receive(jsonCodec.encodeClient({ op: 'snapshot', id: 'second', market }));
  session.receive(jsonCodec.encodeClient({ op: 'unsubscribe', id: 'third', channel: 'trade', markets: [market] }));
  session.receive(jsonCodec.encodeClient({ op: 'ping', id: 'fourth' }));
  const answers = () => connection.frames.slice(before).map(frame => JSON.parse(frame));
  for (let turn = 0; turn < 100 && answers().length < 4; turn++) await Promise.resolve();
  expect(
    answers()
      .map(({ id, type }) => `${type} ${id}`)
      .sort(),
  ).toEqual(['error second', 'pong fourth', 'subscribed first', 'unsubscribed third']);
  const [refused] = answers().filter(({ type }) => type === 'error');
  expect(refused).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('too many reads') });
});

it('takes streamRequestsWaitingMax messages at once, refuses one more by its id, and goes on with those that it took', async () => {
  const { session, connection } = await subscribedSession();
  const market = { market: MARKETS[0]!, side: null };
  const ask = (id: string): void =>
    session.receive(jsonCodec.encodeClient({ op: 'subscribe', id, channel: 'trade', markets: [market] }));
  const answers = (): Record<'id' | 'type' | 'message', string>[] =>
    connection.frames.map(frame => JSON.parse(frame)).filter(({ id }) => /^request/.test(id));
  const ids = Array.from({ length: limits.streamRequestsWaitingMax }, (_, number) => `request ${number}`);
  for (const id of ids) ask(id);
  expect(answers()).toEqual([]);
  ask('request too many');
  expect(answers()).toMatchObject([{ id: 'request too many', type: 'error' }]);
  expect(answers()[0]!.message).toContain('streamRequestsWaitingMax');
  for (let turn = 0; turn < 10_000 && answers().length <= ids.length; turn++) await Promise.resolve();
  expect(
    answers()
      .slice(1)
      .map(({ id, type }) => `${type} ${id}`),
  ).toEqual(ids.map(id => `subscribed ${id}`));
  ask('request afterwards');
  for (let turn = 0; turn < 100 && answers().length < ids.length + 2; turn++) await Promise.resolve();
  expect(answers().at(-1)).toMatchObject({ id: 'request afterwards', type: 'subscribed' });
});

it('owes a bounded number of snapshots, however often they are requested while it cannot send them', async () => {
  const { session, connection } = await subscribedSession();
  session.fallBehind();
  const ask = async (id: string): Promise<void> => {
    session.receive(jsonCodec.encodeClient({ op: 'snapshot', id, market: { market: MARKETS[0]!, side: null } }));
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  };
  const before = connection.sent;
  for (let asked = 0; asked < limits.snapshotsOwedMax; asked++) await ask(`s${asked}`);
  expect(connection.sent).toBe(before);
  await ask('one more');
  expect(JSON.parse(connection.frames.at(-1)!)).toMatchObject({
    ...{ type: 'error', id: 'one more', code: 'INVALID_REQUEST' },
    message: expect.stringContaining('snapshotsOwedMax'),
  });
  await ask('s0');
  session.catchUp();
  const done = connection.frames.slice(before).filter(frame => frame.includes('"snapshotsDone"'));
  expect(done).toHaveLength(limits.snapshotsOwedMax);
  expect(new Set(done.map(frame => JSON.parse(frame).id)).size).toBe(limits.snapshotsOwedMax);
  await ask('there is room again');
  expect(connection.frames.at(-1)).toContain('snapshotsDone');
});
