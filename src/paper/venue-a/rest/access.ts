// Who may do what at venue A's paper exchange (venue-a.md §1): wallets attest for API keys, keys sign requests, and some addresses
// are shut out. Both the REST and the user stream ask here. Thread of the paper exchanges.

import type { MicroDollars } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import type { InboundRequest } from '../../../net/listen.ts';
import { type Address, readAddress } from '../../../venues/venue-a/address.ts';
import type { ChainId } from '../../../venues/venue-a/exchanges.ts';
import { type L1Claim, verifyL1 } from '../../../venues/venue-a/l1-auth.ts';
import { isL2Secret, verifyL2 } from '../../../venues/venue-a/l2-auth.ts';
import { EOA, type SignatureType } from '../../../venues/venue-a/typed-data.ts';
import type { VenueAExchange } from '../exchange.ts';
import { type ApiKey, ApiKeys, type Credentials } from './api-keys.ts';
import type { Caller } from './route.ts';
import { Wallets } from './wallets.ts';

interface VenueAAccessParts {
  readonly exchange: Pick<VenueAExchange, 'deposit' | 'now'>;
  readonly chainId: ChainId;
  /** Keys and secrets are derived from it. */
  readonly seed: string;
  /** What a wallet is given when it becomes known; 0: nothing. */
  readonly faucet: MicroDollars;
}

export const RESTRICTIONS = ['banned', 'closed-only'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

export class VenueAAccess {
  readonly keys: ApiKeys;
  readonly wallets: Wallets;
  readonly #exchange: Pick<VenueAExchange, 'deposit' | 'now'>;
  readonly #chainId: ChainId;
  readonly #restrictions = new Map<Address, Restriction>();

  constructor({ exchange, chainId, seed, faucet }: VenueAAccessParts) {
    this.keys = new ApiKeys(seed);
    this.wallets = new Wallets(exchange, faucet);
    this.#exchange = exchange;
    this.#chainId = chainId;
  }

  /** Null if there is one for that nonce. */
  createKey(address: Address, nonce: bigint): Credentials | null {
    return this.#admitted(this.keys.create(address, nonce));
  }

  /** A key whose credentials come from elsewhere, as from a configuration. False as `createKey`, or if they are malformed. */
  addKey(address: string, nonce: bigint, credentials: Credentials): boolean {
    const owner = readAddress(address);
    if (owner === null || !isL2Secret(credentials.secret)) return false;
    return this.#admitted(this.keys.add(owner, nonce, credentials)) !== null;
  }

  /** Says whose a wallet is, whatever was before. False if an address is none, or there are too many. */
  bindWallet(wallet: string, owner: string, type: SignatureType): boolean {
    const [walletAddress, ownerAddress] = [readAddress(wallet), readAddress(owner)];
    if (walletAddress === null || ownerAddress === null) return false;
    return this.wallets.bind(walletAddress, ownerAddress, type) !== null;
  }

  /** What an L1 request attests; null if its headers are missing, wrong or of another time. */
  attested(request: InboundRequest): L1Claim | null {
    const headers = {
      address: request.header('poly_address'),
      signature: request.header('poly_signature'),
      timestamp: request.header('poly_timestamp'),
      nonce: request.header('poly_nonce') || '0',
    };
    const claim = verifyL1(headers, this.#chainId);
    return claim.ok && this.#isRecent(claim.value.timestampS) ? claim.value : null;
  }

  /** Whose HMAC an L2 request carries; null if it is nobody's. */
  authenticated(request: InboundRequest): Caller | null {
    const key = this.keys.find(request.header('poly_api_key'));
    if (key === null || request.header('poly_passphrase') !== key.credentials.passphrase) return null;
    if (request.header('poly_address').toLowerCase() !== key.address) return null;
    const timestamp = request.header('poly_timestamp');
    if (!/^\d{1,12}$/.test(timestamp) || !this.#isRecent(Number(timestamp))) return null;
    const { secret } = key.credentials;
    const { method, path, body } = request;
    return verifyL2({ secret, signature: request.header('poly_signature'), timestamp, method, path, body })
      ? key.caller
      : null;
  }

  /** The user stream is given credentials in clear. */
  findByCredentials(apiKey: string, secret: string, passphrase: string): Caller | null {
    const key = this.keys.find(apiKey);
    if (key === null || key.credentials.secret !== secret || key.credentials.passphrase !== passphrase) return null;
    return key.caller;
  }

  /** Null lifts it. False if the address is none, or there are too many. */
  restrict(address: string, restriction: Restriction | null): boolean {
    const read = readAddress(address);
    if (read === null) return false;
    if (restriction === null) this.#restrictions.delete(read);
    else if (this.#restrictions.size >= limits.paperWalletsMax) return false;
    else this.#restrictions.set(read, restriction);
    return true;
  }

  restrictionOf(address: string): Restriction | null {
    return this.#restrictions.get(address.toLowerCase() as Address) ?? null;
  }

  /** Its address owns itself from now on: only who has its private key could have asked. */
  #admitted(key: ApiKey | null): Credentials | null {
    if (key === null) return null;
    this.wallets.bind(key.address, key.address, EOA);
    return key.credentials;
  }

  #isRecent(timestampS: number): boolean {
    return Math.abs(this.#exchange.now() / 1_000 - timestampS) <= limits.paperVenueASignatureAgeS;
  }
}
