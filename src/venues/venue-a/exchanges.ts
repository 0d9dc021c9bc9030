// The contracts for which venue A's orders are signed (venue-a.md §0). The digest of an order covers the contract's domain. An order that
// was signed for another contract, version or chain has another digest and is invalid here.

import { type Address, readAddress } from './address.ts';
import type { Protocol } from './position-ids.ts';
import { contractDomainSeparator } from './typed-data.ts';

/** Polygon, and its test chain Amoy. */
export const POLYGON = 137;
export const AMOY = 80_002;
export type ChainId = typeof POLYGON | typeof AMOY;

/** The version in the signing domain: "2" for tokens of Protocol V1, "3" for tokens of V2 (venue-a.md §0.1). */
export type ExchangeVersion = '2' | '3';

export interface Exchange {
  readonly version: ExchangeVersion;
  readonly chainId: number;
  readonly contract: Address;
  /** The precomputed domain separator, 32 bytes. */
  readonly domainSeparator: Uint8Array;
}

const DOMAIN_NAME = 'Polymarket CTF Exchange';

export function createExchange(version: ExchangeVersion, chainId: number, contract: Address): Exchange {
  const domainSeparator = contractDomainSeparator({ name: DOMAIN_NAME, version, chainId, contract });
  return { version, chainId, contract, domainSeparator };
}

const regular = readAddress('0xE111180000d2663C0091e4f400237545B87B996B')!;
const negRisk = readAddress('0xe2222d279d744050d28e00520010520000310F59')!;

const EXCHANGES = {
  [POLYGON]: {
    regular: createExchange('2', POLYGON, regular),
    negRisk: createExchange('2', POLYGON, negRisk),
    v3: createExchange('3', POLYGON, readAddress('0xe3333700cA9d93003F00f0F71f8515005F6c00Aa')!),
  },
  [AMOY]: {
    regular: createExchange('2', AMOY, regular),
    negRisk: createExchange('2', AMOY, negRisk),
    v3: createExchange('3', AMOY, readAddress('0x9fE6e61422AdB6F610d8597F9684b16912D50C3D')!),
  },
} as const;

/** Returns the contract that settles a token's orders. Protocol V2 has one contract for both kinds of market. */
export function exchangeOf(protocol: Protocol, chainId: ChainId, isNegRisk: boolean): Exchange {
  const exchanges = EXCHANGES[chainId];
  if (protocol === 'V2') return exchanges.v3;
  return isNegRisk ? exchanges.negRisk : exchanges.regular;
}
