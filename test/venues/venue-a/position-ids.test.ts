// Position ids of Protocol V2 and the signing of their orders against the vectors of the sheet (venue-a.md §0.1).

import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../../src/paper/catalog/identity.ts';
import { ZERO_BYTES32 } from '../../../src/venues/venue-a/abi-words.ts';
import { readAddress, writeHex } from '../../../src/venues/venue-a/address.ts';
import { exchangeOf, POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { orderDigest, orderId, signOrder } from '../../../src/venues/venue-a/order-signing.ts';
import {
  conditionKey,
  conditionOfPosition,
  outcomeOfPosition,
  protocolOf,
} from '../../../src/venues/venue-a/position-ids.ts';
import { readPrivateKey } from '../../../src/venues/venue-a/secp256k1.ts';
import { BUY, EOA } from '../../../src/venues/venue-a/typed-data.ts';

const CONDITION = `01${'ab'.repeat(16)}${'00'.repeat(14)}`;
const YES = '755628523515574437047200361729489104556293277923091296010366019140627464192';
const NO = String(BigInt(YES) + 1n);

describe('a position id', () => {
  test('is its condition and its outcome', () => {
    expect(BigInt(`0x${CONDITION}00`)).toBe(BigInt(YES));
    expect(writeHex(conditionOfPosition(NO))).toBe(`0x${CONDITION}00`);
    expect([YES, NO].map(outcomeOfPosition)).toEqual([0, 1]);
    expect(conditionKey(`0x${CONDITION}`)).toBe(conditionKey(`0x${CONDITION.toUpperCase()}00`));
  });

  test.each<[string, string, 'V1' | 'V2']>([
    ['of a binary market', YES, 'V2'],
    ['of a combination', String(3n << 248n), 'V2'],
    ['of a module that is none', String(4n << 248n), 'V1'],
    ['of no module', '5', 'V1'],
    ['with a reserved bit', String(BigInt(YES) | (1n << 70n)), 'V1'],
    ['with a chain that resolves it', String(BigInt(YES) | (1n << 40n)), 'V1'],
    ['with a condition index', String(BigInt(YES) | (3n << 8n)), 'V2'],
    ['of the Conditional Tokens contract', tokenOf('anything'), 'V1'],
  ])('%s is of protocol %s', (_what, tokenId, protocol) => {
    expect(protocolOf(tokenId.replace(/^0+/, ''))).toBe(protocol);
  });
});

test('an order for a position is signed for version 3 of the exchange', () => {
  const key = readPrivateKey('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
  if (!key.ok) throw new Error(key.error);
  const maker = readAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')!;
  const exchange = exchangeOf(protocolOf(YES), POLYGON, false);
  const order = {
    ...{ salt: 1n, maker, signer: maker, tokenId: BigInt(YES), makerAmount: 5_200_000n, takerAmount: 10_000_000n },
    ...{ side: BUY, signatureType: EOA, timestamp: 1_790_000_000_000n, metadata: ZERO_BYTES32, builder: ZERO_BYTES32 },
  };
  expect(writeHex(exchange.domainSeparator)).toBe('0x466c63910185bbd55e8679264200c4e0abdcbb0c6264eb3d41d13326022e095b');
  const id = '0xfef544d51d01974a420b73818505fed67f36e0180263d184e02bb525febca570';
  expect(orderId(orderDigest(order, exchange))).toBe(id);
  const [r, sv] = [
    'ebafa6239a21a2c9ed7a3d1ac960a28bb718146d35a26272665366ae8210cea4',
    '1f0f546c92ef36aa53f10a9fddb7c6d8fe8c682d1cb6fd8118e530cbe0edc3aa1c',
  ];
  expect(writeHex(signOrder(order, key.value, exchange))).toBe(`0x${r}${sv}`);
});
