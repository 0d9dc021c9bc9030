// Venue B says by how much a cancel has reduced an order, and the gateway dropped the rest. Of ten contracts four were filled just before
// the cancel, and nothing seemed to be filled.

import { expect, it } from 'vitest';
import { cancelOutcomes } from '../../src/venues/venue-b/trading/answers.ts';
import { size } from '../venues/trading-rig.ts';

it.each([
  ['6.00', { type: 'cancelled', filled: size('4') }],
  ['9.99', { type: 'cancelled', filled: size('0.01') }],
  ['10.00', { type: 'cancelled' }],
  // It has been made larger by somebody else.
  ['11.00', { type: 'cancelled' }],
])('ten contracts, reduced by %s', (reducedBy, outcome) => {
  const body = Buffer.from(JSON.stringify({ orders: [{ order_id: 'order', reduced_by: reducedBy, ts_ms: 1 }] }));
  const answer = { type: 'answer', status: 200, headers: new Map<string, string>(), body } as const;
  expect(cancelOutcomes([{ venueOrderId: 'order', size: size('10') }], answer)[0]).toEqual(outcome);
});
