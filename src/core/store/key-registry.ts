// Pods, actors and keys in memory, with the rules between them: owners exist, ids and public keys are unique. The number of each is
// bounded. Each change of the key store uses one registry and becomes one transaction. Pure.

import {
  type Actor,
  type ActorLimits,
  type ApiKey,
  fullActorId,
  type KeyRecords,
  NO_LIMITS,
  type Pod,
  type SigningKey,
} from '../domain/identity.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { assert, fail, ok, type Result, unreachable } from '../domain/result.ts';
import { type KeyRecord, recordFault, recordName } from './key-record.ts';

/** A new actor. It has no limits until some are set. */
type NewActor = Omit<Actor, 'limits'>;
type NewPod = Omit<Pod, 'exposureMax'>;
export type NewSigningKey = Omit<SigningKey, 'revokedAt'>;
export type NewApiKey = Omit<ApiKey, 'revokedAt'>;

/**
 * The changes of keys. Each change returns the record after it, or the reason of a refusal: `field: rule`, or the bound that was reached.
 */
export interface KeyChanges {
  createPod(pod: NewPod): Result<Pod, string>;
  setPodExposure(podId: string, exposureMax: Pod['exposureMax']): Result<Pod, string>;
  createActor(actor: NewActor): Result<Actor, string>;
  /** Changes the limits that `change` names. The other limits stay. */
  setActorLimits(podId: string, actorId: string, change: Partial<ActorLimits>): Result<Actor, string>;
  /** Adds a signing key. The caller has checked that the public key is fit for use (contract §2). */
  addSigningKey(key: NewSigningKey): Result<SigningKey, string>;
  revokeSigningKey(keyId: string, now: UnixMillis): Result<SigningKey, string>;
  addApiKey(key: NewApiKey): Result<ApiKey, string>;
  revokeApiKey(apiKeyId: string, now: UnixMillis): Result<ApiKey, string>;
}

/** One change that consists of several parts. */
export interface KeyTransaction extends KeyChanges {
  /** Returns the records as they are at this point of the change. */
  records(): KeyRecords;
}

/**
 * The largest numbers of records, revoked keys included. The number of signing keys also bounds pods and actors, which are useless without
 * a key.
 */
export interface KeyBounds {
  readonly signingKeysMax: number;
  readonly apiKeysMax: number;
}

export class KeyRegistry implements KeyTransaction {
  /** The changed records, in sequence. */
  readonly written: KeyRecord[] = [];
  readonly #bounds: KeyBounds;
  readonly #pods = new Map<string, Pod>();
  /** The actors by full id, since actor ids are unique within their pod only. */
  readonly #actors = new Map<string, Actor>();
  readonly #signingKeys = new Map<string, SigningKey>();
  readonly #apiKeys = new Map<string, ApiKey>();
  /** The id of each signing key by its public key. Revoked keys stay: a key that may have leaked never returns. */
  readonly #publicKeys = new Map<string, string>();

  constructor(bounds: KeyBounds) {
    this.#bounds = bounds;
  }

