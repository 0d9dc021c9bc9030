// The attestation of a location at venue B: who is warned of its end, and when.

import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/core/domain/durations.ts';
import { NOTHING_FILLED } from '../../../../src/core/domain/order-sums.ts';
import type { PrivateEvent } from '../../../../src/venues/venue.ts';
import { submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { watchAttestation } from '../../../../src/venues/venue-b/trading/attestation.ts';
import { found, RESTS, Rig, YES_BUY } from '../../../orders/life/orders-rig.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { price, send, size } from '../../trading-rig.ts';
import { scriptedRest } from './scripted-rest.ts';
import { OWNER, TICKER, VenueBTradingRig } from './trading-rig.ts';

const START = 1_780_000_000_000;

it('4006: the end of an attestation is reported a week ahead, and no longer once the attestation is renewed', async () => {
  const timers = new VirtualTimers(START);
  const reported: PrivateEvent[] = [];
  let answer: unknown = { api_keys: [], api_key_region_expiration_ts: (START + 8 * DAY_MS) / 1_000 };
  const rest = scriptedRest(() => answer, timers);
  const watch = watchAttestation({ rest, timers, tell: event => reported.push(event) });
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
  const wish = () =>
    rig.wish({ side: 'YES', action: 'BUY', price: price('0.5'), size: size('10'), timeInForce: 'GTC' });
  rig.paper.control.attest(OWNER.userId, HOUR_MS);
  expect((await send(rig, wish())).outcome).toMatchObject({ type: 'accepted' });
  await rig.advance(HOUR_MS);
  expect((await send(rig, wish())).outcome).toMatchObject({
    type: 'refused',
    kind: 'invalid',
    error: { code: 'VENUE_REJECTED' },
    venueError: { code: expect.stringMatching(/^Your_location_attestation_/) },
  });
  expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{ address: rig.address }] } });
  rig.paper.control.attest(OWNER.userId, null);
  expect((await send(rig, wish())).outcome).toMatchObject({ type: 'accepted' });
  await rig.close();
});

// The reason was the description that was read during the pause. A 404 says that the market is gone for good; a pause is for the venue to
// report.
describe('0050: a pause that is over', () => {
  async function described(arrange: (rig: VenueBTradingRig) => void) {
    const venue = await VenueBTradingRig.open();
    arrange(venue);
    const facts = await venue.trading.facts(TICKER);
    await venue.close();
    return facts;
  }

  it('the venue decides on an order right after a pause', async () => {
    const rig = new Rig();
    rig.venue.facts_ = await described(({ paper }) => paper.control.setPaused(TICKER, true));
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('a closed market stays a 404', async () => {
    const rig = new Rig();
    rig.venue.facts_ = await described(({ paper }) => paper.control.close(TICKER, 0));
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'refused', kind: 'notFound' });
  });
});

// That became 201 CANCELLED with nothing filled, and stayed the answer to its idempotency key. Now the traded amount is looked up.
describe('0131: filled at prices that are not said', () => {
  function answered(change: object) {
    const order = { order_id: 'v-1', client_order_id: 'c', fill_count: '10.00', remaining_count: '0.00', ...change };
    const body = Buffer.from(JSON.stringify(order));
    return submitOutcome(YES_BUY, 'c', { type: 'answer', status: 201, headers: new Map(), body });
  }

  describe('an answer that says', () => {
    it.each([
      ['all is filled, and no price', {}, { type: 'exists' }],
      ['all is filled, and the price', { average_fill_price: '0.56' }, { type: 'accepted', state: 'gone' }],
      [
        'a part is filled, and no price',
        { fill_count: '4.00', remaining_count: '6.00' },
        { state: 'rests', stated: null },
      ],
      ['nothing is filled', { fill_count: '0.00' }, { state: 'gone', stated: NOTHING_FILLED }],
    ])('%s', (_what, change, expected) => {
      expect(answered(change)).toMatchObject(expected);
    });
  });

  it('the order is looked up, and answered as it turns out', async () => {
    const rig = new Rig();
    rig.venue.lookUps = [found('gone', [rig.fill('f', 10)])];
    expect(await rig.submit(answered({}))).toMatchObject({ type: 'made', status: 'FILLED' });
  });
});
