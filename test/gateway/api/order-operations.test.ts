// The answer to an operation on orders that no thread has begun: nothing was done, and the caller may repeat the request.

import { describe, expect, it } from 'vitest';
import type { KeyEntry } from '../../../src/core/auth/keyring.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { OrderOperation } from '../../../src/core/domain/operation.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { bareRequest } from '../../../src/core/net/inbound-request.ts';
import type { InboundRequest } from '../../../src/core/net/listen.ts';
import { httpReply, orderHandlers, performedBy } from '../../../src/gateway/api/order-operations.ts';

const common = { venue: 'venue_b', caller: { podId: 'p', actorId: 'a', keyId: 'k' } } as const;
const submit = {
  ...common,
  name: 'submit',
  body: ok({}),
  bodySha256Hex: '',
  limits: NO_LIMITS,
  idempotencyKey: 'i',
  isTradable: true,
  notAfter: null,
  names: { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' },
  acknowledges: false,
} as const;

const perform = performedBy({ ask: async () => fail('BUSY') });
const NO_ROOM = 'too many operations are under way (operationsMax): nothing was done';
const BEHIND =
  'orders arrive faster than they can be sent, and would wait too long (engineWaitMsMax): nothing was done';
const FAULT = (name: string) => `a fault of the gateway before ${name} was begun: nothing was done`;

describe.each<OrderOperation>([
  submit,
  { ...common, name: 'cancel', orderId: '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38' },
  { ...common, name: 'get', orderId: 'x' },
])('$name that no thread has begun', operation => {
  it.each([
    ['BUSY', NO_ROOM],
    ['BEHIND', BEHIND],
    ['FAULT', FAULT(operation.name)],
  ] as const)('for %s may be asked for again', (failure, message) => {
    const { status, body, headers } = httpReply(operation, fail(failure));
    expect([status, JSON.parse(String(body)).error]).toEqual([503, expect.objectContaining({ message })]);
    expect(headers).toContainEqual(['Retry-After', '1']);
  });

  it('is answered so where its caller has proven its key', async () => {
    expect(JSON.parse(String((await perform(operation, bareRequest('GET', '/'))).body)).error.message).toBe(NO_ROOM);
  });
});

it.each(['0755', '0', '-1', '1'.repeat(79), 'x'])(
  'a wallet action of the token %s is refused before its market is looked up',
  tokenId => {
    const { splitVenueAPosition } = orderHandlers({
      isTradable: () => true,
      orderIds: { idFor: () => null },
    });
    const request = { header: () => '' } as Partial<InboundRequest> as InboundRequest;
    const caller = { keyId: 'k', podId: 'p', actorId: 'p/a' };
    const key = { ...caller, actorId: 'a', caller, limits: NO_LIMITS } as Partial<KeyEntry> as KeyEntry;
    const ofToken = (token: string) =>
      splitVenueAPosition!({ request, key, parameters: [token], query: new Map(), body: ok({ amountUsd: '1' }) });
    expect(ofToken(tokenId)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(ofToken('755')).toMatchObject({ ok: true, value: { name: 'wallet-action', tokenId: '755' } });
  },
);
