// What the venue says of a submission: after the order was given up here, and of one whose fills have no prices yet.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../src/domain/numbers.ts';
import { found, RESTS, Rig, shares } from './orders-rig.ts';

it('4002: an order that is taken late and cancelled at once ends with the fills that the venue states of it', async () => {
  const rig = new Rig();
  const { answer, say } = rig.start();
  await rig.pass(10, 5);
  await rig.sweep(3_600_000);
  expect(rig.order()).toMatchObject({ status: 'REJECTED', error: { code: 'UNKNOWN' } });
  rig.venue.cancels = [{ type: 'cancelled', filled: shares(4) }];
  const stated = { size: shares(4), cost: 4n * 5_600n * 1_000_000n, fees: 4_000 as MicroDollars };
  rig.venue.lookUps = [{ type: 'found', venueOrderId: 'v-1', state: 'gone', stated, fills: [] }];
  say(RESTS);
  expect(await answer).toMatchObject({ kind: 'unknownOutcome' });
  expect(rig.order()).toMatchObject({ status: 'CANCELLED', stated: { size: shares(4) } });
  expect([...rig.store.unreportedOrders(rig.account)]).toHaveLength(1);
});

it('4023: an order that met another of its account keeps that reason, though its fills have to be looked up', async () => {
  const rig = new Rig();
  rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
  const exists = { type: 'exists', message: 'taken', venueOrderId: 'v-1', reason: 'SELF_TRADE' } as const;
  expect(await rig.submit(exists)).toMatchObject({ status: 'CANCELLED' });
  expect(rig.order()).toMatchObject({ cancelReason: 'SELF_TRADE', filled: { size: shares(4) } });
});
