// Venue B's order groups, on the real paper exchange. Covers the requests, the meaning of the venue's refusals for a group, and the orders
// that a triggered group has ended.

import { beforeEach, describe, expect, it } from 'vitest';
import type { MicroDollars } from '../../../../src/core/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { VenueGroups } from '../../../../src/venues/venue.ts';
import { ANSWER_MS, cancel, Ear, type Placed, price, send, size, soon, strike } from '../../trading-rig.ts';
import { OWNER, TENNIS_TICKER, TICKER, VenueBTradingRig } from './trading-rig.ts';

let rig: VenueBTradingRig;
let groups: VenueGroups;
let ear: Ear;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
  rig.fund(3, 1_000_000_000 as MicroDollars);
  groups = rig.trading.groups!;
  ear = await Ear.up(rig.trading);
});

const atVenue = () => [...rig.paper.exchange.groups.of(OWNER)];

async function made(sharesMax = 20, shard = 0): Promise<string> {
  const outcome = await groups.make(shard, sharesMax);
  return outcome.ok ? outcome.value : expect.fail(outcome.error.message);
}

function place(groupId: string, wish?: Partial<VenueBOrderRequest>): Promise<Placed> {
  return send(rig, rig.wish(wish), ANSWER_MS, null, groupId);
}

/** Waits for the end of an order. `last` returns the latest report of the order. */
async function end({ order, intent }: Placed) {
  const ends = () =>
    ear.events.flatMap(event =>
      event.type === 'order' && event.order.state === 'gone' && event.order.clientOrderId === intent.clientOrderId
        ? [event.order]
        : [],
    );
  await ear.until(() => ends().length > 0);
  expect(ends()[0]!.venueOrderId).toBe(order.venueOrderId);
  return { last: () => ends().at(-1)! };
}

const heardOf = () => ear.events.filter(({ type }) => type === 'group');

describe('a group', () => {
  // A change of a group goes to the first shard unless the request names another shard (venue-b.md §3). The groups of other shards are not
  // found there. Our requests named no shard. So a group for tennis, baseball or crypto was taken for gone at its first change, and was
  // never reset or removed.
  it.each([
    ['on the first shard', 0, TICKER],
    ['3193: on another shard', 3, TENNIS_TICKER],
  ])('%s is made, limited, reset and removed; orders are made in it', async (_title, shard, ticker) => {
    await rig.trading.facts(ticker);
    expect(groups.shardOf(ticker)).toBe(shard);
    const groupId = await made(20, shard);
    expect(atVenue()).toMatchObject([{ groupId, limit: size('20'), shard, isTriggered: false }]);
    const { order } = await place(groupId, { ticker });
    expect(atVenue()).toMatchObject([{ orderIds: [order.venueOrderId] }]);
    expect(await groups.setLimit(shard, groupId, 7)).toEqual({ ok: true, value: null });
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    expect(await groups.reset(shard, groupId)).toEqual({ ok: true, value: null });
    expect(atVenue()).toMatchObject([{ limit: size('7'), shard, isTriggered: false, orderIds: [] }]);
    expect(await groups.remove(3 - shard, groupId)).toMatchObject({ ok: false, error: { isGone: true } });
    expect(await groups.remove(shard, groupId)).toEqual({ ok: true, value: null });
    expect(atVenue()).toEqual([]);
  });

  // Venue B answers 429 to a change of an order group if the bucket of its shard is empty, because the account has another user. The
  // gateway heeded the 429 of an order, but ignored that of a group. So orders went out against an empty bucket, and were refused one by
  // one.
  it('3196: beyond the rate limit empties the bucket of its shard, and no other', async () => {
    for (const ticker of [TICKER, TENNIS_TICKER]) await rig.trading.facts(ticker);
    strike(rig, 'POST /portfolio/order_groups/create', { kind: 'rate-limited' });
    expect(await groups.make(3, 20)).toMatchObject({ ok: false, error: { isGone: false } });
    expect(rig.trading.budget(TENNIS_TICKER)).toMatchObject({ orders: { left: 0 } });
    const { orders } = rig.trading.budget(TICKER);
    expect(orders.left).toBe(orders.burst);
  });

  it('that is not there is said to be gone', async () => {
    expect(await groups.reset(0, 'nothing')).toMatchObject({ error: { isGone: true } });
    expect(await groups.remove(0, 'nothing')).toMatchObject({ error: { isGone: true } });
  });

  it.each([
    ['refused', { kind: 'status', status: 403, isApplied: false }],
    ['not answered', { kind: 'lost', isApplied: false }],
  ] as const)('may be %s', async (_title, fault) => {
    strike(rig, 'POST /portfolio/order_groups/create', fault);
    expect(await groups.make(0, 1)).toMatchObject({ ok: false, error: { isGone: false } });
    strike(rig, 'PUT /portfolio/order_groups/:order_group_id/reset', fault);
    expect(await groups.reset(0, 'nothing')).toMatchObject({ ok: false, error: { isGone: false } });
  });
});

