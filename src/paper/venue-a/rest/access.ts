// Access control of venue A's paper exchange (venue-a.md §1), for REST and the user stream. Wallets attest for API keys, keys sign
// requests, and some addresses are banned. Owners of wallets are known without a chain. An address that makes an API key owns itself. Any
// other wallet (proxy, Safe, deposit wallet) belongs to the owner that the operator sets, else to the first owner who trades from it. Each
// wallet gets the faucet's money once, on its first use. Thread of the paper exchanges.

import { createHmac } from 'node:crypto';
import type { MicroDollars } from '../../../core/domain/numbers.ts';
import type { InboundRequest } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { type Address, checksumAddress, readAddress } from '../../../venues/venue-a/address.ts';
import { isL2Secret, type L1Claim, verifyL1, verifyL2 } from '../../../venues/venue-a/auth.ts';
import type { ChainId } from '../../../venues/venue-a/exchanges.ts';
import { EOA, type SignatureType } from '../../../venues/venue-a/typed-data.ts';
import { type Keeping, type KeptRows, NOT_KEPT } from '../../kept-rows.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { Caller } from './route.ts';

interface VenueAAccessParts {
  readonly exchange: Pick<VenueAExchange, 'deposit' | 'now'>;
  readonly chainId: ChainId;
  /** The seed of keys and secrets. */
  readonly seed: string;
  /** The deposit for a new wallet. 0 means none. */
  readonly faucet: MicroDollars;
  /** Keeps keys and owners for the next start. By default nothing is kept. */
  readonly keeping?: Keeping;
}

export const RESTRICTIONS = ['banned', 'closed-only'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

export class VenueAAccess {
  readonly keys: ApiKeys;
  readonly wallets: Wallets;
  readonly #exchange: Pick<VenueAExchange, 'deposit' | 'now'>;
  readonly #keeping: Keeping;
  readonly #chainId: ChainId;
  readonly #restrictions = new Map<Address, Restriction>();

  constructor({ exchange, chainId, seed, faucet, keeping = NOT_KEPT }: VenueAAccessParts) {
    this.keys = new ApiKeys(seed);
    this.wallets = new Wallets(exchange, faucet, keeping);
    this.#keeping = keeping;
    this.#exchange = exchange;
    this.#chainId = chainId;
  }

  /** Returns null if a key for that nonce exists already, or with too many keys. */
  createKey(address: Address, nonce: bigint): Credentials | null {
    const created = this.keys.create(address, nonce);
    if (created !== null) this.#keep(created.credentials.apiKey, { address, nonce: String(nonce) });
    return this.#admitted(created);
  }

  /** Deletes a key. The same wallet and nonce can make the same key again. */
  deleteKey(apiKey: string): void {
    this.keys.delete(apiKey);
    this.#keep(apiKey, null);
  }

  /** Restores the keys and owners of the last run, beside those that are known. */
  takeUp(rows: KeptRows): void {
    for (const [, row] of rows.rows('venue_a key')) {
      const { address, nonce } = row as KeptKey;
      this.#admitted(this.keys.create(address, BigInt(nonce)));
    }
    this.wallets.takeUp(rows);
  }

  /**
   * Adds a key with given credentials, for instance from a configuration. Returns false where `createKey` returns null, or if address or
   * secret are malformed.
   */
  addKey(address: string, nonce: bigint, credentials: Credentials): boolean {
    const owner = readAddress(address);
    if (owner === null || !isL2Secret(credentials.secret)) return false;
    return this.#admitted(this.keys.add(owner, nonce, credentials)) !== null;
  }

  /** Sets the owner of a wallet, in place of an earlier one. Returns false for an invalid address, or with too many wallets. */
  bindWallet(wallet: string, owner: string, type: SignatureType): boolean {
    const [walletAddress, ownerAddress] = [readAddress(wallet), readAddress(owner)];
    if (walletAddress === null || ownerAddress === null) return false;
    return this.wallets.bind(walletAddress, ownerAddress, type) !== null;
  }

  /** Returns the address that an L1 request attests. Returns null if headers are absent, wrong or of another time. */
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

  /** Returns the caller of an L2 request by its HMAC. Returns null if the headers are not valid. */
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

  /**
   * Returns the key of a request to the relayer. Returns null if its headers are wrong. A key of the CLOB is also one of the relayer: the
   * simulator has no site on which to make a key of the relayer.
   */
  relayerKey(request: InboundRequest): string | null {
    const own = this.keys.find(request.header('relayer_api_key'));
    if (own !== null)
      return own.address === request.header('relayer_api_key_address').toLowerCase() ? own.caller.apiKey : null;
    const builder = this.keys.builder(request.header('poly_builder_api_key'));
    const timestamp = request.header('poly_builder_timestamp');
    if (builder === null || request.header('poly_builder_passphrase') !== builder.passphrase) return null;
    if (!/^\d{1,12}$/.test(timestamp) || !this.#isRecent(Number(timestamp))) return null;
    const { apiKey, secret } = builder;
    const { method, path, body } = request;
    const signature = request.header('poly_builder_signature');
    return verifyL2({ secret, signature, timestamp, method, path, body }) ? apiKey : null;
  }

  /** Finds the caller by credentials in clear text, which the user stream gets. */
  findByCredentials(apiKey: string, secret: string, passphrase: string): Caller | null {
    const key = this.keys.find(apiKey);
    if (key === null || key.credentials.secret !== secret || key.credentials.passphrase !== passphrase) return null;
    return key.caller;
  }

  /** Restricts an address. Null lifts the restriction. Returns false for an invalid address, or with too many restrictions. */
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

  #keep(apiKey: string, key: KeptKey | null): void {
    this.#keeping.touch('venue_a key', apiKey, () => key);
    this.#keeping.commit();
  }

  /** Binds the key's address to itself, because only its private key could have asked for a key. */
  #admitted(key: ApiKey | null): Credentials | null {
    if (key === null) return null;
    this.wallets.bind(key.address, key.address, EOA);
    return key.credentials;
  }

  #isRecent(timestampS: number): boolean {
    return Math.abs(this.#exchange.now() / 1_000 - timestampS) <= limits.paperVenueASignatureAgeS;
  }
}

