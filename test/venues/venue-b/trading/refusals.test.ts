// The meaning of venue B's refusals for orders, in cases where the same words refuse several kinds of requests.

import { describe, expect, it } from 'vitest';
import { amendOutcome } from '../../../../src/venues/venue-b/trading/amend.ts';
import { batchOutcomes, submitOutcome } from '../../../../src/venues/venue-b/trading/answers.ts';
import { answer, request } from './scripted-answers.ts';

const CREATED = { order_id: 'order', client_order_id: 'ours', fill_count: '0.00', remaining_count: '10.00' };

describe('4006: a location that is not attested', () => {
  const said =
    'Your location attestation for API trading is missing or expired. Please verify your location in the Kalshi app or website, and then retry.';
  const body = { error: { code: said.replaceAll(' ', '_'), message: said } };
  const rejected = { type: 'refused', kind: 'invalid', error: { code: 'VENUE_REJECTED', message: said } };
  const sent = { request: request(), clientOrderId: 'ours', payload: new Uint8Array() };

  it('refuses an order in the words of the venue, and says nothing of the credentials', () => {
    const outcome = submitOutcome(request(), 'ours', answer(403, body));
    expect(outcome).toMatchObject({ ...rejected, venueError: { message: said } });
  });

  it('refuses an order of a batch alone, at once', () => {
    const items = { orders: [{ client_order_id: 'ours', ...body }, CREATED] };
    expect(batchOutcomes([sent, sent], answer(201, items))).toMatchObject([rejected, { type: 'accepted' }]);
  });

  it('refuses a batch as such: each of its orders may be in another market', () => {
    expect(batchOutcomes([sent, sent], answer(403, body))).toBeNull();
  });

  it('refuses a change in place', () => {
    expect(amendOutcome('new', answer(403, body))).toMatchObject(rejected);
  });
});

it('an account that the shard of the market does not know is without cash there', () => {
  const body = { error: { code: 'user_not_found:_0c9e', message: 'user not found: 0c9e' } };
  const refused = { type: 'refused', kind: 'insufficientBalance', error: { message: 'user not found: 0c9e' } };
  expect(submitOutcome(request(), 'ours', answer(404, body))).toMatchObject(refused);
  expect(amendOutcome('ours', answer(404, body))).toMatchObject(refused);
});
