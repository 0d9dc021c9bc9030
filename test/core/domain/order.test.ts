// The life of an order: exactly the transitions of contract §4.5, amounts that add up, and nothing else.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import {
  admits,
  createOrder,
  isTerminal,
  ORDER_STATUSES,
  type Order,
  type OrderEvent,
  type OrderId,
  type OrderStatus,
  transition,
} from '../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { type FillAmounts, isFull, NOTHING_FILLED, traded } from '../../../src/core/domain/order-sums.ts';
import { AssertionFailure } from '../../../src/core/domain/result.ts';

const SHARE = 1_000_000;
const TEN: OrderRequest = {
  venue: 'venue_b',
  ticker: 'KXNBAGAME-26NOV21BOSLAL-BOS',
  side: 'YES',
  action: 'BUY',
  size: (10 * SHARE) as MicroShares,
  price: 5_600 as Ticks,
  timeInForce: 'GTC',
};

function order(request: OrderRequest = TEN): Order {
  const orderId = '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' as OrderId;
  return createOrder({
    orderId,
    podId: 'pod',
    actorId: 'actor',
    keyId: 'key',
    idempotencyKey: 'k',
    request,
    at: at(0),
  });
}

const at = (ms: number): UnixMillis => (1_790_000_000_000 + ms) as UnixMillis;
const shares = (count: number): MicroShares => Math.round(count * SHARE) as MicroShares;
const fill = (count: number, price = 5_600, fee = 1_000): FillAmounts => ({
  size: shares(count),
  price: price as Ticks,
  fee: fee as MicroDollars,
});

const REFUSAL = { code: 'VENUE_REJECTED', message: 'no' } as const;
const EVENTS: Readonly<Record<string, OrderEvent>> = {
  sent: { type: 'sent', at: at(1) },
  'sent before': { type: 'sent-before', at: at(1) },
  withdrawn: { type: 'withdrawn', at: at(2) },
  refused: { type: 'refused', at: at(3), error: REFUSAL, isReleased: false },
  released: { type: 'refused', at: at(3), error: { code: 'UNKNOWN', message: null }, isReleased: true },
  'taken late': { type: 'taken-late', at: at(4) },
  reopened: { type: 'reopened', at: at(4), keyId: 'key', request: order().request },
  delayed: { type: 'delayed', at: at(5), venueOrderId: 'v' },
  rests: { type: 'rests', at: at(6), venueOrderId: 'v', stated: null },
  'fills some': { type: 'fills', at: at(7), fill: fill(4) },
  'fills all': { type: 'fills', at: at(8), fill: fill(10) },
  'reverses, rests': { type: 'reverses', at: at(9), fill: fill(4), rests: true },
  'reverses, gone': { type: 'reverses', at: at(9), fill: fill(4), rests: false },
  ends: { type: 'ends', at: at(10), venueOrderId: null, stated: null },
  'cancel-requested': { type: 'cancel-requested', at: at(11) },
  'cancel-revoked': { type: 'cancel-revoked', at: at(12) },
};

/** Applies events by name, each of which must be admitted. */
function reported(...names: readonly string[]): Order {
  return names.reduce((it, name) => apply(it, EVENTS[name]!), order());
}

function apply(it: Order, event: OrderEvent): Order {
  const isAdmitted: boolean = admits(it, event);
  expect(isAdmitted, `${it.status}: ${event.type}`).toBe(true);
  return transition(it, event);
}

/** The orders that lead to each status. `FILLED` has fills of four and six, so that a fill can be reversed. */
const BEGINNINGS: Readonly<Record<OrderStatus, readonly Order[]>> = {
  PENDING: [reported()],
  SUBMITTED: [reported('sent'), reported('sent', 'delayed')],
  OPEN: [reported('sent', 'rests'), reported('sent', 'fills some')],
  FILLED: [apply(reported('sent', 'rests', 'fills some'), { type: 'fills', at: at(8), fill: fill(6) })],
  CANCELLED: [reported('withdrawn'), reported('sent', 'rests', 'fills some', 'ends')],
  REJECTED: [reported('sent', 'refused'), reported('released')],
};

