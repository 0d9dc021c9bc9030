// Two requests with one key came at once, the second one inadmissible by itself. It got the refusal of the first before that was on disk,
// with `power-safe`. A power cut could take the record, and another answer stood in its place (simulation, seed 8 239 622).

import { expect, it } from 'vitest';
import { submit } from '../../src/orders/submit.ts';
import type { SubmitOutcome } from '../../src/venues/venue.ts';
import { REFUSED, Rig } from '../orders/orders-rig.ts';

it('waits for the disk with the first request', async () => {
  const rig = new Rig('venue_b');
  const outcome = Promise.withResolvers<SubmitOutcome>();
  rig.venue.submits = [outcome.promise];
  const answered: string[] = [];
  const both = [true, false].map(isTradable =>
    submit(rig.parts, rig.submission({ isTradable })).then(answer => {
      answered.push(isTradable ? 'first' : 'repeat');
      return answer;
    }),
  );
  await rig.pass(100);
  const disk = Promise.withResolvers<void>();
  rig.store.durable = () => disk.promise;
  outcome.resolve(REFUSED);
  await rig.pass(100);
  expect(rig.order().status).toBe('REJECTED');
  expect(answered).toEqual([]);
  disk.resolve();
  const refused = { type: 'refused', kind: 'insufficientBalance', message: 'insufficient balance' };
  expect(await Promise.all(both)).toMatchObject([refused, { ...refused, isReplayed: true }]);
});
