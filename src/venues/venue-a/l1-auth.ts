// Venue A's first level of authentication (venue-a.md §1.1): a wallet attests once, by EIP-712, that it may create and read its
// API keys. Clients sign; the local servers that simulate the venue verify.

import { fail, ok, type Result } from '../../domain/result.ts';
import { type Address, readAddress } from './address.ts';
import { AMOY, type ChainId, POLYGON } from './exchanges.ts';
import { readHex, writeHex } from './hex.ts';
import { addressOf, type PrivateKey, recoverAddress, SIGNATURE_BYTES, sign } from './secp256k1.ts';
import { type ClobAuth, clobAuthDomainSeparator, clobAuthStructHash, typedDataDigest } from './typed-data.ts';

/** Values of `POLY_ADDRESS`, `POLY_SIGNATURE`, `POLY_TIMESTAMP` and `POLY_NONCE`; an absent one is the empty string. */
export interface L1Headers {
  readonly address: string;
  readonly signature: string;
  /** Unix seconds. */
  readonly timestamp: string;
  readonly nonce: string;
}

export interface L1Claim {
  /** Address of the signing key. */
  readonly address: Address;
  /** The caller checks its age. */
  readonly timestampS: number;
  /** An address has one API key per nonce. */
  readonly nonce: bigint;
}

const DOMAIN_SEPARATORS: Readonly<Record<ChainId, Uint8Array>> = {
  [POLYGON]: clobAuthDomainSeparator(POLYGON),
  [AMOY]: clobAuthDomainSeparator(AMOY),
};

const TIMESTAMP = /^\d{1,12}$/;
const NONCE = /^\d{1,77}$/;

/** 32 bytes: what a wallet signs. */
export function clobAuthDigest(auth: ClobAuth, chainId: ChainId): Uint8Array {
  return typedDataDigest(DOMAIN_SEPARATORS[chainId], clobAuthStructHash(auth));
}

export function signL1(key: PrivateKey, chainId: ChainId, timestampS: number, nonce: bigint): L1Headers {
  const [address, timestamp] = [addressOf(key), String(timestampS)];
  const signature = writeHex(sign(clobAuthDigest({ address, timestamp, nonce }, chainId), key));
  return { address, signature, timestamp, nonce: String(nonce) };
}

/** The attested values, if the address itself has signed them for this chain; else the fault. */
export function verifyL1(headers: L1Headers, chainId: ChainId): Result<L1Claim, string> {
  const address = readAddress(headers.address);
  if (address === null) return fail('POLY_ADDRESS: must be 0x and 40 hex digits');
  if (!TIMESTAMP.test(headers.timestamp)) return fail('POLY_TIMESTAMP: must be Unix seconds');
  if (!NONCE.test(headers.nonce)) return fail('POLY_NONCE: must be a whole number');
  const signature = readHex(headers.signature, SIGNATURE_BYTES);
  if (signature === null) return fail(`POLY_SIGNATURE: must be 0x and ${SIGNATURE_BYTES} bytes in hex`);
  const nonce = BigInt(headers.nonce);
  const signer = recoverAddress(clobAuthDigest({ address, timestamp: headers.timestamp, nonce }, chainId), signature);
  if (signer !== address) return fail('POLY_SIGNATURE: must be made by the key of POLY_ADDRESS');
  return ok({ address, timestampS: Number(headers.timestamp), nonce });
}