describe('an order', () => {
  it('moves as contract §4.5 has it, and in no other way', () => {
    const moves = new Set<string>();
    for (const status of ORDER_STATUSES) {
      for (const beginning of BEGINNINGS[status]) {
        for (const event of Object.values(EVENTS)) {
          if (!admits(beginning, event) || (event.type === 'reverses' && beginning.filled.size === 0)) continue;
          const next = transition(beginning, event).status;
          if (next !== status) moves.add(`${status} → ${next}`);
        }
      }
    }
    expect([...moves].sort()).toEqual(
      [
        'PENDING → SUBMITTED',
        'PENDING → REJECTED',
        'PENDING → CANCELLED',
        'SUBMITTED → OPEN',
        'SUBMITTED → FILLED',
        'SUBMITTED → CANCELLED',
        'SUBMITTED → REJECTED',
        'OPEN → FILLED',
        'OPEN → CANCELLED',
        'FILLED → OPEN',
        'FILLED → CANCELLED',
        // A fill wins over a cancel.
        'CANCELLED → FILLED',
        'REJECTED → CANCELLED',
        'REJECTED → FILLED',
        'REJECTED → PENDING',
      ].sort(),
    );
  });

  it.each(ORDER_STATUSES)('that is %s asserts at what cannot happen to it', status => {
    for (const beginning of BEGINNINGS[status]) {
      const refused = Object.values(EVENTS).filter(event => !admits(beginning, event));
      expect(refused.length).toBeGreaterThan(0);
      for (const event of refused) expect(() => transition(beginning, event as never)).toThrow(AssertionFailure);
    }
  });

  it('is tried again only if it was released', () => {
    expect(admits(reported('refused'), EVENTS.reopened!)).toBe(false);
    expect(reported('released', 'reopened')).toEqual({ ...order(), updatedAt: at(4) });
  });

  it('cannot be refused once it has traded', () => {
    const delayed = { ...reported('sent', 'delayed'), filled: { ...NOTHING_FILLED, size: shares(1) } };
    expect(() => transition(delayed, EVENTS.refused as never)).toThrow('does not admit: refused');
  });

  it('says when it closed, and why it was refused, as long as that is true', () => {
    expect(reported('sent', 'refused')).toMatchObject({ closedAt: at(3), error: REFUSAL, isReleased: false });
    const found = reported('sent', 'refused', 'fills some');
    expect(found).toMatchObject({ status: 'CANCELLED', closedAt: at(7), error: null });
    const reversed = transition(BEGINNINGS.FILLED[0] as Order<'FILLED'>, EVENTS['reverses, rests'] as never);
    expect(reversed).toMatchObject({ status: 'OPEN', closedAt: null, filled: { size: shares(6) } });
  });

  it('has the time of its latest cancel request, and no other', () => {
    const twice = apply(reported('cancel-requested'), { type: 'cancel-requested', at: at(99) });
    expect(twice.cancelRequestedAt).toBe(at(99));
    expect(apply(twice, { type: 'cancel-requested', at: at(99) }).cancelRequestedAt).toBe(at(99) + 1);
    expect(apply(twice, { type: 'cancel-requested', at: at(98) }).cancelRequestedAt).toBe(at(99) + 1);
  });

  it('4007: that cannot rest is not open by the word of its venue, and is filled if it is full', () => {
    const { request } = order();
    const sent = apply({ ...order(), request: { ...request, timeInForce: 'IOC' } as Order['request'] }, EVENTS.sent!);
    const rests = { type: 'rests', at: at(6), venueOrderId: 'v', stated: null } as const;
    expect(apply(sent, rests)).toMatchObject({ status: 'SUBMITTED', venueOrderId: 'v' });
    const stated = { size: shares(10), cost: 0n, fees: 0 as MicroDollars };
    expect(apply(sent, { ...rests, stated })).toMatchObject({ status: 'FILLED', venueOrderId: 'v' });
  });

  it('knows why it was cancelled: by the venue’s word, else by the first request of ours, else by the venue', () => {
    const wanted = reported('sent', 'rests', 'cancel-requested');
    const ends = { type: 'ends', at: at(20), venueOrderId: null, stated: null } as const;
    expect(apply(wanted, ends).cancelReason).toBe('REQUESTED');
    expect(apply(wanted, { ...ends, reason: 'EXPIRED' }).cancelReason).toBe('EXPIRED');
    const twice = apply(wanted, { type: 'cancel-requested', at: at(13), reason: 'DEAD_MAN' });
    expect(apply(twice, ends).cancelReason).toBe('REQUESTED');
    expect(apply(reported('sent', 'rests'), ends).cancelReason).toBe('VENUE');
    const revoked = apply(wanted, { type: 'cancel-revoked', at: at(14) });
    expect(apply(revoked, ends).cancelReason).toBe('VENUE');
    expect(reported('withdrawn').cancelReason).toBe('REQUESTED');
  });

  it('may hear later why it was cancelled', () => {
    const ended = reported('sent', 'rests', 'ends');
    const explained = apply(ended, { ...EVENTS.ends!, at: at(30), reason: 'MARKET_CLOSED' } as OrderEvent);
    expect(explained).toMatchObject({ status: 'CANCELLED', cancelReason: 'MARKET_CLOSED', closedAt: ended.closedAt });
    expect(apply(explained, EVENTS.ends!)).toBe(explained);
  });

  it('has no such reason where it could not rest, or was given up before', () => {
    const immediate = { ...TEN, timeInForce: 'IOC' } as const;
    const sent = transition(order(immediate) as Order<'PENDING'>, { type: 'sent', at: at(1) });
    expect(apply(sent, EVENTS.ends!)).toMatchObject({ status: 'CANCELLED', cancelReason: null });
    const late = reported('sent', 'refused', 'ends');
    expect(late).toMatchObject({ status: 'CANCELLED', cancelReason: null });
    expect(apply(late, { ...EVENTS.ends!, at: at(31) } as OrderEvent).cancelReason).toBeNull();
  });

  it('keeps the venue’s words with its refusal, and loses both when it is tried again', () => {
    const venueError = { code: 'invalid_price', message: 'off the grid' };
    const refused = apply(reported('sent'), { ...EVENTS.released!, venueError } as OrderEvent);
    expect(refused).toMatchObject({ status: 'REJECTED', venueError });
    expect(apply(refused, EVENTS.reopened!)).toMatchObject({ error: null, venueError: null });
  });

  it('that the venue has was sent: it cannot be released', () => {
    expect(admits(reported('sent', 'delayed'), EVENTS.released!)).toBe(false);
    expect(admits(reported('released', 'taken late'), EVENTS.reopened!)).toBe(false);
    expect(admits(reported('sent', 'delayed'), EVENTS.refused!)).toBe(true);
  });

  it('that was sent before it was known here has no time of sending', () => {
    expect(reported('sent', 'sent before')).toMatchObject({ status: 'SUBMITTED', sentAt: null });
  });

  it('stays the same when it hears what it knows', () => {
    for (const names of [
      ['sent', 'rests'],
      ['sent', 'delayed'],
    ] as const) {
      const known = reported(...names);
      expect(transition(known, { ...EVENTS[names.at(-1)!]!, at: at(99) } as never)).toBe(known);
    }
  });

  it('that is tried again has not been sent, and has no cancel request', () => {
    const again = reported('sent', 'cancel-requested', 'released', 'reopened');
    expect(again).toMatchObject({ status: 'PENDING', sentAt: null, cancelRequestedAt: null });
  });

  it('that is tried again is of the key and the request that try it', () => {
    const request = { ...order().request, size: 4_000_000 } as OrderRequest;
    const reopened: OrderEvent = { type: 'reopened', at: at(4), keyId: 'another', request };
    expect(apply(reported('sent', 'released'), reopened)).toMatchObject({ keyId: 'another', request });
  });

  it('closed when it was cancelled, not when a fill was reported late', () => {
    expect(reported('sent', 'rests', 'ends', 'fills some')).toMatchObject({ status: 'CANCELLED', closedAt: at(10) });
  });

  it('keeps its venue order id, and learns it late', () => {
    expect(
      apply(reported('sent', 'rests'), { type: 'ends', at: at(9), venueOrderId: null, stated: null }).venueOrderId,
    ).toBe('v');
    const late: OrderEvent = { type: 'ends', at: at(9), venueOrderId: 'late', stated: null };
    expect(apply(reported('sent'), late).venueOrderId).toBe('late');
    expect(apply(reported('sent', 'rests'), late).venueOrderId).toBe('late');
  });
});

