// Who is asking, and may they: the checks of contract §2 in their order, what limits them (§9), and what is counted of it.
// Everything but the signature takes microseconds and is done here; the signature of a request is checked in the pool, that of
// an upgrade, or of a request that two threads died of, here as well. Main thread.

import { SIGNING_HEADERS } from '../../auth/canonical.ts';
import {
  type Prechecked,
  precheck,
  revokedKey,
  type SignatureCheck,
  type SignedRequest,
  signatureWrong,
} from '../../auth/check.ts';
import { verifySignature } from '../../auth/ed25519.ts';
import type { ApiErrorKind } from '../../domain/api-error.ts';
import type { ApiKey, Scope, SigningKey } from '../../domain/identity.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { limits, type RateProfile } from '../../limits.ts';
import type { Header, InboundRequest } from '../../net/listen.ts';
import { monotonicUs } from '../../runtime/clock.ts';
import type { OperationReply, OrderOperation } from '../../threads/order-tasks.ts';
import type { OrderPool, PoolFailure } from '../../threads/pools.ts';
import type { AuthFailureReason, GatewayMetrics } from '../gateway-metrics.ts';
import { FailedChecks } from './failed-checks.ts';
import type { LiveKeys } from './live-keys.ts';
import { type Bucket, RateLimits } from './rate-limits.ts';
import { type Refusal, refusal } from './replies.ts';
import { TokenBucket } from './token-bucket.ts';

/** What an operation asks of its caller; `scope` null: any live key. */
export interface Needs {
  readonly scope: Scope | null;
  readonly bucket: Bucket;
}

export interface Admitted<Key> {
  readonly key: Key;
  /** How the caller stands with its limits. */
  readonly headers: readonly Header[];
}

export interface SignedCaller extends Admitted<SigningKey> {
  readonly signature: Uint8Array;
}

/** What a caller asks for, if the rest of its request is right. */
export type Asks = (key: SigningKey) => Result<OrderOperation, Refusal>;

/** Of a caller that has proven its key. */
export interface Operated {
  readonly outcome: Result<OperationReply, PoolFailure>;
  readonly operation: OrderOperation;
  /** How the caller stands with its limits. */
  readonly headers: readonly Header[];
}

export interface AdmissionParts {
  readonly keys: LiveKeys;
  readonly pool: OrderPool;
  readonly metrics: GatewayMetrics;
  readonly profile: RateProfile;
}

