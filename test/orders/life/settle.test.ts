// The venue's answer to a submission: after the order was given up here, and for an order whose fills have no prices yet.

import { describe, expect, it } from 'vitest';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import { orderCodec } from '../../../src/core/store/orders/order-record.ts';
import { positionCodec } from '../../../src/core/store/orders/records.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { limits } from '../../../src/limits.ts';
import { statedFill } from '../../../src/venues/venue-a/trading/answers.ts';
import { submitOutcome } from '../../../src/venues/venue-b/trading/answers.ts';
import { found, REFUSED, RESTS, Rig, shares, TIMEOUT, TOKEN_SELL, total, YES_BUY } from './orders-rig.ts';

it('4002: an order that is taken late and cancelled at once ends with the fills that the venue states of it', async () => {
  const rig = new Rig();
  const { answer, say } = rig.start();
  await rig.pass(10, 5);
  await rig.sweep(3_600_000);
  expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
  rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }];
  const stated = total(4, 5_600, 4_000);
  rig.venue.lookUps = [{ type: 'found', venueOrderId: 'v-1', state: 'gone', stated, fills: [] }];
  say(RESTS);
  expect(await answer).toMatchObject({ kind: 'unknownOutcome' });
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', stated: { size: shares(4) } });
  expect([...rig.store.unreportedOrders(rig.account)]).toHaveLength(1);
});

it('4023: an order that met another of its account keeps that reason, though its fills have to be looked up', async () => {
  const rig = new Rig();
  rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
  const exists = { type: 'exists', message: 'taken', venueOrderId: 'v-1', reason: 'SELF_TRADE' } as const;
  expect(await rig.submit(exists)).toMatchObject({ status: 'CANCELLED' });
  expect(rig.order()).toMatchObject({ cancelReason: 'SELF_TRADE', filled: { size: shares(4) } });
});

// Each amount that a venue states is exact below 2^53, and so were the sums of one statement (0010), but not those of several fills. The
// order store refuses such a number, which ended the thread, again after each start. And an order that traded more than its size did so
// silently.
describe('0018: fills beyond what is exact', () => {
  const MOST = 9_007_199_254;
  const MOST_FEES = Number.MAX_SAFE_INTEGER as MicroDollars;

  function isKept(rig: Rig): boolean {
    orderCodec.encode({ order: rig.order(), intent: null, refusedAs: null });
    for (const position of rig.store.positions('alice', 'venue_b')) positionCodec.encode(position);
    for (const position of rig.store.positions('unattributed:pod', 'venue_b')) positionCodec.encode(position);
    return true;
  }

  it('a fill beyond the exact range of its order or position is logged, and not booked', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', MOST) });
    rig.hear({ type: 'fill', fill: rig.fill('g', MOST) });
    rig.hear({ type: 'fill', fill: rig.fill('h', 1, { fee: MOST_FEES }) });
    expect([isKept(rig), rig.position()]).toEqual([true, shares(MOST)]);
    expect(rig.divergences).toEqual(['overfilled', 'uncountable-fill', 'uncountable-fill']);
  });

  it('an orphan fill beyond it is not booked, even if its order is found later', async () => {
    const rig = new Rig();
    const foreign = { clientOrderId: null, venueOrderId: 'v-1' } as const;
    for (const id of ['f', 'g']) rig.hear({ type: 'fill', fill: rig.fill(id, MOST, foreign) });
    expect(rig.divergences).toEqual(['unattributed-fill', 'uncountable-fill']);
    await rig.submit(RESTS);
    for (const id of ['f', 'g']) rig.hear({ type: 'fill', fill: rig.fill(id, MOST) });
    expect([isKept(rig), rig.position()]).toEqual([true, shares(MOST)]);
  });

  it('an order that trades more than its size is logged once', async () => {
    const rig = await Rig.submitted(RESTS);
    for (const id of ['f', 'g', 'h']) rig.hear({ type: 'fill', fill: rig.fill(id, 8) });
    expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(24) } });
    expect(rig.divergences).toEqual(['overfilled']);
  });

  it('an answer whose fees cannot be counted does not state what was filled', () => {
    const dear = { numerator: 9, denominator: 1, exponent: 0, isTakerOnly: true };
    const signed = { isBuy: true, makerAmount: 10n ** 15n };
    expect(statedFill('1', '9007199254', signed, dear)).toBeNull();
    const request = { ...YES_BUY, size: shares(1_000_000) };
    const body = { order_id: 'o', fill_count: '1000000.00', remaining_count: '0.00', average_fill_price: '0.5' };
    const answer = { type: 'answer', status: 201, headers: new Map<string, string>() } as const;
    const outcomeOf = (average_fee_paid: string) =>
      submitOutcome(request, 'c', { ...answer, body: JSON.stringify({ ...body, average_fee_paid }) }).type;
    expect([outcomeOf('0.01'), outcomeOf('9007199254')]).toEqual(['accepted', 'unknown']);
  });
});

