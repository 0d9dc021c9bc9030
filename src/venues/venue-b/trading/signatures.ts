// The signed headers of an account's requests to venue B's REST. Signatures of new orders and cancels come from a stock that is made in
// advance; all others are made at sending. A signature covers time, method and path, but no body (venue-b.md §2). Each signature is used
// once. No two have the same time, because Ed25519 would give equal signatures. Signatures are in memory only, and the stock is renewed
// while the account is active. The thread that sends orders.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { VenueBHeaders, VenueBSign, VenueBSignAhead } from '../auth.ts';
import { BATCHES, ORDERS } from './order-body.ts';

interface SignatureStockParts {
  /** Signs on the calling thread. `timestampMs` is in Unix milliseconds. */
  readonly sign: (timestampMs: number) => VenueBHeaders;
  /** Signs for the stock. Calls `done` now or later, with null if signing failed. */
  readonly signAhead: (timestampMs: number, done: (headers: VenueBHeaders | null) => void) => void;
  /** Runs `task` once the orders of this turn have been sent. This is not a timer, because a timer would wake the thread once more. */
  readonly defer: (task: () => void) => void;
  readonly timers: Timers;
}

interface Signature {
  readonly headers: VenueBHeaders;
  /** The time of the signature in Unix milliseconds. */
  readonly signedAt: number;
}

/**
 * The times of the latest signatures, in Unix milliseconds, as runs without a gap: more than a thousand signatures a second fill every
 * millisecond.
 */
class SignatureDates {
  /** The bounds of the runs, in ascending sequence. There is a gap between two runs. */
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  #count = 0;

