// Markets that have paid out: at their price, to all holders, in their own pod (contract §5). executions.test.ts shows how the gateway
// hears of a payout.

import { beforeEach, describe, expect, it } from 'vitest';
import { fraction } from '../../../src/core/domain/fraction.ts';
import type { Ticks } from '../../../src/core/domain/numbers.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { limits } from '../../../src/limits.ts';
import { bookSettlement, unattributedOf } from '../../../src/orders/life/bookings.ts';
import { Executions } from '../../../src/orders/life/executions.ts';
import { CONDITION, tradingOn } from '../../venues/venue-a/trading/scripted-line.ts';
import { FIRST, SECOND } from '../../venues/venue-a/trading/trading-rig.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, ticks, YES_BUY } from './orders-rig.ts';

const { tokenId } = TOKEN_SELL;

function settled(rig: Rig, address: string, value: number): void {
  rig.hear({ type: 'settled', address, value: ticks(value), at: rig.timers.now() });
}

/** Looks minute by minute. The venue says that nothing waits to be redeemed. */
async function look(rig: Rig, times = 2): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    rig.hear({ type: 'redeemable', addresses: [] });
    await rig.timers.settle(limits.venueASettlementPollMs);
  }
}

/** A rig that holds five shares of a token whose market has paid out. */
async function holding(value?: number): Promise<Rig> {
  const rig = await Rig.submitted(RESTS, 'venue_a');
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  if (value !== undefined) settled(rig, tokenId, value);
  return rig;
}

const held = (rig: Rig) => rig.store.position(ACTOR, 'venue_a', tokenId);

it.each([10_000, 5_000])('a token that pays %i ticks is redeemed at that', async value => {
  const rig = await holding(value);
  await look(rig);
  const realized = fraction(BigInt(value - 5_600) * BigInt(shares(5)));
  expect(held(rig)).toMatchObject({ size: 0, isRedeemable: false, realized });
});

it('an unattributed holding is redeemed, too', async () => {
  const rig = new Rig('venue_a');
  rig.hear({ type: 'fill', fill: rig.fill('f', 5, { venueOrderId: 'foreign' }) });
  const unattributed = () => rig.store.position(unattributedOf(POD), 'venue_a', tokenId);
  settled(rig, tokenId, 10_000);
  expect(unattributed()).toMatchObject({ size: shares(5), isRedeemable: true });
  await look(rig);
  expect(unattributed()).toMatchObject({ size: 0, isRedeemable: false });
});

it('4013: a worthless token that pays after all is held again, and redeemed at what it pays', async () => {
  const rig = await holding(0);
  expect(held(rig)).toMatchObject({ size: 0, realized: fraction(-5_600n * BigInt(shares(5))) });
  settled(rig, tokenId, 10_000);
  const average = fraction(5_600n);
  expect(held(rig)).toMatchObject({ size: shares(5), isRedeemable: true, average, realized: fraction(0n) });
  await look(rig);
  const redeemed = { size: 0, realized: fraction(4_400n * BigInt(shares(5))) };
  expect(held(rig)).toMatchObject({ ...redeemed, isRedeemable: false });
  // A redeemed position has ended.
  settled(rig, tokenId, 0);
  expect(held(rig)).toMatchObject(redeemed);
});

