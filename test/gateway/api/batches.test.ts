// Bodies of batches: which bodies are batches, and how other bodies are refused.

import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { readBatch, readCancelBatch } from '../../../src/gateway/api/batches.ts';

const ORDER = { ticker: 'KXGAME-1', side: 'YES', action: 'BUY', count: 1, priceCents: 40 };
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ idempotencyKey: `key-${at}`, ...ORDER }));
const NAMES = { notAfter: 'SVC-Not-After-Millis' };
const namesAt = (at: number) => ({ ...NAMES, idempotencyKey: `orders[${at}].idempotencyKey` });
const ids = (count: number) => Array.from({ length: count }, (_, at) => `order-${at}`);

it('each order has its key, its body without it, and the hash of that body as compact JSON', () => {
  const bodySha256Hex = hash('sha256', JSON.stringify(ORDER), 'hex');
  expect(
    readBatch(
      ok({
        orders: [
          { ...ORDER, idempotencyKey: 'a' },
          { idempotencyKey: 'b', ...ORDER },
        ],
      }),
      NAMES,
    ),
  ).toEqual({
    ok: true,
    value: [
      { idempotencyKey: 'a', body: ORDER, bodySha256Hex, names: namesAt(0) },
      { idempotencyKey: 'b', body: ORDER, bodySha256Hex, names: namesAt(1) },
    ],
  });
});

it('15 orders and 100 cancels are allowed', () => {
  expect(readBatch(ok({ orders: many(15) }), NAMES).ok).toBe(true);
  expect(readCancelBatch(ok({ orderIds: ids(100) })).ok).toBe(true);
});

it.each([
  [{}, 'orders: is missing; must be an array'],
  [{ orders: {} }, 'orders: must be an array, is an object'],
  [{ orders: [] }, 'orders: must have 1 to 15 items (batchOrdersMax), has 0'],
  [{ orders: many(16) }, 'orders: must have 1 to 15 items (batchOrdersMax), has 16'],
  [{ orders: many(1), notAfter: 1 }, 'notAfter: is not a field here; the fields are orders'],
  [{ orders: [...many(1), null] }, 'orders[1]: must be an object, is null'],
  [{ orders: [...many(2), ORDER] }, 'orders[2].idempotencyKey: is missing; must be a string'],
  [
    { orders: [{ ...ORDER, idempotencyKey: '' }] },
    'orders[0].idempotencyKey: required, 1 to 255 bytes (idempotencyKeyBytesMax)',
  ],
])('%j is no batch', (body, message) => {
  expect(readBatch(ok(body), NAMES)).toMatchObject({ ok: false, error: { kind: 'invalid', message } });
});

it.each([
  [{}, 'orderIds: is missing; must be an array'],
  [{ orderIds: [] }, 'orderIds: must have 1 to 100 items (batchCancelsMax), has 0'],
  [{ orderIds: ids(101) }, 'orderIds: must have 1 to 100 items (batchCancelsMax), has 101'],
  [{ orderIds: ['a', 'b', 'a'] }, 'orderIds[2]: is given twice'],
  [{ orderIds: ['a', 7] }, 'orderIds[1]: must be a string, is a number'],
])('%j is no batch of cancels', (body, message) => {
  expect(readCancelBatch(ok(body))).toMatchObject({ ok: false, error: { kind: 'invalid', message } });
});

it('a body that could not be read is refused with its own words', () => {
  expect(readBatch(fail('body: must be UTF-8'), NAMES)).toMatchObject({ error: { message: 'body: must be UTF-8' } });
});
