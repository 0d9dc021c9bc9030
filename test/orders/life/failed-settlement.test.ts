// A trade that fails to settle while another trade is not reported yet.

import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import { traded } from '../../../src/core/domain/order-sums.ts';
import { limits } from '../../../src/limits.ts';
import type { LookUp } from '../../../src/venues/venue.ts';
import { ABSENT, found, RESTS, Rig, shares, TOKEN_SELL, total } from './orders-rig.ts';

// The venue's sum for the order was dropped as a whole. Until the next reading of trades the order had filled nothing, and its actor could
// buy past its limit.
describe('3220: a failed trade beside one not reported yet', () => {
  const bounds = { ...NO_LIMITS, positionMax: shares(8) };
  const buy = (size: number) => ({ ...TOKEN_SELL, side: 'BUY', size: shares(size) }) as const;
  const stated = (size: number) => ({ size: shares(size), cost: BigInt(shares(size)) * 4_000n, fees: 0 as never });

  /** The venue's sum is four. Only one trade, `f`, is reported, and it fails. */
  async function failed(rig: Rig): Promise<void> {
    rig.venue.lookUp = () => Promise.resolve(ABSENT);
    const venueOrderId = `digest-${rig.id()}`;
    await rig.submit({ ...RESTS, venueOrderId, stated: stated(3) }, { request: buy(5), limits: bounds });
    const names = { venueOrderId, positionChange: shares(1) };
    rig.hear({ type: 'fill', fill: rig.fill('f', 1, names) });
    const gone = {
      venueOrderId,
      clientOrderId: null,
      address: TOKEN_SELL.tokenId,
      state: 'gone',
      stated: stated(4),
    } as const;
    rig.hear({ type: 'order', order: gone });
    rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
  }

  it('what else the sum has stays traded, and takes room', async () => {
    const rig = new Rig('venue_a');
    await failed(rig);
    expect(traded(rig.order())).toEqual(stated(3));
    const more = await rig.submit(RESTS, { request: buy(6), limits: bounds, idempotencyKey: 'more' });
    expect(more).toMatchObject({ kind: 'invalid', message: expect.stringContaining('past the actor’s positionMax') });
  });

  it('a sum that is stated later counts without the trade that failed', async () => {
    const rig = new Rig('venue_a');
    await failed(rig);
    const { venueOrderId } = rig.order();
    const order = rig.venueOrder({
      venueOrderId: venueOrderId!,
      clientOrderId: null,
      state: 'gone',
      stated: stated(5),
    });
    rig.hear({ type: 'order', order });
    expect(traded(rig.order()).size).toBe(shares(4));
  });

  it('a trade that is first reported as failed leaves the sum, too', async () => {
    const rig = new Rig('venue_a');
    await failed(rig);
    const names = { venueOrderId: `digest-${rig.id()}`, positionChange: shares(3), settlement: 'FAILED' } as const;
    rig.hear({ type: 'fill', fill: rig.fill('g', 3, names) });
    expect(traded(rig.order()).size).toBe(0);
  });
});

// The venue may put an order back into its book when a trade of the order fails. The gateway ended such an order, and the order went on
// trading.
describe('an end that counts a failed trade', () => {
  const SIZE = 5;

  /** An order that was completely filled by one trade, which has failed. */
  async function failed() {
    const rig = await Rig.submitted(RESTS, 'venue_a');
    const venueOrderId = `digest-${rig.id()}`;
    const fill = rig.fill('f', SIZE, { venueOrderId, settlement: 'MATCHED' });
    rig.hear({ type: 'fill', fill });
    expect(rig.order().status).toBe('FILLED');
    rig.hear({ type: 'settlement', fillId: 'f', settlement: 'FAILED' });
    expect(rig.order().status).toBe('OPEN');
    const gone = { venueOrderId, clientOrderId: null, state: 'gone', stated: total(SIZE) } as const;
    const stale = { ...found('gone', [fill]), venueOrderId } as LookUp;
    return { rig, update: rig.venueOrder(gone), stale, resting: { ...found('rests'), venueOrderId } as LookUp };
  }

  it('may be older than the failure: the order is looked up after a late message', async () => {
    const { rig, update, resting } = await failed();
    rig.venue.lookUps = [resting];
    await rig.sweep(0);
    const looks = rig.venue.calls.length;
    rig.hear({ type: 'order', order: update });
    expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: 0 }, stated: null });
    await rig.sweep(0);
    expect(rig.venue.calls.slice(looks)).toEqual(['lookUp']);
    expect(rig.order().status).toBe('OPEN');
  });

  it('is believed if a look-up says so that cannot be older than the failure', async () => {
    const { rig, stale, update } = await failed();
    rig.venue.lookUps = [stale];
    await rig.sweep(0);
    expect(rig.order().status).toBe('OPEN');
    await rig.timers.settle(limits.venueAReadLagMs + limits.lookTimeoutMs);
    rig.hear({ type: 'order', order: update });
    expect(rig.order().status).toBe('OPEN');
    await rig.sweep(0);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: 0 } });
  });
});
