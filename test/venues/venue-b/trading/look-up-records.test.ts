// A look-up and an account by scripted answers of venue B. An unreadable order never counts as absent, and never as partly read.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { balance, ordersSince } from '../../../../src/venues/venue-b/trading/account.ts';
import { lookUp } from '../../../../src/venues/venue-b/trading/look-up.ts';
import { price, size } from '../../trading-rig.ts';
import { INTENT, orderOf, request } from './scripted-answers.ts';
import { FILL, ORDER, scriptedRest } from './scripted-rest.ts';

/** A purchase of NO. */
const MADE = orderOf(request({ side: 'NO' }));
const SENT = { ...MADE, sentAt: MADE.createdAt };

describe('an order that is looked up and', () => {
  const fresh = { as_of_time: '2027-01-01T00:00:00Z' };
  const nothing = { orders: [], cursor: '' };
  type Answer = (target: string) => unknown;
  const lookedUp = (answer: Answer, venueOrderId: string | null = null) => {
    const rest = scriptedRest(answer);
    return lookUp(rest, { ...SENT, venueOrderId }, INTENT, rest.deadline());
  };
  /** Returns answers that show an order by its id, and its fills. */
  const shown = (order: unknown, fills: readonly unknown[]): Answer => {
    return target => (target.includes('/fills') ? { fills, cursor: '' } : { order });
  };
  const sold = { ...ORDER, book_side: 'ask' };
  const TWO_HUGE = ['t1', 't2'].map(trade_id => ({ ...FILL, trade_id, count_fp: '5000000000.00' }));

  it.each<[string, Answer, string | null]>([
    [
      'is not there, of a venue that does not say how fresh that is',
      it => (it.includes('/orders') ? nothing : {}),
      null,
    ],
    [
      'is not there before, of a venue that cannot be asked again',
      target => {
        if (target.includes('user_data')) return fresh;
        return target.includes('max_ts') ? nothing : { status: 503 };
      },
      null,
    ],
    [
      'is over, with more filled than is listed, at prices that are not said',
      shown({ ...ORDER, status: 'canceled', taker_fill_cost_dollars: 'some' }, []),
      'order',
    ],
    ['has more fills than can be counted', shown(ORDER, TWO_HUGE), 'order'],
  ])('%s is neither absent nor found', async (_what, answer, venueOrderId) => {
    expect(await lookedUp(answer, venueOrderId)).toMatchObject({ type: 'unavailable' });
  });

  it.each<[string, Answer, string | null]>([
    ['is listed, and cannot be read', () => ({ orders: [{ ...ORDER, status: 'unknown' }], cursor: '' }), null],
    ['is shown, and cannot be read', () => ({ order: { ...ORDER, status: 'pending' } }), 'order'],
    ['is shown as no order', () => ({ order: null }), 'order'],
    ['is another one', shown({ ...ORDER, order_id: 'another' }, []), 'order'],
    [
      'is over, with a fill that cannot be read',
      shown({ ...ORDER, status: 'canceled' }, [{ ...FILL, count_fp: 'some' }]),
      'order',
    ],
  ])('%s is held', async (_what, answer, venueOrderId) => {
    expect(await lookedUp(answer, venueOrderId)).toMatchObject({ type: 'held' });
  });

  it('has cost what its fills have, not what the venue’s sums say', async () => {
    // The order sold at 0.55 with a limit of 0.40. The sum of 4.50 states the same.
    const sums = { taker_fill_cost_dollars: '4.5000', maker_fill_cost_dollars: '0.0000' };
    const counts = { fill_count_fp: '10.00', remaining_count_fp: '0.00', status: 'executed' };
    const order = { ...sold, ...sums, ...counts, yes_price_dollars: '0.4000' };
    const fill = { ...FILL, yes_price_dollars: '0.5500', count_fp: '10.00' };
    const found = await lookedUp(shown(order, [fill]), 'order');
    expect(found).toMatchObject({ type: 'found', stated: { cost: 10_000_000n * 4_500n }, fills: [{ price: 4_500 }] });
  });

  it('rests, with a fill that cannot be read', async () => {
    const answer = shown(ORDER, [{ ...FILL, count_fp: 'some' }]);
    expect(await lookedUp(answer, 'order')).toMatchObject({ type: 'found', state: 'rests', fills: [] });
  });

  it('whose fills are not listed yet has traded what the venue says, in its own frame', async () => {
    // The record of an ask has the cost in terms of NO. 1.60 for four contracts are 0.40 each, so YES was sold at 0.60.
    const cost = 4_000_000n * 4_000n;
    expect(await lookedUp(shown({ ...sold, maker_fill_cost_dollars: '1.2500' }, []), 'order')).toMatchObject({
      type: 'found',
      state: 'rests',
      stated: { size: size('4'), cost, fees: 10_000 },
      fills: [],
    });
  });

  it('whose fills are listed in part and without sums is known by its fills alone', async () => {
    const bare = Object.fromEntries(Object.entries(sold).filter(([key]) => !/cost|fees/.test(key)));
    const fill = { ...FILL, count_fp: '1.00' };
    const found = await lookedUp(shown(bare, [fill]), 'order');
    expect(found).toMatchObject({ type: 'found', stated: null, fills: [{ size: size('1'), price: price('0.25') }] });
  });
});

describe('an order that appears between two reads', () => {
  it('is found: a list that was read before the venue said how fresh it is proves nothing', async () => {
    let lists = 0;
    const rest = scriptedRest(target => {
      if (target.includes('user_data_timestamp')) return { as_of_time: '2027-01-01T00:00:00Z' };
      lists += 1;
      const orders = lists === 1 ? [] : [{ ...ORDER, fill_count_fp: '0.00' }];
      return { orders, cursor: '' };
    });
    expect(await lookUp(rest, SENT, INTENT, rest.deadline())).toMatchObject({
      type: 'found',
      venueOrderId: 'order',
      state: 'rests',
    });
  });
});

describe('an account', () => {
  it('whose cash cannot be read has no balance', async () => {
    const rest = scriptedRest(target => {
      if (target.includes('/balance')) return { balance_dollars: 'some' };
      return { orders: [], market_positions: [], cursor: '' };
    });
    expect(await balance(rest, false)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  });

  it.each([
    [401, 'some_reason', 'fault'],
    [403, 'permission_denied', 'fault'],
    [403, 'Your_location_attestation_is_missing', 'unavailable'],
    [400, 'some_reason', 'unavailable'],
    [409, 'some_reason', 'unavailable'],
    [500, 'some_reason', 'unavailable'],
  ] as const)('whose balance is refused with %i %s: %s', async (status, code, kind) => {
    const rest = scriptedRest(() => ({ status, error: { code, message: code } }));
    expect(await balance(rest, false)).toMatchObject({ ok: false, error: { kind } });
  });

  it('whose orders cannot be listed has none that are known', async () => {
    const rest = scriptedRest(() => ({ status: 503 }));
    expect(await ordersSince(rest, 0 as UnixMillis)).toMatchObject({ ok: false });
  });
});
