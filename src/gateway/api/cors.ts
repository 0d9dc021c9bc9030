// Lets pages of the origins in CROSSBOOK_CORS_ORIGINS call the API (the Fetch standard, CORS protocol). Requests stay signed: no cookie or
// other credential of the browser counts. Main thread.

import type { Header, InboundRequest, Reply } from '../../core/net/listen.ts';

/** Headers that callers send. */
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
/** Headers that a page may read beside those that it always may: all that the contract names. */
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
/** How long a browser may remember the answer to a preflight: the most that one takes. */
const PREFLIGHT_AGE_S = 7_200;

/** The answer depends on the origin: a shared cache must know. */
const VARY: Header = ['Vary', 'Origin'];

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Without the setting no answer has a header of it. */
  get isOff(): boolean {
    return this.#origins.size === 0;
  }

  /** Headers of each answer. */
  headersFor(request: InboundRequest): readonly Header[] {
    const origin = request.header('origin');
    if (!this.#origins.has(origin)) return [VARY];
    return [VARY, ['Access-Control-Allow-Origin', origin], ['Access-Control-Expose-Headers', ANSWER_HEADERS]];
  }

  /**
   * The answer to a browser's preflight request. `methods` are those of the route. Null if the request is no preflight, or comes from
   * another origin.
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
