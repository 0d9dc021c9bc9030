// Found by review: an order whose record was lost had been found at the venue. Its retry was refused like a new order because its market
// had closed since, or because the venue could not be traded at yet. The answer said that there was no order.

import { expect, it } from 'vitest';
import { fail } from '../../src/domain/result.ts';
import type { Submission } from '../../src/orders/submission.ts';
import { RESTS, Rig, YES_BUY } from '../orders/orders-rig.ts';

/** It was listed, as it rests. */
function adopted(): Rig {
  const rig = new Rig();
  rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
  expect(rig.order()).toMatchObject({ status: 'OPEN', keyId: '' });
  return rig;
}

const RETRIES: readonly [why: string, close: (rig: Rig) => void, change: Partial<Submission>][] = [
  ['its market has closed', rig => closed(rig), {}],
  ['its market is not known any more', rig => (rig.venue.facts_ = fail({ type: 'unknown-market' })), {}],
  ['the venue does not answer', rig => (rig.venue.facts_ = fail({ type: 'unavailable', message: 'down' })), {}],
  ['nothing can be placed yet', () => {}, { isTradable: false }],
];

function closed({ venue }: Rig): void {
  if (venue.facts_.ok) venue.facts_ = { ok: true, value: { ...venue.facts_.value, phase: 'CLOSED' } };
}

it.each(RETRIES)('a retry gets the adopted order though %s', async (_why, close, change) => {
  const rig = adopted();
  close(rig);
  expect(await rig.submit(RESTS, change)).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
  expect(rig.order()).toMatchObject({ keyId: 'key' });
  expect(await rig.submit(RESTS, { ...change, bodySha256Hex: 'b'.repeat(64) })).toMatchObject({
    kind: 'idempotencyConflict',
  });
  expect(rig.venue.calls).toEqual([]);
});

it.each(RETRIES)('another is refused as before where %s', async (_why, close, change) => {
  const rig = adopted();
  close(rig);
  const answer = await rig.submit(RESTS, { ...change, idempotencyKey: 'two' });
  expect(answer).toMatchObject({ type: 'refused', isReplayed: false });
  expect(rig.store.order(rig.id('two'))).toBeNull();
});
