// The audits of the soak on a correct account, and on the same account with one fault each. This shows that each audit finds its fault.

import { describe, expect, it } from 'vitest';
import type { OrderMessage } from '../../src/core/wire/messages.ts';
import type { AccountSeen } from './account.ts';
import { faultsOfAnswers } from './audit-answers.ts';
import { faultsOfCash, faultsOfMoney } from './audit-money.ts';
import { faultsOfOrders } from './audit-orders.ts';
import { faultsOfStream, replayedFrom } from './audit-streams.ts';
import type { FillKept, OrderKept } from './gateway-view.ts';
import { OPENING_MICROS } from './paper-process.ts';
import type { Placed, Said } from './trader.ts';
import type { VenueFillSeen, VenueOrderSeen } from './venue-view.ts';

const SHARE = 1_000_000n;
const TICKER = 'KXGAME-1';
const NOW = 1_790_000_000_000;

const open: OrderKept = {
  orderId: 'one',
  podId: 'desk',
  actorId: 'desk/alice',
  venue: 'venue_b',
  isNo: false,
  status: 'OPEN',
  venueOrderId: 'v-1',
  clientOrderId: 'one.tag',
  expectedVenueOrderId: null,
  idempotencyKey: 'key-1',
  sentAtMs: NOW - 1_000,
  filled: 2n * SHARE,
};
const fill: FillKept = {
  fillId: 't-1.v-1',
  order: open,
  podId: 'desk',
  venue: 'venue_b',
  tradeId: 't-1',
  venueOrderId: 'v-1',
  size: 2n * SHARE,
  cost: 2n * SHARE * 560_000n,
  fee: 20_000n,
  settlement: 'CONFIRMED',
};
const orderThere: VenueOrderSeen = {
  venueOrderId: 'v-1',
  clientOrderId: 'one.tag',
  isResting: true,
  filled: 2n * SHARE,
};
const fillThere: VenueFillSeen = {
  tradeId: 't-1',
  venueOrderId: 'v-1',
  address: TICKER,
  change: 2n * SHARE,
  cost: 2n * SHARE * 560_000n,
  fee: 20_000n,
  isFailed: false,
};
const LEFT = OPENING_MICROS - 1_120_000n - 20_000n;

interface Change {
  readonly orders?: readonly OrderKept[];
  readonly fills?: readonly FillKept[];
  readonly size?: bigint;
  readonly there?: readonly VenueOrderSeen[];
  readonly fillsThere?: readonly VenueFillSeen[];
  readonly cash?: bigint;
}

function account(change: Change): AccountSeen {
  const there = change.there ?? [orderThere];
  return {
    podId: 'desk',
    venue: 'venue_b',
    orders: change.orders ?? [open],
    fills: change.fills ?? [fill],
    positions: [{ owner: 'desk/alice', venue: 'venue_b', address: TICKER, size: change.size ?? 2n * SHARE }],
    at: {
      orders: there,
      fills: change.fillsThere ?? [fillThere],
      position: () => Promise.resolve(2n * SHARE),
      knows: venueOrderId => Promise.resolve(there.some(it => it.venueOrderId === venueOrderId)),
      cash: change.cash ?? LEFT,
    },
  };
}

async function faultsOf(change: Change): Promise<string[]> {
  const accounts = [account(change)];
  const strangers = new Set<string>();
  return [
    ...(await faultsOfOrders({ accounts, strangers, made: new Set(['one']), nowMs: NOW })),
    ...(await faultsOfMoney(accounts, strangers)),
    ...faultsOfCash(accounts),
  ];
}

describe('an account', () => {
  it('that is as it must be has no faults', async () => {
    expect(await faultsOf({})).toEqual([]);
  });

  it.each<[string, Change, string]>([
    ['an order twice', { there: [orderThere, { ...orderThere, venueOrderId: 'v-2' }] }, 'one is there twice'],
    ['an order of nobody', { there: [orderThere, { ...orderThere, venueOrderId: 'v-2', clientOrderId: 'x' }] }, 'v-2'],
    ['an order that never came', { there: [], fillsThere: [] }, 'one was answered 201 and never was there'],
    ['an order that rests no more', { there: [{ ...orderThere, isResting: false }] }, 'is OPEN and does not rest'],
    ['one that rests and is over', { orders: [{ ...open, status: 'CANCELLED' }] }, 'is CANCELLED and rests there'],
    ['one that nobody looks after', { orders: [{ ...open, status: 'SUBMITTED' }] }, 'is SUBMITTED still'],
    ['one under another id', { there: [{ ...orderThere, venueOrderId: 'v-2' }] }, 'is v-2 there'],
    ['more filled there', { there: [{ ...orderThere, filled: 3n * SHARE }] }, 'has filled 2000000, there 3000000'],
    ['a missing fill', { fills: [] }, 'fill t-1/v-1 is missing'],
    ['a doubled fill', { fills: [fill, fill] }, 'the same fill is kept twice'],
    ['a doubled fill under another id', { fills: [fill, { ...fill, fillId: 't-1.v-1.' }] }, 'is of 4000000'],
    ['a fill that is not there', { fillsThere: [] }, 'fill t-1/v-1 is not there'],
    ['another price', { fills: [{ ...fill, cost: fill.cost + 1n }] }, 'cost 1120000000001'],
    ['another fee', { fills: [{ ...fill, fee: 19_999n }] }, 'took fees of 19999'],
    ['a fill of nobody', { fills: [{ ...fill, order: null }] }, 'is of another order'],
    ['a trade that failed there', { fillsThere: [{ ...fillThere, isFailed: true }] }, 'settled otherwise'],
    ['another position', { size: 2n * SHARE + 1n }, `position in ${TICKER} is 2000001, there 2000000`],
    ['a micro-dollar too little', { cash: LEFT - 1n }, 'should be left'],
  ])('with %s', async (_what, change, fault) => {
    expect(await faultsOf(change)).toContainEqual(expect.stringContaining(fault));
  });

  it('whose venue counts a trade that has failed has filled less here', async () => {
    const order = { ...open, filled: 0n };
    const failed = { orders: [order], fills: [{ ...fill, order, settlement: 'FAILED' }] };
    expect((await faultsOf(failed)).join()).not.toContain('has filled');
    const more = { ...failed, there: [{ ...orderThere, filled: 3n * SHARE }] };
    expect((await faultsOf(more)).join()).toContain('has filled 0 and failed 2000000, there 3000000');
  });
});

