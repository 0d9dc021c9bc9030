// The attestation of a location at venue B: who is warned before it ends, and when.

import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/core/domain/durations.ts';
import type { PrivateEvent } from '../../../../src/venues/venue.ts';
import { watchAttestation } from '../../../../src/venues/venue-b/trading/attestation.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { send } from '../../trading-rig.ts';
import { scriptedRest } from './scripted-rest.ts';
import { OWNER, VenueBTradingRig } from './trading-rig.ts';

const START = 1_780_000_000_000;

it('4006: the end of an attestation is reported a week ahead, and no longer once the attestation is renewed', async () => {
  const timers = new VirtualTimers(START);
  const reported: PrivateEvent[] = [];
  let answer: unknown = { api_keys: [], api_key_region_expiration_ts: (START + 8 * DAY_MS) / 1_000 };
  const rest = scriptedRest(() => answer, timers);
  const watch = watchAttestation({ rest, timers, onChange: event => reported.push(event) });
  const heard = async (forMs: number) => {
    for (let passedMs = 0; passedMs <= forMs; passedMs += HOUR_MS) await timers.settle(HOUR_MS);
    return reported.splice(0);
  };
  const ending = { type: 'attestation', endsAt: START + 8 * DAY_MS };
  expect(await heard(0)).toEqual([]);
  expect(await heard(DAY_MS)).toEqual([ending]);
  expect(await heard(8 * DAY_MS)).toEqual([]);
  answer = { api_keys: [], api_key_region_expiration_ts: (START + 40 * DAY_MS) / 1_000 };
  expect(await heard(HOUR_MS)).toEqual([{ type: 'attestation', endsAt: null }]);
  answer = { status: 403, error: { code: 'permission_denied', message: 'permission denied' } };
  expect(await heard(HOUR_MS)).toEqual([]);
  watch.stop();
  expect(timers.pending).toBe(0);
});

it('an order after the end of the attestation is refused in the venue’s words, and nothing rests', async () => {
  const rig = await VenueBTradingRig.open();
  rig.paper.control.attest(OWNER.userId, HOUR_MS);
  expect((await send(rig, rig.wish())).outcome).toMatchObject({ type: 'accepted' });
  await rig.advance(HOUR_MS);
  expect((await send(rig, rig.wish())).outcome).toMatchObject({
    type: 'refused',
    kind: 'invalid',
    error: { code: 'VENUE_REJECTED' },
    venueError: { code: expect.stringMatching(/^Your_location_attestation_/) },
  });
  expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{ address: rig.address }] } });
  rig.paper.control.attest(OWNER.userId, null);
  expect((await send(rig, rig.wish())).outcome).toMatchObject({ type: 'accepted' });
});