// A market order that sells to several makers is reported fill by fill, and the venue's answer may come after the first fill. From then on
// the rest of the order no longer counted as on sale, so another thread could sell the rest again. If the wallet has shares of another
// actor of the pod, these shares were sold.
describe('0176: a sale reported in parts', () => {
  const ALL = { ...TOKEN_SELL, type: 'MARKET', size: shares(10), worstPrice: null, timeInForce: 'FOK' } as const;
  const SIX = { request: { ...ALL, size: shares(6) }, idempotencyKey: 'six' };

  async function holding(): Promise<Rig> {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    rig.hear({ type: 'fill', fill: rig.fill('bought', 10) });
    return rig;
  }

  function fourAreSold(rig: Rig): void {
    const venueOrderId = `digest-${rig.id('sold')}`;
    rig.hear({ type: 'fill', fill: rig.fill('first', 4, { venueOrderId, positionChange: shares(-4) }) });
  }

  it.each(['FOK', 'FAK'] as const)('(%s) is on sale as a whole until it is answered', async timeInForce => {
    const rig = await holding();
    const { answer, say } = rig.start({ request: { ...ALL, timeInForce }, idempotencyKey: 'sold' });
    await rig.timers.settle(10);
    fourAreSold(rig);
    const message = 'amount: the actor can sell 0 shares of this token';
    expect(await rig.submit(RESTS, SIX)).toMatchObject({ kind: 'insufficientBalance', message });
    say(REFUSED);
    await answer;
  });

  it('all or nothing is all, also if the answer is lost', async () => {
    const rig = await holding();
    await rig.submit(TIMEOUT, { request: ALL, idempotencyKey: 'sold' });
    rig.timers.advance(limits.venueAnswerTimeoutMs);
    fourAreSold(rig);
    expect(await rig.submit(RESTS, SIX)).toMatchObject({ kind: 'insufficientBalance' });
  });
});

// An order that was recorded and never sent is given up after 15 s. A full disk cannot record that, so the change is undone, and the order
// comes last in the sweep. The sweep came to the order again and again, and the engine did nothing else (simulation, seed 3 017 445).
describe('3154: an engine that turns in a circle', () => {
  const TRIES_MAX = 10;

  it('a sweep tries once what cannot be recorded, and the next one again', async () => {
    const rig = new Rig('venue_b');
    rig.putUnsent();
    rig.store.isFull = true;
    let tries = 0;
    const rehearse = rig.store.rehearse.bind(rig.store);
    rig.store.rehearse = work => {
      tries += 1;
      if (tries > TRIES_MAX) throw new Error('the sweep does not end');
      return rehearse(work);
    };
    // The account cannot be read either.
    await expect(rig.sweep(16_000)).rejects.toThrow(StoreError);
    expect([tries, rig.order().status]).toEqual([1, 'PENDING']);
    rig.store.isFull = false;
    await rig.sweep();
    expect(rig.order().status).toBe('REJECTED');
  });
});