  records(): KeyRecords {
    return {
      pods: [...this.#pods.values()],
      actors: [...this.#actors.values()],
      signingKeys: [...this.#signingKeys.values()],
      apiKeys: [...this.#apiKeys.values()],
    };
  }

  createPod(pod: NewPod): Result<Pod, string> {
    const value: Pod = { ...pod, exposureMax: null };
    return this.#create({ kind: 'pod', value }, value);
  }

  createActor(actor: NewActor): Result<Actor, string> {
    const value: Actor = { ...actor, limits: NO_LIMITS };
    return this.#create({ kind: 'actor', value }, value);
  }

  setPodExposure(podId: string, exposureMax: Pod['exposureMax']): Result<Pod, string> {
    const pod = this.#pods.get(podId);
    if (pod === undefined) return fail(`podId: no pod ${podId}`);
    const value = { ...pod, exposureMax };
    const fault = recordFault({ kind: 'pod', value });
    if (fault !== null) return fail(fault);
    this.#pods.set(podId, value);
    return this.#write({ kind: 'pod', value }, value);
  }

  setActorLimits(podId: string, actorId: string, change: Partial<ActorLimits>): Result<Actor, string> {
    const name = fullActorId({ podId, actorId });
    const actor = this.#actors.get(name);
    if (actor === undefined) return fail(`actorId: pod ${podId} has no actor ${actorId}`);
    const value = { ...actor, limits: { ...actor.limits, ...change } };
    const fault = recordFault({ kind: 'actor', value });
    if (fault !== null) return fail(fault);
    this.#actors.set(name, value);
    return this.#write({ kind: 'actor', value }, value);
  }

  addSigningKey(key: NewSigningKey): Result<SigningKey, string> {
    const value: SigningKey = { ...key, revokedAt: null };
    return this.#create({ kind: 'signing-key', value }, value);
  }

  addApiKey(key: NewApiKey): Result<ApiKey, string> {
    const value: ApiKey = { ...key, revokedAt: null };
    return this.#create({ kind: 'api-key', value }, value);
  }

  revokeSigningKey(keyId: string, now: UnixMillis): Result<SigningKey, string> {
    const key = revoke(this.#signingKeys, 'keyId', 'signing key', keyId, now);
    return key.ok ? this.#write({ kind: 'signing-key', value: key.value }, key.value) : key;
  }

  revokeApiKey(apiKeyId: string, now: UnixMillis): Result<ApiKey, string> {
    const key = revoke(this.#apiKeys, 'apiKeyId', 'API key', apiKeyId, now);
    return key.ok ? this.#write({ kind: 'api-key', value: key.value }, key.value) : key;
  }

  /** Adds a stored or new record. Returns null, or the reason of a refusal. */
  admit(record: KeyRecord): string | null {
    const { kind, value } = record;
    switch (kind) {
      case 'pod':
        return this.#refusal(this.#pods, value.podId, 'podId', 'signingKeysMax') ?? put(this.#pods, value.podId, value);
      case 'actor':
        return this.#admitActor(value);
      case 'signing-key':
        return this.#admitSigningKey(value);
      case 'api-key':
        return (
          this.#ownerProblem(value) ??
          this.#refusal(this.#apiKeys, value.apiKeyId, 'apiKeyId', 'apiKeysMax') ??
          put(this.#apiKeys, value.apiKeyId, value)
        );
      default:
        return unreachable(kind);
    }
  }

  #create<T>(record: KeyRecord, value: T): Result<T, string> {
    const refusal = recordFault(record) ?? this.admit(record);
    return refusal === null ? this.#write(record, value) : fail(refusal);
  }

  #write<T>(record: KeyRecord, value: T): Result<T, string> {
    // A record that cannot be read back would lock every caller out.
    assert(recordFault(record) === null, `${recordName(record)} is written as it can be read`);
    this.written.push(record);
    return ok(value);
  }

  #admitActor(actor: Actor): string | null {
    if (!this.#pods.has(actor.podId)) return `podId: there is no pod ${actor.podId}`;
    const name = fullActorId(actor);
    return this.#refusal(this.#actors, name, 'actorId', 'signingKeysMax') ?? put(this.#actors, name, actor);
  }

  #admitSigningKey(key: SigningKey): string | null {
    const { keyId, publicKeyHex } = key;
    const refusal = this.#ownerProblem(key) ?? this.#refusal(this.#signingKeys, keyId, 'keyId', 'signingKeysMax');
    if (refusal !== null) return refusal;
    const holder = this.#publicKeys.get(publicKeyHex);
    if (holder !== undefined) return `publicKeyHex: is taken by ${holder}`;
    this.#publicKeys.set(publicKeyHex, keyId);
    return put(this.#signingKeys, keyId, key);
  }

  #ownerProblem({ podId, actorId }: SigningKey | ApiKey): string | null {
    if (!this.#pods.has(podId)) return `podId: there is no pod ${podId}`;
    return this.#actors.has(fullActorId({ podId, actorId })) ? null : `actorId: pod ${podId} has no actor ${actorId}`;
  }

  #refusal(map: ReadonlyMap<string, unknown>, name: string, field: string, limit: keyof KeyBounds): string | null {
    if (map.has(name)) return `${field}: ${name.split('/').at(-1)} exists already`;
    const most = this.#bounds[limit];
    return map.size < most ? null : `there may be no more than ${most} (${limit})`;
  }
}

function put<T>(map: Map<string, T>, name: string, value: T): null {
  map.set(name, value);
  return null;
}

/** Marks a key as revoked in its map. `field` and `what` name it in refusals. */
function revoke<Key extends SigningKey | ApiKey>(
  keys: Map<string, Key>,
  field: string,
  what: string,
  id: string,
  now: UnixMillis,
): Result<Key, string> {
  const key = keys.get(id);
  if (key === undefined) return fail(`${field}: there is no ${what} ${id}`);
  if (key.revokedAt !== null) return fail(`${field}: ${id} is revoked already`);
  const value = { ...key, revokedAt: now };
  keys.set(id, value);
  return ok(value);
}
