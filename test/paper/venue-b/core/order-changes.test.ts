// Decrease and amend (venue-b.md §5.3, §5.4): the orders that keep their place in the queue, immediate fills, and refusals. Order groups (venue-b.md
// §5.7): the rolling window of 15 seconds, the effects of a trigger, and the reset of a group.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import type { Amendment } from '../../../../src/paper/venue-b/records.ts';
import { cents, contracts, dollars, Rig } from './rig.ts';

function amendment(price: number, total: number, more: Partial<Amendment> = {}): Amendment {
  return {
    ticker: 'M',
    side: BID,
    price: cents(price),
    total: contracts(total),
    expiresAt: 'as before',
    clientOrderId: null,
    updatedClientOrderId: null,
    ...more,
  };
}

/** Ann's order of 10 at 40 stands ahead of Bob's order. */
function queued() {
  const rig = new Rig();
  const { orderId } = rig.order(rig.ann, 'bid 10 @ 40');
  const behind = rig.order(rig.bob, 'bid 5 @ 40').orderId;
  rig.news();
  const ahead = () => rig.exchange.orders.queuePosition(rig.bob, behind);
  return { rig, orderId, ahead };
}

describe('decrease', () => {
  it.each([
    ['by', { by: contracts(2) }, 8],
    ['to', { to: contracts(3) }, 3],
  ] as const)('%s keeps the place', (_what, change, left) => {
    const { rig, orderId, ahead } = queued();
    const decreased = rig.exchange.orders.decrease(rig.ann, orderId, change);
    expect(decreased).toMatchObject({ ok: true, value: { remaining: contracts(left), initial: contracts(10) } });
    expect(ahead()).toEqual({ ok: true, value: contracts(left) });
    expect(rig.news()).toEqual([`order c1 resting 0/10 Decrease`, `level bid 40 -${10 - left}=${left + 5} c1`]);
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(dollars(1_000 - left * 0.4));
  });

  it.each([
    ['to nothing', { to: contracts(0) }],
    ['by all', { by: contracts(10) }],
  ] as const)('%s cancels', (_what, change) => {
    const { rig, orderId } = queued();
    expect(rig.exchange.orders.decrease(rig.ann, orderId, change)).toMatchObject({ value: { status: 'canceled' } });
    expect(rig.news()[0]).toBe('order c1 canceled 0/10 Decrease');
  });

  it.each([
    ['by too much', { by: contracts(11) }, 'invalid-size'],
    ['by nothing', { by: contracts(0) }, 'invalid-size'],
    ['to more', { to: contracts(12) }, 'invalid-size'],
    ['to a thousandth', { to: contracts(0.001) }, 'invalid-size'],
  ] as const)('%s is refused', (_what, change, error) => {
    const { rig, orderId } = queued();
    expect(rig.exchange.orders.decrease(rig.ann, orderId, change)).toEqual({ ok: false, error });
    expect([rig.news(), rig.book()]).toEqual([[], '15@40 | ']);
  });

  it("of somebody else's order is refused", () => {
    const { rig, orderId } = queued();
    expect(rig.exchange.orders.decrease(rig.bob, orderId, { by: contracts(1) })).toEqual({
      ok: false,
      error: 'not-found',
    });
    expect(rig.exchange.orders.queuePosition(rig.bob, orderId)).toEqual({ ok: false, error: 'not-found' });
  });
});