it.each([
  [0, 10_000],
  [10_000, 0],
  [2_500, 7_500],
])('4013: venue B pays %i, and %i after all', async (first, last) => {
  const rig = await Rig.submitted(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  for (const value of [first, last]) settled(rig, YES_BUY.ticker, value);
  const realized = fraction(BigInt(last - 5_600) * BigInt(shares(5)));
  expect(rig.store.position(ACTOR, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: 0, realized });
});

it('a result that is amended counts for later reports', async () => {
  const rig = await Rig.submitted(RESTS);
  settled(rig, YES_BUY.ticker, 0);
  settled(rig, YES_BUY.ticker, 10_000);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  const realized = fraction(4_400n * BigInt(shares(5)));
  expect(rig.store.position(ACTOR, 'venue_b', YES_BUY.ticker)).toMatchObject({ size: 0, realized });
});

it('a settlement that one pod knows is news in another', async () => {
  const rig = await Rig.submitted(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
  const elsewhere = { podId: 'other', venue: 'venue_b' } as const;
  const result = { address: YES_BUY.ticker, value: ticks(10_000) };
  rig.ledger.change(({ transaction, at }) => bookSettlement(transaction, elsewhere, [], { ...result, at }));
  expect(rig.position()).toBe(shares(5));
  settled(rig, YES_BUY.ticker, 10_000);
  expect(rig.position()).toBe(0);
});

// The wallet no longer listed such winners. So no source stated their payout, and the difference went to `unattributed`.
describe('0055: a winner redeemed unseen', () => {
  const WON = 10_000 as Ticks;
  const LOST = 0 as Ticks;

  describe('a holding that the wallet lists no more', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = new Rig('venue_a');
      rig.executions.start();
      await rig.pass(100, 10);
      await rig.submit(RESTS, { request: { ...TOKEN_SELL, side: 'BUY', size: shares(10) } });
      rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
      rig.venue.held = ok([]);
    });

    /** Lets minutes pass. In each minute the venue reports that nothing waits to be redeemed. */
    async function minutes(count: number): Promise<void> {
      for (let minute = 0; minute < count; minute += 1) {
        rig.hear({ type: 'redeemable', addresses: [] });
        await rig.sweep(limits.holdingsReadAgeMs);
      }
    }
    const realized = () => {
      const { numerator, denominator } = rig.store.position(ACTOR, 'venue_a', TOKEN_SELL.tokenId)!.realized;
      return Number(numerator) / Number(denominator);
    };
    const held = () => [rig.position(), rig.position(unattributedOf(POD)), rig.divergences];

    it.each([
      ['won', WON, (10_000 - 5_600) * shares(10)],
      ['lost', LOST, -5_600 * shares(10)],
    ])('has %s', async (_title, value, gain) => {
      rig.venue.paid = ok(value);
      await minutes(15);
      expect(held()).toEqual([0, 0, []]);
      expect(realized()).toBe(gain);
      expect(rig.venue.calls.filter(call => call.startsWith('payoutOf'))).toHaveLength(1);
    });

    it('is a difference where its market has not paid out', async () => {
      await minutes(15);
      expect(held()).toEqual([shares(10), shares(-10), ['position-differs']]);
    });

    it('is no difference as long as the market cannot be asked', async () => {
      rig.venue.paid = { ok: false, error: 'HTTP 503' };
      await minutes(15);
      expect(held()).toEqual([shares(10), 0, []]);
      rig.venue.paid = ok(WON);
      await minutes(5);
      expect(held()).toEqual([0, 0, []]);
    });
  });

  describe('what a token has paid', () => {
    const tokens = (winner: string) =>
      [FIRST, SECOND].map(it => ({ token_id: it, outcome: it, winner: it === winner }));
    const payout = (answer: { readonly status?: number; readonly body: unknown }) =>
      tradingOn({ [`/markets/${CONDITION}`]: () => answer }).trading.payoutOf(FIRST);
    const market = { condition_id: CONDITION, question: 'Who wins?', closed: true };
    const trading = { ...market, closed: false, active: true, accepting_orders: true };

    it.each([
      ['its market has its winner', { body: { ...market, tokens: tokens(FIRST) } }, ok(WON)],
      ['the other has won', { body: { ...market, tokens: tokens(SECOND) } }, ok(LOST)],
      ['neither has', { body: { ...market, is_50_50_outcome: true, tokens: tokens('') } }, ok(5_000)],
      ['it is closed, and not resolved', { body: { ...market, tokens: tokens('') } }, ok(null)],
      ['it trades', { body: { ...trading, tokens: tokens('') } }, ok(null)],
      ['both have won', { body: { ...market, tokens: [tokens(FIRST)[0], tokens(SECOND)[1]] } }, ok(null)],
      ['it is forgotten', { status: 404, body: { error: 'market not found' } }, ok(null)],
      ['it cannot be read', { body: {} }, ok(null)],
      ['nobody answers for it', { status: 503, body: { error: 'down' } }, { ok: false, error: '/markets: down' }],
    ])('%s', async (_title, answer, expected) => {
      expect(await payout(answer)).toEqual(expected);
    });
  });
});

