// The terms of a limit order at every venue: a part of the suite of trading-contract.ts.

import { expect } from 'vitest';
import { look, place, price, type Scenarios, size, type Wish } from './trading-rig.ts';

const RESTING: Wish = { side: 'BUY', price: price('0.3'), size: size('10') };
const CROSSING: Wish = { side: 'BUY', price: price('0.55'), size: size('10') };
/** If no read shows an order after this time, the order is not in the venue's book. */
const READS_LAG_MS = 30_000;
/** A lifetime that every venue accepts, in whole seconds. */
const LASTING_MS = 180_000;

export const TERMS: Scenarios = {
  'post-only rests where it does not trade, and is refused where it would': async rig => {
    rig.others('SELL', price('0.5'), size('20'), 'rest');
    const { outcome } = await place(rig, { ...CROSSING, postOnly: true });
    expect(outcome).toMatchObject({
      type: 'refused',
      kind: 'invalid',
      error: { code: 'NOT_FEASIBLE' },
      venueError: { message: expect.stringMatching(/\w/) },
    });
    expect((await place(rig, { ...RESTING, postOnly: true })).outcome).toMatchObject({ state: 'rests' });
    expect(await rig.trading.positions()).toEqual({ ok: true, value: { rows: [], unread: [] } });
  },
  'good till a time rests until then, trades, and ends': async rig => {
    const placed = await place(rig, { ...RESTING, forMs: LASTING_MS });
    expect(placed.outcome).toMatchObject({ type: 'accepted', state: 'rests' });
    await rig.advance(LASTING_MS - 2_000);
    rig.others('SELL', RESTING.price, size('4'), 'take');
    expect(await look(rig, placed)).toMatchObject({ state: 'rests', stated: { size: size('4') } });
    await rig.advance(2_000);
    // A resting order has disappeared. The first look-up that does not find it proves nothing yet.
    await look(rig, placed);
    await rig.advance(READS_LAG_MS);
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'gone', stated: { size: size('4') } });
  },
  'says how far ahead that time must be': async rig => {
    const facts = await rig.trading.facts(rig.address);
    if (!facts.ok) throw new Error('no facts');
    const forMs = facts.value.expiryLeadMs;
    expect((await place(rig, { ...RESTING, forMs })).outcome).toMatchObject({ type: 'accepted', state: 'rests' });
  },
};