/** The facts from which a key derives again. */
interface KeptKey {
  readonly address: Address;
  readonly nonce: string;
}

interface KeptOwner {
  readonly wallet: Address;
  readonly owner: Address;
  readonly type: SignatureType;
}

interface Wallet {
  /** The wallet's address with its checksum. */
  readonly address: string;
  readonly owner: Address;
}

export class Wallets {
  readonly #exchange: Pick<VenueAExchange, 'deposit'>;
  readonly #faucet: MicroDollars;
  readonly #keeping: Keeping;
  readonly #wallets = new Map<Address, Wallet>();
  /** The wallet that was bound last, by owner and signature type. */
  readonly #byOwner = new Map<string, Address>();

  constructor(exchange: Pick<VenueAExchange, 'deposit'>, faucet: MicroDollars, keeping: Keeping) {
    this.#exchange = exchange;
    this.#faucet = faucet;
    this.#keeping = keeping;
  }

  takeUp(rows: KeptRows): void {
    for (const [, row] of rows.rows('venue_a owner')) {
      const { wallet, owner, type } = row as KeptOwner;
      this.bind(wallet, owner, type);
    }
  }

  /**
   * Returns the wallet's checksummed address if `owner` may trade from it. An unknown wallet becomes the owner's. Returns null if the
   * wallet belongs to another owner. An address with an API key is no contract, so only its own signature counts.
   */
  claim(wallet: Address, owner: Address, type: SignatureType): string | null {
    if ((wallet === owner) !== (type === EOA)) return null;
    const known = this.#wallets.get(wallet);
    if (known === undefined) return this.bind(wallet, owner, type);
    return known.owner === owner ? known.address : null;
  }

  /** Whether the wallet has an owner, as every wallet on the chain has. */
  isBound(wallet: Address): boolean {
    return this.#wallets.has(wallet);
  }