describe('what the venue states of the whole', () => {
  const stated = (count: number) => ({
    size: shares(count),
    cost: BigInt(shares(count)) * 5_600n,
    fees: 9 as MicroDollars,
  });
  const ends = (count: number): OrderEvent => ({ type: 'ends', at: at(9), venueOrderId: 'v', stated: stated(count) });

  it('fills an order before its fills are reported', () => {
    const acknowledged = apply(reported('sent'), ends(10));
    expect(acknowledged).toMatchObject({ status: 'FILLED', filled: NOTHING_FILLED });
    expect(traded(acknowledged)).toEqual(stated(10));
    const booked = apply(acknowledged, EVENTS['fills all']!);
    expect(traded(booked)).toBe(booked.filled);
  });

  it('never takes back what was stated before, in any order', () => {
    const rests: OrderEvent = { type: 'rests', at: at(6), venueOrderId: 'v', stated: stated(3) };
    const late: OrderEvent = { type: 'rests', at: at(7), venueOrderId: 'v', stated: stated(2) };
    expect(traded(apply(apply(reported('sent'), rests), late))).toEqual(stated(3));
    const otherwise: OrderEvent = { type: 'ends', at: at(8), venueOrderId: 'v', stated: { ...stated(3), cost: 1n } };
    expect(traded(apply(apply(reported('sent'), rests), otherwise))).toEqual(stated(3));
  });

  it('has a failed fill no more, whether that was applied or not', () => {
    const full = apply(apply(reported('sent'), ends(10)), EVENTS['fills some']!);
    const reversed = apply(full, EVENTS['reverses, gone']!);
    expect(reversed).toMatchObject({ status: 'CANCELLED', stated: { size: shares(6) }, filled: { size: 0 } });
    const nothing: FillAmounts = { ...fill(0), fee: 0 as MicroDollars };
    const again = apply(reversed, { type: 'reverses', at: at(9), fill: nothing, uncounted: fill(6), rests: false });
    expect(again).toMatchObject({ status: 'CANCELLED', stated: null, filled: { size: 0 } });
  });
});

