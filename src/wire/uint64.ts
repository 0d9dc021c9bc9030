// Converts 64-bit integers of protobufjs, two signed halves, into numbers: exact below 2^53, refused from there. Main
// thread, and clients.

import { FieldError, readObject } from './fields.ts';

/** Rounded from 2^53 on. */
export function uint64Of(value: unknown): number {
  const { low, high } = readObject(value, 'uint64');
  return (Number(high) >>> 0) * 2 ** 32 + (Number(low) >>> 0);
}

export function readUint64(value: unknown): number {
  const whole = uint64Of(value);
  if (!Number.isSafeInteger(whole)) throw new FieldError('uint64', 'must be below 2^53');
  return whole;
}
