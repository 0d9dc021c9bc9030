// The port between the client and HTTP. fetch-transport.ts works in every runtime, node-transport.ts is the fast one for
// bots on Node, over TCP, TLS or a Unix domain socket. One contract suite runs on both. Portable.

import type { Result } from '../domain/result.ts';

export interface WireRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query, already as the URL standard writes them: they are signed. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where there is none. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Bounds everything from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface WireAnswer {
  readonly status: number;
  /** Value of a header by lower-case name; empty if absent. */
  header(name: string): string;
  /** Null if it is longer than `clientAnswerBytesMax`. */
  readonly text: string | null;
}

/** No answer, or not all of it. */
export interface NoAnswer {
  /** Whether it is certain that the gateway did not get the request. */
  readonly isUnsent: boolean;
  readonly message: string;
}

/** Sends one request, once: a repetition is the caller's decision. Never rejects. Redirects are not followed. */
export type Transport = (request: WireRequest) => Promise<Result<WireAnswer, NoAnswer>>;