describe('amend', () => {
  it.each([
    ['a smaller size keeps the place', 40, 4, 4],
    ['a larger size goes behind', 40, 12, 0],
    ['another price goes behind', 39, 10, 0],
  ])('%s', (_what, price, total, aheadOfBob) => {
    const { rig, orderId, ahead } = queued();
    const amended = rig.exchange.orders.amend(rig.ann, orderId, amendment(price, total));
    expect(amended).toMatchObject({ ok: true, value: { filled: 0, order: { orderId, initial: contracts(total) } } });
    expect(ahead()).toEqual({ ok: true, value: contracts(aheadOfBob) });
    expect(rig.news()[0]).toBe(`order c1 resting 0/${total} Amend`);
  });

  it('may fill at once; the total counts what was filled before', () => {
    const { rig, orderId } = queued();
    rig.quote('ask 4 @ 40', 'M', 'take');
    rig.quote('ask 3 @ 45');
    rig.news();
    const amended = rig.exchange.orders.amend(rig.ann, orderId, amendment(45, 12));
    expect(amended).toMatchObject({ value: { filled: contracts(3), cost: dollars(1.35) } });
    expect(rig.news()).toEqual([
      'trade bid 3 @ 45',
      'fill ann c1 takes 3 now 7',
      'order c1 resting 7/12 Trade',
      'position ann 7',
      'level bid 40 -6=5 c1',
      'level ask 45 -3=0 c1',
      'level bid 45 +5=5 c1',
    ]);
    const [order] = rig.exchange.reads(0).orders(rig.ann);
    expect(order).toMatchObject({ makerFillCost: dollars(1.6), takerFillCost: dollars(1.35), filled: contracts(7) });
  });

  it('can change the client order id, and burns it', () => {
    const { rig, orderId } = queued();
    rig.exchange.orders.amend(
      rig.ann,
      orderId,
      amendment(39, 10, { clientOrderId: 'c1', updatedClientOrderId: 'new' }),
    );
    expect(rig.exchange.reads(0).order(rig.ann, orderId)?.clientOrderId).toBe('new');
    for (const clientOrderId of ['c1', 'new']) {
      expect(rig.place(rig.ann, 'bid 1 @ 1', { clientOrderId })).toEqual({ ok: false, error: 'order-exists' });
    }
  });

  it('keeps, clears or sets the time at which the order ends, and refuses one that has passed', () => {
    const rig = new Rig();
    const inS = (seconds: number) => (rig.exchange.now() + seconds * 1_000) as UnixMillis;
    const { orderId } = rig.order(rig.ann, 'bid 10 @ 40', { expiresAt: inS(10) });
    const amend = (price: number, expiresAt: Amendment['expiresAt'] = 'as before') =>
      rig.exchange.orders.amend(rig.ann, orderId, amendment(price, 10, { expiresAt }));
    const order = () => rig.exchange.reads(0).order(rig.ann, orderId);
    const [first, later] = [inS(10), inS(60)];
    expect(amend(39)).toMatchObject({ value: { order: { expiresAt: first } } });
    expect(amend(38, null)).toMatchObject({ value: { order: { expiresAt: null } } });
    rig.timers.advance(10_000);
    expect(order()).toMatchObject({ status: 'resting' });
    expect(amend(37, rig.exchange.now())).toEqual({ ok: false, error: 'already-expired' });
    expect(order()).toMatchObject({ price: cents(38), expiresAt: null });
    expect(amend(38, later)).toMatchObject({ value: { order: { expiresAt: later } } });
    rig.timers.advance(later - rig.exchange.now());
    expect(order()).toMatchObject({ status: 'canceled' });
  });

  it.each<[string, Amendment, string]>([
    ['another ticker', amendment(41, 10, { ticker: 'TAPERED' }), 'ticker-mismatch'],
    ['the other side', amendment(41, 10, { side: ASK }), 'side-mismatch'],
    ['a wrong client id', amendment(41, 10, { clientOrderId: 'x' }), 'client-order-id-mismatch'],
    ['a used client id', amendment(41, 10, { updatedClientOrderId: 'c3' }), 'order-exists'],
    ['off the grid', amendment(41.5, 10), 'invalid-price'],
    ['no more than is filled', amendment(41, 4), 'nothing-to-amend'],
    ['a giant size', amendment(41, 1e8), 'invalid-size'],
    ['too expensive', amendment(41, 5_000, { updatedClientOrderId: 'poor' }), 'insufficient-balance'],
  ])('%s: nothing changes', (_what, change, error) => {
    const { rig, orderId } = queued();
    rig.quote('ask 4 @ 40', 'M', 'take');
    rig.order(rig.ann, 'bid 1 @ 20', { clientOrderId: 'c3' });
    const before = rig.exchange.reads(0).order(rig.ann, orderId);
    rig.news();
    expect(rig.exchange.orders.amend(rig.ann, orderId, change)).toEqual({ ok: false, error });
    expect(rig.news()).toEqual([]);
    expect(rig.exchange.reads(0).order(rig.ann, orderId)).toEqual(before);
    const next = rig.exchange.orders.decrease(rig.ann, orderId, { by: contracts(1) });
    expect(next).toMatchObject({ ok: true, value: { clientOrderId: 'c1', initial: contracts(10) } });
    expect(rig.place(rig.ann, 'bid 1 @ 1', { clientOrderId: 'poor' }).ok).toBe(true);
  });

  it('a post-only order does not cross by it', () => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 10 @ 40', { postOnly: true });
    rig.quote('ask 1 @ 45');
    const amended = rig.exchange.orders.amend(rig.ann, orderId, amendment(45, 10));
    expect([amended, rig.book()]).toEqual([{ ok: false, error: 'post-only-cross' }, '10@40 | 1@45']);
  });
});

function grouped(limit = 10) {
  const rig = new Rig();
  const group = rig.exchange.groups.create(rig.ann, contracts(limit));
  const groupId = group?.groupId ?? '';
  const give = (text: string) => rig.place(rig.ann, text, { orderGroupId: groupId });
  const isTriggered = () => rig.exchange.groups.find(rig.ann, groupId)?.isTriggered;
  return { rig, groupId, give, isTriggered };
}

