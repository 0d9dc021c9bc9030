// Every answer of venue B to a cancel, and how the gateway reads it: the table of venue-b.md §5.5 and §7. A cancel is a batch of one order.

import { describe, expect, it } from 'vitest';
import type { OutboundOutcome } from '../../../../src/core/net/outbound.ts';
import { batchOutcomes, cancelOutcomes } from '../../../../src/venues/venue-b/trading/answers.ts';
import { found, RESTS, Rig, shares, YES_BUY } from '../../../orders/life/orders-rig.ts';
import { place, placeBatch, price, size } from '../../trading-rig.ts';
import { answer, error, request } from './scripted-answers.ts';
import { TICKER, VenueBTradingRig } from './trading-rig.ts';

const VENUE_ID = 'order';
const cancelled = (outcome: OutboundOutcome) =>
  cancelOutcomes([{ venueOrderId: VENUE_ID, size: size('10') }], outcome)[0]!;

describe('a cancel', () => {
  const reduced = { order_id: VENUE_ID, reduced_by: '10.00', ts_ms: 1 };
  const unsaid = { order_id: VENUE_ID, ...error('not_found') };
  const failed = (code: string) => ({ order_id: VENUE_ID, reduced_by: '0.00', ...error(code) });

  it.each([
    [reduced, { type: 'cancelled' }],
    [{ ...reduced, client_order_id: 'ours' }, { type: 'cancelled' }],
    [{ ...reduced, error: null }, { type: 'cancelled' }],
    [failed('not_found'), { type: 'not-found', message: 'not found' }],
    [unsaid, { type: 'not-found', message: 'not found' }],
    [failed('CANNOT_UPDATE_FILLED_ORDER'), { type: 'not-found', message: 'cannot update filled order' }],
    [failed('market_closed'), { type: 'not-found', message: 'market closed' }],
    [failed('invalid_order'), { type: 'refused', kind: 'invalid', message: 'invalid order' }],
    [failed('exchange_is_paused'), { type: 'not-sent', message: 'exchange is paused', retryAfterS: 5 }],
    [failed('EXCHANGE_UNAVAILABLE'), { type: 'unknown', message: 'exchange unavailable' }],
    // An item of a batch has no status that tells a refusal of the venue from a failure.
    [failed('internal_server_error'), { type: 'unknown', message: 'internal server error' }],
    [failed('insufficient_balance'), { type: 'unknown', message: 'insufficient balance' }],
    [failed('header_timestamp_expired'), { type: 'unknown', message: 'header timestamp expired' }],
  ] as const)('200 with the item %j', (item, outcome) => {
    expect(cancelled(answer(200, { orders: [item] }))).toEqual(outcome);
  });

  it.each([
    { ...reduced, order_id: 'another' },
    { order_id: VENUE_ID },
    { ...reduced, reduced_by: 1 },
    { ...failed('not_found'), order_id: 'another' },
    { ...failed('not_found'), order_id: undefined },
    // This answer states both that the order was cancelled and that it was not.
    { ...failed('not_found'), reduced_by: '1.00' },
    { ...failed('not_found'), reduced_by: 'none' },
    { ...reduced, error: {} },
    { ...reduced, error: 1 },
    'order',
    null,
  ])('200 with the item %j says nothing', item => {
    expect(cancelled(answer(200, { orders: [item] }))).toMatchObject({ type: 'unknown' });
  });

  it.each([
    ...['', '{}', [], reduced],
    ...[[], [reduced, reduced], reduced, null].map(orders => ({ orders })),
    { orders: [reduced], ...error('internal_server_error') },
  ])('200 with %j says nothing', body => {
    expect(cancelled(answer(200, body))).toMatchObject({ type: 'unknown' });
  });

  it.each([
    [404, error('not_found'), { type: 'not-found', message: 'not found' }],
    [400, error('MARKET_INACTIVE'), { type: 'not-found', message: 'market inactive' }],
    [409, error('market_closed'), { type: 'not-found', message: 'market closed' }],
    [
      400,
      error('INVALID_AMEND_QTY_FOR_ORDER'),
      { type: 'refused', kind: 'invalid', message: 'invalid amend qty for order' },
    ],
    [401, error('header_timestamp_expired'), { type: 'not-sent', message: 'header timestamp expired', retryAfterS: 1 }],
    [401, error('authentication_error'), { type: 'refused', kind: 'fault', message: 'authentication error' }],
    [403, error('permission_denied'), { type: 'refused', kind: 'fault', message: 'permission denied' }],
    [429, { error: 'too many requests' }, { type: 'not-sent', message: 'too many requests', retryAfterS: 1 }],
    [425, '', { type: 'not-sent', message: 'the engine restarts', retryAfterS: 5 }],
    [409, error('exchange_is_paused'), { type: 'not-sent', message: 'exchange is paused', retryAfterS: 5 }],
    [500, error('internal_server_error'), { type: 'unknown', message: 'internal server error' }],
    [503, error('EXCHANGE_UNAVAILABLE'), { type: 'unknown', message: 'exchange unavailable' }],
    [400, error('EXCHANGE_UNAVAILABLE'), { type: 'unknown', message: 'exchange unavailable' }],
    [302, error('not_found'), { type: 'unknown', message: 'not found' }],
    [408, error('timeout'), { type: 'unknown', message: 'timeout' }],
    // A refusal with this status may have come after an effect.
    [500, error('not_found'), { type: 'unknown', message: 'not found' }],
  ] as const)('%i %j', (status, body, outcome) => {
    expect(cancelled(answer(status, body))).toEqual(outcome);
  });

  it.each([
    ['not-sent', { type: 'not-sent', message: 'x', retryAfterS: 1 }],
    ['lost', { type: 'unknown', message: 'x' }],
    ['timeout', { type: 'unknown', message: 'x' }],
  ] as const)('without an answer: %s', (type, expected) => {
    expect(cancelled({ type, message: 'x' })).toEqual(expected);
  });
});

