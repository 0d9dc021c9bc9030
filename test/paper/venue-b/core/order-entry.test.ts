// Orders of users as in venue-b.md §5: accepted orders, refused orders with the word of each refusal, and the state that each leaves behind.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import type { NewOrder } from '../../../../src/paper/venue-b/records.ts';
import { cents, contracts, dollars, Rig, START } from './rig.ts';

/** The orders that are in the book first, then the order under test, and its final state. */
const executions: [what: string, book: string[], text: string, more: Partial<NewOrder>, end: string][] = [
  ['rests if it meets nobody', ['ask 5 @ 60'], 'bid 10 @ 40', {}, 'resting 0/10'],
  ['fills what it can and rests', ['ask 4 @ 40'], 'bid 10 @ 40', {}, 'resting 4/10 Trade'],
  ['fills whole', ['ask 4 @ 39', 'ask 9 @ 40'], 'bid 10 @ 40', {}, 'executed 10/10 Trade'],
  ['IOC cancels the rest', ['ask 4 @ 40'], 'bid 10 @ 40', { timeInForce: 'IOC' }, 'canceled 4/10 Trade'],
  ['IOC without a match', [], 'bid 10 @ 40', { timeInForce: 'IOC' }, 'canceled 0/10'],
  ['FOK fills whole', ['ask 10 @ 40'], 'bid 10 @ 40', { timeInForce: 'FOK' }, 'executed 10/10 Trade'],
  ['post-only rests beside the other side', ['ask 1 @ 41'], 'bid 10 @ 40', { postOnly: true }, 'resting 0/10'],
  ['hundredths of contracts', ['ask 0.03 @ 40'], 'bid 0.05 @ 40', {}, 'resting 0.03/0.05 Trade'],
];

describe('an order', () => {
  it.each(executions)('%s', (_what, book, text, more, end) => {
    const rig = new Rig();
    for (const line of book) rig.quote(line);
    rig.news();
    const placed = rig.place(rig.ann, text, more);
    expect(placed.ok && placed.value.filled).toBe(placed.ok && placed.value.order.filled);
    expect(rig.news().filter(line => line.startsWith('order'))).toEqual([`order c1 ${end}`]);
  });

  it('fills at the resting price, and says what it took', () => {
    const rig = new Rig({ feeMultiplier: '1' });
    rig.quote('ask 10 @ 30');
    const placed = rig.place(rig.ann, 'bid 10 @ 40');
    expect(placed).toMatchObject({ value: { filled: contracts(10), cost: dollars(3), fees: dollars(0.147) } });
    expect(placed).toMatchObject({ value: { order: { price: cents(40), takerFees: dollars(0.147) } } });
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(dollars(1_000 - 3.147));
  });

  it('holds back what it could cost, and a fee', () => {
    const rig = new Rig({ feeMultiplier: '1' });
    rig.order(rig.ann, 'bid 10 @ 40');
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(dollars(1_000 - 4 - 0.168));
    const resting = new Map<number, number>();
    rig.exchange.addRestingValue(rig.ann, resting);
    expect([...resting]).toEqual([[0, dollars(4)]]);
  });

  it('holds back what may be rounded off, too, where costs are no multiples of $0.0001', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 0.01 @ 4.3', { market: rig.market('TAPERED') });
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(dollars(1_000) - 430 - 99);
  });

  it('on a banded grid', () => {
    const rig = new Rig();
    const market = rig.market('TAPERED');
    const valid = [4.3, 10, 11, 95.7].map(price => rig.place(rig.ann, `bid 1 @ ${price}`, { market }).ok);
    const invalid = [4.35, 10.1, 89.9].map(price => rig.place(rig.ann, `bid 1 @ ${price}`, { market }).ok);
    expect([valid, invalid]).toEqual([
      [true, true, true, true],
      [false, false, false],
    ]);
  });
});

const refusals: [error: string, text: string, more: (rig: Rig) => Partial<NewOrder>][] = [
  ['insufficient-balance', 'bid 3000 @ 40', () => ({})],
  ['invalid-price', 'bid 1 @ 40.5', () => ({})],
  ['invalid-price', 'bid 1 @ 0', () => ({})],
  ['invalid-price', 'ask 1 @ 100', () => ({})],
  ['invalid-size', 'bid 0 @ 40', () => ({})],
  ['invalid-size', 'bid 0.001 @ 40', () => ({})],
  ['invalid-size', `bid ${limits.paperOrderContractsMax + 1} @ 40`, () => ({})],
  ['post-only-cross', 'bid 1 @ 50', () => ({ postOnly: true })],
  ['fok-insufficient', 'bid 9 @ 50', () => ({ timeInForce: 'FOK' })],
  ['reduce-only-needs-ioc-or-fok', 'bid 1 @ 40', () => ({ reduceOnly: true })],
  ['nothing-to-reduce', 'bid 1 @ 40', () => ({ reduceOnly: true, timeInForce: 'IOC' })],
  ['already-expired', 'bid 1 @ 40', () => ({ expiresAt: START as UnixMillis })],
  ['group-not-found', 'bid 1 @ 40', () => ({ orderGroupId: 'nobody' })],
  ['market-paused', 'bid 1 @ 40', rig => ({ market: rig.market('LATER') })],
];

