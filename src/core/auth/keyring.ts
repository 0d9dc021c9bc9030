// API keys of the older family (interface §5.2, contract §2): 32 random bytes, shown once, stored only as SHA-256. And an index over the key
// store at one moment, for requests. A change of the store makes a new one, so that a revocation takes effect with the next request. Main
// thread, and the engine’s (src/gateway/door).

import { hash, timingSafeEqual } from 'node:crypto';
import {
  type Actor,
  type ActorLimits,
  type ApiKey,
  fullActorId,
  type KeyRecords,
  type SigningKey,
} from '../domain/identity.ts';
import { assert } from '../domain/result.ts';
import { createAllowList } from './allow-list.ts';

/** Cryptographically secure random bytes; a parameter, so that a seed can simulate a whole run. */
export type RandomBytes = (bytes: number) => Uint8Array;

const API_KEY_BYTES = 32;
/** Secret scanners and people recognise a leaked key by it. */
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

/** SHA-256 of the key's text, lower-case hex. Fast on purpose: 256 random bits need no slow hash. */
export function hashApiKey(text: string): string {
  return hash('sha256', text);
}

export interface KeyEntry {
  readonly key: SigningKey;
  /** Whether the key may be used from this address, in the form of `InboundRequest.remoteAddress`. */
  admits(remoteAddress: string): boolean;
}

export class Keyring {
  readonly #signingKeys: ReadonlyMap<string, KeyEntry>;
  /** API keys by hash, without revoked keys. */
  readonly #apiKeys: ReadonlyMap<string, ApiKey>;
  /** Actors by full id. */
  readonly #actors: ReadonlyMap<string, Actor>;

  constructor({ signingKeys, apiKeys, actors }: KeyRecords) {
    this.#signingKeys = new Map(
      signingKeys.map(key => [key.keyId, { key, admits: createAllowList(key.addresses) }] as const),
    );
    this.#apiKeys = new Map(apiKeys.filter(key => key.revokedAt === null).map(key => [key.hashHex, key]));
    this.#actors = new Map(actors.map(actor => [fullActorId(actor), actor]));
  }

  get actors(): readonly Actor[] {
    return [...this.#actors.values()];
  }

  /** Finds revoked keys too, so that the owner learns that the key was revoked. */
  signingKey(keyId: string): KeyEntry | undefined {
    return this.#signingKeys.get(keyId);
  }

  /**
   * The API key with this text; a revoked one is unknown. Timing reveals nothing about a stored key: the lookup compares
   * a hash, which a caller cannot choose.
   */
  apiKey(text: string): ApiKey | undefined {
    const hashHex = hashApiKey(text);
    const key = this.#apiKeys.get(hashHex);
    if (key === undefined) return undefined;
    return timingSafeEqual(Buffer.from(key.hashHex), Buffer.from(hashHex)) ? key : undefined;
  }

  /** Limits of the key's actor. */
  limitsOf(owner: Pick<Actor, 'podId' | 'actorId'>): ActorLimits {
    const actor = this.#actors.get(fullActorId(owner));
    assert(actor !== undefined, 'a key belongs to an actor');
    return actor.limits;
  }
}
