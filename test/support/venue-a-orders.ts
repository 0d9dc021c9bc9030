// Venue A's orders for tests: arbitrary orders for any exchange, and the forms of these orders for the naive twin.

import fc from 'fast-check';
import type { Bytes32 } from '../../src/venues/venue-a/abi-words.ts';
import { type Address, readAddress, writeHex } from '../../src/venues/venue-a/address.ts';
import { clobAuthDigest, type L1Headers } from '../../src/venues/venue-a/auth.ts';
import { type ChainId, createExchange, type Exchange } from '../../src/venues/venue-a/exchanges.ts';
import { addressOf, type PrivateKey, readPrivateKey, sign } from '../../src/venues/venue-a/secp256k1.ts';
import type { VenueAOrder } from '../../src/venues/venue-a/typed-data.ts';
import type { NaiveRecord, NaiveTypes } from './naive-typed-data.ts';

/** The first key of every development chain. The key is worth nothing. */
export const TEST_KEY_TEXT = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const TEST_ADDRESS = readAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')!;

export function privateKeyOf(text: string): PrivateKey {
  const key = readPrivateKey(text);
  if (!key.ok) throw new Error(key.error);
  return key.value;
}

export const TEST_KEY = privateKeyOf(TEST_KEY_TEXT);

/** Signs as a wallet does to prove that it may create its API keys. */
export function signL1(key: PrivateKey, chainId: ChainId, timestampS: number, nonce: bigint): L1Headers {
  const [address, timestamp] = [addressOf(key), String(timestampS)];
  const signature = writeHex(sign(clobAuthDigest({ address, timestamp, nonce }, chainId), key));
  return { address, signature, timestamp, nonce: String(nonce) };
}

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(value => `0x${Buffer.from(value).toString('hex')}`);

/** Draws any uint256, with small values and the bounds of 64-bit words among them. */
export const anyUint256: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt(0n, 2n ** 256n - 1n),
  fc.bigInt(0n, 2n ** 53n),
  fc.constantFrom(0n, 1n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 128n, 2n ** 192n - 1n, 2n ** 256n - 1n),
);
export const anyAddress = hexOf(20) as fc.Arbitrary<string> as fc.Arbitrary<Address>;
const anyBytes32 = fc.oneof(
  fc.constant(`0x${'0'.repeat(64)}`),
  hexOf(32),
) as fc.Arbitrary<string> as fc.Arbitrary<Bytes32>;

export const anyOrder: fc.Arbitrary<VenueAOrder> = fc.record({
  salt: anyUint256,
  maker: anyAddress,
  signer: anyAddress,
  tokenId: anyUint256,
  makerAmount: anyUint256,
  takerAmount: anyUint256,
  side: fc.constantFrom(0, 1),
  signatureType: fc.constantFrom(0, 1, 2, 3),
  timestamp: anyUint256,
  metadata: anyBytes32,
  builder: anyBytes32,
});

export const anyExchange: fc.Arbitrary<Exchange> = fc
  .tuple(fc.constantFrom('2', '3'), fc.nat(), anyAddress)
  .map(([version, chainId, contract]) => createExchange(version, chainId, contract));

const DOMAIN_TYPES: NaiveTypes = {
  EIP712Domain: [
    ['string', 'name'],
    ['string', 'version'],
    ['uint256', 'chainId'],
    ['address', 'verifyingContract'],
  ],
};

const ORDER_TYPES: NaiveTypes = {
  Order: [
    ['uint256', 'salt'],
    ['address', 'maker'],
    ['address', 'signer'],
    ['uint256', 'tokenId'],
    ['uint256', 'makerAmount'],
    ['uint256', 'takerAmount'],
    ['uint8', 'side'],
    ['uint8', 'signatureType'],
    ['uint256', 'timestamp'],
    ['bytes32', 'metadata'],
    ['bytes32', 'builder'],
  ],
};

const WRAPPED_TYPES: NaiveTypes = {
  ...ORDER_TYPES,
  TypedDataSign: [
    ['Order', 'contents'],
    ['string', 'name'],
    ['string', 'version'],
    ['uint256', 'chainId'],
    ['address', 'verifyingContract'],
    ['bytes32', 'salt'],
  ],
};

export function naiveExchange({
  version,
  chainId,
  contract,
}: Pick<Exchange, 'chainId' | 'contract'> & { version: string }): NaiveRecord {
  const value = { name: 'Polymarket CTF Exchange', version, chainId: BigInt(chainId), verifyingContract: contract };
  return { types: DOMAIN_TYPES, type: 'EIP712Domain', value };
}

export function naiveOrder(order: VenueAOrder): NaiveRecord {
  const value = { ...order, side: BigInt(order.side), signatureType: BigInt(order.signatureType) };
  return { types: ORDER_TYPES, type: 'Order', value };
}

/** Returns the data that the owner of the order's deposit wallet signs. */
export function naiveWrapped(order: VenueAOrder, chainId: number): NaiveRecord {
  const wallet = { name: 'DepositWallet', version: '1', chainId: BigInt(chainId), verifyingContract: order.signer };
  const value = { contents: naiveOrder(order).value, ...wallet, salt: `0x${'0'.repeat(64)}` };
  return { types: WRAPPED_TYPES, type: 'TypedDataSign', value };
}
