// Tags of actors are the same on every machine, and differ from each other.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actorTag, clientOrderIdOf, isClientOrderIdOf, readClientOrderId } from '../../../src/core/domain/actor-tag.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';

const ORDER_ID = '0190f3c2-8a1b-8c3d-9e4f-0123456789ab' as OrderId;
const OTHER_ID = '0190f3c2-8a1b-8c3d-9e4f-0123456789ac' as OrderId;

describe('actorTag', () => {
  it('is fixed: what a venue has must be known again after any change of the program', () => {
    expect(['alice', 'bob', '', 'дом'].map(actorTag)).toEqual(['hha0ym8x', '8bves615', 'na4kfzj1', 'mqs8hyt3']);
  });

  it('has eight characters that no one takes for others', () => {
    fc.assert(fc.property(fc.string(), actorId => /^[0-9a-hjkmnp-tv-z]{8}$/.test(actorTag(actorId))));
  });

  it('is another for each of 100 000 actors whose ids differ by a digit', () => {
    const tags = new Set(Array.from({ length: 100_000 }, (_, index) => actorTag(`actor-${index}`)));
    expect(tags.size).toBe(100_000);
  });

  it('depends on every character and on their order', () => {
    expect(new Set(['ab', 'ba', 'a', 'b', 'abb', 'aab'].map(actorTag)).size).toBe(6);
  });
});

describe('clientOrderIdOf', () => {
  it('is read back', () => {
    fc.assert(
      fc.property(fc.string(), actorId => {
        const read = readClientOrderId(clientOrderIdOf(ORDER_ID, actorId));
        expect(read).toEqual({ orderId: ORDER_ID, tag: actorTag(actorId) });
        expect(isClientOrderIdOf(clientOrderIdOf(ORDER_ID, actorId), ORDER_ID)).toBe(true);
        expect(isClientOrderIdOf(clientOrderIdOf(ORDER_ID, actorId), OTHER_ID)).toBe(false);
      }),
    );
  });

  it('fits where 64 characters do', () => {
    expect(clientOrderIdOf(ORDER_ID, 'a'.repeat(1_000))).toHaveLength(45);
  });

  it.each([
    '',
    ORDER_ID,
    `${ORDER_ID}.`,
    `${ORDER_ID}.alice`,
    `${ORDER_ID}.0123456i`,
    `${ORDER_ID}.012345678`,
    ` ${ORDER_ID}.01234567`,
    '4a75a66e-ca85-4187-93cd-aac5e01ad982.01234567',
    `${ORDER_ID.toUpperCase()}.01234567`,
  ])('%j is no id of ours', text => {
    expect(readClientOrderId(text)).toBeNull();
    expect(isClientOrderIdOf(text, ORDER_ID)).toBe(false);
  });
});
