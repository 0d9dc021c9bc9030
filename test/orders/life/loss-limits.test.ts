// Loss limits in virtual time at a scripted venue. An order that raises risk is refused without a record once too much is lost, and what
// lowers risk goes on. A limit counts over restarts, and each day anew.

import { beforeEach, describe, expect, it } from 'vitest';
import { lossLimitBounds } from '../../../src/core/domain/loss-limit.ts';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import { noPosition } from '../../../src/core/domain/position.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { bookFill, bookSettlement } from '../../../src/orders/life/bookings.ts';
import { Ledger } from '../../../src/orders/life/ledger.ts';
import type { LookUp } from '../../../src/venues/venue.ts';
import { dollars, LossRig } from './loss-rig.ts';
import { ACTOR, found, POD, RESTS, Rig, shares, spend, TOKEN_SELL, ticks, YES_BUY } from './orders-rig.ts';

const { ticker } = YES_BUY;
const OTHER = { actorId: 'bob' };
/** The virtual clock begins at 20:26:40 UTC. */
const TO_MIDNIGHT_MS = (3 * 3_600 + 33 * 60 + 20) * 1_000;

let rig: Rig;
let operator: LossRig;
let keys: number;
beforeEach(() => {
  rig = new Rig();
  operator = new LossRig(rig);
  keys = 0;
});

const look = () => rig.pass(lossLimitBounds.lossLookMs + 50);
const requestOf = (action: 'BUY' | 'SELL', count: number) => ({ ...YES_BUY, action, size: shares(count) });
const place = (action: 'BUY' | 'SELL', count: number, change = {}) =>
  rig.submit(RESTS, { request: requestOf(action, count), idempotencyKey: `key ${keys++}`, ...change });
const refused = { type: 'refused', kind: 'unavailable', orderId: null };
const made = { type: 'made' };

/** Books a trade. Its order does not matter. */
function trade(
  count: number,
  price: number,
  { actorId = ACTOR, fee = 0 }: { actorId?: string; fee?: number } = {},
): void {
  const movement = { address: ticker, positionChange: shares(count), addressPrice: ticks(price), fee: dollars(fee) };
  rig.ledger.change(({ transaction, at }) =>
    bookFill(transaction, { account: rig.account, actorId, at }, movement, `fill ${keys++}`),
  );
}

function limitOf(lossMax: number, scope: string = ACTOR, cancels = false): void {
  operator.losses.set(scope, { lossMax: dollars(lossMax), cancels });
}

const shown = (scope: string = ACTOR) => operator.losses.views().find(it => it.scope === scope);
const events = () => operator.changes.map(({ event }) => event);

/** The limit as it is, beside the event of the latest change. */
function shownRow(): object {
  const { scope, ...limit } = shown()!;
  return { scope, limit };
}

describe('what has been lost', () => {
  it('is realized and unrealized, with fees, since the limit was set', async () => {
    trade(100, 5_000);
    trade(-50, 4_000);
    limitOf(10);
    expect(shown()).toMatchObject({ lossUsd: '0', positions: 1, positionsWithOldPrices: 1 });
    trade(-10, 4_500, { fee: 0.25 });
    expect(shown()).toMatchObject({ lossUsd: '0.75' });
    operator.price(ticker, 4_400, 4_600);
    await look();
    expect(shown()).toMatchObject({ lossUsd: '2.75', positionsWithOldPrices: 0, reachedAt: null });
    trade(-40, 5_500);
    expect(shown()).toMatchObject({ lossUsd: '-1.25', positions: 0 });
  });

  it('counts the payout of a market', () => {
    limitOf(10);
    trade(40, 5_000);
    rig.ledger.change(({ transaction, at }) =>
      bookSettlement(transaction, rig.account, [ACTOR], { address: ticker, value: ticks(0), at }),
    );
    expect(shown()).toMatchObject({ lossUsd: '20' });
  });

  it('counts at the last known price while the book is not LIVE, and after a restart', async () => {
    operator.price(ticker, 5_000);
    limitOf(10);
    trade(100, 5_000);
    operator.price(ticker, 4_500);
    await look();
    operator.price(ticker, null);
    await rig.pass(lossLimitBounds.lossPricesKeptMs);
    expect(shown()).toMatchObject({ lossUsd: '5', positionsWithOldPrices: 1 });
    restart();
    expect(shown()).toMatchObject({ lossUsd: '5', positionsWithOldPrices: 1 });
  });

  it('counts no more than the best ask and no less than the best bid of a book that lacks the other side', async () => {
    operator.price(ticker, 5_000);
    limitOf(50);
    trade(100, 5_000);
    await look();
    const lossAt = async (bid: number | null, ask: number | null): Promise<unknown> => {
      operator.price(ticker, bid, ask);
      await look();
      return shown();
    };
    expect(await lossAt(null, 9_900)).toMatchObject({ lossUsd: '0', positionsWithOldPrices: 1 });
    expect(await lossAt(null, 400)).toMatchObject({ lossUsd: '46', positionsWithOldPrices: 1 });
    expect(await lossAt(6_000, null)).toMatchObject({ lossUsd: '-10' });
    // The middle of the whole book counts again.
    expect(await lossAt(null, null)).toMatchObject({ lossUsd: '0' });
    trade(100, 5_000);
    expect(await lossAt(null, 400)).toMatchObject({ lossUsd: '92', reachedAt: expect.any(String) });
  });

  it('counts at the only side of a book that was never whole', async () => {
    limitOf(50);
    trade(100, 5_000);
    operator.price(ticker, null, 400);
    await look();
    expect(shown()).toMatchObject({ lossUsd: '46' });
  });

  it('of a pod is that of all its actors, and of nobody', () => {
    limitOf(10, POD);
    trade(10, 5_000);
    trade(-10, 4_000);
    trade(10, 5_000, OTHER);
    trade(-10, 4_000, OTHER);
    expect(shown(POD)).toMatchObject({ lossUsd: '2' });
  });
});