describe('what is filled', () => {
  const amounts = fc.record({
    size: fc.integer({ min: 1, max: 2 ** 43 }).map(it => it as MicroShares),
    price: fc.integer({ min: 1, max: 9_999 }).map(it => it as Ticks),
    fee: fc.integer({ min: 0, max: 2 ** 40 }).map(it => it as MicroDollars),
  });

  it('is the exact sum of its fills without those reversed, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(amounts, fc.boolean()), { maxLength: 20 }), fills => {
        const huge = { ...TEN, size: Number.MAX_SAFE_INTEGER as MicroShares };
        let it: Order = apply(order(huge), EVENTS.sent!);
        for (const [one] of fills) it = apply(it, { type: 'fills', at: at(1), fill: one });
        for (const [one, isReversed] of fills) {
          if (isReversed) it = apply(it, { type: 'reverses', at: at(2), fill: one, rests: true });
        }
        const kept = fills.filter(([, isReversed]) => !isReversed).map(([one]) => one);
        const sum = (of: (one: FillAmounts) => bigint): bigint => kept.reduce((total, one) => total + of(one), 0n);
        expect(BigInt(it.filled.size)).toBe(sum(one => BigInt(one.size)));
        expect(it.filled.cost).toBe(sum(one => BigInt(one.size) * BigInt(one.price)));
        expect(BigInt(it.filled.fees)).toBe(sum(one => BigInt(one.fee)));
      }),
    );
  });

  const limit: OrderRequest = {
    venue: 'venue_a',
    tokenId: '1',
    type: 'LIMIT',
    side: 'BUY',
    size: shares(10),
    price: 5_600 as Ticks,
    postOnly: false,
    timeInForce: 'GTC',
  };
  const spend: OrderRequest = {
    venue: 'venue_a',
    tokenId: '1',
    type: 'MARKET',
    side: 'BUY',
    dollars: 10_000_000 as MicroDollars,
    worstPrice: null,
    timeInForce: 'FAK',
  };

  it.each([
    ['venue B, a hundredth short', TEN, fill(9.99), false],
    ['venue B, all', TEN, fill(10), true],
    ['venue A, a hundredth of a share short', limit, fill(9.99), false],
    ['venue A, less than that', limit, fill(9.990_001), true],
    ['venue A, a cent short', spend, fill(19.98, 5_000), false],
    ['venue A, less than that', spend, fill(19.980_002, 5_000), true],
  ])('is all there was: %s', (_case, request, one, expected) => {
    const cost = BigInt(one.size) * BigInt(one.price);
    expect(isFull(request, { size: one.size, cost, fees: 0 as MicroDollars })).toBe(expected);
  });
});

it('terminal states are those from which nobody can cancel', () => {
  expect(ORDER_STATUSES.filter(isTerminal)).toEqual(['FILLED', 'CANCELLED', 'REJECTED']);
});