it('4006: a location that is not attested refuses a cancel, alone or with its batch, and is no fault of the credentials', () => {
  const unattested = error('Your_location_attestation_for_API_trading_is_missing_or_expired');
  const outcome = { type: 'refused', kind: 'invalid' };
  expect(cancelled(answer(403, unattested))).toMatchObject(outcome);
  const item = { order_id: VENUE_ID, reduced_by: '0.00', ...unattested };
  expect(cancelled(answer(200, { orders: [item] }))).toMatchObject(outcome);
});

// Venue B states by how much a cancel has reduced an order, and the gateway ignored the difference to its size. If four of ten contracts
// were filled just before the cancel, nothing seemed to be filled.
it.each([
  ['0.00', { type: 'not-found', message: 'nothing of it was left to cancel' }],
  ['4.00', { type: 'cancelled', filled: size('6') }],
  ['6.00', { type: 'cancelled', filled: size('4') }],
  ['9.99', { type: 'cancelled', filled: size('0.01') }],
  ['10.00', { type: 'cancelled' }],
  // Another program has made the order larger.
  ['11.00', { type: 'cancelled' }],
])('0040: ten contracts, reduced by %s', (reduced_by, outcome) => {
  expect(cancelled(answer(200, { orders: [{ order_id: VENUE_ID, reduced_by, ts_ms: 1 }] }))).toEqual(outcome);
});

// Venue B answers a cancel of a filled order so. The answer stands beside the 404 for all orders that are not in the book. It counted as
// any other refusal: a 400 in the venue's words instead of a 409. The order stayed OPEN until its fill was reported.
it.each([
  [400, 'CANNOT_UPDATE_FILLED_ORDER'],
  [409, 'cannot_update_filled_order'],
])('0263: %i %s: the order is looked up, and has been filled', async (status, code) => {
  const rig = new Rig();
  await rig.submit(RESTS);
  const outcome = cancelOutcomes([{ venueOrderId: 'v-1', size: YES_BUY.size }], answer(status, error(code)))[0]!;
  rig.venue.cancels = [outcome];
  rig.venue.lookUps = [found('gone', [rig.fill('f', YES_BUY.size / shares(1))])];
  expect(await rig.cancel(rig.id())).toMatchObject({ type: 'refused', kind: 'notCancellable' });
  expect(rig.order().status).toBe('FILLED');
});

// Venue B answers MARKET_NOT_ACTIVE to each order in a paused market. A single order was refused by that, but an order of a batch had an
// unknown outcome. Such an order was looked up until the venue was known not to have it. The engine's own reasons are refusals, too
// (venue-b.md §7).
describe('3190: a paused market in a batch', () => {
  it('an order to a paused market is refused in a batch as it is alone', async () => {
    const rig = await VenueBTradingRig.open();
    const wish = { side: 'BUY', price: price('0.5'), size: size('10') } as const;
    expect(rig.paper.control.setPaused(TICKER, true).ok).toBe(true);
    const { outcome } = await place(rig, wish);
    expect(outcome).toMatchObject({ type: 'refused', kind: 'invalid', error: { code: 'VENUE_REJECTED' } });
    const placed = await placeBatch(rig, [wish, wish]);
    expect(placed?.map(it => it.outcome)).toEqual([outcome, outcome]);
  });

  it.each(['SELF_CROSS_ATTEMPT', 'EXCEEDED_PER_MARKET_RISK_LIMIT', 'EXCEEDED_SELL_POSITION_FLOOR'])(
    'an order of a batch that is refused by %s is refused',
    code => {
      const items = { orders: [{ client_order_id: 'ours', error: { code, message: 'no' } }] };
      const sent = { request: request(), clientOrderId: 'ours', payload: new Uint8Array() };
      const refused = { type: 'refused', kind: 'invalid', error: { code: 'VENUE_REJECTED' } };
      expect(batchOutcomes([sent], answer(201, items))).toMatchObject([refused]);
    },
  );
});
