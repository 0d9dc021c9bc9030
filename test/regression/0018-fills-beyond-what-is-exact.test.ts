// Each amount that a venue states is exact below 2^53, and so were the sums of one statement (0010), but not those of several fills. The
// order store refuses such a number, which ended the thread, again after each start. And an order that traded more than its size did so
// silently.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { orderCodec } from '../../src/store/orders/order-record.ts';
import { positionCodec } from '../../src/store/orders/records.ts';
import { statedFill } from '../../src/venues/venue-a/trading/answers.ts';
import { submitOutcome } from '../../src/venues/venue-b/trading/answers.ts';
import { RESTS, Rig, shares, YES_BUY } from '../orders/orders-rig.ts';

const MOST = 9_007_199_254;
const MOST_FEES = Number.MAX_SAFE_INTEGER as MicroDollars;

function isKept(rig: Rig): boolean {
  orderCodec.encode({ order: rig.order(), refusedAs: null });
  for (const position of rig.store.positions('alice', 'venue_b')) positionCodec.encode(position);
  for (const position of rig.store.positions('unattributed:pod', 'venue_b')) positionCodec.encode(position);
  return true;
}

it('a fill beyond the exact range of its order or position is logged, and not booked', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  rig.hear({ type: 'fill', fill: rig.fill('f', MOST) });
  rig.hear({ type: 'fill', fill: rig.fill('g', MOST) });
  rig.hear({ type: 'fill', fill: rig.fill('h', 1, { fee: MOST_FEES }) });
  expect([isKept(rig), rig.position()]).toEqual([true, shares(MOST)]);
  expect(rig.divergences).toEqual(['overfilled', 'uncountable-fill', 'uncountable-fill']);
});

it('an orphan fill beyond it is not booked, even if its order is found later', async () => {
  const rig = new Rig();
  const foreign = { clientOrderId: null, venueOrderId: 'v-1' } as const;
  for (const id of ['f', 'g']) rig.hear({ type: 'fill', fill: rig.fill(id, MOST, foreign) });
  expect(rig.divergences).toEqual(['unattributed-fill', 'uncountable-fill']);
  await rig.submit(RESTS);
  for (const id of ['f', 'g']) rig.hear({ type: 'fill', fill: rig.fill(id, MOST) });
  expect([isKept(rig), rig.position()]).toEqual([true, shares(MOST)]);
});

it('an order that trades more than its size is logged once', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  for (const id of ['f', 'g', 'h']) rig.hear({ type: 'fill', fill: rig.fill(id, 8) });
  expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { size: shares(24) } });
  expect(rig.divergences).toEqual(['overfilled']);
});

it('an answer whose fees cannot be counted does not state what was filled', () => {
  const dear = { numerator: 9, denominator: 1, exponent: 0, isTakerOnly: true };
  const signed = { isBuy: true, makerAmount: 10n ** 15n };
  expect(statedFill('1', '9007199254', signed, dear)).toBeNull();
  const request = { ...YES_BUY, size: shares(1_000_000) };
  const body = { order_id: 'o', fill_count: '1000000.00', remaining_count: '0.00', average_fill_price: '0.5' };
  const answer = { type: 'answer', status: 201, headers: new Map<string, string>() } as const;
  const outcomeOf = (average_fee_paid: string) =>
    submitOutcome(request, 'c', { ...answer, body: Buffer.from(JSON.stringify({ ...body, average_fee_paid })) }).type;
  expect([outcomeOf('0.01'), outcomeOf('9007199254')]).toEqual(['accepted', 'unknown']);
});
