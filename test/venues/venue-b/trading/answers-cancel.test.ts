// Every answer of venue B to a cancel, a batch of one order, and what it means to us. It is the table of venue-b.md §5.5 and §7.

import { describe, expect, it } from 'vitest';
import type { OutboundOutcome } from '../../../../src/net/outbound.ts';
import { cancelOutcomes } from '../../../../src/venues/venue-b/trading/answers.ts';
import { size } from '../../trading-rig.ts';
import { answer, error } from './scripted-answers.ts';

const VENUE_ID = 'order';
const cancelled = (outcome: OutboundOutcome) =>
  cancelOutcomes([{ venueOrderId: VENUE_ID, size: size('10') }], outcome)[0]!;

describe('a cancel', () => {
  const reduced = { order_id: VENUE_ID, reduced_by: '10.00', ts_ms: 1 };
  const failed = (code: string) => ({ order_id: VENUE_ID, reduced_by: '0.00', ...(error(code) as object) });

  it.each([
    [reduced, { type: 'cancelled' }],
    [{ ...reduced, client_order_id: 'ours' }, { type: 'cancelled' }],
    [{ ...reduced, error: null }, { type: 'cancelled' }],
    [
      { ...reduced, reduced_by: '4.00' },
      { type: 'cancelled', filled: size('6') },
    ],
    [
      { ...reduced, reduced_by: '0.00' },
      { type: 'not-found', message: 'nothing of it was left to cancel' },
    ],
    [failed('not_found'), { type: 'not-found', message: 'not found' }],
    [
      { ...failed('not_found'), reduced_by: undefined },
      { type: 'not-found', message: 'not found' },
    ],
    [failed('CANNOT_UPDATE_FILLED_ORDER'), { type: 'not-found', message: 'cannot update filled order' }],
    [failed('market_closed'), { type: 'not-found', message: 'market closed' }],
    [failed('invalid_order'), { type: 'refused', kind: 'invalid', message: 'invalid order' }],
    [failed('exchange_is_paused'), { type: 'not-sent', message: 'exchange is paused', retryAfterS: 5 }],
    [failed('EXCHANGE_UNAVAILABLE'), { type: 'unknown', message: 'exchange unavailable' }],
    // Beside an item no status says whether the venue refuses or has failed.
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
    // It says that it was cancelled, and that it was not.
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
    '',
    '{}',
    [],
    reduced,
    { orders: [] },
    { orders: [reduced, reduced] },
    { orders: reduced },
    { orders: null },
  ])('200 with %j says nothing', body => {
    expect(cancelled(answer(200, body))).toMatchObject({ type: 'unknown' });
  });

  it('200 with an item beside an error of the whole batch says nothing', () => {
    const body = { orders: [reduced], ...(error('internal_server_error') as object) };
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
    // A refusal that came with an effect before, as far as anybody knows.
    [500, error('not_found'), { type: 'unknown', message: 'not found' }],
  ] as const)('%i %j', (status, body, outcome) => {
    expect(cancelled(answer(status, body))).toEqual(outcome);
  });

  it.each([
    [
      { type: 'not-sent', message: 'x' },
      { type: 'not-sent', message: 'x', retryAfterS: 1 },
    ],
    [
      { type: 'lost', message: 'x' },
      { type: 'unknown', message: 'x' },
    ],
    [
      { type: 'timeout', message: 'x' },
      { type: 'unknown', message: 'x' },
    ],
  ] as const)('without an answer: %j', (outcome, expected) => {
    expect(cancelled(outcome)).toEqual(expected);
  });
});

it('4006: a location that is not attested refuses a cancel, alone or with its batch, and is no fault of the credentials', () => {
  const unattested = error('Your_location_attestation_for_API_trading_is_missing_or_expired');
  const outcome = { type: 'refused', kind: 'invalid' };
  expect(cancelled(answer(403, unattested))).toMatchObject(outcome);
  const item = { order_id: VENUE_ID, reduced_by: '0.00', ...(unattested as object) };
  expect(cancelled(answer(200, { orders: [item] }))).toMatchObject(outcome);
});
