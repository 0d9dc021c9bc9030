// Found by the simulation, at venue B. An order reached the venue long after its sending, and was heard of. A read from before that lacked
// it, and ended it here while it rested there.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { look, place, price, size, strike } from '../venues/trading-rig.ts';
import { VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

describe('at venue B', () => {
  let rig: VenueBTradingRig;
  beforeEach(async () => {
    rig = await VenueBTradingRig.open();
  });
  afterEach(() => rig.close());

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
});
