// Typed data of venue A, hashed by our own code, against known hashes, the facts of venue-a.md, and a general implementation of EIP-712.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ZERO_BYTES32 } from '../../../src/venues/venue-a/abi-words.ts';
import { type Address, checksumAddress, readAddress, writeHex } from '../../../src/venues/venue-a/address.ts';
import { AMOY, exchangeOf, POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import {
  clobAuthDomainSeparator,
  clobAuthStructHash,
  depositWalletStructHash,
  ORDER_TYPE,
  orderStructHash,
  typedDataDigest,
} from '../../../src/venues/venue-a/typed-data.ts';
import { naiveDigest, naiveStructHash } from '../../support/naive-typed-data.ts';
import {
  anyAddress,
  anyExchange,
  anyOrder,
  anyUint256,
  naiveExchange,
  naiveOrder,
  naiveWrapped,
  TEST_ADDRESS,
} from '../../support/venue-a-orders.ts';

describe('addresses', () => {
  // These are the examples of EIP-55.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s is written with its checksum and read in any case', text => {
    const address = readAddress(text);
    expect(address).toBe(text.toLowerCase());
    expect(checksumAddress(address!)).toBe(text);
    expect(readAddress(`0x${text.slice(2).toUpperCase()}`)).toBe(address);
    expect(readAddress(text.toLowerCase())).toBe(address);
  });

  const [cut, long] = [TEST_ADDRESS.slice(0, -1), `${TEST_ADDRESS}0`];
  it.each(['', '0x', TEST_ADDRESS.slice(2), long, cut, `${cut}g`, `${TEST_ADDRESS}\n`])('%j is no address', text =>
    expect(readAddress(text)).toBeNull(),
  );
});

describe('orders', () => {
  it('have the type that venue-a.md states, of 186 characters', () => {
    expect(ORDER_TYPE).toBe(
      'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)',
    );
    expect(ORDER_TYPE).toHaveLength(186);
  });

  it('have the struct hash and digest of a general encoder', () =>
    fc.assert(
      fc.property(anyOrder, anyExchange, (order, exchange) => {
        expect(writeHex(exchange.domainSeparator)).toBe(`0x${naiveStructHash(naiveExchange(exchange))}`);
        const structHash = orderStructHash(order);
        expect(writeHex(structHash)).toBe(`0x${naiveStructHash(naiveOrder(order))}`);
        const digest = typedDataDigest(exchange.domainSeparator, structHash);
        expect(writeHex(digest)).toBe(`0x${naiveDigest(naiveExchange(exchange), naiveOrder(order))}`);
      }),
      { numRuns: 300 },
    ));

  it('are wrapped for a deposit wallet as a general encoder does it', () =>
    fc.assert(
      fc.property(anyOrder, fc.nat(), (order, chainId) => {
        const structHash = depositWalletStructHash(orderStructHash(order), chainId, order.signer);
        expect(writeHex(structHash)).toBe(`0x${naiveStructHash(naiveWrapped(order, chainId))}`);
      }),
    ));

  it('hash alike after any other order, the buffer being the same', () =>
    fc.assert(
      fc.property(anyOrder, anyOrder, (order, other) => {
        const before = writeHex(orderStructHash(order));
        orderStructHash(other);
        expect(writeHex(orderStructHash(order))).toBe(before);
      }),
    ));
});

describe('exchanges', () => {
  // The values are those of venue-a.md §0.
  it.each([
    ['V1', POLYGON, false, '0xE111180000d2663C0091e4f400237545B87B996B'],
    ['V1', POLYGON, true, '0xe2222d279d744050d28e00520010520000310F59'],
    ['V2', POLYGON, false, '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa'],
    ['V2', POLYGON, true, '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa'],
    ['V1', AMOY, false, '0xE111180000d2663C0091e4f400237545B87B996B'],
    ['V1', AMOY, true, '0xe2222d279d744050d28e00520010520000310F59'],
    ['V2', AMOY, false, '0x9fE6e61422AdB6F610d8597F9684b16912D50C3D'],
    ['V2', AMOY, true, '0x9fE6e61422AdB6F610d8597F9684b16912D50C3D'],
  ] as const)('protocol %s on chain %i, neg-risk %s: %s', (protocol, chainId, isNegRisk, contract) => {
    const exchange = exchangeOf(protocol, chainId, isNegRisk);
    expect(exchange).toMatchObject({
      version: protocol === 'V2' ? '3' : '2',
      chainId,
      contract: contract.toLowerCase(),
    });
    expect(checksumAddress(exchange.contract)).toBe(contract);
    expect(writeHex(exchange.domainSeparator)).toBe(`0x${naiveStructHash(naiveExchange(exchange))}`);
  });
});

describe('ClobAuth', () => {
  const attestation = 'This message attests that I control the given wallet';
  const naive = (chainId: number, address: Address, timestamp: string, nonce: bigint) =>
    naiveDigest(
      {
        types: {
          EIP712Domain: [
            ['string', 'name'],
            ['string', 'version'],
            ['uint256', 'chainId'],
          ],
        },
        type: 'EIP712Domain',
        value: { name: 'ClobAuthDomain', version: '1', chainId: BigInt(chainId) },
      },
      {
        types: {
          ClobAuth: [
            ['address', 'address'],
            ['string', 'timestamp'],
            ['uint256', 'nonce'],
            ['string', 'message'],
          ],
        },
        type: 'ClobAuth',
        value: { address, timestamp, nonce, message: attestation },
      },
    );
  const digest = (chainId: number, address: Address, timestamp: string, nonce: bigint) =>
    writeHex(typedDataDigest(clobAuthDomainSeparator(chainId), clobAuthStructHash({ address, timestamp, nonce })));

  it('has the digest of the official clients', () =>
    expect(digest(AMOY, TEST_ADDRESS, '10000000', 23n)).toBe(
      '0x8f442df8073c9cf2e36d7b20ca9d64d1a9352e982cc82a293b7de2df57920610',
    ));

  it('has the digest of a general encoder', () =>
    fc.assert(
      fc.property(fc.nat(), anyAddress, fc.string(), anyUint256, (chainId, address, timestamp, nonce) => {
        expect(digest(chainId, address, timestamp, nonce)).toBe(`0x${naive(chainId, address, timestamp, nonce)}`);
      }),
    ));
});

it('the zero of 32 bytes is the default of metadata and builder', () =>
  expect(ZERO_BYTES32).toBe(`0x${'0'.repeat(64)}`));
