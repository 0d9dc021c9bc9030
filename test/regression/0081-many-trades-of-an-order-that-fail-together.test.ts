// Found by review: one look-up took hundreds of failed trades of one order out of its position in one transaction. It booked everything
// after each of them again. That is more than a transaction takes: the thread died, at every start.

import { expect, it } from 'vitest';
import { fraction } from '../../src/domain/fraction.ts';
import { limits } from '../../src/limits.ts';
import { ACTOR, RESTS, Rig, shares, TOKEN_SELL } from '../orders/orders-rig.ts';

const FAILED = 600;
const { tokenId } = TOKEN_SELL;

it('an order is looked up though hundreds of its trades have failed', async () => {
  const rig = new Rig('venue_a');
  const request = { ...TOKEN_SELL, side: 'BUY', size: shares(2 * FAILED) } as const;
  await rig.submit(RESTS, { request, bodySha256Hex: 'a'.repeat(64) });
  const traded = Array.from({ length: FAILED + 1 }, (_, index) => {
    return rig.fill(`${index}:0x${'a'.repeat(64)}:0x${'b'.repeat(64)}`, 1);
  });
  for (const fill of traded) rig.hear({ type: 'fill', fill });
  const fills = traded.map((fill, index) => ({ ...fill, settlement: index === 0 ? 'MINED' : 'FAILED' }) as const);
  rig.venue.lookUps = [{ type: 'found', venueOrderId: `digest-${rig.id()}`, state: 'rests', stated: null, fills }];
  rig.hear({ type: 'settlement', fillId: fills[1]!.fillId, settlement: 'FAILED' });
  await rig.sweep(limits.lookPauseMs);
  expect(rig.order()).toMatchObject({ status: 'OPEN', filled: { size: shares(1) } });
  const left = { size: shares(1), average: fraction(5_600n), realized: fraction(0n) };
  expect(rig.store.position(ACTOR, 'venue_a', tokenId)).toMatchObject(left);
  expect(rig.store.booked(ACTOR, 'venue_a', tokenId, 10)).toHaveLength(1);
});