describe('answers', () => {
  const made: Said = { type: 'made', orderId: 'one', status: 'OPEN', isReplayed: false };
  const refused: Said = { type: 'refused', httpStatus: 400, message: 'no' };
  const lost: Said = { type: 'unknown', orderId: null };
  const placed = (said: readonly Said[], cancels: Placed['cancels'] = []): Placed => ({
    actor: { podId: 'desk', actorId: 'desk/alice', key: { keyId: 'key', seedHex: '' } },
    idempotencyKey: 'key-1',
    order: { venue: 'venue_b', body: { ticker: TICKER, side: 'YES', action: 'BUY', count: 2, priceCents: 56 } },
    notAfterMillis: null,
    said: [...said],
    cancels,
  });
  const faults = (it: Placed, orders: readonly OrderKept[] = [open], isPatient = true): string[] =>
    faultsOfAnswers([it], { orders, fills: [], positions: [] }, isPatient);

  it('that agree with each other and with the store have no faults', () => {
    expect(faults(placed([lost, made, made]))).toEqual([]);
    expect(faults(placed([refused]), [])).toEqual([]);
    expect(faults(placed([lost]), [], false)).toEqual([]);
  });

  it.each<[string, Placed, readonly OrderKept[], string]>([
    ['two 201s that differ', placed([made, { ...made, status: 'FILLED' }]), [open], '201 was not always the same'],
    ['yes and no', placed([made, refused]), [open], 'both made and refused'],
    ['a 201 for nothing', placed([made]), [], 'there is no order'],
    ['a 201 for what was refused', placed([made]), [{ ...open, status: 'REJECTED' }], 'and is REJECTED'],
    ['a 400 for what rests', placed([refused]), [open], 'answered 400, and is OPEN'],
    ['two orders of one key', placed([made]), [open, { ...open, orderId: 'two' }], 'has 2 orders'],
    ['no answer at all', placed([lost]), [open], 'never answered for good'],
    ['a cancel that does not hold', placed([made], ['confirmed']), [open], 'cancel answered confirmed, and is OPEN'],
  ])('with %s', (_what, it, orders, fault) => {
    expect(faults(it, orders)).toContainEqual(expect.stringContaining(fault));
  });
});

describe('a stream', () => {
  const actor = { podId: 'desk', actorId: 'desk/alice', key: { keyId: 'key', seedHex: '' } };
  const event = (cursor: number, orderId = 'one', status = 'OPEN'): OrderMessage =>
    ({
      type: 'order',
      cursor,
      event: 'STATUS',
      fill: null,
      order: { orderId, status, filledCount: '2' },
    }) as OrderMessage;
  const leap = { heard: 2, open: new Set(['two']) };
  const heard = [event(1), event(2, 'two'), event(1_003, 'two', 'CANCELLED'), event(1_004, 'three', 'REJECTED')];
  const orders = [
    { ...open, status: 'CANCELLED' },
    { ...open, orderId: 'two', status: 'CANCELLED' },
    { ...open, orderId: 'three', status: 'REJECTED' },
  ];
  const faults = (reported: readonly OrderMessage[], losesRecord = true, kept = orders, replayed = reported.slice(2)) =>
    faultsOfStream(
      { actor, reported: [...reported], refusals: [], leap },
      replayed,
      { orders: kept, fills: [], positions: [] },
      losesRecord,
    );

  it('may leap once where a record was lost', () => {
    expect(faults(heard)).toEqual([]);
    expect(faults(heard, false).join()).toContain('CURSOR_EXPIRED');
    expect(replayedFrom({ reported: heard, leap })).toBe(1_002);
    expect(replayedFrom({ reported: heard.slice(0, 2), leap })).toBeNull();
    expect(replayedFrom({ reported: heard, leap: null })).toBe(0);
  });

  it.each<[string, string[], string]>([
    ['a cursor given out again', faults(heard.with(2, event(2, 'two', 'CANCELLED'))), 'event 3 has the cursor 2'],
    ['a gap since the leap', faults(heard.with(3, event(1_005, 'three', 'REJECTED'))), 'event 4 has the cursor 1005'],
    ['a gap before', faults(heard.with(1, event(3, 'two'))), 'event 2 has the cursor 3'],
    ['an end that nobody heard', faults(heard, true, [{ ...orders[1]!, status: 'FILLED' }]), 'two is FILLED'],
    ['another event for a newcomer', faults(heard, true, orders, [heard[3]!]), 'replayed as'],
  ])('with %s', (_what, found, fault) => {
    expect(found).toContainEqual(expect.stringContaining(fault));
  });
});
