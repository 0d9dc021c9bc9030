// EIP-712 for the few kinds of record that venue A has signed (venue-a.md §1.1, §2.1). Each kind is written by hand: constants are hashed
// once, the rest is words in a reused buffer. This code runs for every order. It is pure but for those buffers.

import { AbiWords, type Bytes32, WORD_BYTES, ZERO_BYTES32 } from './abi-words.ts';
import type { Address } from './address.ts';
import { keccak256 } from './keccak.ts';

export type OrderSide = 0 | 1;
export const BUY: OrderSide = 0;
export const SELL: OrderSide = 1;

/**
 * The relation of the maker to the signer. The maker is the signer itself, its proxy wallet, its Safe, or a deposit wallet that answers for
 * its owner.
 */
export type SignatureType = 0 | 1 | 2 | 3;
export const EOA: SignatureType = 0;
export const POLY_1271: SignatureType = 3;

/** The fields of an order that are hashed, under exchange versions 2 and 3. Numbers are below 2^256. */
export interface VenueAOrder {
  readonly salt: bigint;
  /** The address that holds the funds. */
  readonly maker: Address;
  readonly signer: Address;
  readonly tokenId: bigint;
  /** The amount given in millionths: of dollars when buying, of shares when selling. */
  readonly makerAmount: bigint;
  /** The amount taken in millionths: of shares when buying, of dollars when selling. */
  readonly takerAmount: bigint;
  readonly side: OrderSide;
  readonly signatureType: SignatureType;
  /** The time in milliseconds by the client's clock, which distinguishes otherwise equal orders. */
  readonly timestamp: bigint;
  readonly metadata: Bytes32;
  readonly builder: Bytes32;
}

/** The attestation by which a wallet gets its API keys. */
export interface ClobAuth {
  readonly address: Address;
  /** The time in Unix seconds, as the text in the header. */
  readonly timestamp: string;
  readonly nonce: bigint;
}

export const ORDER_TYPE =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,' +
  'uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)';
/** The type of a signature by ERC-7739: the order as contents, then the domain of the wallet that is to accept it. */
const TYPED_DATA_SIGN_TYPE =
  'TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)';
const CLOB_AUTH_TYPE = 'ClobAuth(address address,string timestamp,uint256 nonce,string message)';
const CONTRACT_DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const CHAIN_DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId)';

const ATTESTATION = 'This message attests that I control the given wallet';

/** Returns the signing domain of a contract's orders, 32 bytes. Compute it once and keep it. */
export function contractDomainSeparator(domain: {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly contract: Address;
}): Uint8Array {
  const words = typeWords(5, CONTRACT_DOMAIN_TYPE);
  words.setHash(1, keccak256(domain.name));
  words.setHash(2, keccak256(domain.version));
  words.setUint(3, BigInt(domain.chainId));
  words.setAddress(4, domain.contract);
  return words.keccak();
}

/** Returns the domain of `ClobAuth`, which no contract verifies. */
export function clobAuthDomainSeparator(chainId: number): Uint8Array {
  const words = typeWords(4, CHAIN_DOMAIN_TYPE);
  words.setHash(1, keccak256('ClobAuthDomain'));
  words.setHash(2, keccak256('1'));
  words.setUint(3, BigInt(chainId));
  return words.keccak();
}

const orderWords = typeWords(12, ORDER_TYPE);

export function orderStructHash(order: VenueAOrder): Uint8Array {
  orderWords.setUint(1, order.salt);
  orderWords.setAddress(2, order.maker);
  orderWords.setAddress(3, order.signer);
  orderWords.setUint(4, order.tokenId);
  orderWords.setUint(5, order.makerAmount);
  orderWords.setUint(6, order.takerAmount);
  orderWords.setUint(7, BigInt(order.side));
  orderWords.setUint(8, BigInt(order.signatureType));
  orderWords.setUint(9, order.timestamp);
  orderWords.setBytes32(10, order.metadata);
  orderWords.setBytes32(11, order.builder);
  return orderWords.keccak();
}

const depositWalletWords = typeWords(7, TYPED_DATA_SIGN_TYPE + ORDER_TYPE);
depositWalletWords.setHash(2, keccak256('DepositWallet'));
depositWalletWords.setHash(3, keccak256('1'));
depositWalletWords.setBytes32(6, ZERO_BYTES32);

/** Returns the hash that a deposit wallet's owner signs instead of the order, in the exchange's domain (ERC-7739). */
export function depositWalletStructHash(contentsHash: Uint8Array, chainId: number, wallet: Address): Uint8Array {
  depositWalletWords.setHash(1, contentsHash);
  depositWalletWords.setUint(4, BigInt(chainId));
  depositWalletWords.setAddress(5, wallet);
  return depositWalletWords.keccak();
}

const clobAuthWords = typeWords(5, CLOB_AUTH_TYPE);
clobAuthWords.setHash(4, keccak256(ATTESTATION));

export function clobAuthStructHash({ address, timestamp, nonce }: ClobAuth): Uint8Array {
  clobAuthWords.setAddress(1, address);
  clobAuthWords.setHash(2, keccak256(timestamp));
  clobAuthWords.setUint(3, nonce);
  return clobAuthWords.keccak();
}

/** The buffer of the bytes that are hashed to the digest: 0x19 0x01, the domain, the record. */
const envelope = Buffer.alloc(2 + 2 * WORD_BYTES);
envelope.set([0x19, 0x01]);

/** Returns the digest to sign, 32 bytes. */
export function typedDataDigest(domainSeparator: Uint8Array, structHash: Uint8Array): Uint8Array {
  envelope.set(domainSeparator, 2);
  envelope.set(structHash, 2 + WORD_BYTES);
  return keccak256(envelope);
}

/** Returns the words of a record. The first word is the hash of its type. */
function typeWords(words: number, type: string): AbiWords {
  const encoding = new AbiWords(words);
  encoding.setHash(0, keccak256(type));
  return encoding;
}