describe('an order group', () => {
  it('is triggered by more than its limit: its orders go, others stay, new ones are refused', () => {
    const { rig, give, groupId } = grouped();
    give('bid 8 @ 40');
    give('bid 8 @ 40');
    rig.order(rig.ann, 'bid 1 @ 39');
    rig.news();
    rig.quote('ask 11 @ 40', 'M', 'take');
    expect(rig.news()).toEqual([
      'trade ask 8 @ 40',
      'fill ann c1 makes 8 now 8',
      'trade ask 3 @ 40',
      'fill ann c2 makes 3 now 11',
      'order c1 executed 8/8 Trade',
      'order c2 resting 3/8 Trade',
      'position ann 11',
      'level bid 40 -11=5',
      'group triggered',
      'order c2 canceled 3/8',
      'level bid 40 -5=0',
    ]);
    expect(rig.exchange.groups.find(rig.ann, groupId)).toMatchObject({ isTriggered: true, orderIds: [] });
    expect(give('bid 1 @ 40')).toEqual({ ok: false, error: 'group-triggered' });
    expect(rig.book()).toBe('1@39 | ');
  });

  it('takes its limit itself', () => {
    const { rig, give, isTriggered } = grouped();
    give('bid 20 @ 40');
    rig.quote('ask 10 @ 40', 'M', 'take');
    expect(isTriggered()).toBe(false);
    rig.quote('ask 0.01 @ 40', 'M', 'take');
    expect(isTriggered()).toBe(true);
  });

  it('forgets what was matched 15 seconds ago', () => {
    const { rig, give, isTriggered } = grouped();
    give('bid 40 @ 40');
    for (const afterMs of [0, limits.paperGroupWindowMs - 1, 1, limits.paperGroupWindowMs - 1]) {
      rig.timers.advance(afterMs);
      rig.quote('ask 5 @ 40', 'M', 'take');
      expect(isTriggered()).toBe(false);
    }
    rig.quote('ask 5 @ 40', 'M', 'take');
    expect(isTriggered()).toBe(true);
  });

  it('counts what its orders take, and answers with what is left of the order', () => {
    const { rig, give } = grouped();
    rig.quote('ask 11 @ 40');
    const placed = give('bid 15 @ 40');
    expect(placed).toMatchObject({ value: { filled: contracts(11), order: { status: 'canceled', remaining: 0 } } });
  });

  it('works again after a reset, from nothing', () => {
    const { rig, groupId, give, isTriggered } = grouped();
    give('bid 20 @ 40');
    rig.quote('ask 11 @ 40', 'M', 'take');
    rig.news();
    expect(rig.exchange.groups.reset(rig.ann, groupId)).toBe(true);
    give('bid 20 @ 40');
    rig.quote('ask 10 @ 40', 'M', 'take');
    expect([isTriggered(), rig.news()[0]]).toEqual([false, 'group reset']);
  });

  it('can be triggered by a lower limit', () => {
    const { rig, groupId, give, isTriggered } = grouped();
    give('bid 20 @ 40');
    rig.quote('ask 8 @ 40', 'M', 'take');
    rig.news();
    rig.exchange.groups.setLimit(rig.ann, groupId, contracts(8));
    expect(isTriggered()).toBe(false);
    rig.exchange.groups.setLimit(rig.ann, groupId, contracts(7));
    expect(rig.news().filter(line => line.startsWith('group'))).toEqual([
      'group limit_updated',
      'group limit_updated',
      'group triggered',
    ]);
  });

  it('can be triggered by hand, and deleted', () => {
    const { rig, groupId, give } = grouped();
    give('bid 1 @ 40');
    expect(rig.exchange.groups.find(rig.ann, groupId)?.orderIds.length).toBe(1);
    expect(rig.exchange.groups.trigger(rig.ann, groupId)).toBe(true);
    rig.exchange.groups.reset(rig.ann, groupId);
    give('bid 1 @ 41');
    expect(rig.exchange.groups.delete(rig.ann, groupId)).toBe(true);
    expect([rig.book(), [...rig.exchange.groups.of(rig.ann)]]).toEqual([' | ', []]);
    expect(give('bid 1 @ 41')).toEqual({ ok: false, error: 'group-not-found' });
  });

  it('takes orders of its own shard only', () => {
    const rig = new Rig();
    const elsewhere = rig.exchange.groups.create(rig.ann, contracts(1), 3)!;
    expect(elsewhere.shard).toBe(3);
    const placed = rig.place(rig.ann, 'bid 1 @ 40', { orderGroupId: elsewhere.groupId });
    expect(placed).toEqual({ ok: false, error: 'group-not-found' });
  });

  it('is its owner’s alone', () => {
    const { rig, groupId } = grouped();
    expect(rig.exchange.groups.find(rig.bob, groupId)).toBeNull();
    expect(rig.exchange.groups.delete(rig.bob, groupId)).toBe(false);
    expect(rig.exchange.groups.reset(rig.ann, 'nobody')).toBe(false);
    const taken = rig.place(rig.bob, 'bid 1 @ 40', { orderGroupId: groupId });
    expect(taken).toEqual({ ok: false, error: 'group-not-found' });
    expect(rig.exchange.groups.create({ ...rig.ann, subaccount: 5 }, contracts(1))).toBeNull();
  });
});
