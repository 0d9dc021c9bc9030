// A preview beside the submission that follows it: the same refusal, and nothing left behind.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { API_ERRORS } from '../../../src/core/domain/answer.ts';
import { type ActorLimits, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { JsonObject } from '../../../src/core/domain/json.ts';
import type { MicroDollars, Ticks } from '../../../src/core/domain/numbers.ts';
import type { PreviewOperation } from '../../../src/core/domain/operation.ts';
import { readVenueAOrder, readVenueBOrder } from '../../../src/core/wire/order-requests.ts';
import { preview } from '../../../src/orders/life/preview.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, YES_BUY } from './orders-rig.ts';

const level = (cents: number, count: number) => ({ price: (100 * cents) as Ticks, size: shares(count) });
const SIDES = { bids: [level(48, 20)], asks: [level(55, 4), level(56, 100)] };
const BODY_B = { ticker: YES_BUY.ticker, side: 'YES', action: 'BUY', count: 10, price: '0.56' };
const BODY_A = { tokenId: TOKEN_SELL.tokenId, type: 'LIMIT', side: 'BUY', size: '10', price: '0.56' };

function operationOf(
  venue: 'venue_a' | 'venue_b',
  body: JsonObject,
  limits: ActorLimits = NO_LIMITS,
  undisplayed = shares(0),
): PreviewOperation {
  const caller = { podId: POD, actorId: ACTOR, keyId: 'key' };
  return {
    name: 'preview',
    venue,
    caller,
    body: { ok: true, value: body },
    isTradable: true,
    limits,
    fees: null,
    undisplayed,
  };
}

async function previewed(rig: Rig, operation: PreviewOperation) {
  const { status, body } = await preview({ ...rig.parts, sidesOf: () => SIDES }, operation, rig.id('of a preview'));
  return { status, view: JSON.parse(body) };
}

it('shows what the displayed book fills, the position after that, and each limit that is set', async () => {
  const rig = new Rig();
  const own = {
    ...NO_LIMITS,
    notionalMax: 6_000_000 as MicroDollars,
    openOrdersMax: 3,
    positionMax: shares(12),
    sizeMax: shares(50),
  };
  expect(await previewed(rig, operationOf('venue_b', BODY_B, own))).toEqual({
    status: 200,
    view: {
      admission: { status: 201, code: null, reason: null, message: null, retryAfterS: null },
      fill: { size: '10', averagePrice: '0.556', worstPrice: '0.56', costUsd: '5.56', feesUsd: null, isWhole: true },
      queueAhead: { min: '0', max: '0' },
      position: { size: '0', afterFill: '10' },
      limits: [
        { name: 'notionalMax', max: '6', after: '5.6' },
        { name: 'sizeMax', max: '50', after: '10' },
        { name: 'openOrdersMax', max: '3', after: '1' },
        { name: 'positionMax', max: '12', after: '10' },
      ],
    },
  });
  expect([rig.venue.calls, rig.reported]).toEqual([[], []]);
  expect(rig.store.order(rig.id('of a preview'))).toBeNull();
});

it.each([
  ['what is displayed at its price, and own orders that are not displayed', {}, { min: '20', max: '25' }],
  ['nothing where an order cannot rest', { timeInForce: { type: 'IOC' } }, null],
])('would have ahead of it %s', async (_name, terms, queueAhead) => {
  const body = { ...BODY_B, price: '0.48', ...terms };
  const { view } = await previewed(new Rig(), operationOf('venue_b', body, NO_LIMITS, shares(5)));
  expect(view.queueAhead).toEqual(queueAhead);
});

it('counts in no rate of orders', async () => {
  const rig = new Rig();
  rig.timers.advance(1_500);
  const own = { ...NO_LIMITS, orderRateMax: 1 };
  const admitted = async () => (await previewed(rig, operationOf('venue_b', BODY_B, own))).view.admission.status;
  expect([await admitted(), await admitted()]).toEqual([201, 201]);
  expect(await rig.submit(RESTS, { limits: own })).toMatchObject({ type: 'made' });
  expect(await admitted()).toBe(503);
});

it('refuses a body that is none', async () => {
  expect(await previewed(new Rig(), operationOf('venue_b', { ...BODY_B, count: 0 }))).toMatchObject({ status: 400 });
});

describe('the refusal is that of the submission that follows', () => {
  const limit = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 1 });
  const limits = fc.record({
    notionalMax: limit(fc.integer({ min: 1, max: 9_000_000 }).map(it => it as MicroDollars)),
    openOrdersMax: limit(fc.nat(2)),
    positionMax: limit(fc.nat(25).map(shares)),
    sizeMax: limit(fc.nat(15).map(shares)),
    collarTicks: limit(fc.nat(300)),
    collarPercent: limit(fc.nat(20)),
    collarWithoutBook: fc.constantFrom('PASS' as const, null),
    orderRateMax: limit(fc.nat(2)),
  });
  const ask = fc.option(fc.integer({ min: 50, max: 58 }));
  const state = fc.record({ limits, ask, before: fc.nat(2), isStopped: fc.boolean(), isTradable: fc.boolean() });

  it.each(['venue_a', 'venue_b'] as const)('at %s', async venue => {
    const body: JsonObject = venue === 'venue_a' ? BODY_A : BODY_B;
    const read = (venue === 'venue_a' ? readVenueAOrder : readVenueBOrder)(body);
    await fc.assert(
      fc.asyncProperty(state, async ({ limits: some, ask: cents, before, isStopped, isTradable }) => {
        const rig = new Rig(venue);
        rig.timers.advance(1_500);
        const own = { ...NO_LIMITS, ...some };
        rig.prices = { bid: null, ask: cents === null ? null : ((100 * cents) as Ticks), lastTrade: null };
        for (let made = 0; made < before; made += 1)
          await rig.submit({ ...RESTS, venueOrderId: `v-${made}` }, { idempotencyKey: `before ${made}` });
        if (isStopped) rig.stopProblem = () => 'stopped by an operator';
        const operation = { ...operationOf(venue, body, own), isTradable: isTradable || !isStopped };
        const { view } = await previewed(rig, operation);
        const request = read.ok ? { request: read.value } : {};
        const submitted = { ...request, limits: own, isTradable: operation.isTradable, idempotencyKey: 'it' };
        const answer = await rig.submit({ ...RESTS, venueOrderId: 'v-it' }, submitted);
        const {
          kind,
          reason = null,
          message = null,
          retryAfterS = null,
        } = answer.type === 'made' ? { kind: null } : answer;
        const [status, code] = kind === null ? [201, null] : [API_ERRORS[kind].status, API_ERRORS[kind].code];
        expect(view.admission).toEqual({ status, code, reason, message, retryAfterS });
      }),
    );
  });
});
