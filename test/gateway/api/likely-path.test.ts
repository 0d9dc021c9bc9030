// The path that is named where there is none at the one that was asked for.

import { expect, it } from 'vitest';
import { likelyPath } from '../../../src/gateway/api/likely-path.ts';
import { OPERATIONS } from '../../../src/gateway/api/operations.ts';

it.each([
  ['/v1/venue_b/orders', '/v1/venue-b/orders'],
  ['/v1/VenueB/Orders', '/v1/venue-b/orders'],
  ['/v1/venue-b/orders/', '/v1/venue-b/orders'],
  ['/venue-b/orders', '/v1/venue-b/orders'],
  ['/V1/venue-b/orders', '/v1/venue-b/orders'],
  ['//v1//venue-b/orders', '/v1/venue-b/orders'],
  [
    '/v1/venue_a/orders/5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38/fills',
    '/v1/venue-a/orders/5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38/fills',
  ],
  ['/v1/venue_b/markets/KX_A', '/v1/venue-b/markets/KX_A'],
  ['/v1/orders/cancelAfter', '/v1/orders/cancel-after'],
  ['/v1/order-book', '/v1/orderbook'],
  ['/v1/nothing', null],
  // The door on the engine's thread serves no lists.
  ['/v1/venue-b/orders', null],
  ['/v1/venue_c/orders', null],
  ['/', null],
  ['/v1', null],
])('4039: for %s that is %s', (asked, path) => {
  expect(likelyPath(asked)).toBe(path);
});

it('4039: each path with underscores for hyphens is known', () => {
  const paths = OPERATIONS.map(({ path }) => path).filter(path => path.includes('-'));
  expect(paths.map(path => likelyPath(path.replaceAll('-', '_')))).toEqual(paths);
});
