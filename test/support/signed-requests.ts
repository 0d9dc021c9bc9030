// Requests that are signed natively, as a caller signs them. A test may tamper with every part.

import { createHash } from 'node:crypto';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { canonicalString } from '../../src/core/auth/canonical.ts';
import { signNatively } from './sign-natively.ts';

/** The contents of a key file. */
export interface TestKey {
  readonly keyId: string;
  readonly seedHex: string;
}

export interface RequestParts {
  readonly body?: string | Uint8Array;
  readonly idempotencyKey?: string;
  readonly notAfter?: string;
  /** The time in Unix seconds. */
  readonly timestamp?: string;
}

/** Returns the headers of a signed request. `target` is the path and the query. */
export function signedHeaders(key: TestKey, method: string, target: string, parts: RequestParts = {}) {
  const { body = '', idempotencyKey = '', notAfter = '' } = parts;
  const timestamp = parts.timestamp ?? String(Math.floor(Date.now() / 1_000));
  const contentSha256 = createHash('sha256').update(body).digest('hex');
  const message = canonicalString({ method, target, timestamp, contentSha256, idempotencyKey, notAfter });
  const headers: Record<string, string> = {
    'SVC-Key-Id': key.keyId,
    'SVC-Timestamp': timestamp,
    'SVC-Signature': Buffer.from(signNatively(message, key.seedHex)).toString('base64'),
    'SVC-Content-Sha256': contentSha256,
  };
  if (idempotencyKey !== '') headers['Idempotency-Key'] = idempotencyKey;
  if (notAfter !== '') headers['SVC-Not-After-Millis'] = notAfter;
  return headers;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON. Undefined means that the body is not JSON. */
  readonly json: unknown;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** The source address on loopback. */
  readonly localAddress?: string;
  /** The path of a Unix socket, used instead of TCP. */
  readonly socketPath?: string;
}

/** Sends one request on a connection of its own, with the headers as given. */
export function send(url: string, { method = 'GET', headers = {}, body, ...where }: Sending = {}): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    // For a GET, node:http would send a body without a Content-Length.
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const all = { ...length, ...headers };
    const outgoing = request({ hostname, port, path: pathname + search, method, headers: all, agent: false, ...where });
    outgoing.once('error', reject);
    outgoing.once('response', response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', part => {
        text += part;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode!, headers: flat(response.headers), text, json: parsed(text) }),
      );
    });
    outgoing.end(body);
  });
}

/** Sends one signed request on a connection of its own. */
export function sendSigned(
  url: string,
  key: TestKey,
  { method = 'GET', headers, body, localAddress, socketPath, ...parts }: Sending & RequestParts = {},
): Promise<Answer> {
  const { pathname, search } = new URL(url);
  const given = body === undefined ? parts : { ...parts, body };
  const where = { ...(localAddress && { localAddress }), ...(socketPath && { socketPath }) };
  const all = { ...signedHeaders(key, method, pathname + search, given), ...headers };
  return send(url, { method, headers: all, ...(body === undefined ? {} : { body }), ...where });
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
