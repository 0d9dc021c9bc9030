// Pods, actors and keys for tests of the key store: as arbitraries, and by number.

import fc from 'fast-check';
import { type ActorLimits, SCOPES } from '../../../src/core/domain/identity.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { KeyRecord } from '../../../src/core/store/key-record.ts';
import type { NewApiKey, NewSigningKey } from '../../../src/core/store/key-registry.ts';

export const at = (millis: number): UnixMillis => millis as UnixMillis;
const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

export function signingKey(number: number, changes: Partial<NewSigningKey> = {}): NewSigningKey {
  return {
    keyId: `key_${hex(number, 16)}`,
    actorId: 'maker',
    podId: 'desk',
    publicKeyHex: hex(number, 64),
    scopes: ['read', 'trade'],
    addresses: [],
    label: `number ${number}`,
    createdAt: at(number),
    ...changes,
  };
}

export function apiKey(number: number, changes: Partial<NewApiKey> = {}): NewApiKey {
  const { actorId, podId, label, createdAt } = signingKey(number);
  return {
    apiKeyId: `apikey_${hex(number, 16)}`,
    actorId,
    podId,
    hashHex: hex(number, 64),
    label,
    createdAt,
    ...changes,
  };
}

const hexText = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));
const id = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/);
const time = fc.maxSafeNat().map(at);
const revokedAt = fc.option(time);
const label = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter(text => text.length <= 128 && !/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(text));

const limitParts = {
  notionalMax: fc.option(fc.maxSafeNat().map(it => it as MicroDollars)),
  openOrdersMax: fc.option(fc.maxSafeNat()),
  positionMax: fc.option(fc.maxSafeNat().map(it => it as MicroShares)),
  sizeMax: fc.option(fc.maxSafeNat().map(it => it as MicroShares)),
  collarTicks: fc.option(fc.maxSafeNat()),
  collarPercent: fc.option(fc.maxSafeNat()),
  collarWithoutBook: fc.constantFrom('PASS' as const, null),
  orderRateMax: fc.option(fc.maxSafeNat()),
  orderBurstMax: fc.option(fc.maxSafeNat()),
  cancelRateMax: fc.option(fc.maxSafeNat()),
  cancelBurstMax: fc.option(fc.maxSafeNat()),
  exposureMax: fc.option(fc.maxSafeNat().map(it => it as MicroDollars)),
  podExposureMax: fc.constant(null),
};
export const actorLimits: fc.Arbitrary<ActorLimits> = fc.record(limitParts);
export const actorLimitChange = fc.record(limitParts, { requiredKeys: [] });

export const keyRecord: fc.Arbitrary<KeyRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('pod' as const),
    value: fc.record({
      podId: id,
      exposureMax: fc.option(fc.maxSafeNat().map(it => it as MicroDollars)),
      createdAt: time,
    }),
  }),
  fc.record({
    kind: fc.constant('actor' as const),
    value: fc.record({ actorId: id, podId: id, limits: actorLimits, createdAt: time }),
  }),
  fc.record({
    kind: fc.constant('signing-key' as const),
    value: fc.record({
      keyId: hexText(16).map(digits => `key_${digits}`),
      actorId: id,
      podId: id,
      publicKeyHex: hexText(64),
      scopes: fc.shuffledSubarray([...SCOPES], { minLength: 1 }),
      addresses: fc.array(fc.constantFrom('192.0.2.7', '2001:db8::/32', 'unix'), { maxLength: 64 }),
      label,
      createdAt: time,
      revokedAt,
    }),
  }),
  fc.record({
    kind: fc.constant('api-key' as const),
    value: fc.record({
      apiKeyId: hexText(16).map(digits => `apikey_${digits}`),
      actorId: id,
      podId: id,
      hashHex: hexText(64),
      label,
      createdAt: time,
      revokedAt,
    }),
  }),
);
