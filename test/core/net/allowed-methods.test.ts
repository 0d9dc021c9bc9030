// The methods that a 405 names, where a path matches more than one pattern.

import { expect, it } from 'vitest';
import { allowedMethods } from '../../../src/core/net/allowed-methods.ts';

it('names every method that the paths of a pattern have', () => {
  const allowed = allowedMethods([
    { method: 'POST', pattern: '/orders' },
    { method: 'GET', pattern: '/orders' },
    { method: 'GET', pattern: '/orders/:id' },
    { method: 'DELETE', pattern: '/orders/:name' },
    { method: 'POST', pattern: '/orders/cancel' },
    { method: 'GET', pattern: '/orders/:id/fills' },
    { method: 'PUT', pattern: '/files/*' },
    { method: 'GET', pattern: '/files/:a/b' },
  ]);
  expect([...allowed]).toEqual([
    ['/orders', 'GET, POST'],
    ['/orders/:id', 'DELETE, GET'],
    ['/orders/cancel', 'DELETE, GET, POST'],
    ['/orders/:id/fills', 'GET'],
    ['/files/*', 'PUT'],
    ['/files/:a/b', 'GET, PUT'],
  ]);
});