describe('a refused order', () => {
  it.each(refusals)('%s: %s', (error, text, more) => {
    const rig = new Rig();
    rig.quote('ask 5 @ 50');
    rig.news();
    expect(rig.place(rig.ann, text, more(rig))).toEqual({ ok: false, error });
    const leavesTrace = error === 'post-only-cross' || error === 'fok-insufficient';
    expect(rig.news().length).toBe(leavesTrace ? 1 : 0);
    expect([...rig.exchange.reads(0).orders(rig.ann)].length).toBe(leavesTrace ? 1 : 0);
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(dollars(1_000));
    // Only an order that left a record uses up its client order id.
    const again = rig.place(rig.ann, 'bid 1 @ 1', { clientOrderId: 'c1' });
    expect(again).toMatchObject(leavesTrace ? { ok: false, error: 'order-exists' } : { ok: true });
  });

  it('of an owner without an account', () => {
    const rig = new Rig();
    const nobody = { ...rig.ann, subaccount: 7 };
    expect(rig.place(nobody, 'bid 1 @ 40')).toEqual({ ok: false, error: 'insufficient-balance' });
    expect(rig.exchange.reads(0).balance(nobody)).toMatchObject({ available: 0, portfolioValue: 0 });
  });

  it.each([
    ['postOnly', { postOnly: true }, 'order c1 canceled 0/9 PostOnlyCrossCancel'],
    ['FOK', { timeInForce: 'FOK' }, 'order c1 canceled 0/9'],
  ] as const)('%s leaves a canceled order without fills', (_what, more, said) => {
    const rig = new Rig();
    rig.quote('ask 5 @ 50');
    rig.news();
    rig.place(rig.ann, 'bid 9 @ 50', more);
    expect(rig.news()).toEqual([said]);
    const [order] = rig.exchange.reads(0).orders(rig.ann);
    expect(order).toMatchObject({ status: 'canceled', filled: 0, remaining: 0, createdAt: START, updatedAt: START });
    expect(rig.exchange.orders.cancel(rig.ann, order!.orderId)).toEqual({ ok: false, error: 'not-found' });
  });
});

describe('a client order id', () => {
  it.each<[string, (rig: Rig) => void]>([
    ['resting', () => {}],
    ['canceled', rig => void rig.exchange.orders.cancelAll(rig.ann)],
    ['executed', rig => void rig.quote('ask 1 @ 40', 'M', 'take')],
  ])('is used up by an order that is %s', (_state, then) => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 1 @ 40', { clientOrderId: 'mine' });
    then(rig);
    expect(rig.place(rig.ann, 'bid 1 @ 40', { clientOrderId: 'mine' })).toEqual({ ok: false, error: 'order-exists' });
  });

  it('belongs to the user, from each subaccount', () => {
    const rig = new Rig();
    const second = { ...rig.ann, subaccount: 1 };
    rig.exchange.deposit(second, dollars(10));
    rig.order(rig.ann, 'bid 1 @ 40', { clientOrderId: 'mine' });
    expect(rig.place(second, 'bid 1 @ 40', { clientOrderId: 'mine' }).ok).toBe(false);
    expect(rig.place(rig.bob, 'bid 1 @ 40', { clientOrderId: 'mine' }).ok).toBe(true);
    expect(rig.exchange.subaccounts(rig.ann.userId)).toEqual([0, 1]);
  });
});

describe('a cancelled order', () => {
  it('gives back what was left of it, once', () => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 10 @ 40');
    rig.quote('ask 4 @ 40', 'M', 'take');
    rig.news();
    const cancelled = rig.exchange.orders.cancel(rig.ann, orderId);
    expect(cancelled).toMatchObject({ ok: true, value: { reducedBy: contracts(6), order: { status: 'canceled' } } });
    expect(rig.news()).toEqual(['order c1 canceled 4/10', 'level bid 40 -6=0 c1']);
    expect(rig.exchange.orders.cancel(rig.ann, orderId)).toEqual({ ok: false, error: 'not-found' });
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(dollars(1_000 - 1.6));
  });

  it.each<[string, (rig: Rig, orderId: string) => unknown]>([
    ['an unknown one', rig => rig.exchange.orders.cancel(rig.ann, 'nobody')],
    ["somebody else's", (rig, orderId) => rig.exchange.orders.cancel(rig.bob, orderId)],
    ["another subaccount's", (rig, orderId) => rig.exchange.orders.cancel({ ...rig.ann, subaccount: 1 }, orderId)],
  ])('%s is not found', (_what, cancel) => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 10 @ 40');
    expect(cancel(rig, orderId)).toEqual({ ok: false, error: 'not-found' });
    expect(rig.status(rig.ann, orderId)).toBe('resting');
  });

  it('all of an owner, one level each', () => {
    const rig = new Rig();
    for (const text of ['bid 1 @ 40', 'bid 2 @ 40', 'ask 3 @ 60']) rig.order(rig.ann, text);
    rig.order(rig.bob, 'bid 5 @ 40');
    rig.news();
    expect(rig.exchange.orders.cancelAll(rig.ann)).toBe(3);
    expect(rig.news().filter(line => line.startsWith('level'))).toEqual(['level bid 40 -3=5', 'level ask 60 -3=0']);
    expect([rig.exchange.orders.cancelAll(rig.ann), rig.book()]).toEqual([0, '5@40 | ']);
  });
});

