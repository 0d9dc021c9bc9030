// Every answer of venue B to a cancel, and what it means to us: the table of venue-b.md §5 and §7.

import { describe, expect, it } from 'vitest';
import type { OutboundOutcome } from '../../../../src/net/outbound.ts';
import { cancelOutcome } from '../../../../src/venues/venue-b/trading/cancel-answer.ts';
import { size } from '../../trading-rig.ts';
import { answer, error } from './scripted-answers.ts';

const VENUE_ID = 'order';
const cancelled = (outcome: OutboundOutcome) => cancelOutcome({ venueOrderId: VENUE_ID, size: size('10') }, outcome);

describe('a cancel', () => {
  const reduced = { order_id: VENUE_ID, reduced_by: '10.00', ts_ms: 1 };
  it.each([
    [200, reduced, { type: 'cancelled' }],
    [200, { ...reduced, reduced_by: '0.00' }, { type: 'not-found', message: 'nothing of it was left to cancel' }],
    [404, error('not_found'), { type: 'not-found', message: 'not found' }],
    [400, error('MARKET_INACTIVE'), { type: 'not-found', message: 'market inactive' }],
    [409, error('market_closed'), { type: 'not-found', message: 'market closed' }],
    [
      400,
      error('INVALID_AMEND_QTY_FOR_ORDER'),
      { type: 'refused', kind: 'invalid', message: 'invalid amend qty for order' },
    ],
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

  it.each(['', '{}', { ...reduced, order_id: 'another' }, { order_id: VENUE_ID }, { ...reduced, reduced_by: 1 }])(
    '200 with %j says nothing',
    body => {
      expect(cancelled(answer(200, body))).toMatchObject({ type: 'unknown' });
    },
  );

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