export class Admission {
  readonly #parts: AdmissionParts;
  readonly #limits: RateLimits;
  readonly #failures: FailedChecks;
  readonly #unprovenUpgrades = new TokenBucket({
    perS: limits.unprovenUpgradesPerS,
    burstMax: limits.unprovenUpgradesBurstMax,
  });

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#limits = new RateLimits(parts.profile);
    this.#failures = new FailedChecks(parts.profile.failedChecks);
  }

  /** A signed request, whole; its signature is checked in the pool. */
  async signed(request: InboundRequest, needs: Needs): Promise<Result<SignedCaller, Refusal>> {
    const before = this.#precheck(request, needs);
    return before.ok ? this.#verified(request, needs, before.value) : before;
  }

  /**
   * A signed request for an operation on orders, which the pool does in the task that checks the signature. Only for callers of
   * whom nothing else is in doubt: all others have their signature checked first, and are told what is wrong after that.
   *
   * Its token is taken before it begins, since it may last as long as its venue does and many at once must not pass on the last token;
   * it is given back if the signature is wrong. Whoever comes from an address that has not proven this very key is checked first and
   * counted after that, so that nobody can tie up the owner's tokens, not even for the time of a check.
   */
  async operated(request: InboundRequest, needs: Needs, operation: Asks): Promise<Result<Operated, Refusal>> {
    const startedAtUs = monotonicUs();
    const before = this.#precheck(request, needs);
    if (!before.ok) return before;
    const { key, check } = before.value;
    const { keyId } = key.key;
    const asked = operation(key.key);
    if (!asked.ok || !this.#reserves(request, before.value, needs)) {
      const caller = await this.#verified(request, needs, before.value);
      if (!caller.ok) return caller;
      const { headers } = caller.value;
      if (!asked.ok) return fail(withMore(asked.error, headers));
      const outcome = await this.#parts.pool.operate(asked.value, null, startedAtUs);
      return ok({ outcome, operation: asked.value, headers });
    }
    const done = await this.#parts.pool.operate(asked.value, check, startedAtUs);
    const { remoteAddress: address } = request;
    const outcome = provenOutcome(done, check);
    const isBusy = outcome !== null && !outcome.ok && outcome.error === 'BUSY';
    if (outcome === null || isBusy) this.#limits.giveBack(keyId, needs.bucket);
    if (outcome === null) return this.#refuse(address, 'signature', signatureWrong(check));
    // Nothing is known of the signature: there was no room for it, and nothing was done.
    if (isBusy) return ok({ outcome, operation: asked.value, headers: [] });
    const now = performance.now();
    this.#failures.countSuccess(address, keyId, now);
    return ok({ outcome, operation: asked.value, headers: this.#limits.headers(keyId, needs.bucket, now) });
  }

  /** A signed upgrade, answered at once: checked on this thread, and so limited in rate for addresses that have not proven a key. */
  signedUpgrade(request: InboundRequest, needs: Needs): Result<SignedCaller, Refusal> {
    const before = this.#precheck(request, needs);
    if (!before.ok) return before;
    if (!this.#isProven(request) && !this.#unprovenUpgrades.take(performance.now())) {
      this.#parts.metrics.countLimited('pool');
      return fail(refusal('unavailable', 'too many new streams at once (unprovenUpgradesPerS): nothing was done'));
    }
    return this.#conclude(request, needs, before.value, verifySignature(before.value.check));
  }

  async #verified(
    request: InboundRequest,
    needs: Needs,
    prechecked: Prechecked,
  ): Promise<Result<SignedCaller, Refusal>> {
    const share = this.#isProven(request) ? 'proven' : 'unproven';
    const verdict = await this.#parts.pool.verify(prechecked.check, share);
    if (verdict.ok) return this.#conclude(request, needs, prechecked, verdict.value);
    if (verdict.error === 'BUSY') this.#parts.metrics.countLimited('pool');
    return fail(refusal('unavailable', POOL_WORDS[verdict.error]));
  }

  /** Whether whoever is there may do it now, but for the signature; then it is counted. */
  #reserves({ remoteAddress: address }: InboundRequest, { key }: Prechecked, { scope, bucket }: Needs): boolean {
    const now = performance.now();
    const { keyId, scopes } = key.key;
    const isInScope = scope === null || scopes.includes(scope);
    const isTrusted = isInScope && key.admits(address) && this.#failures.hasProven(address, keyId, now);
    return isTrusted && this.#limits.reserve(keyId, bucket, now);
  }

  /** Everything before the signature. */
  #precheck(request: InboundRequest, needs: Needs): Result<Prechecked, Refusal> {
    const address = request.remoteAddress;
    const limited = this.failureLimit(address);
    if (limited !== null) return fail({ ...limited, kind: overLimit(needs.bucket) });
    const repeated = SIGNED_HEADERS.find(name => request.isRepeated(name));
    if (repeated !== undefined) return this.#refuse(address, 'header', `${repeated}: must be given once`);
    const before = precheck(signedRequestOf(request), this.#parts.keys.current(), Date.now() as UnixMillis);
    return before.ok ? before : this.#refuse(address, before.error.reason, before.error.message);
  }

  /** Everything after it. */
  #conclude(
    { remoteAddress: address }: InboundRequest,
    needs: Needs,
    { key, check }: Prechecked,
    isRight: boolean,
  ): Result<SignedCaller, Refusal> {
    if (!isRight) return this.#refuse(address, 'signature', signatureWrong(check));
    // Revoked while the signature was being checked.
    if (this.#parts.keys.known.signingKey(key.key.keyId)?.key.revokedAt !== null) {
      return this.#refuse(address, 'key', revokedKey(key.key.keyId));
    }
    this.#failures.countSuccess(address, key.key.keyId, performance.now());
    if (!key.admits(address)) return fail(this.notFrom(address));
    const within = this.mayDo(key.key, needs);
    return within.ok ? ok({ key: key.key, headers: within.value, signature: check.signature }) : within;
  }

  /** Scope and rate limit of a key whose holder is known. The value is the headers that say how it stands. */
  mayDo(key: SigningKey, { scope, bucket }: Needs): Result<readonly Header[], Refusal> {
    const { metrics } = this.#parts;
    if (scope !== null && !key.scopes.includes(scope)) {
      metrics.countAuthFailure('scope');
      return fail(refusal('forbidden', `the signing key lacks the scope ${scope}`));
    }
    const { isWithin, headers } = this.#limits.take(key.keyId, bucket, performance.now());
    if (isWithin) return ok(headers);
    metrics.countLimited(bucket);
    return fail(
      refusal(overLimit(bucket), `too many ${bucket} under this signing key (${bucket} of the rate profile)`, headers),
    );
  }

  /** Counts a request on a stream; false if it is one too many of its signing key's reads. */
  takeRead(keyId: string): boolean {
    const { isWithin } = this.#limits.take(keyId, 'reads', performance.now());
    if (!isWithin) this.#parts.metrics.countLimited('reads');
    return isWithin;
  }

  /** A request of the older family. */
  apiKey(request: InboundRequest): Result<Admitted<ApiKey>, Refusal> {
    const { keys, metrics } = this.#parts;
    const address = request.remoteAddress;
    const limited = this.failureLimit(address);
    if (limited !== null) return fail(limited);
    const key = keys.current().apiKey(request.header('x-api-key'));
    if (key === undefined) {
      this.countFailure(address, 'apiKey');
      return fail(refusal('forbidden', 'x-api-key: missing or unknown'));
    }
    const { isWithin, headers } = this.#limits.take(key.apiKeyId, 'reads', performance.now());
    if (isWithin) return ok({ key, headers });
    metrics.countLimited('reads');
    return fail(refusal('limited', 'too many reads under this API key (reads of the rate profile)', headers));
  }

  /** The refusal of an address that has failed too many checks, or null. */
  failureLimit(address: string): Refusal | null {
    const nowMs = performance.now();
    if (this.#failures.admits(address, nowMs)) return null;
    this.#parts.metrics.countLimited('failedChecks');
    const message = 'too many failed checks from this address (failedChecks of the rate profile)';
    return refusal('limited', message, [...this.standing(address), this.#failures.retryAfter(address, nowMs)]);
  }

  /** The refusal of a key that may not be used from an address. */
  notFrom(address: string): Refusal {
    this.#parts.metrics.countAuthFailure('address');
    return refusal('forbidden', `the signing key may not be used from ${address}`);
  }

  countFailure(address: string, reason: AuthFailureReason): void {
    this.#parts.metrics.countAuthFailure(reason);
    this.#failures.countFailure(address, performance.now());
  }

  /** Headers that say how an address stands, for answers to whoever has not proven a key. */
  standing(address: string): readonly Header[] {
    return this.#failures.headers(address, performance.now());
  }

  forgetKeys(isRevoked: (keyId: string) => boolean): void {
    this.#limits.forget(isRevoked);
  }

  #isProven({ remoteAddress }: InboundRequest): boolean {
    return this.#failures.isProven(remoteAddress, performance.now());
  }

  #refuse(address: string, reason: AuthFailureReason, message: string): Result<never, Refusal> {
    this.countFailure(address, reason);
    return fail(refusal('unauthenticated', message));
  }
}

