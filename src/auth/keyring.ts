// The keys as requests look them up: an index over what the key store holds at one moment. Built anew when the store has
// changed and never changed itself, so that a revocation takes effect with the next request. Main thread.

import { timingSafeEqual } from 'node:crypto';
import type { ActorLimits } from '../domain/actor-limits.ts';
import { type Actor, type ApiKey, fullActorId, type KeyRecords, type SigningKey } from '../domain/identity.ts';
import { assert } from '../domain/result.ts';
import { createAllowList } from './allow-list.ts';
import { hashApiKey } from './api-key.ts';

export interface KeyEntry {
  readonly key: SigningKey;
  /** Whether the key may be used from this address, as `InboundRequest.remoteAddress` gives it. */
  admits(remoteAddress: string): boolean;
}

export class Keyring {
  readonly #signingKeys: ReadonlyMap<string, KeyEntry>;
  /** By hash; those that are not revoked. */
  readonly #apiKeys: ReadonlyMap<string, ApiKey>;
  /** By their full ids. */
  readonly #actors: ReadonlyMap<string, Actor>;

  constructor({ signingKeys, apiKeys, actors }: KeyRecords) {
    this.#signingKeys = new Map(
      signingKeys.map(key => [key.keyId, { key, admits: createAllowList(key.addresses) }] as const),
    );
    this.#apiKeys = new Map(apiKeys.filter(key => key.revokedAt === null).map(key => [key.hashHex, key]));
    this.#actors = new Map(actors.map(actor => [fullActorId(actor), actor]));
  }

  /** Revoked keys are found too, so that their owner is told what is the matter. */
  signingKey(keyId: string): KeyEntry | undefined {
    return this.#signingKeys.get(keyId);
  }

  /**
   * The API key with this text; a revoked one is unknown. Timing tells nothing of a stored key: what is looked up and
   * compared is a hash, which a caller cannot choose.
   */
  apiKey(text: string): ApiKey | undefined {
    const hashHex = hashApiKey(text);
    const key = this.#apiKeys.get(hashHex);
    if (key === undefined) return undefined;
    return timingSafeEqual(Buffer.from(key.hashHex), Buffer.from(hashHex)) ? key : undefined;
  }

  /** Of the actor that a key belongs to. */
  limitsOf(owner: Pick<Actor, 'podId' | 'actorId'>): ActorLimits {
    const actor = this.#actors.get(fullActorId(owner));
    assert(actor !== undefined, 'a key belongs to an actor');
    return actor.limits;
  }
}
