// Found on recorded sessions: after a subscription the stream sends changes from before its books, which the books include. Each raised
// HASH_MISMATCH and a read by REST, and if that was of another moment the book was emptied. Timestamps alone do not decide: they step back.
// Now a change is applied first. If its hash then fails, and its time is not later than that of the `book`, the book included it.

import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY } from '../../src/domain/market.ts';
import { VenueABook } from '../../src/replay/venue-a-book.ts';
import { FeedRig } from '../venues/venue-a/feed-rig.ts';
import { SHARE, TwinMarket } from '../venues/venue-a/twin-market.ts';

type Change = {
  readonly timestamp: string;
  readonly price_changes: readonly { readonly hash: string; readonly asset_id: string }[];
};

const START = 1_786_845_510_030;

function seeded(): TwinMarket {
  const twin = new TwinMarket(0).seed([
    [BID, 5_200, 20 * SHARE],
    [ASK, 5_400, 30 * SHARE],
  ]);
  twin.time = START;
  return twin;
}

/** A market whose subscription is acknowledged, and no book yet. */
async function opened(twin: TwinMarket): Promise<FeedRig> {
  const rig = new FeedRig(twin);
  await rig.feed.subscribe(twin.tokens[PRIMARY]);
  await rig.timers.settle();
  rig.socket.open();
  // REST does not answer: what is asked of it shows in the requests.
  rig.answers.set(`rest/book?token_id=${twin.tokens[PRIMARY]}`, new Promise(() => {}));
  return rig;
}

function expectUndoubted(rig: FeedRig, twin: TwinMarket, passedOver: number): void {
  expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1 });
  expect(rig.picture()).toBe(twin.picture());
  const names = ['hashMismatches', 'bookRereads', 'resyncs', 'messagesInBook'] as const;
  expect(names.map(name => rig.counters.read(name))).toEqual([0, 0, 0, passedOver]);
}

/** Three changes, at 31, 32 and 33, of which the last two concern one level. */
function threeChanges(twin: TwinMarket): Change[] {
  return [
    twin.change(ASK, 5_500, 7 * SHARE),
    twin.change(BID, 5_300, 2 * SHARE),
    twin.change(BID, 5_300, 3 * SHARE),
  ] as Change[];
}

describe('changes that follow a book which has them', () => {
  it('are passed over, and the next new one is a delta', async () => {
    const twin = seeded();
    const rig = await opened(twin);
    const old = threeChanges(twin).slice(0, 2);
    twin.change(BID, 5_100, SHARE);
    twin.change(ASK, 5_400, 29 * SHARE);
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    for (const change of old) rig.socket.send(change);
    expectUndoubted(rig, twin, 2);
    rig.socket.send(twin.change(BID, 5_300, 9 * SHARE));
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 2 });
    expect(rig.picture()).toBe(twin.picture());
  });

  it('are passed over up to the one that has led to it, whose hash it is', async () => {
    const twin = seeded();
    const rig = await opened(twin);
    const changes = threeChanges(twin);
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    for (const change of changes) rig.socket.send(change);
    rig.socket.send(twin.change(ASK, 5_500, 0));
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1 });
    expect(rig.picture()).toBe(twin.picture());
    expect(['hashMismatches', 'bookRereads'].map(name => rig.counters.read(name as 'bookRereads'))).toEqual([0, 0]);
  });

  it('are passed over if one is stamped before the book whose very hash it states', async () => {
    const twin = seeded();
    const rig = await opened(twin);
    twin.change(BID, 5_300, 3 * SHARE);
    twin.time = START + 4;
    const change = twin.change(ASK, 5_500, 7 * SHARE) as Change;
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    expect(change.price_changes[0]!.hash).toBe(twin.hash(PRIMARY));
    rig.socket.send({ ...change, timestamp: String(START + 2) });
    expectUndoubted(rig, twin, 1);
  });

  it('are passed over if several share the stamp of the book', async () => {
    const twin = seeded();
    const rig = await opened(twin);
    const first = twin.change(BID, 5_300, 2 * SHARE) as Change;
    twin.time = START;
    const second = twin.change(ASK, 5_500, 7 * SHARE) as Change;
    expect(first.timestamp).toBe(second.timestamp);
    rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
    for (const change of [first, second]) rig.socket.send(change);
    expectUndoubted(rig, twin, 1);
  });

  it('are passed over if an older book of the other token comes in between', async () => {
    const twin = seeded();
    const rig = await opened(twin);
    const [first, second] = threeChanges(twin);
    const older = twin.bookEvent(COMPLEMENT);
    const last = twin.change(ASK, 5_600, SHARE);
    rig.socket.send(twin.bookEvent(PRIMARY), older);
    for (const change of [first!, second!, last]) rig.socket.send(change);
    expectUndoubted(rig, twin, 3);
    rig.socket.send(twin.change(BID, 5_300, 9 * SHARE));
    expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 2 });
  });
});

it('a change that is new though its stamp is older is applied', async () => {
  const twin = seeded();
  const rig = await opened(twin);
  rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
  twin.time = START - 3;
  rig.socket.send(twin.change(BID, 5_300, 5 * SHARE));
  expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 2 });
  expectUndoubted(rig, twin, 0);
});

it('once a change has been proven on the book, an older one that fails is a loss', async () => {
  const twin = seeded();
  const rig = await opened(twin);
  rig.socket.send(twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT));
  rig.socket.send(twin.change(BID, 5_300, 5 * SHARE));
  twin.change(BID, 5_100, SHARE);
  twin.time = START - 3;
  rig.socket.send(twin.change(ASK, 5_500, 7 * SHARE));
  expect(rig.book()).toMatchObject({ state: 'STALE', reason: 'HASH_MISMATCH' });
  expect(rig.counters.read('bookRereads')).toBe(1);
});

it('a book that is hashed with the earlier stamp of the change behind it is shown with that change', async () => {
  const twin = seeded();
  const rig = await opened(twin);
  const change = twin.change(BID, 5_300, 3 * SHARE);
  const books = [PRIMARY, COMPLEMENT].map(view => ({ ...twin.bookEvent(view as 0 | 1), timestamp: String(START + 4) }));
  rig.socket.send(...books);
  rig.socket.send(change);
  expect(rig.book()).toMatchObject({ state: 'LIVE', epoch: 1, seq: 1 });
  expect(rig.picture()).toBe(twin.picture());
  expect(rig.counters.read('resyncs')).toBe(0);
});

it('a replayed session has the book that was recorded, also with older changes and books behind it', () => {
  const twin = seeded();
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