describe('a limit that is reached', () => {
  const lose = (amount: number, change = {}): void => {
    trade(10, 5_000, change);
    trade(-10, 5_000 - amount * 1_000, change);
  };

  it('refuses orders that raise risk, without a record, until the day ends', async () => {
    limitOf(2);
    lose(1.9);
    expect(await place('BUY', 1)).toMatchObject(made);
    lose(0.1);
    await rig.timers.settle(0);
    const records = rig.store.log.records.length;
    const answer = await place('BUY', 1);
    expect(answer).toEqual({
      ...refused,
      ...{ reason: null, isReplayed: false, retryAfterS: TO_MIDNIGHT_MS / 1_000 },
      message:
        'the loss limit of alice (2 dollars) is reached: 2 lost since 2026-05-28T20:26:40.000Z: orders that raise risk wait ' +
        'until 2026-05-29T00:00:00.000Z, or for "crossbook loss reset alice": nothing was sent',
    });
    expect([rig.store.log.records.length, rig.store.order(rig.id(`key ${keys - 1}`))]).toEqual([records, null]);
    expect(operator.changes).toMatchObject([
      { event: 'SET', scope: ACTOR, limit: { lossUsd: '0', reachedAt: null } },
      { event: 'REACHED', scope: ACTOR, limit: { lossMaxUsd: '2', lossUsd: '2', reachedAt: expect.any(String) } },
    ]);
    await rig.pass(TO_MIDNIGHT_MS - 1_000, 1_000);
    expect(await place('BUY', 1)).toMatchObject({ ...refused, retryAfterS: 1 });
    await rig.pass(1_000);
    expect(await place('BUY', 1)).toMatchObject(made);
    expect(shown()).toMatchObject({ since: '2026-05-29T00:00:00.000Z', lossUsd: '0', reachedAt: null });
    expect(operator.changes.slice(2)).toEqual([{ event: 'RENEWED', ...shownRow() }]);
  });

  it('holds although prices recover, and says that prices are old', async () => {
    operator.price(ticker, 5_000);
    limitOf(2);
    trade(100, 5_000);
    operator.price(ticker, 4_700);
    await look();
    operator.price(ticker, 5_000);
    await look();
    operator.price(ticker, null);
    await look();
    expect(await place('BUY', 1)).toMatchObject({
      ...refused,
      message: expect.stringContaining(
        '3 lost since 2026-05-28T20:26:40.000Z, with the last known prices of 1 of 1 positions',
      ),
    });
  });

  it('lets pass what can only make the position smaller, and no more than that', async () => {
    limitOf(2);
    trade(10, 5_000);
    lose(2, {});
    expect(await place('SELL', 6)).toMatchObject(made);
    expect(await place('SELL', 5)).toMatchObject(refused);
    expect(await place('SELL', 4)).toMatchObject(made);
    expect(await place('BUY', 1)).toMatchObject(refused);
    // A replacement counts in place of its order.
    await rig.timers.settle(1);
    rig.venue.amendments = [{ type: 'amended', venueOrderId: 'v-1', remaining: null, taken: shares(0) }];
    expect(await rig.replace({ price: ticks(5_700) }, {}, `key ${keys - 2}`)).toMatchObject(made);
  });

  it('5603: lets a sale pass beside a purchase in dollars, which cannot pass its holding', async () => {
    rig = new Rig('venue_a');
    operator = new LossRig(rig);
    const held = { ...noPosition('venue_a', TOKEN_SELL.tokenId, rig.timers.now()), size: shares(10) };
    rig.store.change(transaction => transaction.putPosition(ACTOR, held));
    rig.start({ request: spend(10), idempotencyKey: 'purchase' });
    limitOf(0);
    expect(await rig.submit(RESTS, { request: TOKEN_SELL, idempotencyKey: 'sale' })).toMatchObject(made);
  });

  it('of a pod refuses all its actors', async () => {
    limitOf(2, POD);
    lose(2);
    expect(await place('BUY', 1, OTHER)).toMatchObject(refused);
    expect(await place('BUY', 1, { podId: 'other', actorId: 'other/carol' })).toMatchObject(made);
  });

  it('stops an order that is recorded and not sent', async () => {
    limitOf(2);
    const sync = Promise.withResolvers<void>();
    rig.store.durable = () => sync.promise;
    const answer = place('BUY', 1);
    await rig.timers.settle(0);
    expect(rig.order(rig.id(`key ${keys - 1}`)).status).toBe('SUBMITTED');
    lose(2);
    sync.resolve();
    expect(await answer).toMatchObject({
      type: 'refused',
      kind: 'unavailable',
      message: expect.stringContaining('loss limit'),
    });
    expect(rig.order(rig.id(`key ${keys - 3}`))).toMatchObject({ status: 'REJECTED', isReleased: true });
    expect(rig.venue.calls.filter(call => call.startsWith('submit'))).toEqual([]);
  });

  it('stops the second half of a replace', async () => {
    rig = new Rig('venue_a');
    operator = new LossRig(rig);
    await rig.submit(RESTS);
    limitOf(2);
    const gone = Promise.withResolvers<LookUp>();
    rig.venue.lookUps = [gone.promise];
    const answer = rig.replace({ price: ticks(5_500) });
    await rig.timers.settle(100);
    expect(rig.order(rig.id('new')).status).toBe('PENDING');
    lose(2);
    gone.resolve(found('gone'));
    expect(await answer).toMatchObject({ type: 'refused', kind: 'unavailable', retryAfterS: TO_MIDNIGHT_MS / 1_000 });
    expect(rig.order(rig.id('new'))).toMatchObject({ status: 'REJECTED', isReleased: true });
    expect(rig.venue.calls.filter(call => call.startsWith('submit'))).toHaveLength(1);
  });

  it('is reached by the movement of the same turn', async () => {
    limitOf(2);
    let halt: unknown = null;
    rig.ledger.change(({ transaction, at }) => {
      const booking = { account: rig.account, actorId: ACTOR, at };
      const movement = { address: ticker, addressPrice: ticks(9_000), fee: 0 as MicroDollars };
      bookFill(transaction, booking, { ...movement, positionChange: shares(10) }, 'one');
      bookFill(transaction, booking, { ...movement, positionChange: shares(-10), addressPrice: ticks(1_000) }, 'two');
      halt = operator.losses.haltOf(transaction, { podId: POD, actorId: ACTOR, request: YES_BUY }, shares(1), 0);
    });
    expect(halt).toMatchObject({ retryAfterS: TO_MIDNIGHT_MS / 1_000 });
  });

  it('counts nothing of a step that is undone', async () => {
    limitOf(2);
    const undone = () =>
      rig.ledger.change(({ transaction, at }) => {
        const movement = { address: ticker, positionChange: shares(10), addressPrice: ticks(5_000), fee: dollars(5) };
        bookFill(transaction, { account: rig.account, actorId: ACTOR, at }, movement, 'one');
        throw new Error('deliberate');
      });
    expect(undone).toThrow('deliberate');
    await look();
    expect([shown()?.lossUsd, events()]).toEqual(['0', ['SET']]);
  });
});

