// Found by review: if one actor of a pod held YES and another as much NO, their account held nothing. The venue listed neither a holding
// nor a payout, and both stayed shown as held. What was won and lost was never booked.

import { expect, it } from 'vitest';
import { fraction } from '../../src/domain/fraction.ts';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { fail, ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { bookFill, unattributedOf } from '../../src/orders/bookings.ts';
import { payoutOf } from '../../src/venues/venue-b/trading/settlements.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, ticks, YES_BUY } from '../orders/orders-rig.ts';
import { scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const NOBODY = unattributedOf(POD);
const OTHERS = { venueOrderId: 'foreign', clientOrderId: null, positionChange: shares(-10) } as const;

async function offset(venue: 'venue_a' | 'venue_b'): Promise<Rig> {
  const rig = new Rig(venue);
  rig.venue.held = ok([]);
  await rig.submit(RESTS);
  rig.executions.start();
  await rig.pass(100, 10);
  rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
  rig.hear({ type: 'fill', fill: rig.fill('g', 10, { ...OTHERS, addressPrice: ticks(6_000) }) });
  await rig.sweep();
  return rig;
}

/** Its actor has YES of it, somebody else NO. */
function hold(rig: Rig, address: string): void {
  const { account } = rig;
  const [addressPrice, fee] = [ticks(5_000), 0 as MicroDollars];
  rig.ledger.change(({ transaction, at }) => {
    bookFill(
      transaction,
      { account, actorId: ACTOR, at },
      { address, positionChange: shares(10), addressPrice, fee },
      null,
    );
    bookFill(
      transaction,
      { account, actorId: null, at },
      { address, positionChange: shares(-10), addressPrice, fee },
      null,
    );
  });
}

async function looks(rig: Rig, times: number): Promise<void> {
  for (let look = 0; look < times; look += 1) await rig.sweep(limits.holdingsAuditMs);
}

it.each([10_000, 0, 5_000])('both are paid at venue B, %i ticks', async value => {
  const rig = await offset('venue_b');
  await looks(rig, 2);
  expect([rig.position(), rig.position(NOBODY)]).toEqual([shares(10), shares(-10)]);
  rig.venue.paid = ok(ticks(value));
  await looks(rig, 1);
  const size = BigInt(shares(10));
  const { ticker } = YES_BUY;
  const realized = [fraction(BigInt(value - 5_600) * size), fraction(BigInt(6_000 - value) * size)];
  const both = [ACTOR, NOBODY].map(owner => rig.store.position(owner, 'venue_b', ticker));
  expect(both).toMatchObject(realized.map(it => ({ size: 0, realized: it })));
});

it('both holdings are paid at venue A, too, where one owes the other', async () => {
  const rig = await offset('venue_a');
  rig.venue.paid = ok(ticks(0));
  await looks(rig, 1);
  expect([ACTOR, NOBODY].map(owner => rig.store.position(owner, 'venue_a', TOKEN_SELL.tokenId)?.size)).toEqual([0, 0]);
});

it('many markets all have their turn, and one that has paid is not asked again', async () => {
  const rig = await offset('venue_b');
  const others = Array.from({ length: limits.payoutsAskedPerLook + 5 }, (_, index) => `KX${index}`);
  for (const address of others) hold(rig, address);
  const asked = () => rig.venue.calls.filter(it => it.startsWith('payoutOf'));
  await looks(rig, 2);
  expect(new Set(asked())).toEqual(new Set([YES_BUY.ticker, ...others].map(it => `payoutOf ${it}`)));
  const before = asked().length;
  rig.venue.paid = ok(ticks(10_000));
  await looks(rig, 5);
  expect(asked().length - before).toBe(others.length + 1);
});

it.each<[object, number | null]>([
  [{ status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' }, 10_000],
  [{ status: 'finalized', result: 'no' }, 0],
  [{ status: 'settled', result: 'scalar', settlement_value_dollars: '0.3705' }, 3_705],
  [{ status: 'finalized', result: 'scalar' }, null],
  [{ status: 'determined', result: 'yes', settlement_value_dollars: '1.0000' }, null],
  [{ status: 'active', result: '' }, null],
])('a market of venue B that says %j pays %s', async (said, value) => {
  const rest = scriptedRest(() => ({ market: { ticker: 'KXA', ...said } }));
  expect(await payoutOf(rest, 'KXA')).toEqual(ok(value));
});

it('a market that the venue has forgotten has no payout, and one that cannot be asked is asked again', async () => {
  const gone = scriptedRest(() => ({ status: 404, error: { code: 'not_found', message: 'not found' } }));
  expect(await payoutOf(gone, 'KXA')).toEqual(ok(null));
  const away = scriptedRest(() => ({ status: 503 }));
  expect(await payoutOf(away, 'KXA')).toEqual(fail('venue B: HTTP 503'));
});
