// What a caller is told when no thread has answered an operation on orders: what may have been sent is said to be, with the id under
// which it can be read; what is surely not done may be asked for again.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../../src/domain/actor-limits.ts';
import { fail, ok } from '../../../src/domain/result.ts';
import { DeskLink } from '../../../src/gateway/api/desk-link.ts';
import type { Reply } from '../../../src/net/listen.ts';
import { deriveOrderId } from '../../../src/orders/order-ids.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { Metrics } from '../../../src/runtime/metrics.ts';
import type { OrderOperation } from '../../../src/threads/order-tasks.ts';
import { createOrderPool, type OrderPool } from '../../../src/threads/pools.ts';

const pod = { podId: 'p', secretHex: 'ab'.repeat(32), venueA: null, venueB: null };
const caller = { podId: 'p', actorId: 'a', keyId: 'k' };
const elsewhere = { ...caller, podId: 'q' };
const common = { venue: 'venue_b', caller } as const;
const orderId = '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38';
const submit = {
  ...common,
  name: 'submit',
  body: ok({}),
  bodySha256Hex: '',
  limits: NO_LIMITS,
  idempotencyKey: 'i',
  isTradable: true,
  notAfter: null,
} as const;

const submitted = deriveOrderId(Buffer.alloc(32, 0xab), 'a', 'venue_b', 'i');

let pool: OrderPool;
let desk: DeskLink;
beforeAll(async () => {
  pool = await createOrderPool({ threads: 1, metrics: new Metrics({ operations: [] }), log: silentLog });
  desk = new DeskLink(pool, [pod]);
});
afterAll(() => pool.close());

const errorOf = ({ status, body }: Reply): readonly unknown[] => {
  const { error } = JSON.parse(String(body));
  return [status, error.code, error.orderId];
};

describe('an operation that no thread has answered', () => {
  it.each<[string, OrderOperation, readonly unknown[]]>([
    ['submission', submit, [504, 'ORDER_RECONCILIATION_REQUIRED', submitted]],
    ['submission of no pod', { ...submit, caller: elsewhere }, [500, 'INTERNAL_ERROR', undefined]],
    ['cancel', { ...common, name: 'cancel', orderId }, [504, 'ORDER_RECONCILIATION_REQUIRED', orderId]],
    ['cancel of no id', { ...common, name: 'cancel', orderId: 'x' }, [500, 'INTERNAL_ERROR', undefined]],
    ['read', { ...common, name: 'get', orderId }, [500, 'INTERNAL_ERROR', undefined]],
  ])('as a %s is told so', async (_what, operation, told) => {
    expect(errorOf(desk.reply(operation, fail('FAULT')))).toEqual(told);
    expect(errorOf(await desk.perform(operation))).toEqual(told);
  });

  it('for want of room may be asked for again', () => {
    const reply = desk.reply(submit, fail('BUSY'));
    expect(errorOf(reply)).toEqual([503, 'INTERNAL_ERROR', undefined]);
    expect(reply.headers).toContainEqual(['Retry-After', '1']);
    expect(reply.body).toContain('(operationsPerWorkerMax): nothing was done');
  });
});
