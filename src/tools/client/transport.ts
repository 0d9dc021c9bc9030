// The port between the client and HTTP, and the transport by `fetch` for every runtime. The one of node-client.ts is faster. One contract
// suite tests both. Portable.

import { fail, ok, type Result } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';

export interface WireRequest {
  /** Origin of another gateway, which owns the key's pod; null: the transport's own. */
  readonly owner: string | null;
  /** The method in upper case. */
  readonly method: string;
  /** Path and query as the URL standard writes them: the signature covers them. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; empty if there is none. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Bounds the time from connecting to the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number;
}

export interface WireAnswer {
  readonly status: number;
  /** Value of a header by lower-case name; empty if absent. */
  header(name: string): string;
  /** Null if longer than `clientAnswerBytesMax`. */
  readonly text: string | null;
}

/** There was no answer, or an incomplete one. */
export interface NoAnswer {
  /** Whether the gateway certainly did not get the request. */
  readonly isUnsent: boolean;
  readonly message: string;
}

/**
 * Sends one request, once; the caller decides on repetitions. Never rejects. Does not follow redirects. `fetch` itself sends a request again
 * after a 421, which did nothing.
 */
export type Transport = (request: WireRequest) => Promise<Result<WireAnswer, NoAnswer>>;

/** `url`: the origin of the gateway. */
export function fetchTransport(url: string): Transport {
  const { origin } = new URL(url);
  return async ({ owner, method, target, headers, body, timeoutMs }) => {
    try {
      const response = await fetch((owner ?? origin) + target, {
        method,
        headers,
        body: body.length === 0 ? null : body,
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        credentials: 'omit',
      });
      const text = await readText(response);
      return ok({ status: response.status, header: name => response.headers.get(name) ?? '', text });
    } catch (error) {
      return noAnswer(error, timeoutMs);
    }
  };
}

async function readText(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > limits.clientAnswerBytesMax) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function noAnswer(error: unknown, timeoutMs: number): Result<never, NoAnswer> {
  if (fieldOf(error, 'name') === 'TimeoutError') {
    return fail({ isUnsent: false, message: `no answer within ${timeoutMs} ms` });
  }
  // Node's `fetch` says "fetch failed"; the cause says why. After several addresses there are several causes.
  const cause = fieldOf(error, 'cause') ?? error;
  const causes = fieldOf(cause, 'errors') ?? [cause];
  const isUnsent = Array.isArray(causes) && causes.every(isConnectFailure);
  const words = [fieldOf(cause, 'message'), fieldOf(cause, 'code'), fieldOf(error, 'message')];
  return fail({ isUnsent, message: words.find(isText) ?? String(error) });
}

/** Only Node reports that no connection was made; in a browser any request may have been sent. */
function isConnectFailure(error: unknown): boolean {
  const syscall = fieldOf(error, 'syscall');
  return syscall === 'connect' || syscall === 'getaddrinfo' || fieldOf(error, 'code') === 'UND_ERR_CONNECT_TIMEOUT';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
