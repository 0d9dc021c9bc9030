// Requests to the simulated gateway.

import { hash } from 'node:crypto';
import { type ActorLimits, NO_LIMITS } from '../../src/domain/identity.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../src/domain/numbers.ts';
import type { OrderId } from '../../src/domain/order.ts';
import type { OrderRequest } from '../../src/domain/order-request.ts';
import type { ReplaceTerms } from '../../src/orders/replacement.ts';
import type { Submission } from '../../src/orders/submission.ts';

export const POD = 'pod';
export const SECRET = Buffer.alloc(32, 7);
const OPEN_ORDERS_MAX = 6;
/** Of bob, at venue B. */
export const POSITION_MAX = 8_000_000 as MicroShares;
/** Of alice: some orders may cost more. */
export const NOTIONAL_MAX = 2_400_000 as MicroDollars;

export interface Call {
  readonly actorId: string;
  readonly idempotencyKey: string;
  readonly request: OrderRequest;
  readonly notAfter: UnixMillis | null;
}

export interface ReplaceCall extends Omit<Call, 'request'> {
  readonly orderId: OrderId;
  readonly terms: ReplaceTerms;
}

export function submissionOf(call: Call): Submission {
  return {
    podId: POD,
    keyId: keyOf(call.actorId),
    bodySha256Hex: hashOf(call.request),
    isTradable: true,
    limits: call.actorId === 'bob' ? limitsAt(call.request) : { ...NO_LIMITS, notionalMax: NOTIONAL_MAX },
    names: { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' },
    claim: () => true,
    recorded: null,
    passed: () => {},
    ...call,
  };
}

function limitsAt({ venue }: OrderRequest): ActorLimits {
  const positionMax = venue === 'venue_b' ? POSITION_MAX : null;
  return { ...NO_LIMITS, openOrdersMax: OPEN_ORDERS_MAX, positionMax };
}

export function hashOf(body: unknown): string {
  return hash('sha256', JSON.stringify(body), 'hex');
}

/** Everyone signs with one key. */
export function keyOf(actorId: string): string {
  return `key of ${actorId}`;
}
