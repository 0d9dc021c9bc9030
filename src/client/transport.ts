// The port between the client and HTTP. fetch-transport.ts works in every runtime; node-transport.ts is faster, on Node. One
// contract suite tests both. Portable.

import type { Result } from '../domain/result.ts';

export interface WireRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query as the URL standard writes them: the signature covers them. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty without a body. */
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

/** No answer, or an incomplete one. */
export interface NoAnswer {
  /** Whether the gateway certainly did not get the request. */
  readonly isUnsent: boolean;
  readonly message: string;
}

/** Sends one request, once; the caller decides on repetitions. Never rejects. Does not follow redirects. */
export type Transport = (request: WireRequest) => Promise<Result<WireAnswer, NoAnswer>>;
