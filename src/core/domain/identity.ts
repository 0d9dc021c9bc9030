// Identities of callers (contract §2). A pod is one set of venue accounts; an actor is one trading identity within it. A
// signing key is the Ed25519 public key of one actor; an API key is the older family's secret of one actor. Pure.

import type { MicroDollars, MicroShares, UnixMillis } from './numbers.ts';

/** Limits that the operator sets as a guard against a faulty bot (contract §4.11). Null: unlimited. 0: nothing allowed. */
export interface ActorLimits {
  /** Maximum cost of one order at its limit price. */
  readonly notionalMax: MicroDollars | null;
  /** Open orders at all venues together, orders in flight included. */
  readonly openOrdersMax: number | null;
  /** Position in one venue market, long or short, as if all resting orders that increase it were filled. */
  readonly positionMax: MicroShares | null;
  /** Shares or contracts of one order. */
  readonly sizeMax: MicroShares | null;
  /** How far beyond the opposite best price of a LIVE book the limit of an order may lie, in ticks of its market. */
  readonly collarTicks: number | null;
  /** The same in per cent of that price. */
  readonly collarPercent: number | null;
  /** `PASS`: a collar lets an order pass when there is no such price. Null: it refuses the order. */
  readonly collarWithoutBook: 'PASS' | null;
  /** New orders and replaces in a second. */
  readonly orderRateMax: number | null;
  /** New orders and replaces at once. Null: as many as in a second. */
  readonly orderBurstMax: number | null;
  /** Cancels of single orders in a second. Cancels of all orders are free. */
  readonly cancelRateMax: number | null;
  /** Cancels of single orders at once. Null: as many as in a second. */
  readonly cancelBurstMax: number | null;
  /** The most that the actor may lose in one event over both venues, as if all open orders that increase the loss were filled. */
  readonly exposureMax: MicroDollars | null;
  /** The same of all actors of the pod together. It is a limit of the pod (`Pod`), and travels with the limits of its actors. */
  readonly podExposureMax: MicroDollars | null;
}

export const NO_LIMITS: ActorLimits = {
  notionalMax: null,
  openOrdersMax: null,
  positionMax: null,
  sizeMax: null,
  collarTicks: null,
  collarPercent: null,
  collarWithoutBook: null,
  orderRateMax: null,
  orderBurstMax: null,
  cancelRateMax: null,
  cancelBurstMax: null,
  exposureMax: null,
  podExposureMax: null,
};

/** So many in a second, and so many at once. */
export interface ActorRate {
  readonly perS: number;
  readonly burstMax: number;
}

/** The sequence in which limits are listed and travel between threads. */
export const LIMIT_NAMES = Object.keys(NO_LIMITS) as readonly (keyof ActorLimits)[];

/**
 * `trade` includes cancels of the actor's own orders; ticket and stream need `read`. `observe` reads the whole pod. `cancel` cancels
 * any order of the pod, and stops it.
 */
export const SCOPES = ['read', 'trade', 'observe', 'cancel'] as const;
export type Scope = (typeof SCOPES)[number];

/** Names of pods and actors, which become names of files and records. */
export const IDENTITY_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export interface Pod {
  readonly podId: string;
  readonly exposureMax: MicroDollars | null;
  readonly createdAt: UnixMillis;
}

export interface Actor {
  readonly actorId: string;
  readonly podId: string;
  readonly limits: ActorLimits;
  readonly createdAt: UnixMillis;
}

/**
 * Actor id that is unique over all pods, since actor ids are unique within their pod only. Neither part can hold a slash.
 */
export function fullActorId({ podId, actorId }: Pick<Actor, 'podId' | 'actorId'>): string {
  return `${podId}/${actorId}`;
}

/** Actors with the limit of their pod among their own. */
export function withPodLimits({ pods, actors }: Pick<KeyRecords, 'pods' | 'actors'>): readonly Actor[] {
  const limitOf = new Map(pods.map(({ podId, exposureMax }) => [podId, exposureMax]));
  return actors.map(it => ({ ...it, limits: { ...it.limits, podExposureMax: limitOf.get(it.podId) ?? null } }));
}

export interface SigningKey {
  readonly keyId: string;
  readonly actorId: string;
  readonly podId: string;
  /** 32 bytes, lower-case hex. */
  readonly publicKeyHex: string;
  readonly scopes: readonly Scope[];
  /** Addresses and CIDR ranges from which the key may be used; `unix` stands for the Unix domain socket. An empty list allows all. */
  readonly addresses: readonly string[];
  readonly label: string;
  readonly createdAt: UnixMillis;
  readonly revokedAt: UnixMillis | null;
}

export interface ApiKey {
  /** The public name of the API key, for lists and revocation. */
  readonly apiKeyId: string;
  readonly actorId: string;
  readonly podId: string;
  /** SHA-256 of the API key's text, in lower-case hex. The text itself is not stored. */
  readonly hashHex: string;
  readonly label: string;
  readonly createdAt: UnixMillis;
  readonly revokedAt: UnixMillis | null;
}

/** Everything in the key store at one moment. */
export interface KeyRecords {
  readonly pods: readonly Pod[];
  readonly actors: readonly Actor[];
  readonly signingKeys: readonly SigningKey[];
  readonly apiKeys: readonly ApiKey[];
}
