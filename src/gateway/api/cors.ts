// Lets web pages of the origins in CROSSBOOK_CORS_ORIGINS call the API (the Fetch standard, CORS protocol). Requests stay signed: the
// browser's cookies and other credentials do not count. Main thread.

import type { Header, InboundRequest, Reply } from '../../core/net/listen.ts';

/** The headers that callers send. */
const REQUEST_HEADERS = [
  'Content-Type',
  'Idempotency-Key',
  'SVC-Content-Sha256',
  'SVC-Key-Id',
  'SVC-Not-After-Millis',
  'SVC-Signature',
  'SVC-Timestamp',
  'SVC-Timing',
  'X-API-Key',
].join(', ');
/** The headers of answers that a page may read beside the headers that it may always read: all that the contract names. */
const ANSWER_HEADERS = [
  'Allow',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'SVC-Current',
  'SVC-Pod-Owner',
  'SVC-Recorded',
  'SVC-Request-Id',
  'SVC-Server-Time',
  'SVC-Venue-Budget',
].join(', ');
/** How long a browser may remember the answer to a preflight request. No browser accepts a longer time. */
const PREFLIGHT_AGE_S = 7_200;

/** Tells shared caches that the answer depends on the origin. */
const VARY: Header = ['Vary', 'Origin'];

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Whether the setting is absent. If so, no answer gets CORS headers. */
  get isOff(): boolean {
    return this.#origins.size === 0;
  }

  /** The CORS headers of an answer to the request. */
  headersFor(request: InboundRequest): readonly Header[] {
    const origin = request.header('origin');
    if (!this.#origins.has(origin)) return [VARY];
    return [VARY, ['Access-Control-Allow-Origin', origin], ['Access-Control-Expose-Headers', ANSWER_HEADERS]];
  }

  /**
   * The answer to a browser's preflight request. `methods` are the methods of the route. Returns null if the request is no preflight, or
   * comes from an origin that is not allowed.
   */
  preflight(request: InboundRequest, methods: string): Reply | null {
    const isAsked = request.method === 'OPTIONS' && request.header('access-control-request-method') !== '';
    if (!isAsked || !this.#origins.has(request.header('origin'))) return null;
    const headers: readonly Header[] = [
      ['Access-Control-Allow-Methods', methods],
      ['Access-Control-Allow-Headers', REQUEST_HEADERS],
      ['Access-Control-Max-Age', String(PREFLIGHT_AGE_S)],
    ];
    return { status: 200, contentType: 'application/json', body: '{}', headers };
  }
}
