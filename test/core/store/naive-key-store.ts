// The naive twin of the key store. It searches lists from end to end, and has the rules of the key store in their plainest form.

import { type ActorLimits, type KeyRecords, NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { KeyBounds, NewApiKey, NewSigningKey } from '../../../src/core/store/key-registry.ts';

type Mutable<T> = { -readonly [F in keyof T]: T[F] extends readonly (infer I)[] ? I[] : T[F] };

export class NaiveKeyStore {
  version = 0;
  readonly #bounds: KeyBounds;
  readonly #all: Mutable<KeyRecords> = { pods: [], actors: [], signingKeys: [], apiKeys: [] };

  constructor(bounds: KeyBounds) {
    this.#bounds = bounds;
  }

  /** Returns the records in the store's sequence, by name. */
  read(): KeyRecords {
    const by = <T>(items: readonly T[], name: (item: T) => string) =>
      items.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
    return {
      pods: by(this.#all.pods, it => it.podId),
      actors: by(this.#all.actors, it => `${it.podId}/${it.actorId}`),
      signingKeys: by(this.#all.signingKeys, it => it.keyId),
      apiKeys: by(this.#all.apiKeys, it => it.apiKeyId),
    };
  }

  createPod(podId: string, createdAt: UnixMillis): boolean {
    const { pods } = this.#all;
    if (pods.some(it => it.podId === podId) || pods.length >= this.#bounds.signingKeysMax) return false;
    return this.#done(pods.push({ podId, exposureMax: null, createdAt }));
  }

  setPodExposure(podId: string, exposureMax: MicroDollars | null): boolean {
    const { pods } = this.#all;
    const index = pods.findIndex(it => it.podId === podId);
    return index !== -1 && this.#done(pods.splice(index, 1, { ...pods[index]!, exposureMax }));
  }

  createActor(podId: string, actorId: string, createdAt: UnixMillis): boolean {
    const { actors } = this.#all;
    const isThere = actors.some(it => it.podId === podId && it.actorId === actorId);
    if (!this.#hasPod(podId) || isThere || actors.length >= this.#bounds.signingKeysMax) return false;
    return this.#done(actors.push({ podId, actorId, limits: NO_LIMITS, createdAt }));
  }

  setActorLimits(podId: string, actorId: string, change: Partial<ActorLimits>): boolean {
    const { actors } = this.#all;
    const index = actors.findIndex(it => it.podId === podId && it.actorId === actorId);
    if (index === -1) return false;
    return this.#done(actors.splice(index, 1, { ...actors[index]!, limits: { ...actors[index]!.limits, ...change } }));
  }

  addSigningKey(key: NewSigningKey): boolean {
    const { signingKeys } = this.#all;
    if (!this.#hasActor(key.podId, key.actorId) || signingKeys.length >= this.#bounds.signingKeysMax) return false;
    if (signingKeys.some(it => it.keyId === key.keyId)) return false;
    if (signingKeys.some(it => it.publicKeyHex === key.publicKeyHex && it.revokedAt === null)) return false;
    return this.#done(signingKeys.push({ ...key, revokedAt: null }));
  }

  addApiKey(key: NewApiKey): boolean {
    const { apiKeys } = this.#all;
    if (!this.#hasActor(key.podId, key.actorId) || apiKeys.length >= this.#bounds.apiKeysMax) return false;
    if (apiKeys.some(it => it.apiKeyId === key.apiKeyId)) return false;
    return this.#done(apiKeys.push({ ...key, revokedAt: null }));
  }

  revokeSigningKey(keyId: string, revokedAt: UnixMillis): boolean {
    const index = this.#all.signingKeys.findIndex(it => it.keyId === keyId && it.revokedAt === null);
    if (index === -1) return false;
    return this.#done(this.#all.signingKeys.splice(index, 1, { ...this.#all.signingKeys[index]!, revokedAt }));
  }

  revokeApiKey(apiKeyId: string, revokedAt: UnixMillis): boolean {
    const index = this.#all.apiKeys.findIndex(it => it.apiKeyId === apiKeyId && it.revokedAt === null);
    if (index === -1) return false;
    return this.#done(this.#all.apiKeys.splice(index, 1, { ...this.#all.apiKeys[index]!, revokedAt }));
  }

  #hasPod(podId: string): boolean {
    return this.#all.pods.some(it => it.podId === podId);
  }

  #hasActor(podId: string, actorId: string): boolean {
    return this.#hasPod(podId) && this.#all.actors.some(it => it.podId === podId && it.actorId === actorId);
  }

  #done(_changed: unknown): true {
    this.version += 1;
    return true;
  }
}
