// Found by review: the Data API may lag or go back. Winners that it did not list as redeemable twice running counted as redeemed for good.
// They left positions and balances, and nothing brought them back. Now the CLOB is asked about each first.

import { describe, expect, it } from 'vitest';
import { ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { ACTOR, RESTS, Rig, shares, ticks } from '../orders/orders-rig.ts';

describe('a winner that is not listed', () => {
  async function won(): Promise<{ rig: Rig; look: (times: number) => Promise<void> }> {
    const rig = new Rig('venue_a');
    await rig.submit(RESTS);
    rig.hear({ type: 'fill', fill: rig.fill('f', 5) });
    rig.hear({ type: 'settled', address: '1001', value: ticks(10_000), at: rig.timers.now() });
    const look = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        rig.hear({ type: 'redeemable', addresses: [] });
        await rig.timers.settle(limits.venueASettlementPollMs);
      }
    };
    return { rig, look };
  }
  const held = (rig: Rig) => rig.store.position(ACTOR, 'venue_a', '1001')!;

  it.each([
    ['is in the wallet', ok(shares(5))],
    ['cannot be asked about', { ok: false, error: 'HTTP 503' } as const],
  ])('stays if it %s', async (_what, said) => {
    const { rig, look } = await won();
    rig.venue.statedHolding = said;
    await look(5);
    expect(held(rig)).toMatchObject({ size: shares(5), isRedeemable: true });
    rig.venue.statedHolding = ok(shares(0));
    await look(1);
    expect(held(rig)).toMatchObject({ size: 0, isRedeemable: false });
  });

  it('is asked about only when it was missed twice', async () => {
    const { rig, look } = await won();
    await look(1);
    expect(rig.venue.calls.filter(call => call.startsWith('holding'))).toEqual([]);
    await look(1);
    expect(rig.venue.calls.filter(call => call.startsWith('holding'))).toEqual(['holding 1001']);
  });
});