describe('an order that meets one of its owner', () => {
  it('taker_at_cross cancels the newcomer after the fills before', () => {
    const rig = new Rig();
    rig.quote('ask 3 @ 39');
    rig.order(rig.ann, 'ask 5 @ 40');
    rig.news();
    rig.order(rig.ann, 'bid 10 @ 41');
    expect(rig.news()).toContain('order c2 canceled 3/10 SelfTradeCancel');
    expect(rig.book()).toBe(' | 5@40');
  });

  it('maker cancels the resting one and goes on', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'ask 5 @ 40');
    rig.quote('ask 3 @ 41');
    rig.news();
    rig.order(rig.ann, 'bid 10 @ 41', { selfTrade: 'maker' });
    const orders = rig.news().filter(line => line.startsWith('order'));
    expect(orders).toEqual(['order c2 resting 3/10 Trade', 'order c1 canceled 0/5 SelfTradeCancel']);
    expect(rig.book()).toBe('7@41 | ');
  });

  it('an order of another subaccount of the same user is somebody else’s', () => {
    const rig = new Rig();
    const second = { ...rig.ann, subaccount: 1 };
    rig.exchange.deposit(second, dollars(10));
    rig.order(rig.ann, 'ask 5 @ 40');
    expect(rig.order(second, 'bid 5 @ 40').status).toBe('executed');
  });
});

describe('a reduce-only order', () => {
  it.each([
    ['IOC', 'canceled 4/10 ReduceOnlyCancel'],
    ['FOK', 'canceled 4/10 ReduceOnlyCancel'],
  ] as const)('%s closes what is held and no more', (timeInForce, end) => {
    const rig = new Rig();
    rig.quote('ask 4 @ 40');
    rig.order(rig.ann, 'bid 4 @ 40');
    rig.quote('bid 20 @ 38');
    rig.news();
    rig.order(rig.ann, 'ask 10 @ 38', { reduceOnly: true, timeInForce });
    expect(rig.news()).toEqual([
      'trade ask 4 @ 38',
      'fill ann c2 takes 4 now 0',
      `order c2 ${end}`,
      'position ann 0',
      'level bid 38 -4=16 c2',
    ]);
  });

  it('that finds less than it may close is cut off, too', () => {
    const rig = new Rig();
    rig.quote('ask 4 @ 40');
    rig.order(rig.ann, 'bid 4 @ 40');
    rig.quote('bid 3 @ 38');
    rig.news();
    rig.order(rig.ann, 'ask 10 @ 38', { reduceOnly: true, timeInForce: 'IOC' });
    expect(rig.news()).toContain('order c2 canceled 3/10 ReduceOnlyCancel');
  });

  it('within what is held is an order as any other', () => {
    const rig = new Rig();
    rig.quote('ask 4 @ 40');
    rig.order(rig.ann, 'bid 4 @ 40');
    rig.quote('bid 20 @ 38');
    expect(rig.order(rig.ann, 'ask 3 @ 38', { reduceOnly: true, timeInForce: 'FOK' }).status).toBe('executed');
  });
});

describe('an order that expires', () => {
  it('goes at its time, without any request', () => {
    const rig = new Rig();
    const later = rig.order(rig.ann, 'bid 1 @ 40', { expiresAt: (START + 9_000) as UnixMillis });
    const sooner = rig.order(rig.ann, 'bid 1 @ 41', { expiresAt: (START + 5_000) as UnixMillis });
    rig.news();
    rig.timers.advance(5_000);
    expect(rig.news()).toEqual(['order c2 canceled 0/1 ExpiryCancel', 'level bid 41 -1=0']);
    rig.timers.advance(4_000);
    expect(rig.news()).toEqual(['order c1 canceled 0/1 ExpiryCancel', 'level bid 40 -1=0']);
    expect([sooner, later].map(({ orderId }) => rig.status(rig.ann, orderId))).toEqual(['canceled', 'canceled']);
  });

  it('is gone when a timer is late', () => {
    const rig = new Rig();
    const { orderId } = rig.order(rig.ann, 'bid 1 @ 40', { expiresAt: (START + 5_000) as UnixMillis });
    rig.timers.now = () => (START + 6_000) as UnixMillis;
    expect(rig.exchange.orders.cancel(rig.ann, orderId)).toEqual({ ok: false, error: 'not-found' });
    expect(rig.news().at(-2)).toBe('order c1 canceled 0/1 ExpiryCancel');
  });
});
