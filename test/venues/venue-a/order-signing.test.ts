// Orders of all four kinds of signature, signed and checked, against the general encoder and against any other message that may be sent.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, readAddress, writeHex } from '../../../src/venues/venue-a/address.ts';
import { exchangeOf, POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import {
  orderDigest,
  orderId,
  signOrder,
  verifyOrder,
  WRAPPED_SIGNATURE_BYTES,
} from '../../../src/venues/venue-a/order-signing.ts';
import { addressOf, recoverAddress } from '../../../src/venues/venue-a/secp256k1.ts';
import { POLY_1271, type SignatureType, type VenueAOrder } from '../../../src/venues/venue-a/typed-data.ts';
import { naiveDigest } from '../../support/naive-typed-data.ts';
import {
  anyExchange,
  anyOrder,
  naiveExchange,
  naiveOrder,
  naiveWrapped,
  privateKeyOf,
  TEST_ADDRESS,
  TEST_KEY,
} from '../../support/venue-a-orders.ts';

const exchange = exchangeOf('V1', POLYGON, false);
const negRisk = exchangeOf('V1', POLYGON, true);
const wallet = readAddress('0x1111111111111111111111111111111111111111')!;
const POLY_PROXY: SignatureType = 1;
const otherKey = privateKeyOf('1'.repeat(64));

/** Returns an order that the test key may sign: for itself, or as the owner of the wallet that makes the order. */
function signable(order: VenueAOrder): VenueAOrder {
  switch (order.signatureType) {
    case 0:
      return { ...order, maker: TEST_ADDRESS, signer: TEST_ADDRESS };
    case POLY_1271:
      return { ...order, signer: order.maker };
    default:
      return { ...order, signer: TEST_ADDRESS };
  }
}

const anySignable = anyOrder.map(signable);
const someOrder = (signatureType: VenueAOrder['signatureType']): VenueAOrder =>
  signable({ ...fc.sample(anyOrder, { numRuns: 1, seed: 1 })[0]!, maker: wallet, signatureType });

describe('the digest', () => {
  it('is that of a general encoder, and the id its hex', () =>
    fc.assert(
      fc.property(anyOrder, anyExchange, (order, anywhere) => {
        const expected = `0x${naiveDigest(naiveExchange(anywhere), naiveOrder(order))}`;
        expect(orderId(orderDigest(order, anywhere))).toBe(expected);
      }),
    ));
});

describe('a signed order', () => {
  it('is right for its exchange, and gives its signer', () =>
    fc.assert(
      fc.property(anySignable, anyExchange, (order, anywhere) => {
        const signature = signOrder(order, TEST_KEY, anywhere);
        expect(signature).toHaveLength(order.signatureType === POLY_1271 ? 317 : 65);
        expect(verifyOrder(order, signature, anywhere)).toEqual({ ok: true, value: TEST_ADDRESS });
      }),
    ));

  it('of a deposit wallet is signed over the wrapping of a general encoder', () =>
    fc.assert(
      fc.property(anyOrder, anyExchange, (anything, anywhere) => {
        const order = signable({ ...anything, signatureType: POLY_1271 });
        const inner = signOrder(order, TEST_KEY, anywhere).subarray(0, 65);
        const digest = naiveDigest(naiveExchange(anywhere), naiveWrapped(order, anywhere.chainId));
        expect(recoverAddress(Buffer.from(digest, 'hex'), inner)).toBe(TEST_ADDRESS);
      }),
    ));

  it.each([0, 1, 2, 3] as const)('of type %i is wrong for another exchange and after any change', signatureType => {
    const order = someOrder(signatureType);
    const signature = signOrder(order, TEST_KEY, exchange);
    expect(verifyOrder(order, signature, negRisk).ok).toBe(false);
    expect(verifyOrder(order, signature, exchangeOf('V2', POLYGON, false)).ok).toBe(false);
    const changes: Partial<VenueAOrder>[] = [
      { salt: order.salt ^ 1n },
      { tokenId: order.tokenId ^ 1n },
      { makerAmount: order.makerAmount ^ 1n },
      { takerAmount: order.takerAmount ^ 1n },
      { side: order.side === 0 ? 1 : 0 },
      { timestamp: order.timestamp ^ 1n },
      { metadata: `0x${'1'.repeat(64)}` as VenueAOrder['metadata'] },
      { builder: `0x${'1'.repeat(64)}` as VenueAOrder['builder'] },
      { maker: addressOf(otherKey), signer: addressOf(otherKey) },
      { signatureType: ((signatureType + 1) % 4) as VenueAOrder['signatureType'] },
    ];
    for (const change of changes) expect(verifyOrder({ ...order, ...change }, signature, exchange).ok).toBe(false);
  });

  it('of another key is wrong, but for a deposit wallet, whose owner the caller must know', () => {
    const order = someOrder(POLY_PROXY);
    expect(verifyOrder(order, signOrder(order, otherKey, exchange), exchange)).toEqual({
      ok: false,
      error: `the signature is not the signer's over this order: recovers ${addressOf(otherKey)}`,
    });
    const wrapped = someOrder(POLY_1271);
    const owner = verifyOrder(wrapped, signOrder(wrapped, otherKey, exchange), exchange);
    expect(owner).toEqual({ ok: true, value: addressOf(otherKey) });
  });

  it.each([0, 3] as const)('of type %i must be made by its signer', signatureType => {
    const order: VenueAOrder = { ...someOrder(signatureType), maker: addressOf(otherKey) };
    const error = `maker and signer must be the same under signatureType ${signatureType}`;
    expect(verifyOrder(order, signOrder(order, TEST_KEY, exchange), exchange)).toEqual({ ok: false, error });
  });
});

describe("a deposit wallet's signature", () => {
  const order = someOrder(POLY_1271);
  const signature = signOrder(order, TEST_KEY, exchange);
  const changedAt = (at: number) => signature.map((byte, index) => (index === at ? byte ^ 1 : byte));

  it.each([
    [65, 'the wrapped domain is not that of the exchange'],
    [96, 'the wrapped domain is not that of the exchange'],
    [97, 'the wrapped contents are not the order'],
    [128, 'the wrapped contents are not the order'],
    [129, 'the wrapped type is not that of an order'],
    [314, 'the wrapped type is not that of an order'],
    [315, 'the length of the wrapped type is wrong'],
    [316, 'the length of the wrapped type is wrong'],
  ])('with byte %i changed: %s', (at, error) => {
    expect(verifyOrder(order, changedAt(at), exchange)).toEqual({ ok: false, error });
  });

  it.each([0, 31, 32, 63, 64])('with byte %i of the inner signature changed is not the owner’s', at => {
    expect(verifyOrder(order, changedAt(at), exchange)).not.toEqual({ ok: true, value: TEST_ADDRESS });
  });

  it('ends with the type and its length', () => {
    expect(WRAPPED_SIGNATURE_BYTES).toBe(317);
    expect(writeHex(signature).slice(-4)).toBe('00ba');
    expect(Buffer.from(signature.subarray(129, 315)).toString()).toMatch(/^Order\(uint256 salt,.*bytes32 builder\)$/);
  });

  it('differs from that of the plain order', () => {
    const plain: VenueAOrder = { ...order, signatureType: POLY_PROXY };
    expect(verifyOrder(order, signOrder(plain, TEST_KEY, exchange), exchange)).toEqual({
      ok: false,
      error: "a deposit wallet's signature has 317 bytes, not 65",
    });
  });
});

describe('any bytes as a signature', () => {
  it('are judged without a throw, and never right', () =>
    fc.assert(
      fc.property(anySignable, anyExchange, fc.uint8Array({ maxLength: 330 }), (order, anywhere, bytes) => {
        expect(isOf(TEST_ADDRESS, order, bytes, anywhere)).toBe(false);
      }),
      { numRuns: 300 },
    ));

  it('made from the right ones by a cut, a change or an addition: the same', () =>
    fc.assert(
      fc.property(anySignable, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (order, cut, at, flip) => {
        const right = signOrder(order, TEST_KEY, exchange);
        const changed = right.map((byte, index) => (index === at % right.length ? byte ^ flip : byte));
        for (const bytes of [right.subarray(0, cut % right.length), changed, Buffer.concat([right, changed])])
          expect(isOf(TEST_ADDRESS, order, bytes, exchange)).toBe(false);
      }),
      { numRuns: 200 },
    ));

  function isOf(owner: Address, order: VenueAOrder, bytes: Uint8Array, where: typeof exchange): boolean {
    const verdict = verifyOrder(order, bytes, where);
    return verdict.ok && verdict.value === owner;
  }
});
