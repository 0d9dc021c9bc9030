// Writes a request in one piece, for one system call. Refuses values that could change the request: a line break in a header
// starts another header. Any thread.

import { limits } from '../../limits.ts';
import { BoundedMap } from '../domain/bounded-map.ts';
import type { OutboundRequest } from './outbound.ts';

const TARGET = /^\/[\x21-\x7e]*$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** These headers decide where a request ends and which server gets it. */
const RESERVED = /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer)$/i;

/** Memory for the usual request, and the most that is kept for the next. */
const KEPT_BYTES_MIN = 4 * 1024;
const KEPT_BYTES_MAX = 64 * 1024;
/** Room for the bytes of a head that are neither target nor headers. */
const FRAME_BYTES = 64;
const NOTHING = Buffer.alloc(0);

/** The lines of each head for one server, behind method and target. `host`: value of the Host header. */
export function headBeginning(host: string): string {
  return ` HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`;
}

/** The requests of one connection, one after the other, in memory that it keeps. */
export class RequestWriter {
  readonly #beginning: string;
  #bytes = NOTHING;
  /** The view of the latest request: the next is often as long. */
  #written = NOTHING;

  /** `beginning`: by `headBeginning`. */
  constructor(beginning: string) {
    this.#beginning = beginning;
  }

  /** The bytes, until the next call; or why it must not be sent. That contains no header value: it may be a credential. */
  write({ method, target, headers: given, body }: OutboundRequest): Buffer | string {
    const headers = typeof given === 'function' ? given() : given;
    const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    let bytes = FRAME_BYTES + target.length + this.#beginning.length + bodyBytes;
    if (!TARGET.test(target)) return 'its target is not a path in printable ASCII';
    for (const name in headers) {
      const objection = objectionTo(name);
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

/** Objections to names that were asked for: our code has few, and asks for them with each request. */
const objections = new BoundedMap<string, string>(limits.outboundNamesRememberedMax);

/** Empty if a caller may send a header of this name. */
function objectionTo(name: string): string {
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
