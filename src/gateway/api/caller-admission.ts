// Identifies the caller and decides whether it may act: the checks of contract §2 in their order, the rate limits (§9), and their counts.
// The check pool checks signatures. This thread makes all other checks, which take microseconds. It checks a signature itself in two cases:
// the upgrade of a stream, and a proven caller's request whose check killed two threads. Main thread, and the engine’s (src/gateway/door).

import { SIGNING_HEADERS } from '../../core/auth/canonical.ts';
import { precheck, revokedKey, signatureWrong, signedRequestOf } from '../../core/auth/check.ts';
import { verifySignature } from '../../core/auth/ed25519.ts';
import type { KeyEntry } from '../../core/auth/keyring.ts';
import type { ApiErrorKind } from '../../core/domain/answer.ts';
import type { ApiKey, SigningKey } from '../../core/domain/identity.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { costOf, type OrderOperation } from '../../core/domain/operation.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { type Soon, whenHere, whenKnown } from '../../core/domain/soon.ts';
import type { AuthFailureReason } from '../../core/metrics/metric-table.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Header, InboundRequest } from '../../core/net/listen.ts';
import { playedTimers } from '../../core/runtime/played-clock.ts';
import { sharedElapsed } from '../../core/runtime/timers.ts';
import { TokenBucket } from '../../core/runtime/token-bucket.ts';
import { limits, type RateProfile } from '../../limits.ts';
import type { CheckPool } from '../checks/check-pool.ts';
import type { Operations } from '../trading/operations.ts';
import { type Refusal, refusal } from './api-refusals.ts';
import { Claimant, FailedChecks } from './failed-checks.ts';
import type { LiveKeys } from './live-keys.ts';
import { timingStartUs } from './order-operations.ts';
import { type Bucket, type BucketView, RateLimits } from './rate-limits.ts';
import { type Claimed, type Concluded, type Needs, type Operated, type Requester, Reserved } from './reserved.ts';
import type { SharedRates } from './shared-rates.ts';

interface Admitted<Key> {
  readonly key: Key;
  /** The `RateLimit` headers of the caller. */
  readonly headers: readonly Header[];
}

interface SignedCaller extends Admitted<KeyEntry> {
  /** The text of `SVC-Signature`. */
  readonly signature: string;
}

interface AdmissionParts {
  readonly keys: LiveKeys;
  readonly checks: Pick<CheckPool, 'verify'>;
  readonly operations: Pick<Operations, 'operate'>;
  readonly metrics: Metrics;
  readonly profile: RateProfile;
  /** The rates that both doors share. Null means that the gateway has only one door. */
  readonly rates?: SharedRates<Bucket> | null;
  /** The time in milliseconds, by a monotonic clock that all threads share. The default is the clock of the process. */
  readonly nowMs?: () => number;
}

