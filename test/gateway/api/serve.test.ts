// The log's words for a request.

import { expect, it } from 'vitest';
import { loggedPath } from '../../../src/gateway/api/serve.ts';

it.each([
  ['/v1/venue-b/orders/by-client-id/my-key', '/v1/venue-b/orders/by-client-id/…'],
  ['/v1/venue-a/orders/by-client-id/a%2Fb/c', '/v1/venue-a/orders/by-client-id/…'],
  ['/v1/venue-x/orders/by-client-id/line%0A\nbreak', '/v1/venue-x/orders/by-client-id/…'],
  ['/v1/venue-b/orders/0198-1', '/v1/venue-b/orders/0198-1'],
])('4030: %j is logged without an idempotency key', (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});
