// Identities of callers (contract §2). A pod is one set of venue accounts; an actor is one trading identity within it. A
// signing key is the Ed25519 public key of one actor; an API key is the older family's secret of one actor. Pure.

import type { MicroDollars, MicroShares, UnixMillis } from './numbers.ts';

/**
 * The limits that the operator sets for an actor as a guard against a faulty bot (contract §4.11). Null means no limit. 0 allows nothing.
 */
export interface ActorLimits {
  /** The largest cost of one order at its limit price. */
  readonly notionalMax: MicroDollars | null;
  /** The largest number of open orders at all venues together. Orders in flight count. */
  readonly openOrdersMax: number | null;
  /** The largest position in one venue market, long or short, if all resting orders that increase the position were filled. */
  readonly positionMax: MicroShares | null;
  /** The largest size of one order, in shares or contracts. */
  readonly sizeMax: MicroShares | null;
  /** How far the limit price of an order may lie beyond the opposite best price of a LIVE book, in ticks of the order's market. */
  readonly collarTicks: number | null;
  /** How far an order's limit price may lie beyond the opposite best price of a LIVE book, in per cent of this best price. */
  readonly collarPercent: number | null;
  /**
   * What a collar does if the book has no opposite best price. `PASS` lets the order pass. Null means that the collar refuses the order.
   */
  readonly collarWithoutBook: 'PASS' | null;
  /** The largest number of new orders and replaces in a second. */
  readonly orderRateMax: number | null;
  /** The largest number of new orders and replaces at once. Null means as many as in a second. */
  readonly orderBurstMax: number | null;
  /** The largest number of cancels of single orders in a second. A mass cancel does not count. */
  readonly cancelRateMax: number | null;
  /** The largest number of cancels of single orders at once. Null means as many as in a second. */
  readonly cancelBurstMax: number | null;
  /** The most that the actor may lose in one event at both venues, if all open orders that increase the loss were filled. */
  readonly exposureMax: MicroDollars | null;
  /**
   * The most that all actors of the pod together may lose in one event. This limit belongs to the pod (`Pod`), and travels with the limits
   * of the pod's actors.
   */
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

/** The number of requests that an actor may send in a second, and the number at once. */
export interface ActorRate {
  readonly perS: number;
  readonly burstMax: number;
}

/** The sequence in which limits are listed and travel between threads. */
export const LIMIT_NAMES = Object.keys(NO_LIMITS) as readonly (keyof ActorLimits)[];

/**
 * The scopes of a key. `trade` includes cancels of the actor's own orders; ticket and stream need `read`. `observe` reads the whole pod.
 * `cancel` cancels any order of the pod, and stops the pod.
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

/** Returns an actor id that is unique over all pods. Actor ids alone are unique only within their pod. Neither part can hold a slash. */
export function fullActorId({ podId, actorId }: Pick<Actor, 'podId' | 'actorId'>): string {
  return `${podId}/${actorId}`;
}

/** Returns the actors, each with the limit of its pod among its own limits. */
export function withPodLimits({ pods, actors }: Pick<KeyRecords, 'pods' | 'actors'>): readonly Actor[] {
  const limitOf = new Map(pods.map(({ podId, exposureMax }) => [podId, exposureMax]));
  return actors.map(it => ({ ...it, limits: { ...it.limits, podExposureMax: limitOf.get(it.podId) ?? null } }));
}

export interface SigningKey {
  readonly keyId: string;
  readonly actorId: string;
  readonly podId: string;
  /** The public key: 32 bytes in lower-case hex. */
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
