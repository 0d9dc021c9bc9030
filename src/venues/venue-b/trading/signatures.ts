// The signed headers of an account's requests to venue B's REST: from a stock for new orders and cancels, made at sending for all others. A
// signature covers time, method and path, and no body (venue-b.md §2). Each is used once. No two have the same time, since Ed25519 would
// give equal signatures. They are in memory only, and are renewed while the account is active. The thread that sends orders.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { VenueBHeaders, VenueBSign, VenueBSignAhead } from '../auth.ts';
import { BATCHES, ORDERS } from './order-body.ts';

interface SignatureStockParts {
  /** Signs on the calling thread. `timestampMs`: Unix milliseconds. */
  readonly sign: (timestampMs: number) => VenueBHeaders;
  /** Signs for the stock. Calls `done` now or later; with null if signing failed. */
  readonly signAhead: (timestampMs: number, done: (headers: VenueBHeaders | null) => void) => void;
  /** Runs `task` once the orders of this turn have been sent. A timer would wake the thread once more. */
  readonly soon: (task: () => void) => void;
  readonly timers: Timers;
}

interface Signature {
  readonly headers: VenueBHeaders;
  /** Unix milliseconds. */
  readonly signedAt: number;
}

/** This thread's renewed stocks. */
const renewed = new Set<SignatureStock>();

export class SignatureStock {
  readonly #parts: SignatureStockParts;
  /** Signatures in the order of their making; at most `venueBSignaturesMax` and those in the making. */
  readonly #ready: Signature[] = [];
  #inMaking = 0;
  /** The clock's second of the latest use, its uses so far, and those of the second before. */
  #second = 0;
  #taken = 0;
  #takenBefore = 0;
  #isTakenFrom = false;
  #isRenewing = false;
  /** True if the stock is renewed at the end of this turn. */
  #isDue = false;
  /** Times of the latest signatures, in the order of signing. Unix milliseconds. */
  readonly #dates = new Set<number>();
  /** All dates from the first to the last have a signature. With more than a signature a millisecond these are hundreds. */
  #firstOfRun = 0;
  #lastOfRun = -1;
  #activeAt = Number.NEGATIVE_INFINITY;
  #wake: { readonly at: number; readonly cancel: () => void } | null = null;

  constructor(parts: SignatureStockParts) {
    this.#parts = parts;
  }

  /** Headers of a request that leaves now; signed now if none is ready. Call `keep` once it has left. */
  take(): VenueBHeaders {
    const now = this.#parts.timers.now();
    this.#isTakenFrom = true;
    this.#countUntil(now);
    this.#taken += 1;
    for (let next = this.#ready.shift(); next !== undefined; next = this.#ready.shift()) {
      if (isYounger(next, now, limits.venueBSignatureAgeMsMax)) return next.headers;
    }
    return this.anew();
  }

  /** Headers that are signed now, even if others are ready. */
  anew(): VenueBHeaders {
    const { timers, sign } = this.#parts;
    return sign(this.#dateOf(timers.now()));
  }

  /** The account is active now, by `elapsed`: fills the stock soon, and renews it from now on. */
  keep(elapsedMs = this.#parts.timers.elapsed()): void {
    this.#activeAt = elapsedMs;
    renewed.add(this);
    if (renewed.size > limits.venueBSignatureStocksMax) this.#longestIdle().close();
    const isFilled = this.#wake !== null || this.#inMaking > 0;
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
    this.#parts.soon(this.#renewIfKept);
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
    const room = limits.venueBSignaturesInMakingMax - this.#inMaking;
    this.#isRenewing = true;
    for (let count = Math.min(missing, room); count > 0; count -= 1) this.#make(this.#dateOf(now));
    this.#isRenewing = false;
    // Signatures that were made at once leave room for more, in the next turn.
    if (missing > room && this.#inMaking === 0) this.#renewSoon();
    const oldest = this.#ready.find(it => isYounger(it, now, limits.venueBSignatureRenewMs));
    if (oldest !== undefined) this.#wakeAfter(oldest.signedAt + limits.venueBSignatureRenewMs - now);
  }

  /** How many signatures to make: half of a second's use, plus one. So none gets old while many are used. */
  #missing(now: number): number {
    this.#countUntil(now);
    const taken = Math.max(this.#taken, this.#takenBefore);
    let missing = Math.min(limits.venueBSignaturesMax, 1 + Math.floor(taken / 2)) - this.#inMaking;
    for (const { signedAt } of this.#ready)
      if (signedAt <= now && now - signedAt < limits.venueBSignatureRenewMs) missing -= 1;
    return missing;
  }

  /** Begins to count anew if the clock's second is another. */
  #countUntil(now: number): void {
    const second = Math.floor(now / SECOND_MS);
    if (second === this.#second) return;
    this.#takenBefore = second === this.#second + 1 ? this.#taken : 0;
    this.#taken = 0;
    this.#second = second;
  }

  /** The latest millisecond without a signature; now, if too many before it have one. */
  #dateOf(now: number): number {
    let date = now;
    while (this.#dates.has(date)) date = this.#isInRun(date) ? this.#firstOfRun - 1 : date - 1;
    if (now - date > limits.venueBSignatureAgeMsMax / 2) return now;
    this.#dates.add(date);
    if (date === this.#firstOfRun - 1) this.#firstOfRun = date;
    else if (date === this.#lastOfRun + 1) this.#lastOfRun = date;
    else this.#firstOfRun = this.#lastOfRun = date;
    if (this.#dates.size > limits.venueBSignatureDatesMax) this.#forget(this.#dates.values().next().value!);
    return date;
  }

  #isInRun(date: number): boolean {
    return date >= this.#firstOfRun && date <= this.#lastOfRun;
  }

  #forget(date: number): void {
    this.#dates.delete(date);
    if (this.#isInRun(date)) this.#firstOfRun = date + 1;
  }

  #make(signedAt: number): void {
    this.#inMaking += 1;
    this.#parts.signAhead(signedAt, headers => {
      this.#inMaking -= 1;
      if (!renewed.has(this)) return;
      if (headers === null) this.#wakeAfter(limits.venueBSignatureRenewMs);
      else {
        this.#ready.push({ headers, signedAt });
        if (!this.#isRenewing) this.#renewSoon();
      }
    });
  }
}

/** Compares by the clock that dated the signature: a clock that was set makes it too old, or dates it in the future. */
function isYounger({ signedAt }: Signature, now: number, ageMs: number): boolean {
  return signedAt <= now && now - signedAt < ageMs;
}

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Requests of one method and path, and their signatures. */
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
  /** An account that sends orders also needs cancels. */
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
      return { method, path, stock: new SignatureStock({ sign, signAhead: ahead, soon, timers }) };
    });
  }

  /** Headers of a request that leaves now. `path` is relative to the base, with its query. */
  headers(method: RestMethod, path: string): VenueBHeaders {
    return this.#stockOf(method, path)?.take() ?? this.#signed(method, path);
  }

  /** Renews the stocks, once such a request has left and there is time. */
  renew(method: RestMethod, path: string): void {
    if (this.#stockOf(method, path) === null) return;
    const elapsedMs = this.#parts.timers.elapsed();
    for (const { stock } of this.#stocks) stock.keep(elapsedMs);
  }

  /** Like `headers`, with a signature that is made now. */
  anew(method: RestMethod, path: string): VenueBHeaders {
    return this.#stockOf(method, path)?.anew() ?? this.#signed(method, path);
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