  /** Binds a wallet to an owner, in place of an earlier owner. Returns null with too many wallets. */
  bind(wallet: Address, owner: Address, type: SignatureType): string | null {
    const known = this.#wallets.get(wallet);
    const key = `${owner}|${type}`;
    const isNew = known === undefined || !this.#byOwner.has(key);
    if (isNew && Math.max(this.#wallets.size, this.#byOwner.size) >= limits.paperWalletsMax) return null;
    const bound = { address: known?.address ?? checksumAddress(wallet), owner };
    this.#wallets.set(wallet, bound);
    this.#byOwner.set(key, wallet);
    this.#keeping.touch('venue_a owner', `${wallet}|${type}`, (): KeptOwner => ({ wallet, owner, type }));
    this.#keeping.commit();
    if (known === undefined && this.#faucet > 0) this.#exchange.deposit(bound.address, this.#faucet);
    return bound.address;
  }

  /** Returns the wallet of an owner for a signature type. Null means that none is known. */
  of(owner: Address, type: SignatureType): string | null {
    const wallet = this.#byOwner.get(`${owner}|${type}`);
    const bound = wallet === undefined ? undefined : this.#wallets.get(wallet);
    return bound?.owner === owner ? bound.address : null;
  }
}

export interface Credentials {
  readonly apiKey: string;
  /** The secret: 32 bytes in base64. */
  readonly secret: string;
  readonly passphrase: string;
}

interface ApiKey {
  readonly credentials: Credentials;
  readonly address: Address;
  readonly nonce: bigint;
  readonly caller: Caller;
}

class ApiKeys {
  readonly #seed: string;
  readonly #byId = new Map<string, ApiKey>();
  readonly #byNonce = new Map<string, ApiKey>();
  /** The ids of readonly and builder keys, by kind and by the address that made them. These keys have no rights at the CLOB. */
  readonly #spare = new Map<string, string[]>();
  /** The credentials of builder keys, which the relayer takes. */
  readonly #builders = new Map<string, Credentials>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Makes a key. Returns null if the key exists, or with too many keys. */
  create(address: Address, nonce: bigint): ApiKey | null {
    const digest = (what: string) => createHmac('sha256', this.#seed).update(`${what}|${address}|${nonce}`).digest();
    return this.add(address, nonce, {
      apiKey: uuidOf(digest('key')),
      secret: digest('secret').toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      passphrase: digest('passphrase').toString('hex'),
    });
  }

  /** Adds a key with given credentials. Returns null as `create` does. */
  add(address: Address, nonce: bigint, credentials: Credentials): ApiKey | null {
    if (this.derive(address, nonce) !== null || this.#byId.has(credentials.apiKey)) return null;
    if (this.#byId.size >= limits.paperApiKeysMax) return null;
    const caller = { apiKey: credentials.apiKey, address: checksumAddress(address) };
    const key = { credentials, address, nonce, caller };
    this.#byId.set(credentials.apiKey, key);
    this.#byNonce.set(nonceKey(address, nonce), key);
    return key;
  }

  derive(address: Address, nonce: bigint): ApiKey | null {
    return this.#byNonce.get(nonceKey(address, nonce)) ?? null;
  }

  find(apiKey: string): ApiKey | null {
    return this.#byId.get(apiKey) ?? null;
  }

  delete(apiKey: string): void {
    const key = this.#byId.get(apiKey);
    if (key === undefined) return;
    this.#byId.delete(apiKey);
    this.#byNonce.delete(nonceKey(key.address, key.nonce));
  }

  /** Returns the ids of an address's keys, oldest first. */
  ofAddress(address: string): string[] {
    return [...this.#byId.values()].filter(({ caller }) => caller.address === address).map(key => key.caller.apiKey);
  }

  /** Makes a readonly or builder key. Returns null with too many keys. */
  createSpare(kind: 'readonly' | 'builder', address: string): Credentials | null {
    const ids = this.spares(kind, address);
    if (ids.length >= limits.paperSpareKeysPerAddressMax || this.#spare.size >= limits.paperApiKeysMax) return null;
    // The loop takes the first free number, so that a deleted key may be made again.
    for (let number = 0; ; number += 1) {
      const digest = (what: string) =>
        createHmac('sha256', this.#seed).update(`${kind} ${what}|${address}|${number}`).digest();
      const apiKey = uuidOf(digest('key'));
      if (ids.includes(apiKey)) continue;
      this.#spare.set(`${kind}|${address}`, [...ids, apiKey]);
      const secret = digest('secret').toString('base64');
      const credentials = { apiKey, secret, passphrase: digest('passphrase').toString('hex') };
      if (kind === 'builder') this.#builders.set(apiKey, credentials);
      return credentials;
    }
  }

  builder(apiKey: string): Credentials | null {
    return this.#builders.get(apiKey) ?? null;
  }

  spares(kind: 'readonly' | 'builder', address: string): readonly string[] {
    return this.#spare.get(`${kind}|${address}`) ?? [];
  }

  /** Deletes a readonly or builder key. Null as `id` deletes the oldest key. Returns false if there is no such key. */
  deleteSpare(kind: 'readonly' | 'builder', address: string, id: string | null): boolean {
    const ids = this.spares(kind, address);
    const left = id === null ? ids.slice(1) : ids.filter(other => other !== id);
    for (const gone of ids) if (!left.includes(gone)) this.#builders.delete(gone);
    if (left.length === 0) this.#spare.delete(`${kind}|${address}`);
    else this.#spare.set(`${kind}|${address}`, left);
    return left.length < ids.length;
  }
}

function nonceKey(address: Address, nonce: bigint): string {
  return `${address}|${nonce}`;
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
