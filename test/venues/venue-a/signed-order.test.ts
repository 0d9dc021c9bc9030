// The `order` object of a POST /order body, read from JSON; and what happens to everything that is none.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSignedOrder } from '../../../src/venues/venue-a/signed-order.ts';
import { anyOrder } from '../../support/venue-a-orders.ts';

/** As venue-a.md §3.1 shows it. */
const wire = {
  salt: 896_790_000_000,
  maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  tokenId: '45654842686110167876337056449737479301235917003519988189654649607054904571464',
  makerAmount: '5565000',
  takerAmount: '10500000',
  side: 'BUY',
  signatureType: 0,
  timestamp: '1790000000000',
  expiration: '1790000400',
  metadata: `0x${'0'.repeat(64)}`,
  builder: `0x${'A'.repeat(64)}`,
  signature: `0x${'ab'.repeat(65)}`,
};

describe('an order', () => {
  it('is read exactly', () =>
    expect(readSignedOrder(wire)).toEqual({
      ok: true,
      value: {
        order: {
          salt: 896_790_000_000n,
          maker: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          signer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          tokenId: 45654842686110167876337056449737479301235917003519988189654649607054904571464n,
          makerAmount: 5_565_000n,
          takerAmount: 10_500_000n,
          side: 0,
          signatureType: 0,
          timestamp: 1_790_000_000_000n,
          metadata: `0x${'0'.repeat(64)}`,
          builder: `0x${'a'.repeat(64)}`,
        },
        signature: Buffer.from('ab'.repeat(65), 'hex'),
        expirationS: 1_790_000_400,
      },
    }));

  it('of any content is read as it was written', () =>
    fc.assert(
      fc.property(anyOrder, fc.uint8Array({ maxLength: 317 }), fc.nat(), (order, bytes, expirationS) => {
        const { salt, tokenId, makerAmount, takerAmount, timestamp, side, ...rest } = order;
        const numbers = { salt, tokenId, makerAmount, takerAmount, timestamp, expiration: expirationS };
        const texts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
        const signature = `0x${Buffer.from(bytes).toString('hex')}`;
        const read = readSignedOrder({ ...rest, ...texts, side: side === 0 ? 'BUY' : 'SELL', signature });
        expect(read).toEqual({ ok: true, value: { order, signature: Buffer.from(bytes), expirationS } });
      }),
    ));

  const uints = ['salt', 'tokenId', 'makerAmount', 'takerAmount', 'timestamp', 'expiration'];
  const notUints = [
    '',
    '-1',
    '1.5',
    '1e3',
    ' 1',
    '0x1',
    '٣',
    String(2n ** 256n),
    '9'.repeat(79),
    2 ** 53,
    -1,
    1.5,
    null,
    true,
    [],
    {},
  ];
  const notAddresses = ['', '0x', '0x1', `0x${'g'.repeat(40)}`, 'f'.repeat(40), 7, null];
  const notBytes32 = [
    '',
    '0x',
    '0x0',
    `0x${'0'.repeat(62)}`,
    `0x${'0'.repeat(66)}`,
    `0x${'z'.repeat(64)}`,
    '0'.repeat(64),
    0,
  ];
  const wrong: [string, unknown][] = [
    ...uints.flatMap(name => notUints.map((value): [string, unknown] => [name, value])),
    ...['maker', 'signer'].flatMap(name => notAddresses.map((value): [string, unknown] => [name, value])),
    ...['metadata', 'builder'].flatMap(name => notBytes32.map((value): [string, unknown] => [name, value])),
    ...['', 'buy', 0, 1, '0', 'toString', '__proto__', null].map((value): [string, unknown] => ['side', value]),
    ...[-1, 4, 0.5, '0', '', true, null].map((value): [string, unknown] => ['signatureType', value]),
    ...['', '0', 'ab', '0xa', '0xzz', `0x${'00'.repeat(318)}`, null].map((value): [string, unknown] => [
      'signature',
      value,
    ]),
    ['expiration', String(2n ** 53n)],
  ];
  it.each(wrong)('whose %s is %j is invalid', (name, value) => {
    expect(readSignedOrder({ ...wire, [name]: value })).toEqual({
      ok: false,
      error: `order.${name}: missing or malformed`,
    });
  });

  it.each(Object.keys(wire))('without %s is invalid', name => {
    expect(readSignedOrder({ ...wire, [name]: undefined })).toEqual({
      ok: false,
      error: `order.${name}: missing or malformed`,
    });
  });

  it('is not made from other values, and nothing throws', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(wire)), fc.jsonValue())),
        json => {
          expect(readSignedOrder(json).ok).toBe(false);
        },
      ),
    ));
});
