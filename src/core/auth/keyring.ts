// API keys of the older family (interface §5.2, contract §2): 32 random bytes, shown once, stored only as SHA-256. Also an index over the
// key store at one moment, for requests. A change of the store makes a new index, so that a revocation takes effect with the next request.
// Main thread, and the engine’s (src/gateway/door).

import { hash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import {
  type Actor,
  type ActorLimits,
  type ApiKey,
  fullActorId,
  type KeyRecords,
  type SigningKey,
  withPodLimits,
} from '../domain/identity.ts';
import type { Caller } from '../domain/operation.ts';
import { assert, fail, ok, type Result } from '../domain/result.ts';

/** Returns cryptographically secure random bytes. This is a parameter, so that a seed can simulate a whole run. */
export type RandomBytes = (bytes: number) => Uint8Array;

const API_KEY_BYTES = 32;
/** The prefix by which secret scanners and people recognise a leaked key. */
const PREFIX = 'cbk_';

interface NewApiKey {
  /** The secret: shown to its owner once, never stored or logged. */
  readonly text: string;
  readonly hashHex: string;
}

export function createApiKey(randomBytes: RandomBytes): NewApiKey {
  const text = PREFIX + Buffer.from(randomBytes(API_KEY_BYTES)).toString('base64url');
  return { text, hashHex: hashApiKey(text) };
}

/** Returns the SHA-256 of the key's text in lower-case hex. The hash is fast on purpose: 256 random bits need no slow hash. */
export function hashApiKey(text: string): string {
  return hash('sha256', text);
}

/** A signing key, with all facts that each of its requests needs. */
export interface KeyEntry extends SigningKey {
  /** The caller that operations name: the key and its actor. */
  readonly caller: Caller;
  readonly limits: ActorLimits;
  /** Whether the key may be used from this address. The address has the form of `InboundRequest.remoteAddress`. */
  admits(remoteAddress: string): boolean;
}

export class Keyring {
  readonly #signingKeys: ReadonlyMap<string, KeyEntry>;
  /** The API keys by hash, without revoked keys. */
  readonly #apiKeys: ReadonlyMap<string, ApiKey>;
  /** The actors by full id. */
  readonly #actors: ReadonlyMap<string, Actor>;

  constructor({ signingKeys, apiKeys, actors, pods }: KeyRecords) {
    this.#actors = new Map(withPodLimits({ pods, actors }).map(actor => [fullActorId(actor), actor]));
    this.#signingKeys = new Map(signingKeys.map(key => [key.keyId, this.#entryOf(key)]));
    this.#apiKeys = new Map(apiKeys.filter(key => key.revokedAt === null).map(key => [key.hashHex, key]));
  }

  get actors(): readonly Actor[] {
    return [...this.#actors.values()];
  }

  /** Finds a signing key. Revoked keys are found, too, so that the owner learns that the key was revoked. */
  signingKey(keyId: string): KeyEntry | undefined {
    return this.#signingKeys.get(keyId);
  }

  /**
   * Returns the API key with this text. A revoked key is unknown. Timing reveals nothing about a stored key: the lookup compares a hash,
   * which a caller cannot choose.
   */
  apiKey(text: string): ApiKey | undefined {
    const hashHex = hashApiKey(text);
    const key = this.#apiKeys.get(hashHex);
    if (key === undefined) return undefined;
    return timingSafeEqual(Buffer.from(key.hashHex), Buffer.from(hashHex)) ? key : undefined;
  }

  #entryOf(key: SigningKey): KeyEntry {
    const { keyId, podId, addresses } = key;
    const actorId = fullActorId(key);
    const actor = this.#actors.get(actorId);
    assert(actor !== undefined, 'a key belongs to an actor');
    return { ...key, caller: { podId, actorId, keyId }, limits: actor.limits, admits: createAllowList(addresses) };
  }
}

// The addresses that may use a signing key (contract §2): single addresses, CIDR ranges, and `unix` for the Unix domain socket. The
// registration of keys and the keyring use this code.

/** The `InboundRequest.remoteAddress` of a caller on the Unix domain socket. */
const UNIX_SOCKET = 'unix';
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** One entry of an allow-list. A single address is a range of full length. */
type AddressRange =
  | { readonly family: 'unix' }
  | { readonly family: keyof typeof BITS; readonly address: string; readonly prefixBits: number };

/** Reads an entry such as `192.0.2.7`, `2001:db8::/32` or `unix`. An error names the rule. */
export function parseAddress(text: string): Result<AddressRange, string> {
  if (text === UNIX_SOCKET) return ok({ family: UNIX_SOCKET });
  const [address = '', prefix, ...rest] = text.split('/');
  const family = familyOf(address);
  if (family === null || rest.length > 0) {
    return fail('must be an IPv4 or IPv6 address, a CIDR range such as 192.0.2.0/24, or unix');
  }
  if (prefix === undefined) return ok({ family, address, prefixBits: BITS[family] });
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > BITS[family]) {
    return fail(`the prefix length must be an integer from 0 to ${BITS[family]}`);
  }
  return ok({ family, address, prefixBits: Number(prefix) });
}

/**
 * Returns a function that says whether an address is on the list; an empty list admits all addresses. A malformed entry, which registration
 * refuses, admits none.
 */
export function createAllowList(entries: readonly string[]): (remoteAddress: string) => boolean {
  if (entries.length === 0) return () => true;
  const list = new BlockList();
  let admitsUnix = false;
  for (const entry of entries) {
    const range = parseAddress(entry);
    if (!range.ok) continue;
    if (range.value.family === 'unix') admitsUnix = true;
    else list.addSubnet(range.value.address, range.value.prefixBits, range.value.family);
  }
  return remoteAddress => {
    if (remoteAddress === UNIX_SOCKET) return admitsUnix;
    const family = familyOf(remoteAddress);
    return family !== null && list.check(remoteAddress, family);
  };
}

/**
 * Returns null if the text is no address. An address with a zone (`fe80::1%eth0`) counts as none, because the zone has a meaning on one
 * host only.
 */
function familyOf(address: string): keyof typeof BITS | null {
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}
