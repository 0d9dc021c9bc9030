// Encodes a request in one piece, for one write. Refuses values that could change the request: a line break in a header
// starts another header. Any thread.

import { limits } from '../../limits.ts';
import { BoundedMap } from '../domain/bounded-map.ts';
import type { OutboundRequest } from './outbound.ts';

export interface WireRequest {
  readonly data: string | Buffer;
  /** Byte length of a string. */
  readonly encoding: 'latin1' | 'utf8';
  /** The answer to HEAD has no body, though its headers may announce one. */
  readonly isHead: boolean;
}

export type WireResult =
  | { readonly type: 'wire'; readonly request: WireRequest }
  /** Contains no header value: it may be a credential. */
  | { readonly type: 'refused'; readonly message: string };

const TARGET = /^\/[\x21-\x7e]*$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** These headers decide where a request ends and which server gets it. */
const RESERVED = /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer)$/i;

/** The lines of each head for one server, behind method and target. `host`: value of the Host header. */
export function headBeginning(host: string): string {
  return ` HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`;
}

/** `beginning`: by `headBeginning`. */
export function wireRequest(beginning: string, request: OutboundRequest): WireResult {
  const { method, target, body } = request;
  if (!TARGET.test(target)) return refused('its target is not a path in printable ASCII');
  let head = `${method} ${target}${beginning}`;
  const headers = typeof request.headers === 'function' ? request.headers() : request.headers;
  for (const name in headers) {
    const objection = objectionTo(name);
    if (objection !== '') return refused(objection);
    const value = headers[name]!;
    if (!VALUE.test(value)) return refused(`header ${name} is not printable ASCII`);
    head += `${name}: ${value}\r\n`;
  }
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  // Servers expect a length with methods that usually have a body (RFC 9110 §8.6).
  if (bodyBytes > 0 || method === 'POST' || method === 'PUT') head += `Content-Length: ${bodyBytes}\r\n`;
  head += '\r\n';
  const isHead = method === 'HEAD';
  if (typeof body !== 'string')
    return { type: 'wire', request: { data: joined(head, body), encoding: 'latin1', isHead } };
  const encoding = bodyBytes === body.length ? 'latin1' : 'utf8';
  return { type: 'wire', request: { data: head + body, encoding, isHead } };
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

function joined(head: string, body: Uint8Array): Buffer {
  const data = Buffer.allocUnsafe(head.length + body.length);
  data.write(head, 'latin1');
  data.set(body, head.length);
  return data;
}

function refused(message: string): WireResult {
  return { type: 'refused', message };
}
