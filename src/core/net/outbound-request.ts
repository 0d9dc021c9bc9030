// Writes a request in one piece, for one system call. Refuses values that could change the request: a line break in a header would start
// another header. Any thread.

import { limits } from '../../limits.ts';
import { BoundedMap } from '../domain/bounded-map.ts';
import type { OutboundRequest } from './outbound.ts';

const TARGET = /^\/[\x21-\x7e]*$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** The headers that decide where a request ends and which server gets the request. */
const RESERVED = /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer)$/i;

/** The memory for the usual request, and the largest memory that is kept for the next request. */
const KEPT_BYTES_MIN = 4 * 1024;
const KEPT_BYTES_MAX = 64 * 1024;
/** The room for the bytes of a head that belong neither to the target nor to the headers. */
const FRAME_BYTES = 64;
const NOTHING = Buffer.alloc(0);

/** Returns the lines of each head for one server that follow method and target. `host` is the value of the Host header. */
export function headBeginning(host: string): string {
  return ` HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`;
}

/** Writes the requests of one connection, one after the other, in memory that it keeps. */
export class RequestWriter {
  readonly #beginning: string;
  #bytes = NOTHING;
  /** The view of the latest request. The next request often has the same length. */
  #written = NOTHING;

  /** `beginning` is a result of `headBeginning`. */
  constructor(beginning: string) {
    this.#beginning = beginning;
  }

  /**
   * Returns the bytes of a request, valid until the next call, or the reason why it must not be sent. The reason contains no header value,
   * which may be a credential.
   */
  write({ method, target, headers: given, body }: OutboundRequest): Buffer | string {
    const headers = typeof given === 'function' ? given() : given;
    const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    let bytes = FRAME_BYTES + target.length + this.#beginning.length + bodyBytes;
    if (!TARGET.test(target)) return 'its target is not a path in printable ASCII';
    for (const name in headers) {
      const objection = headerProblem(name);
      if (objection !== '') return objection;
      if (!VALUE.test(headers[name]!)) return `header ${name} is not printable ASCII`;
      bytes += name.length + headers[name]!.length + ': \r\n'.length;
    }
    if (bytes > this.#bytes.length || this.#bytes.length > KEPT_BYTES_MAX)
      this.#written = this.#bytes = Buffer.allocUnsafeSlow(Math.max(bytes, KEPT_BYTES_MIN));
    let at = this.#put(0, method, ' ', target, this.#beginning);
    for (const name in headers) at = this.#put(at, name, ': ', headers[name]!, '\r\n');
    // Servers expect a length with methods that usually have a body (RFC 9110 §8.6).
    if (bodyBytes > 0 || method === 'POST' || method === 'PUT')
      at = this.#put(at, 'Content-Length: ', String(bodyBytes), '\r\n\r\n');
    else at = this.#put(at, '\r\n');
    if (typeof body === 'string') this.#bytes.write(body, at);
    else this.#bytes.set(body, at);
    const end = at + bodyBytes;
    if (this.#written.length !== end) this.#written = this.#bytes.subarray(0, end);
    return this.#written;
  }

  /** Writes up to four texts of ASCII characters. Returns the end. */
  #put(from: number, first: string, second = '', third = '', fourth = ''): number {
    const bytes = this.#bytes;
    let at = from + bytes.write(first, from, 'latin1');
    if (second !== '') at += bytes.write(second, at, 'latin1');
    if (third !== '') at += bytes.write(third, at, 'latin1');
    if (fourth !== '') at += bytes.write(fourth, at, 'latin1');
    return at;
  }
}

/** The objections to header names so far. Our code has few names, and asks for them with each request. */
const objections = new BoundedMap<string, string>(limits.outboundNamesRememberedMax);

/** Returns the objection to a header name. Empty means that a caller may send a header of this name. */
function headerProblem(name: string): string {
  const known = objections.get(name);
  if (known !== undefined) return known;
  const isReserved = RESERVED.test(name);
  const objection = isReserved
    ? `header ${name} is not the caller's`
    : NAME.test(name)
      ? ''
      : 'a header name is not a token';
  objections.set(name, objection);
  return objection;
}