describe('an operator', () => {
  it('resets a limit, sets it anew and ends it', async () => {
    limitOf(2);
    trade(10, 5_000, { fee: 2 });
    await look();
    expect(await place('BUY', 1)).toMatchObject(refused);
    limitOf(3);
    expect(shown()).toMatchObject({ lossMaxUsd: '3', lossUsd: '2', reachedAt: null });
    limitOf(1);
    expect(await place('BUY', 1)).toMatchObject(refused);
    expect(operator.losses.reset(ACTOR)).toBe(true);
    expect(shown()).toMatchObject({ lossUsd: '0', reachedAt: null });
    expect(await place('BUY', 1)).toMatchObject(made);
    limitOf(0);
    expect(await place('BUY', 1)).toMatchObject(refused);
    expect([operator.losses.end(ACTOR), operator.losses.end(ACTOR), operator.losses.reset(ACTOR)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await place('BUY', 1)).toMatchObject(made);
    expect(events()).toEqual(['SET', 'REACHED', 'SET', 'SET', 'REACHED', 'RESET', 'SET', 'REACHED', 'ENDED']);
    expect(operator.changes.at(-1)).toMatchObject({ scope: ACTOR, limit: { lossMaxUsd: '0' } });
  });

  it('has working orders cancelled that raise risk, if the limit says so', async () => {
    trade(10, 5_000);
    for (const [action, count] of [
      ['BUY', 3],
      ['SELL', 10],
    ] as const)
      await place(action, count);
    const [raises, lowers] = [rig.id('key 1'), rig.id('key 2')];
    limitOf(1, ACTOR, false);
    trade(1, 5_000, { fee: 1 });
    await look();
    expect(rig.order(raises).cancelRequestedAt).toBe(null);
    limitOf(1, ACTOR, true);
    rig.venue.lookUps = [found('gone')];
    await look();
    expect(rig.order(raises)).toMatchObject({ cancelReason: 'LOSS_LIMIT' });
    expect(rig.order(lowers).cancelRequestedAt).toBe(null);
  });

  it('learns that a limit could not be recorded, and nothing changes', () => {
    rig.store.isFull = true;
    expect(() => limitOf(2)).toThrow(StoreError);
    expect([operator.losses.views(), operator.changes]).toEqual([[], []]);
  });
});

describe('a restart', () => {
  it('keeps limits, and what was lost', async () => {
    limitOf(2);
    trade(10, 5_000, { fee: 2 });
    await look();
    restart();
    expect(shown()).toMatchObject({ lossUsd: '2', reachedAt: expect.any(String) });
    expect(operator.changes).toEqual([{ event: 'REACHED', ...shownRow() }]);
    expect(await place('BUY', 1)).toMatchObject(refused);
  });

  it('begins the day that has begun meanwhile', async () => {
    limitOf(2);
    trade(10, 5_000, { fee: 2 });
    await rig.pass(1_000);
    operator.losses.stop();
    rig.timers.advance(TO_MIDNIGHT_MS);
    restart();
    expect(events().at(-1)).toBe('RENEWED');
    trade(10, 5_000, { fee: 1 });
    expect(shown()).toMatchObject({ lossUsd: '1', reachedAt: null });
  });

  it('reaches a limit that was not recorded as reached', async () => {
    limitOf(2);
    trade(10, 5_000, { fee: 1 });
    await look();
    rig.store.change(transaction => {
      const movement = { address: ticker, positionChange: shares(10), addressPrice: ticks(5_000), fee: dollars(1) };
      bookFill(transaction, { account: rig.account, actorId: ACTOR, at: rig.timers.now() }, movement, 'last');
    });
    restart();
    expect(await place('BUY', 1)).toMatchObject(refused);
  });
});

it('the day of a pod ends at midnight of its time zone', async () => {
  operator.losses.stop();
  operator = new LossRig(rig, operator.prices, 'Europe/Vienna');
  limitOf(0);
  expect(await place('BUY', 1)).toMatchObject({ ...refused, retryAfterS: TO_MIDNIGHT_MS / 1_000 - 2 * 3_600 });
});

/** Starts the next process, on the same ledger. */
function restart(): void {
  operator.losses.stop();
  const { timers, account, executions, parts } = rig;
  const ledger = new Ledger({ store: rig.restarted(), now: () => timers.now(), publish: () => {}, diverged: () => {} });
  const next = { ledger, timers, account, executions, lossHalt: rig.lossHalt };
  operator = new LossRig(next, operator.prices);
  Object.assign(rig, { ledger, store: ledger.store, lossHalt: next.lossHalt });
  Object.assign(parts, { ledger });
}