export class CallerAdmission {
  readonly #parts: AdmissionParts;
  readonly #nowMs: () => number;
  readonly #limits: RateLimits;
  readonly #failures: FailedChecks;
  readonly #unprovenUpgrades = new TokenBucket({
    perS: limits.unprovenUpgradesPerS,
    burstMax: limits.unprovenUpgradesBurstMax,
  });

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? sharedElapsed;
    this.#limits = new RateLimits(parts.profile, parts.rates ?? null);
    this.#failures = new FailedChecks(parts.profile.failedChecks);
  }

  /** Admits a signed request after the pool has checked its signature. */
  admitSigned(request: InboundRequest, needs: Needs): Soon<Result<SignedCaller, Refusal>> {
    const before = this.#precheck(request, needs);
    return before.ok ? this.#verify(before.value, needs) : before;
  }

  /**
   * Admits a signed request for an operation. If only its signature is in doubt, the operation takes its place at the engine before the
   * signature is checked. Otherwise the signature is checked first, and the caller learns afterwards what is wrong. The token is taken
   * before the operation begins, because an operation may last long, and many at once must not share the last token. A wrong signature
   * gives the token back. If a caller has not proven this key, or has less than half of its tokens left, the request is counted after the
   * check. So no other caller ties up the owner's last tokens, not even during a check.
   */
  perform(request: InboundRequest, needs: Needs, requester: Requester): void {
    const timedFromUs = timingStartUs(request);
    const before = this.#precheck(request, needs);
    if (!before.ok) {
      requester.answer(before);
      return;
    }
    const claimed = before.value;
    const read = requester.operationOf(claimed.key);
    const cost = read.ok ? costOf(read.value) : 1;
    const needed = { scope: needs.scope, bucket: needs.bucket, cost };
    if (read.ok && this.#reserve(claimed, needed)) {
      const reserved = new Reserved(claimed, needed, read.value, requester, this.#finishReserved);
      this.#parts.operations.operate(read.value, claimed, timedFromUs, reserved);
    } else this.#operateAfterCheck(claimed, needed, read, timedFromUs, requester);
  }

  /** Checks the signature first. */
  #operateAfterCheck(
    claimed: Claimed,
    needed: Needs,
    read: Result<OrderOperation, Refusal>,
    timedFromUs: number | null,
    requester: Requester,
  ): void {
    const failed = (error: unknown): void => requester.failed(error);
    const go = (signed: Result<SignedCaller, Refusal>): void => {
      if (!signed.ok) requester.answer(signed);
      else if (!read.ok) requester.answer(fail(withHeaders(read.error, signed.value.headers)));
      else {
        const { value: operation } = read;
        const { headers } = signed.value;
        const done = (outcome: Operated['outcome']): void => requester.answer(ok({ outcome, operation, headers }));
        this.#parts.operations.operate(operation, null, timedFromUs, { done, failed });
      }
    };
    whenKnown(this.#verify(claimed, needed), go, failed);
  }

  /** The result of an operation for which a token was taken in advance. */
  readonly #finishReserved = (
    { claimed: { key, check, address, caller }, needs: { bucket, cost }, operation }: Reserved,
    done: Concluded,
  ): Result<Operated, Refusal> => {
    const { keyId } = key;
    if (!done.ok) {
      // The signature was not checked, and the operation was not performed.
      this.#limits.giveBack(keyId, bucket, cost);
      return ok({ outcome: done, operation, headers: [] });
    }
    if (done.value === null) {
      this.#limits.giveBack(keyId, bucket, cost);
      if (this.#isRevoked(keyId)) return fail(this.#refuseRevoked(keyId, address, bucket));
      return this.#refuse(caller, 'signature', signatureWrong(check));
    }
    const now = this.#nowMs();
    this.#failures.countSuccess(caller, now);
    return ok({ outcome: ok(done.value), operation, headers: this.#limits.headers(keyId, bucket, now) });
  };

  /**
   * Admits a signed upgrade at once, because uWebSockets.js takes no later answer (docs/adr/0006). This thread checks the signature, so
   * callers that have not proven their key are limited in rate.
   */
  admitUpgrade(request: InboundRequest, needs: Needs): Result<SignedCaller, Refusal> {
    const before = this.#precheck(request, needs);
    if (!before.ok) return before;
    const now = this.#nowMs();
    if (!this.#failures.isProven(before.value.caller, now) && !this.#unprovenUpgrades.take(now)) {
      this.#parts.metrics.count('rate_limited_total', 'pool');
      return fail(refusal('unavailable', 'too many new streams at once (unprovenUpgradesPerS): nothing was done'));
    }
    return this.#postcheck(before.value, needs, verifySignature(before.value.check));
  }

  /** Whether the key exists and is not revoked. */
  isLive(keyId: string): boolean {
    return this.#parts.keys.readIfChanged().signingKey(keyId)?.revokedAt === null;
  }

  /** Admits a message on a connection that was admitted before. The checks use the present state of the key. */
  admitMessage(keyId: string, address: string, needs: Needs): Result<KeyEntry, Refusal> {
    const stale = this.#stalenessRefusal(needs.bucket);
    if (stale !== null) return fail(stale);
    const entry = this.#parts.keys.readIfChanged().signingKey(keyId);
    if (entry === undefined || entry.revokedAt !== null) return fail(refusal('unauthenticated', revokedKey(keyId)));
    if (!entry.admits(address)) return fail(this.refuseAddress(address));
    const within = this.checkScopeAndRate(entry, needs);
    return within.ok ? ok(entry) : within;
  }

  #verify(claimed: Claimed, needs: Needs): Soon<Result<SignedCaller, Refusal>> {
    const { caller, check } = claimed;
    const now = this.#nowMs();
    const lane = this.#failures.laneOf(caller, now);
    const end = this.#failures.begin(caller, now);
    return whenHere(this.#parts.checks.verify(check, lane, caller.isCancel ? 'cancel' : 'other'), verdict => {
      end();
      if (verdict.ok) return this.#postcheck(claimed, needs, verdict.value);
      if (verdict.error === 'BUSY') this.#parts.metrics.count('rate_limited_total', 'pool');
      return fail(refusal('unavailable', POOL_WORDS[verdict.error]));
    });
  }

  /** Whether the caller may perform the operation now, if its signature is valid. If so, the request is counted. */
  #reserve({ key, address, caller }: Claimed, { scope, bucket, cost }: Needs): boolean {
    const now = this.#nowMs();
    const isInScope = scope === null || key.scopes.includes(scope);
    const isTrusted = isInScope && key.admits(address) && this.#failures.isProven(caller, now);
    return isTrusted && this.#limits.reserve(key.keyId, bucket, now, cost);
  }

  /** Refuses everything except cancels while the keys may be out of date (beyond §7). Returns null if nothing is to be refused. */
  #stalenessRefusal(bucket: Bucket): Refusal | null {
    const words = bucket === 'cancels' ? null : this.#parts.keys.stalenessReason();
    return words === null ? null : refusal('unavailable', words);
  }

  /** Makes every check before the signature. */
  #precheck(request: InboundRequest, { bucket }: Needs): Result<Claimed, Refusal> {
    const address = request.remoteAddress;
    const stale = this.#stalenessRefusal(bucket);
    if (stale !== null) return fail(stale);
    const keyring = this.#parts.keys.readIfChanged();
    const repeated = request.repeatedOf(SIGNED_HEADERS);
    if (repeated !== null) {
      const why = refusal('unauthenticated', `${repeated}: must be given once`);
      return fail(this.#refuseUnchecked(address, 'header', why, limitKind(bucket)));
    }
    const signed = signedRequestOf(request);
    const key = keyring.signingKey(signed.keyId);
    const caller = new Claimant(address, signed.keyId, bucket === 'cancels');
    const isLive = key?.revokedAt === null;
    const now = this.#nowMs();
    if (isLive && !this.#failures.admits(caller, now)) {
      this.#parts.metrics.count('rate_limited_total', 'failedChecks');
      const standing = [...this.#failures.callerHeaders(caller, now), this.#failures.callerRetryAfter(caller, now)];
      return fail(refusal(limitKind(bucket), TOO_MANY_FAILED, standing));
    }
    const before = precheck(signed, key, referenceTimeOf(signed.timestamp));
    if (before.ok) {
      const { check } = before.value;
      return ok({ key: before.value.key, check, address, caller, isLive: this.#isNotRevoked });
    }
    const { reason, message } = before.error;
    // Hashing a body costs as much as checking a signature, so a wrong hash is charged like a wrong signature.
    if (reason === 'body' || reason === 'signature') return this.#refuse(caller, reason, message);
    return fail(this.#refuseUnchecked(address, reason, refusal('unauthenticated', message), limitKind(bucket)));
  }

  /** Makes every check after the signature. */
  #postcheck({ key, check, address, caller }: Claimed, needs: Needs, isRight: boolean): Result<SignedCaller, Refusal> {
    const { keyId } = key;
    if (!isRight) return this.#refuse(caller, 'signature', signatureWrong(check));
    if (this.#isRevoked(keyId)) return fail(this.#refuseRevoked(keyId, address, needs.bucket));
    const now = this.#nowMs();
    if (!key.admits(address)) {
      // A valid signature from an address where the key may not be used proves nothing: the key may have leaked.
      this.#failures.countFailure(caller, now);
      return fail(withHeaders(this.refuseAddress(address), this.#failures.callerHeaders(caller, now)));
    }
    this.#failures.countSuccess(caller, now);
    const within = this.checkScopeAndRate(key, needs);
    return within.ok ? ok({ key, headers: within.value, signature: check.signature }) : within;
  }

  /** Whether the key was revoked during the signature check. `precheck` has refused keys that were revoked before. */
  #isRevoked(keyId: string): boolean {
    return this.#parts.keys.lastRead.signingKey(keyId)?.revokedAt !== null;
  }

  readonly #isNotRevoked = (keyId: string): boolean => !this.#isRevoked(keyId);

  #refuseRevoked(keyId: string, address: string, bucket: Bucket): Refusal {
    return this.#refuseUnchecked(address, 'key', refusal('unauthenticated', revokedKey(keyId)), limitKind(bucket));
  }

  /** Checks the scope and the rate limit of a proven key. The result holds the key's `RateLimit` headers. */
  checkScopeAndRate(key: SigningKey, { scope, bucket, cost }: Needs): Result<readonly Header[], Refusal> {
    const { metrics } = this.#parts;
    if (scope !== null && !key.scopes.includes(scope)) {
      metrics.count('auth_failures_total', 'scope');
      return fail(refusal('forbidden', `the signing key lacks the scope ${scope}`));
    }
    const { isWithin, headers } = this.#limits.take(key.keyId, bucket, this.#nowMs(), cost);
    if (isWithin) return ok(headers);
    metrics.count('rate_limited_total', bucket);
    return fail(
      refusal(limitKind(bucket), `too many ${bucket} under this signing key (${bucket} of the rate profile)`, headers),
    );
  }

  /** The `RateLimit` headers of a key whose upgrade counted as a read. */
  upgradeRates({ keyId }: SigningKey): readonly Header[] {
    return this.#limits.headers(keyId, 'reads', this.#nowMs());
  }

  /** Counts a request on a stream. Returns false if the request exceeds the key's limit of reads. */
  takeRead(keyId: string): boolean {
    const { isWithin } = this.#limits.take(keyId, 'reads', this.#nowMs());
    if (!isWithin) this.#parts.metrics.count('rate_limited_total', 'reads');
    return isWithin;
  }

  /** Admits a request of the older family. */
  admitApiKey(request: InboundRequest): Result<Admitted<ApiKey>, Refusal> {
    const { keys, metrics } = this.#parts;
    const stale = this.#stalenessRefusal('reads');
    if (stale !== null) return fail(stale);
    const key = keys.readIfChanged().apiKey(request.header('x-api-key'));
    if (key === undefined) {
      const why = refusal('forbidden', 'x-api-key: missing or unknown');
      return fail(this.#refuseUnchecked(request.remoteAddress, 'apiKey', why, 'limited'));
    }
    const { isWithin, headers } = this.#limits.take(key.apiKeyId, 'reads', this.#nowMs());
    if (isWithin) return ok({ key, headers });
    metrics.count('rate_limited_total', 'reads');
    return fail(refusal('limited', 'too many reads under this API key (reads of the rate profile)', headers));
  }

  refuseTicket(address: string, message: string): Refusal {
    return this.#refuseUnchecked(address, 'ticket', refusal('unauthenticated', message), 'limited');
  }

  /** Refuses a key that must not be used from this address. */
  refuseAddress(address: string): Refusal {
    this.#parts.metrics.count('auth_failures_total', 'address');
    return refusal('forbidden', `the signing key may not be used from ${address}`);
  }

  bucketViews(keyId: string, address: string): readonly BucketView[] {
    const now = this.#nowMs();
    return [...this.#limits.views(keyId, now), ...this.#failures.views(keyId, address, now)];
  }

  /** The `RateLimit` headers of an address, for answers to callers that named no key. */
  addressHeaders(address: string): readonly Header[] {
    return this.#failures.addressHeaders(address, this.#nowMs());
  }

  forgetKeys(isRevoked: (keyId: string) => boolean): void {
    this.#limits.forget(isRevoked);
    this.#failures.forget(isRevoked);
  }

  /** Refuses a request before its signature is checked. An address above its rate gets no reasons; its other callers are not affected. */
  #refuseUnchecked(address: string, reason: AuthFailureReason, why: Refusal, beyond: ApiErrorKind): Refusal {
    const now = this.#nowMs();
    this.#parts.metrics.count('auth_failures_total', reason);
    if (this.#failures.countRefused(address, now)) return withHeaders(why, this.addressHeaders(address));
    this.#parts.metrics.count('rate_limited_total', 'refusedRequests');
    return refusal(beyond, TOO_MANY_REFUSED, [
      ...this.addressHeaders(address),
      this.#failures.addressRetryAfter(address, now),
    ]);
  }

  #refuse(caller: Claimant, reason: AuthFailureReason, message: string): Result<never, Refusal> {
    const now = this.#nowMs();
    this.#parts.metrics.count('auth_failures_total', reason);
    this.#failures.countFailure(caller, now);
    return fail(refusal('unauthenticated', message, this.#failures.callerHeaders(caller, now)));
  }
}

function withHeaders(why: Refusal, headers: readonly Header[]): Refusal {
  return { ...why, headers: [...headers, ...(why.headers ?? [])] };
}

const TOO_MANY_REFUSED =
  'too many requests from this address were refused before any check (failedChecks of the rate profile)';
const TOO_MANY_FAILED =
  'too many failed checks under this signing key from this address (failedChecks of the rate profile, provenFailedChecksPerS)';

const SIGNED_HEADERS = Object.values(SIGNING_HEADERS);

/** By interface §7 rule 2, a 4xx means that the request must change. A submission over a limit need not change. */
function limitKind(bucket: Bucket): ApiErrorKind {
  return bucket === 'submissions' ? 'unavailable' : 'limited';
}

const POOL_WORDS = {
  BUSY: 'too many signature checks are waiting (poolTasksMax): nothing was done',
  FAULT: 'the signature could not be checked: nothing was done',
} as const;

/**
 * The time that a timestamp is compared with. In a backtest callers sign by any clock: theirs does not know the recording's speed (ADR
 * 0028).
 */
function referenceTimeOf(timestamp: string): UnixMillis {
  return (playedTimers === null ? Date.now() : Number(timestamp) * 1_000) as UnixMillis;
}
