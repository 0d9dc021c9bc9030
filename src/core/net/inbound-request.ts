// Copies and checks a request before its native object dies. Refuses ambiguous requests that the parser of uWebSockets.js lets through:
// repeated lengths, and transfer codings that the parser ignores. Listening thread.

import type { InboundRequest } from './inbound.ts';
import type { NativeRequest } from './native.ts';

const NO_BODY = new Uint8Array(0);
/** The announced length of a chunked body: the length is unknown until the body ends. */
export const CHUNKED = -1;

const PRINTABLE = /^[\x21-\x7e]*$/;
const DIGITS = /^\d{1,15}$/;

/** The slots of all headers that our code has asked for so far, by lower-case name. Our code names these headers, so they are few. */
const SLOTS = new Map<string, number>();

export class CopiedRequest implements InboundRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly target: string;
  readonly remoteAddress: string;
  body: Uint8Array = NO_BODY;
  /** The values of headers, by slot. */
  readonly #values = new Array<string | undefined>(SLOTS.size);
  /** The headers without a slot: name, value, name, value. */
  readonly #others: string[] = [];
  /** The names of headers with a slot that the request has more than once. */
  readonly #repeated: string[] = [];
  /** The number of slots when the request came. The headers of later slots are in `#others`. */
  readonly #slots = SLOTS.size;

  constructor(native: NativeRequest, remoteAddress: string) {
    const query = native.getQuery();
    native.forEach((name, value) => {
      const slot = SLOTS.get(name);
      if (slot === undefined) this.#others.push(name, value);
      else if (this.#values[slot] === undefined) this.#values[slot] = value;
      else this.#put(slot, name, value);
    });
    this.method = native.getCaseSensitiveMethod();
    this.path = native.getUrl();
    this.query = query ?? '';
    this.target = query === undefined ? this.path : `${this.path}?${query}`;
    this.remoteAddress = remoteAddress;
  }

  header(name: string): string {
    const slot = SLOTS.get(name);
    const known = slot === undefined || slot >= this.#slots ? this.#slotOf(name) : slot;
    return this.#values[known] ?? '';
  }

  repeatedOf(names: readonly string[]): string | null {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index]!;
      const slot = SLOTS.get(name);
      // The first look-up of a name also finds whether the request repeats it.
      if (slot === undefined || slot >= this.#slots) this.#slotOf(name);
      if (this.#repeated.includes(name)) return name;
    }
    return null;
  }

  has(name: string): boolean {
    return this.#values[this.#slotOf(name)] !== undefined;
  }

  #put(slot: number, name: string, value: string): void {
    const before = this.#values[slot];
    this.#values[slot] = before === undefined ? value : `${before}, ${value}`;
    if (before !== undefined) this.#repeated.push(name);
  }

  /** Returns the slot of a name. Makes the slot if the name has none. */
  #slotOf(name: string): number {
    const slot = SLOTS.get(name) ?? SLOTS.size;
    if (slot < this.#slots || this.#values[slot] !== undefined) return slot;
    SLOTS.set(name, slot);
    for (let at = 0; at < this.#others.length; at += 2)
      if (this.#others[at] === name) this.#put(slot, name, this.#others[at + 1]!);
    return slot;
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

const HOST = ['host'];

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
