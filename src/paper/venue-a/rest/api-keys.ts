// Venue A's API keys (venue-a.md §1.1): one for each wallet and nonce. They derive from the server's seed, so that a caller gets the same
// key after every start. Thread of the paper exchanges.

import { createHmac } from 'node:crypto';
import { limits } from '../../../limits.ts';
import { type Address, checksumAddress } from '../../../venues/venue-a/address.ts';
import type { Caller } from './route.ts';

export interface Credentials {
  readonly apiKey: string;
  /** 32 bytes in base64. */
  readonly secret: string;
  readonly passphrase: string;
}

export interface ApiKey {
  readonly credentials: Credentials;
  readonly address: Address;
  readonly nonce: bigint;
  readonly caller: Caller;
}

export class ApiKeys {
  readonly #seed: string;
  readonly #byId = new Map<string, ApiKey>();
  readonly #byNonce = new Map<string, ApiKey>();
  /** Keys without rights at the CLOB, by the address that made them: readonly and builder keys. */
  readonly #spare = new Map<string, string[]>();
  /** Credentials of builder keys, which the relayer takes. */
  readonly #builders = new Map<string, Credentials>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Null if the key exists, or with too many keys. */
  create(address: Address, nonce: bigint): ApiKey | null {
    const digest = (what: string) => createHmac('sha256', this.#seed).update(`${what}|${address}|${nonce}`).digest();
    return this.add(address, nonce, {
      apiKey: uuidOf(digest('key')),
      secret: digest('secret').toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      passphrase: digest('passphrase').toString('hex'),
    });
  }

  /** A key with given credentials; null as for `create`. */
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

  /** Ids of an address's keys, oldest first. */
  ofAddress(address: string): string[] {
    return [...this.#byId.values()].filter(({ caller }) => caller.address === address).map(key => key.caller.apiKey);
  }

  /** Adds a spare key; null with too many. */
  createSpare(kind: 'readonly' | 'builder', address: string): Credentials | null {
    const ids = this.spares(kind, address);
    if (ids.length >= limits.paperSpareKeysPerAddressMax || this.#spare.size >= limits.paperApiKeysMax) return null;
    // The first free number: a deleted key may be made again.
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

  /** Null deletes the oldest one; returns false if it does not exist. */
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