  /** Takes and returns the latest millisecond without a signature, or returns `now` if too many milliseconds before it have one. */
  take(now: number): number {
    const [firsts, lasts] = [this.#firsts, this.#lasts];
    let behind = firsts.length;
    while (behind > 0 && firsts[behind - 1]! > now) behind -= 1;
    const date = behind > 0 && lasts[behind - 1]! >= now ? firsts[behind - 1]! - 1 : now;
    if (now - date > limits.venueBSignatureAgeMsMax / 2) return now;
    // The place of the first run behind the date.
    const next = date === now ? behind : behind - 1;
    const joinsNext = firsts[next] === date + 1;
    const joinsLast = next > 0 && lasts[next - 1] === date - 1;
    if (joinsNext) firsts[next] = date;
    if (joinsLast) lasts[next - 1] = date;
    if (joinsNext && joinsLast) {
      firsts.splice(next, 1);
      lasts.splice(next - 1, 1);
    }
    if (!joinsNext && !joinsLast && next === firsts.length) {
      firsts.push(date);
      lasts.push(date);
    } else if (!joinsNext && !joinsLast) {
      firsts.splice(next, 0, date);
      lasts.splice(next, 0, date);
    }
    this.#count += 1;
    if (this.#count > limits.venueBSignatureDatesMax) this.#forget(now);
    return date;
  }

  /** Forgets the date that is the furthest from now. */
  #forget(now: number): void {
    const [firsts, lasts] = [this.#firsts, this.#lasts];
    const end = lasts.length - 1;
    this.#count -= 1;
    if (lasts[end]! - now > now - firsts[0]!) {
      lasts[end]! -= 1;
      if (firsts[end]! <= lasts[end]!) return;
      firsts.pop();
      lasts.pop();
    } else {
      firsts[0]! += 1;
      if (firsts[0]! <= lasts[0]!) return;
      firsts.shift();
      lasts.shift();
    }
  }
}

/** The stocks of this thread that are being renewed. */
const renewed = new Set<SignatureStock>();

export class SignatureStock {
  readonly #parts: SignatureStockParts;
  /**
   * The signatures that are ready, in the sequence in which they were made. With those in the making, there are at most
   * `venueBSignaturesMax`.
   */
  readonly #ready: Signature[] = [];
  #pending = 0;
  /** The second of the latest use, by the clock. `#taken` counts the uses in this second, `#takenBefore` those in the second before. */
  #second = 0;
  #taken = 0;
  #takenBefore = 0;
  #isTakenFrom = false;
  #isRenewing = false;
  /** Whether the stock is renewed at the end of this turn. */
  #isDue = false;
  readonly #dates = new SignatureDates();
  #activeAt = Number.NEGATIVE_INFINITY;
  #wake: { readonly at: number; readonly cancel: () => void } | null = null;

  constructor(parts: SignatureStockParts) {
    this.#parts = parts;
  }

  /**
   * Returns the headers of a request that leaves now. They are signed now if no signature is ready. Call `keep` once the request has left.
   */
  take(): VenueBHeaders {
    const now = this.#parts.timers.now();
    this.#isTakenFrom = true;
    this.#countUntil(now);
    this.#taken += 1;
    for (let next = this.#ready.shift(); next !== undefined; next = this.#ready.shift()) {
      if (isYounger(next, now, limits.venueBSignatureAgeMsMax)) return next.headers;
    }
    return this.signNow();
  }

  /** Returns headers that are signed now, even if others are ready. */
  signNow(): VenueBHeaders {
    const { timers, sign } = this.#parts;
    return sign(this.#dates.take(timers.now()));
  }

  /** Notes that the account is active at `elapsedMs`: the stock is filled soon, and renewed from now on. */
  keep(elapsedMs = this.#parts.timers.elapsed()): void {
    this.#activeAt = elapsedMs;
    renewed.add(this);
    if (renewed.size > limits.venueBSignatureStocksMax) this.#longestIdle().close();
    const isFilled = this.#wake !== null || this.#pending > 0;
    if (!isFilled || this.#isTakenFrom) this.#renewSoon();
    this.#isTakenFrom = false;
  }

  #longestIdle(): SignatureStock {
    return [...renewed].reduce((idle, it) => (it.#activeAt < idle.#activeAt ? it : idle));
  }

  /** Drops all signatures and makes no more until the next `keep`. */
  close(): void {
    renewed.delete(this);
    this.#ready.length = 0;
    this.#wake?.cancel();
    this.#wake = null;
  }

  #wakeAfter(delayMs: number): void {
    const { timers } = this.#parts;
    const at = timers.elapsed() + delayMs;
    if (this.#wake !== null && this.#wake.at <= at) return;
    this.#wake?.cancel();
    const cancel = timers.after(delayMs, () => {
      this.#wake = null;
      this.#renew();
    });
    this.#wake = { at, cancel };
  }

  #renewSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#parts.defer(this.#renewIfKept);
  }

  readonly #renewIfKept = (): void => {
    this.#isDue = false;
    if (renewed.has(this)) this.#renew();
  };

  #renew(): void {
    const { timers } = this.#parts;
    if (timers.elapsed() - this.#activeAt > limits.venueBSignatureIdleMs) {
      this.close();
      return;
    }
    const now = timers.now();
    while (this.#ready.length > 0 && !isYounger(this.#ready[0]!, now, limits.venueBSignatureAgeMsMax))
      this.#ready.shift();
    const missing = this.#missing(now);
    const room = limits.venueBSignaturesInMakingMax - this.#pending;
    this.#isRenewing = true;
    for (let count = Math.min(missing, room); count > 0; count -= 1) this.#make(this.#dates.take(now));
    this.#isRenewing = false;
    // If all signatures were made at once, there is room for more in the next turn.
    if (missing > room && this.#pending === 0) this.#renewSoon();
    for (let index = 0; index < this.#ready.length; index += 1) {
      const oldest = this.#ready[index]!;
      if (!isYounger(oldest, now, limits.venueBSignatureRenewMs)) continue;
      this.#wakeAfter(oldest.signedAt + limits.venueBSignatureRenewMs - now);
      return;
    }
  }

  /**
   * Returns the number of signatures to make. The stock has half of a second's use, plus one, so that no signature gets old while many are
   * used.
   */
  #missing(now: number): number {
    this.#countUntil(now);
    const taken = Math.max(this.#taken, this.#takenBefore);
    let missing = Math.min(limits.venueBSignaturesMax, 1 + Math.floor(taken / 2)) - this.#pending;
    for (const { signedAt } of this.#ready)
      if (signedAt <= now && now - signedAt < limits.venueBSignatureRenewMs) missing -= 1;
    return missing;
  }

  /** Starts a new count if the clock shows another second. */
  #countUntil(now: number): void {
    const second = Math.floor(now / SECOND_MS);
    if (second === this.#second) return;
    this.#takenBefore = second === this.#second + 1 ? this.#taken : 0;
    this.#taken = 0;
    this.#second = second;
  }

  #make(signedAt: number): void {
    this.#pending += 1;
    this.#parts.signAhead(signedAt, headers => {
      this.#pending -= 1;
      if (!renewed.has(this)) return;
      if (headers === null) this.#wakeAfter(limits.venueBSignatureRenewMs);
      else {
        this.#ready.push({ headers, signedAt });
        if (!this.#isRenewing) this.#renewSoon();
      }
    });
  }
}

/**
 * Whether a signature is younger than `ageMs`, by the clock that dated it. If that clock was set, the signature seems too old, or to be
 * from the future.
 */
function isYounger({ signedAt }: Signature, now: number, ageMs: number): boolean {
  return signedAt <= now && now - signedAt < ageMs;
}

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A method and path, with the stock of signatures for such requests. */
interface KindOfRequest {
  readonly method: RestMethod;
  readonly path: string;
  readonly stock: SignatureStock;
}

interface VenueBSignaturesParts {
  /** An address such as `https://…/trade-api/v2`, without a trailing slash. */
  readonly restUrl: string;
  readonly sign: VenueBSign;
  readonly signAhead: VenueBSignAhead;
  readonly timers: Timers;
}

export class VenueBSignatures {
  readonly #parts: VenueBSignaturesParts;
  /** The stocks of new orders and cancels. They are kept together, because an account that sends orders also needs cancels. */
  readonly #stocks: readonly KindOfRequest[];

  constructor(parts: VenueBSignaturesParts) {
    this.#parts = parts;
    const { restUrl, signAhead, timers } = parts;
    const kinds = [
      ['POST', ORDERS],
      ['POST', BATCHES],
      ['DELETE', BATCHES],
    ] as const;
    const soon = (task: () => void): void => void setImmediate(task);
    this.#stocks = kinds.map(([method, path]) => {
      const url = new URL(restUrl + path);
      const sign = (timestampMs: number): VenueBHeaders => parts.sign(method, url, timestampMs);
      const ahead = (timestampMs: number, done: (headers: VenueBHeaders | null) => void): void =>
        signAhead(method, url, timestampMs, done);
      return { method, path, stock: new SignatureStock({ sign, signAhead: ahead, defer: soon, timers }) };
    });
  }

  /** Returns the headers of a request that leaves now. `path` is relative to the base and includes the query. */
  headers(method: RestMethod, path: string): VenueBHeaders {
    return this.#stockOf(method, path)?.take() ?? this.#signed(method, path);
  }

  /**
   * Renews the stocks as soon as there is time, if a request of this method and path uses one of them. Call this once the request has left.
   */
  renew(method: RestMethod, path: string): void {
    if (this.#stockOf(method, path) === null) return;
    const elapsedMs = this.#parts.timers.elapsed();
    for (let index = 0; index < this.#stocks.length; index += 1) this.#stocks[index]!.stock.keep(elapsedMs);
  }

  /** Like `headers`, with a signature that is made now. */
  signNow(method: RestMethod, path: string): VenueBHeaders {
    return this.#stockOf(method, path)?.signNow() ?? this.#signed(method, path);
  }

  /** Drops the signatures made in advance. */
  close(): void {
    for (const { stock } of this.#stocks) stock.close();
  }

  #stockOf(method: RestMethod, path: string): SignatureStock | null {
    for (const it of this.#stocks) if (it.path === path && it.method === method) return it.stock;
    return null;
  }

  #signed(method: RestMethod, path: string): VenueBHeaders {
    const { restUrl, sign, timers } = this.#parts;
    return sign(method, restUrl + path, timers.now());
  }
}
