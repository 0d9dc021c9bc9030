// A route of venue A's REST as its handler sees it. The handler gets a request of an authenticated caller, and returns a reply in the
// venue's words. server.ts does everything else.

import {
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { type Header, jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits, type RateLimit } from '../../../limits.ts';

/** An API key and the wallet that made it (venue-a.md §1). */
export interface Caller {
  readonly apiKey: string;
  /** The checksummed address of the key's owner, who signs orders. */
  readonly address: string;
}

export interface Call {
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** The JSON of the body. Undefined if the body is absent or no JSON. */
  readonly body: unknown;
  /** The lag of private reads, in milliseconds. */
  readonly staleMs: number;
}

interface RouteCommon {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
}

/** A request that a wallet signs itself. */
type L1Call = Call & { readonly address: string; readonly nonce: bigint };
/** A request that is signed with an API key. */
export type PrivateCall = Call & { readonly caller: Caller };

export type VenueARoute = RouteCommon &
  (
    | { readonly access: 'public'; handle(call: Call): Reply }
    | { readonly access: 'relayer'; handle(call: Call): Reply }
    | { readonly access: 'l1'; handle(call: L1Call): Reply }
    | { readonly access: 'l2'; handle(call: PrivateCall): Reply }
  );
type Method = VenueARoute['method'];

export function publicGet(path: string, handle: (call: Call) => Reply): VenueARoute {
  return { method: 'get', path, access: 'public', handle };
}

export function publicPost(path: string, handle: (call: Call) => Reply): VenueARoute {
  return { method: 'post', path, access: 'public', handle };
}

/** Makes a route for a POST to the relayer, which takes a key of the relayer or a builder's credentials. */
export function relayed(path: string, handle: (call: Call) => Reply): VenueARoute {
  return { method: 'post', path, access: 'relayer', handle };
}

export function l1(method: Method, path: string, handle: (call: L1Call) => Reply): VenueARoute {
  return { method, path, access: 'l1', handle };
}

export function l2(method: Method, path: string, handle: (call: PrivateCall) => Reply): VenueARoute {
  return { method, path, access: 'l2', handle };
}

export interface VenueAError {
  readonly status: number;
  readonly body: { readonly error: string } & Readonly<Record<string, string | number>>;
  readonly headers?: readonly Header[];
}

export const INVALID_API_KEY = errorReply(401, 'Unauthorized/Invalid api key');
export const INVALID_L1_HEADERS = errorReply(401, 'Invalid L1 Request headers');
export const MARKET_NOT_FOUND = errorReply(404, 'market not found');
export const NO_ORDER_BOOK = errorReply(404, 'No orderbook exists for the requested token id');
export const INVALID_TOKEN_ID = errorReply(400, 'Invalid token id');
export const INVALID_PAYLOAD = errorReply(400, 'Invalid payload');

export function errorReply(status: number, error: string): Reply {
  return jsonReply(status, { error });
}

export function replyOf({ status, body, headers = [] }: VenueAError): Reply {
  return { ...jsonReply(status, body), headers };
}

export function ok(value: unknown): Reply {
  return jsonReply(200, value);
}

/** Returns the reply of the venue's edge, which has texts of its own. */
export function edgeReply(status: number): Reply {
  return errorReply(status, EDGE_TEXTS.get(status) ?? (status < 500 ? 'Bad Request' : 'Internal Server Error'));
}

/** `retryAfterS` is the number of seconds until the caller may try again. */
export function tooManyRequests(retryAfterS: number, headers: readonly Header[] = []): Reply {
  return { ...edgeReply(429), headers: [['Retry-After', String(retryAfterS)], ...headers] };
}

const EDGE_TEXTS: ReadonlyMap<number, string> = new Map([
  [401, 'Unauthorized/Invalid api key'],
  [403, 'Trading restricted in your region'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [413, 'Payload Too Large'],
  [425, 'Too Early'],
  [429, 'Too Many Requests'],
  [500, 'could not insert order'],
  [502, 'Bad Gateway'],
  [503, 'Trading is currently disabled. Check polymarket.com for updates'],
  [504, 'Gateway Timeout'],
]);

const START = 'MA==';
const END = 'LTE=';
const INVALID_CURSOR = errorReply(400, 'Invalid next_cursor');

/** Returns one page of `rows`. It reads no row beyond the page, except the next one. */
export function pageReply<Row>(
  rows: Iterable<Row>,
  query: URLSearchParams,
  rowsPerPageMax: number,
  view: (row: Row) => unknown,
): Reply {
  const start = startOf(query.get('next_cursor'));
  if (start === null) return INVALID_CURSOR;
  const data: unknown[] = [];
  let index = 0;
  let next = END;
  for (const row of rows) {
    if (data.length === rowsPerPageMax) {
      next = Buffer.from(String(index)).toString('base64');
      break;
    }
    if (index >= start) data.push(view(row));
    index += 1;
  }
  return ok({ limit: rowsPerPageMax, count: data.length, next_cursor: next, data });
}

/** Returns the only page of an empty list. */
export function emptyPage(rowsPerPageMax: number): Reply {
  return ok({ limit: rowsPerPageMax, count: 0, next_cursor: END, data: [] });
}

/** Returns the index of the page's first row. Null means an invalid cursor. A cursor beyond the end gives a page without rows. */
function startOf(cursor: string | null): number | null {
  if (cursor === null || cursor === '') return 0;
  if (cursor === START) return 0;
  const text = Buffer.from(cursor, 'base64').toString('latin1');
  if (text === '-1') return Number.MAX_SAFE_INTEGER;
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

const RATE_TIERS = {
  /** The limits that every signer has at the venue. */
  Standard: { orders: { perS: 40, burstMax: 60 }, cancels: { perS: 80, burstMax: 120 } },
  Elite: { orders: { perS: 600, burstMax: 900 }, cancels: { perS: 1_200, burstMax: 1_800 } },
  /** No limits, for tests of strategies and of load. */
  Unlimited: { orders: { perS: 1_000_000, burstMax: 1_000_000 }, cancels: { perS: 1_000_000, burstMax: 1_000_000 } },
} as const satisfies Readonly<Record<string, Readonly<Record<BucketName, RateLimit>>>>;

export type RateTier = keyof typeof RATE_TIERS;

type BucketName = 'orders' | 'cancels';

interface Bucket {
  level: number;
  /** The time at which `level` was computed. */
  atMs: number;
}

export class SignerLimits {
  readonly #tier: RateTier;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `now` returns the time in milliseconds. */
  constructor(tier: RateTier, now: () => number) {
    this.#tier = tier;
    this.#now = now;
  }

  /** Returns the answer of `act` if the signer has enough tokens, else a refusal. A cost above the bucket's capacity never succeeds. */
  replyIfWithinRate(name: BucketName, signer: string, cost: number, act: () => Reply): Reply {
    const limit = RATE_TIERS[this.#tier][name];
    const bucket = this.#bucketOf(name, signer, limit);
    if (bucket.level < cost) {
      const retryAfterS = Math.max(1, Math.ceil((cost - bucket.level) / limit.perS));
      return tooManyRequests(retryAfterS, this.#headers(bucket, limit));
    }
    bucket.level -= cost;
    const reply = act();
    return { ...reply, headers: [...(reply.headers ?? []), ...this.#headers(bucket, limit)] };
  }

  #bucketOf(name: BucketName, signer: string, { perS, burstMax }: RateLimit): Bucket {
    const key = `${name}|${signer}`;
    const nowMs = this.#now();
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      // A full bucket needs no entry, so the oldest entry is dropped.
      if (this.#buckets.size >= 2 * limits.paperApiKeysMax) this.#buckets.delete(this.#buckets.keys().next().value!);
      bucket = { level: burstMax, atMs: nowMs };
      this.#buckets.set(key, bucket);
    }
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.level = Math.min(burstMax, bucket.level + (passedMs * perS) / 1_000);
    bucket.atMs = nowMs;
    return bucket;
  }

  #headers({ level }: Bucket, { perS, burstMax }: RateLimit): Header[] {
    const remaining = Math.floor(level);
    const headers: Header[] = [
      ['Poly-RateLimit-Remaining', String(remaining)],
      ['Poly-RateLimit-Reset', String(Math.ceil((burstMax - level) / perS))],
      ['Poly-RateLimit-Tier', this.#tier.toLowerCase()],
    ];
    if (remaining < burstMax / 5) headers.push(['Poly-RateLimit-Warning', 'approaching limit']);
    return headers;
  }
}

/** Half a tick in millionths of a dollar. */
const HALF_TICK_MICROS = 50;

/** Writes dollars, such as `9.6`. Both dollars and shares have six decimals, so this uses the text of shares. */
export function dollarsText(amount: MicroDollars): string {
  return formatMicroShares(amount as number as MicroShares);
}

/** Writes the middle of two prices, such as `0.535`. `sum` is the sum of the two prices. */
export function middleText(sum: Ticks): string {
  return dollarsText((sum * HALF_TICK_MICROS) as MicroDollars);
}

/** Writes Unix seconds, such as `1790000000`. */
export function secondsText(at: UnixMillis): string {
  return String(secondsOf(at));
}

export function secondsOf(at: UnixMillis): number {
  return Math.floor(at / 1_000);
}

/** Writes a time such as `2026-05-08T20:00:00Z`. */
export function isoText(at: UnixMillis): string {
  return `${new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`;
}
