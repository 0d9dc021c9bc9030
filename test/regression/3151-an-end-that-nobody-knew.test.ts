// Found by the simulation, at venue B. An order reached the venue long after its sending, and was heard of. A read from before that lacked
// it, and ended it here while it rested there. And an order that ended with its group, shortly before its time, was said to be EXPIRED.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { RESTS, Rig, YES_BUY } from '../orders/orders-rig.ts';
import { ANSWER_MS, Ear, look, place, price, send, size, strike } from '../venues/trading-rig.ts';
import { OWNER, VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

const WISH = { side: 'YES', action: 'BUY', price: price('0.3'), size: size('10') } as const;

describe('at venue B', () => {
  let rig: VenueBTradingRig;
  beforeEach(async () => {
    rig = await VenueBTradingRig.open();
  });
  afterEach(() => rig.close());

  const until = (expiresAt: number) =>
    rig.wish({
      ...WISH,
      timeInForce: 'GTD',
      terms: { expiresAt: expiresAt as UnixMillis, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' },
    });

  async function group(sharesMax: number): Promise<string> {
    const made = await rig.trading.groups!.make(0, sharesMax);
    return made.ok ? made.value : expect.fail(made.error.message);
  }

  it.each([
    ['is over', 'lost', true],
    ['rests', null, false],
  ] as const)(
    'an order that was heard of after its sending %s by reads from after that',
    async (_end, fault, isOver) => {
      if (fault !== null) strike(rig, rig.operations.submit, { kind: fault, isApplied: false });
      const { order, intent } = await place(rig, { side: 'BUY', price: price('0.3'), size: size('10') });
      const sentAt = (rig.now() - 60_000) as UnixMillis;
      const known = { ...order, status: 'OPEN', venueOrderId: order.venueOrderId ?? 'v-1', sentAt } as const;
      const heard = { order: { ...known, updatedAt: rig.now() }, intent };
      rig.faults.setStaleMs('venue_b', 10_000);
      expect(await look(rig, heard)).toEqual({ type: 'absent', isCurrent: false });
      await rig.advance(10_000 + limits.venueBReadMarginMs + 1);
      expect(await look(rig, heard)).toMatchObject(isOver ? { type: 'absent', isCurrent: true } : { state: 'rests' });
    },
  );

  it('the answer to an order that triggers its group claims no reason: the group’s follows', async () => {
    const groupId = await group(5);
    rig.others('SELL', WISH.price, size('6'), 'rest');
    const { outcome } = await send(rig, until(rig.now() + 4_000), ANSWER_MS, null, groupId);
    expect(outcome).toMatchObject({ type: 'accepted', state: 'gone', reason: 'VENUE' });
  });

  it.each([
    ['the group', false],
    ['the order', true],
  ])(
    'an order that is good till a time ends with its group: the stream tells of %s first',
    async (_first, isSwapped) => {
      const ear = new Ear(rig.trading);
      await ear.until(() => ear.count('up') === 1);
      const groupId = await group(20);
      await send(rig, until(rig.now() + 60_000), ANSWER_MS, null, groupId);
      if (isSwapped) strike(rig, 'order_group_updates', { kind: 'swap' });
      rig.paper.exchange.groups.trigger(OWNER, groupId);
      const reasons = () => ear.events.flatMap(event => (event.type === 'order' ? [event.order.reason] : []));
      await ear.until(() => reasons().includes('PROTECTION'));
      expect(reasons().at(-1)).toBe('PROTECTION');
    },
  );
});

it('a group that is heard of later explains an end that looked like expiry', async () => {
  const rig = new Rig();
  const expiresAt = (rig.timers.now() + 4_000) as UnixMillis;
  const terms = { expiresAt, postOnly: false, reduceOnly: false, selfTrade: 'CANCEL_TAKER' } as const;
  await rig.submit(RESTS, { request: { ...YES_BUY, timeInForce: 'GTD', terms } });
  rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone' }) });
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', cancelReason: 'EXPIRED' });
  rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone', reason: 'PROTECTION' }) });
  rig.hear({ type: 'order', order: rig.venueOrder({ state: 'gone', reason: 'VENUE' }) });
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', cancelReason: 'PROTECTION' });
});