describe('an order whose group', () => {
  it.each([
    ['after the group', false],
    ['before the group', true],
  ])('has triggered ends with PROTECTION: its end is heard of %s', async (_title, isFirst) => {
    const groupId = await made();
    const placed = await place(groupId);
    if (isFirst) strike(rig, 'order_group_updates', { kind: 'swap' });
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    const { last } = await end(placed);
    await ear.until(() => last().reason !== undefined);
    expect(last()).toMatchObject({ reason: 'PROTECTION', stated: { size: 0 } });
    expect(heardOf()).toEqual([{ type: 'group', groupId, change: 'triggered', sentAt: null }]);
  });

  it('has not triggered ends for no stated reason', async () => {
    const placed = await place(await made());
    await cancel(rig, placed);
    const { last } = await end(placed);
    expect(last().reason).toBeUndefined();
  });

  it('is triggered by its own trade is explained by the stream alone', async () => {
    const groupId = await made(5);
    rig.others('SELL', price('0.3'), size('6'), 'rest');
    const placed = await place(groupId);
    expect(placed.outcome).toMatchObject({ type: 'accepted', state: 'gone', stated: { size: size('6') } });
    expect(placed.outcome).not.toHaveProperty('reason', 'SELF_TRADE');
    const { last } = await end(placed);
    await ear.until(() => last().reason !== undefined);
    expect(last().reason).toBe('PROTECTION');
  });

  it('has triggered, or is gone, is refused: nothing was made, and both are heard of', async () => {
    const groupId = await made();
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    await ear.until(() => heardOf().length === 1);
    expect((await place(groupId)).outcome).toMatchObject({ type: 'not-sent' });
    await groups.remove(0, groupId);
    await ear.until(() => heardOf().length === 3);
    expect((await place(groupId)).outcome).toMatchObject({ type: 'not-sent' });
    const [byStream, byOrder] = [null, rig.now()];
    expect(heardOf()).toEqual([
      { type: 'group', groupId, change: 'triggered', sentAt: byStream },
      { type: 'group', groupId, change: 'triggered', sentAt: byOrder },
      { type: 'group', groupId, change: 'gone', sentAt: byStream },
      { type: 'group', groupId, change: 'gone', sentAt: byOrder },
    ]);
  });

  it('has triggered is refused in a batch, too', async () => {
    const groupId = await made();
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    const orders = await Promise.all(
      [groupId, null].map(async id => {
        const order = rig.wish();
        const prepared = await rig.trading.prepare(order, 'key', id);
        return prepared.ok ? { order, intent: prepared.value } : expect.fail();
      }),
    );
    const outcomes = await rig.trading.submitBatch(orders, soon(rig));
    expect(outcomes).toMatchObject([{ type: 'not-sent' }, { type: 'accepted' }]);
    expect(heardOf()).toContainEqual({ type: 'group', groupId, change: 'triggered', sentAt: rig.now() });
  });
});
