// Copies and checks a request before its native object dies. Refuses ambiguous requests that the parser of
// uWebSockets.js lets through: repeated lengths, transfer codings that it ignores. Listening thread.

import type { InboundRequest } from './inbound.ts';
import type { NativeRequest } from './native.ts';

const NO_BODY = new Uint8Array(0);
/** The length of a chunked body is unknown until it ends. */
export const CHUNKED = -1;

const PRINTABLE = /^[\x21-\x7e]*$/;
const DIGITS = /^\d{1,15}$/;

export class CopiedRequest implements InboundRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly target: string;
  readonly remoteAddress: string;
  body: Uint8Array = NO_BODY;
  /** Name, value, name, value: the usual ten headers cost less so than as a map. */
  readonly #headers: readonly string[];

  constructor(native: NativeRequest, remoteAddress: string) {
    const query = native.getQuery();
    const headers: string[] = [];
    native.forEach((name, value) => {
      headers.push(name, value);
    });
    this.method = native.getCaseSensitiveMethod();
    this.path = native.getUrl();
    this.query = query ?? '';
    this.target = query === undefined ? this.path : `${this.path}?${query}`;
    this.remoteAddress = remoteAddress;
    this.#headers = headers;
  }

  header(name: string): string {
    const first = this.#find(name, 0);
    if (first < 0) return '';
    let value = this.#headers[first + 1]!;
    for (let next = this.#find(name, first + 2); next >= 0; next = this.#find(name, next + 2)) {
      value += `, ${this.#headers[next + 1]}`;
    }
    return value;
  }

  isRepeated(name: string): boolean {
    const first = this.#find(name, 0);
    return first >= 0 && this.#find(name, first + 2) >= 0;
  }

  has(name: string): boolean {
    return this.#find(name, 0) >= 0;
  }

  #find(name: string, from: number): number {
    for (let index = from; index < this.#headers.length; index += 2) if (this.#headers[index] === name) return index;
    return -1;
  }
}

/** The path's parameters, percent-decoded (RFC 3986 §2.4). A parameter that cannot be decoded stays as sent, and names nothing. */
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

/** Length of the body in bytes (`CHUNKED` if unknown yet), or why the request is refused. */
export function announcedBytes(request: CopiedRequest): number | string {
  if (!PRINTABLE.test(request.target)) return 'request target: must be printable ASCII, other bytes percent-encoded';
  if (request.isRepeated('host')) return 'Host: must be given once';
  if (request.has('transfer-encoding')) {
    // uWebSockets.js takes any other coding for chunked, and refuses both lengths at once.
    const isChunked = request.header('transfer-encoding').toLowerCase() === 'chunked';
    return isChunked ? CHUNKED : 'Transfer-Encoding: must be chunked';
  }
  if (!request.has('content-length')) return 0;
  const length = request.header('content-length');
  return DIGITS.test(length) ? Number(length) : 'Content-Length: must be given once, in digits';
}

/** Whether it announces no body and has one host, so that nothing needs a check. */
export function isSimple(native: NativeRequest): boolean {
  let hosts = 0;
  let hasBody = false;
  native.forEach(name => {
    if (name === 'host') hosts += 1;
    else if (name === 'content-length' || name === 'transfer-encoding') hasBody = true;
  });
  return hosts === 1 && !hasBody;
}

/** The request of a bare route: this method and path, and nothing else. */
export function bareRequest(method: string, path: string): InboundRequest {
  return {
    method,
    path,
    query: '',
    target: path,
    remoteAddress: '',
    body: NO_BODY,
    header: () => '',
    isRepeated: () => false,
  };
}
