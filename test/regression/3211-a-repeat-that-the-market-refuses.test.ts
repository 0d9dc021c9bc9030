// Found by the simulation: a repeat that arrived before its first request was recorded was checked by itself. Where the market had closed in
// between it was refused for good, although the first one could still be made. A caller that believed the 404 had an order unawares.

import { expect, it } from 'vitest';
import { ok } from '../../src/domain/result.ts';
import { submit, submitBatch } from '../../src/orders/submit.ts';
import type { TradingFacts } from '../../src/venues/venue.ts';
import { found, RESTS, Rig, ticks, YES_BUY } from '../orders/orders-rig.ts';

/** Whose market closes after its facts were read once. The first order is prepared on command. */
function closing(rig = new Rig()) {
  const { venue } = rig;
  const prepared = Promise.withResolvers<void>();
  const prepare = venue.prepare.bind(venue);
  venue.prepare = async order => {
    await prepared.promise;
    return prepare(order);
  };
  venue.facts = async () => {
    const facts = venue.facts_;
    venue.facts_ = ok({ ...(facts.ok ? facts.value : ({} as TradingFacts)), phase: 'CLOSED' });
    return facts;
  };
  venue.submits = [RESTS];
  return { rig, prepared: prepared.resolve };
}

it('a repeat waits for the first request before it is refused', async () => {
  const { rig, prepared } = closing();
  const first = submit(rig.parts, rig.submission());
  const again = submit(rig.parts, rig.submission());
  const other = submit(rig.parts, rig.submission({ idempotencyKey: 'other' }));
  expect(await other).toMatchObject({ type: 'refused', kind: 'notFound' });
  prepared();
  expect(await first).toMatchObject({ type: 'made', status: 'OPEN', orderId: rig.id() });
  expect(await again).toMatchObject({ type: 'made', orderId: rig.id() });
});

it('a repeat in the same batch, or with another body, waits as well', async () => {
  const { rig, prepared } = closing();
  const request = { ...YES_BUY, price: ticks(5_500) };
  const changed = rig.submission({ request, bodySha256Hex: 'b'.repeat(64) });
  const answers = submitBatch(rig.parts, [rig.submission(), rig.submission(), changed], () => expect.fail('a fault'));
  prepared();
  expect(await answers).toMatchObject([
    { type: 'made', orderId: rig.id() },
    { type: 'made', orderId: rig.id() },
    { type: 'refused', kind: 'idempotencyConflict' },
  ]);
  expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
});

it('who names the order waits for the first request, too', async () => {
  const { rig, prepared } = closing();
  const both = [submit(rig.parts, rig.submission()), submit(rig.parts, rig.submission())];
  await rig.pass(50);
  const known = Promise.resolve(rig.parts.underWay.over(rig.id())).then(() => rig.store.order(rig.id()));
  await rig.pass(50);
  prepared();
  expect(await known).not.toBeNull();
  await Promise.all(both);
});

it('a repeated replace waits for the first one', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  const { prepared } = closing(rig);
  rig.venue.lookUps = [found('gone')];
  const both = [rig.replace({ price: ticks(5_500) }), rig.replace({ price: ticks(5_500) })];
  prepared();
  await rig.pass(1_000);
  expect(await Promise.all(both)).toMatchObject(both.map(() => ({ type: 'made', orderId: rig.id('new') })));
});