// A look asks for a bounded number of markets whose holdings the wallet no longer lists, and the next look for the others. If the first
// ones could not be read, each look asked for them again, and never for the others.
describe('0087: payouts behind those that cannot be asked', () => {
  const NOBODY = unattributedOf(POD);
  const COUNT = limits.payoutsAskedPerLook + 5;
  const tokenOf = (index: number) => `${1_000 + index}`;

  it('payouts have their turn behind those that cannot be asked, and then the first come once more', async () => {
    const rig = new Rig('venue_a');
    let isBack = false;
    rig.venue.payoutOf = address => {
      const isAway = Number(address) < 1_000 + limits.payoutsAskedPerLook && !isBack;
      return Promise.resolve(isAway ? fail('HTTP 500') : ok(0 as Ticks));
    };
    rig.executions.start();
    await rig.pass(100, 10);
    for (let index = 0; index < COUNT; index += 1) {
      const fill = rig.fill(`f${index}`, 10, { venueOrderId: 'foreign', address: tokenOf(index) });
      rig.hear({ type: 'fill', fill });
    }
    rig.venue.held = ok([]);
    const held = () => [...rig.store.positions(NOBODY, 'venue_a')].filter(({ size }) => size !== 0).length;
    await rig.sweep(limits.holdingsSettleMs);
    expect(held()).toBe(COUNT);
    for (let look = 0; look < 5; look += 1) await rig.sweep(limits.holdingsAuditMs);
    expect([held(), rig.divergences.includes('position-differs')]).toEqual([limits.payoutsAskedPerLook, false]);
    isBack = true;
    for (let look = 0; look < 3; look += 1) await rig.sweep(limits.holdingsAuditMs);
    expect(held()).toBe(0);
    expect(rig.store.position(NOBODY, 'venue_a', tokenOf(0))).toMatchObject({ size: 0 });
  });
});

// The gateway took winners for redeemed for good if the wallet did not list them as redeemable twice in a row. Such winners left positions
// and balances, and nothing brought them back. Now the CLOB is asked about each winner first.
describe('0143: a winner that is not listed', () => {
  it.each([
    ['is in the wallet', ok(shares(5))],
    ['cannot be asked about', { ok: false, error: 'HTTP 503' } as const],
  ])('stays if it %s', async (_what, said) => {
    const rig = await holding(10_000);
    rig.venue.statedHolding = said;
    await look(rig, 5);
    expect(held(rig)).toMatchObject({ size: shares(5), isRedeemable: true });
    rig.venue.statedHolding = ok(shares(0));
    await look(rig, 1);
    expect(held(rig)).toMatchObject({ size: 0, isRedeemable: false });
  });

  it('is asked about only when it was missed twice', async () => {
    const rig = await holding(10_000);
    await look(rig, 1);
    expect(rig.venue.calls.filter(call => call.startsWith('holding'))).toEqual([]);
    await look(rig, 1);
    expect(rig.venue.calls.filter(call => call.startsWith('holding'))).toEqual(['holding 1001']);
  });
});

// A payout that came while nothing could be recorded was lost until the next start. A worthless holding stayed in the positions at its cost, and
// a winner was never redeemable.
it.each([
  [0, { size: 0, isRedeemable: false }],
  [10_000, { size: shares(5), isRedeemable: true }],
])('3210: a payout of %i ticks that cannot be recorded is booked later', async (value, booked) => {
  const rig = new Rig('venue_a');
  const { ledger, timers, account, venue, store } = rig;
  let faults = 0;
  const executions = new Executions({
    ...{ ledger, timers, actorOfTag: () => null, actorsOf: () => [ACTOR], announce: () => {} },
    accounts: [{ account, trading: venue }],
    storeFailed: () => {
      faults += 1;
    },
  });
  const look = async (): Promise<void> => {
    await timers.settle(1_000);
    await executions.sweep();
  };
  await rig.submit(RESTS);
  executions.handle(account, { type: 'fill', fill: rig.fill('f', 5) });
  store.isFull = true;
  executions.handle(account, { type: 'settled', address: TOKEN_SELL.tokenId, value: ticks(value), at: timers.now() });
  await look();
  expect([held(rig)?.size, held(rig)?.isRedeemable, faults > 0]).toEqual([shares(5), false, true]);
  store.isFull = false;
  await look();
  expect(held(rig)).toMatchObject(booked);
  const records = store.log.records.length;
  await look();
  expect(store.log.records.length).toBe(records);
});

// A holding was also closed if the trade that brought it had failed. The closed holding still waited for a redemption, about which the
// venue could be asked again and again.
it.each([
  ['a result that is amended to nothing', (rig: Rig) => settled(rig, tokenId, 0)],
  [
    'a trade that fails after its market has paid',
    (rig: Rig) => rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' }),
  ],
])('3222: %s leaves nothing to redeem', async (_what, happens) => {
  const rig = await holding(10_000);
  expect(held(rig)).toMatchObject({ isRedeemable: true });
  happens(rig);
  expect(held(rig)).toMatchObject({ size: 0, isRedeemable: false });
});
