// Copies and checks a request before its native object dies. Refuses ambiguous requests that the parser of uWebSockets.js lets through:
// repeated lengths, and transfer codings that the parser ignores. Listening thread.

import { HEADER_NAMES, type HeaderName, ORDER_HEADERS } from './header-names.ts';
import type { InboundRequest } from './inbound.ts';
import type { NativeRequest } from './native.ts';

const NO_BODY = new Uint8Array(0);
/** The announced length of a chunked body: the length is unknown until the body ends. */
export const CHUNKED = -1;

const PRINTABLE = /^[\x21-\x7e]*$/;
const DIGITS = /^\d{1,15}$/;

const SLOTS = new Map<string, number>(HEADER_NAMES.map((name, slot) => [name, slot]));
const NOTHING: readonly string[] = [];

export class CopiedRequest implements InboundRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly target: string;
  readonly remoteAddress: string;
  body: Uint8Array = NO_BODY;
  /** The values of headers, by slot. */
  readonly #values = new Array<string | undefined>(ORDER_HEADERS);
  /** The names of headers that the request has more than once. */
  #repeated = NOTHING;

  constructor(native: NativeRequest, remoteAddress: string) {
    const query = native.getQuery();
    native.forEach((name, value) => {
      const slot = SLOTS.get(name);
      if (slot === undefined) return;
      const before = this.#values[slot];
      this.#values[slot] = before === undefined ? value : `${before}, ${value}`;
      if (before !== undefined) this.#repeated = [...this.#repeated, name];
    });
    this.method = native.getCaseSensitiveMethod();
    this.path = native.getUrl();
    this.query = query ?? '';
    this.target = query === undefined ? this.path : `${this.path}?${query}`;
    this.remoteAddress = remoteAddress;
  }

  header(name: HeaderName): string {
    return this.#values[SLOTS.get(name)!] ?? '';
  }

  has(name: HeaderName): boolean {
    return this.#values[SLOTS.get(name)!] !== undefined;
  }

  repeatedOf(names: readonly HeaderName[]): string | null {
    if (this.#repeated.length === 0) return null;
    return names.find(name => this.#repeated.includes(name)) ?? null;
  }
}

/**
 * Returns the path's parameters, percent-decoded (RFC 3986 §2.4). A parameter that cannot be decoded stays as it was sent, and names
 * nothing.
 */
export function parametersOf(native: NativeRequest, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => decoded(native.getParameter(index) ?? ''));
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const HOST: readonly HeaderName[] = ['host'];

/** Returns the length of the body in bytes, `CHUNKED` if the length is unknown yet, or the reason why the request is refused. */
export function announcedBytes(request: CopiedRequest): number | string {
  if (!PRINTABLE.test(request.target)) return 'request target: must be printable ASCII, other bytes percent-encoded';
  if (request.repeatedOf(HOST) !== null) return 'Host: must be given once';
  if (request.has('transfer-encoding')) {
    // uWebSockets.js takes any other coding for chunked, and itself refuses a request with both lengths.
    const isChunked = request.header('transfer-encoding').toLowerCase() === 'chunked';
    return isChunked ? CHUNKED : 'Transfer-Encoding: must be chunked';
  }
  if (!request.has('content-length')) return 0;
  const length = request.header('content-length');
  return DIGITS.test(length) ? Number(length) : 'Content-Length: must be given once, in digits';
}

/** Whether the request announces no body and has one host, so that nothing needs a check. */
export function isSimple(native: NativeRequest): boolean {
  let hosts = 0;
  let hasBody = false;
  native.forEach(name => {
    if (name === 'host') hosts += 1;
    else if (name === 'content-length' || name === 'transfer-encoding') hasBody = true;
  });
  return hosts === 1 && !hasBody;
}

/** Returns the request of a bare route: this method and path, and nothing else. */
export function bareRequest(method: string, path: string): InboundRequest {
  return {
    method,
    path,
    query: '',
    target: path,
    remoteAddress: '',
    body: NO_BODY,
    header: () => '',
    repeatedOf: () => null,
  };
}
