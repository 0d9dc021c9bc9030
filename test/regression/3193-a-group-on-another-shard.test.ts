// Changes of an order group at venue B go to the first shard unless they name another (venue-b.md §3). A group of another is not found there.
// Ours named none. So a protection's group for tennis, baseball or crypto was taken for gone at its first change. It was never reset or
// removed, and orders that rested in it kept its old limit.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { ANSWER_MS, price, send, size } from '../venues/trading-rig.ts';
import { OWNER, TENNIS_TICKER, VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

let rig: VenueBTradingRig;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
  rig.fund(3, 1_000_000_000 as MicroDollars);
});
afterEach(() => rig.close());

const AT = { price: price('0.3'), size: size('10'), timeInForce: 'GTC' } as const;
const WISH = { ticker: TENNIS_TICKER, side: 'YES', action: 'BUY', ...AT } as const;
const DONE = { ok: true, value: null };

it('is limited, reset and removed there', async () => {
  const { groups } = rig.trading;
  const made = await groups!.make(3, 20);
  const groupId = made.ok ? made.value : '';
  expect(await groups!.setLimit(3, groupId, 7)).toEqual(DONE);
  const { outcome } = await send(rig, rig.wish(WISH), ANSWER_MS, null, groupId);
  expect(outcome.type).toBe('accepted');
  rig.paper.exchange.groups.trigger(OWNER, groupId);
  expect(await groups!.reset(3, groupId)).toEqual(DONE);
  expect([...rig.paper.exchange.groups.of(OWNER)]).toMatchObject([{ limit: size('7'), shard: 3, isTriggered: false }]);
  expect(await groups!.remove(0, groupId)).toMatchObject({ ok: false, error: { isGone: true } });
  expect(await groups!.remove(3, groupId)).toEqual(DONE);
  expect([...rig.paper.exchange.groups.of(OWNER)]).toEqual([]);
});
