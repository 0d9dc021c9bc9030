// Requests to the simulated gateway.

import { hash } from 'node:crypto';
import type { ActorLimits } from '../../src/core/domain/identity.ts';
import type { JsonObject } from '../../src/core/domain/json.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import { addressOf, directionOf } from '../../src/core/domain/order-frame.ts';
import type { OrderRequest } from '../../src/core/domain/order-request.ts';
import type { WalletActionKind } from '../../src/core/domain/wallet-action.ts';
import { HmacKey } from '../../src/core/runtime/hmac.ts';
import { deriveOrderId } from '../../src/orders/life/order-ids.ts';
import type { ReplaceTerms } from '../../src/orders/life/replacement.ts';
import type { Submission } from '../../src/orders/life/submission.ts';
import { HOOKS, NOBODY } from '../support/submitted.ts';
import { EXPOSURE_MAX, POD_EXPOSURE_MAX } from './exposure.ts';
import { COLLARED } from './prices.ts';
import { ORDER_RATE } from './rates.ts';

export const POD = 'pod';
export const SECRET = Buffer.alloc(32, 7);
const OPEN_ORDERS_MAX = 4;
/** The cost limit of alice: some orders may cost more. */
export const NOTIONAL_MAX = 2_400_000 as MicroDollars;
const OF_POD = { podExposureMax: POD_EXPOSURE_MAX };
const OF_ALICE: ActorLimits = { ...COLLARED, ...OF_POD, notionalMax: NOTIONAL_MAX, exposureMax: EXPOSURE_MAX };
const OF_BOB: ActorLimits = { ...ORDER_RATE, ...OF_POD, openOrdersMax: OPEN_ORDERS_MAX };

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

export interface ActionCall extends Pick<Call, 'actorId' | 'idempotencyKey'> {
  readonly kind: WalletActionKind;
  readonly tokenId: string;
  readonly body: JsonObject;
}

/** Makes the submission of a call. `positionMax` is the position limit of bob. */
export function submissionOf(call: Call, positionMax: MicroShares): Submission {
  return {
    podId: POD,
    orderId: deriveOrderId(new HmacKey(SECRET), call.actorId, call.request.venue, call.idempotencyKey),
    keyId: keyOf(call.actorId),
    bodySha256Hex: hashOf(call.request),
    isTradable: true,
    limits: call.actorId === 'bob' ? { ...OF_BOB, positionMax, sizeMax: sizeMaxOf(positionMax) } : OF_ALICE,
    names: { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' },
    hasExactPrice: false,
    isAckWanted: false,
    hooks: HOOKS,
    asker: NOBODY,
    stopwatch: null,
    address: addressOf(call.request),
    direction: directionOf(call.request),
    ...call,
  };
}

/** Returns the size limit of bob: some orders are larger. */
export function sizeMaxOf(positionMax: MicroShares): MicroShares {
  return ((positionMax * 9) / 16) as MicroShares;
}

export function hashOf(body: unknown): string {
  return hash('sha256', JSON.stringify(body), 'hex');
}

/** Everyone signs with one key. */
export function keyOf(actorId: string): string {
  return `key of ${actorId}`;
}