/**
 * What became of an operation; null if the signature is wrong. If two threads died of it the signature may never have been checked: it
 * is checked here before anything is said of anybody's order.
 */
function provenOutcome(
  done: Result<OperationReply | null, PoolFailure>,
  check: SignatureCheck,
): Result<OperationReply, PoolFailure> | null {
  if (!done.ok) return done.error === 'BUSY' || verifySignature(check) ? done : null;
  return done.value === null ? null : ok(done.value);
}

function withMore(why: Refusal, headers: readonly Header[]): Refusal {
  return { ...why, headers: [...headers, ...(why.headers ?? [])] };
}

const SIGNED_HEADERS = Object.values(SIGNING_HEADERS);

/** Interface §7 rule 2: a 4xx means that the request must change, and a submission over a limit need not. */
function overLimit(bucket: Bucket): ApiErrorKind {
  return bucket === 'submissions' ? 'unavailable' : 'limited';
}

const POOL_WORDS = {
  BUSY: 'too many signature checks are waiting (poolTasksMax): nothing was done',
  FAULT: 'the signature could not be checked: nothing was done',
} as const;

function signedRequestOf(request: InboundRequest): SignedRequest {
  return {
    method: request.method,
    target: request.target,
    body: request.body,
    keyId: request.header(SIGNING_HEADERS.keyId),
    timestamp: request.header(SIGNING_HEADERS.timestamp),
    signature: request.header(SIGNING_HEADERS.signature),
    contentSha256: request.header(SIGNING_HEADERS.contentSha256),
    idempotencyKey: request.header(SIGNING_HEADERS.idempotencyKey),
    notAfter: request.header(SIGNING_HEADERS.notAfter),
  };
}
