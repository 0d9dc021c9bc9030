// Types of inbound HTTP and WebSockets: the arguments of a handler, and its results. listen.ts implements them. Listening thread.

import type { Later } from '../domain/result.ts';

/** The request as it outlives its native object. */
export interface InboundRequest {
  /** The method as sent; only upper-case methods reach a route. */
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Raw query, without `?`; empty if none. */
  readonly query: string;
  /** Path and `?query` byte for byte as sent. Printable ASCII only: the listener refuses anything else. */
  readonly target: string;
  /** IPv4 dotted, IPv6 as in RFC 5952, IPv4-mapped IPv6 as IPv4; `unix` on the Unix socket. */
  readonly remoteAddress: string;
  /** Empty if there is none. */
  readonly body: Uint8Array;
  /**
   * Value of a header by lower-case name: empty if absent, joined by `, ` if repeated. Decoded as UTF-8. uWebSockets.js trims spaces, tabs
   * and bytes above 0x7F at both ends.
   */
  header(name: string): string;
  /** The first of the headers that was given more than once, by lower-case names; null if none was. */
  repeatedOf(names: readonly string[]): string | null;
}

export type Header = readonly [name: string, value: string];

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: readonly Header[];
  /** Ends the connection after this answer. */
  readonly closes?: boolean;
}

/** Returned instead of an answer: drops the connection without a reply, as a failing network does. */
export const NO_ANSWER: Reply = { status: 0, contentType: '', body: '' };

/** Takes the answer to one request, once; later calls do nothing. */
export interface Answering {
  answer(reply: Reply): void;
  /** The handler has failed. */
  failed(error: unknown): void;
}

/**
 * `parameters` are those of the path, percent-decoded. A reply that is returned synchronously is sent synchronously. Undefined: the handler
 * gives it to `answering`, now or later, without a promise.
 */
export type Handle = (
  request: InboundRequest,
  parameters: readonly string[],
  answering: Answering,
) => Later<Reply> | undefined;

export interface HttpRoute {
  /** `head`: answers HEAD, without the body of the reply. */
  readonly method: 'get' | 'head' | 'post' | 'put' | 'delete';
  /** uWebSockets.js pattern: `/a/:b`. `*` matches the rest. */
  readonly pattern: string;
  /** True for answers that do not depend on the request. Only the request's end is read; the handler gets an empty one. */
  readonly isBare?: true;
  readonly handle: Handle;
}

/** Answers to requests that no handler answers. */
export interface Refusals {
  notFound(request: InboundRequest): Reply;
  /** The listener adds the `Allow` header from `allow`. */
  methodNotAllowed(request: InboundRequest, allow: string): Reply;
  /** Answers a malformed request; `problem` names the part and the rule. Without this handler the answer is a bare 400. */
  malformed?(request: InboundRequest, problem: string): Reply;
  bodyTooLarge(request: InboundRequest): Reply;
  /** The handler threw or rejected. */
  failed(request: InboundRequest, error: unknown): Reply;
}

/** One accepted WebSocket. Every method does nothing once the connection has closed. */
export interface Connection<Context> {
  readonly context: Context;
  /** Sends one frame; returns false if it was dropped at the hard backpressure bound. */
  send(frame: Uint8Array | string, isBinary: boolean): boolean;
  /** Sends a ping control frame; `payload`: at most 125 bytes. */
  ping(payload: string): void;
  /** Packs all sends of `task` into as few writes as possible. */
  batch(task: () => void): void;
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  /** Bytes sent by us and not yet taken by the kernel. */
  bufferedBytes(): number;
  /**
   * Sends a close frame (RFC 6455 §7.4) after unsent data, or cuts the connection if the peer does not read it in time. From now on only
   * its topics send, and nothing is received. The route's `close` follows at the end.
   */
  end(code: number, reason: string): void;
  /** Drops the connection without a close frame. */
  terminate(): void;
}

export type Acceptance<Context> =
  | { readonly context: Context; readonly subprotocol: string; readonly headers?: readonly Header[] }
  | { readonly refusal: Reply };

export interface SocketRoute<Context> {
  readonly pattern: string;
  readonly messageBytesMax: number;
  /** Unsent bytes above which frames to that connection are dropped. */
  readonly unsentBytesMax: number;
  /** Seconds of silence after which the connection closes: 0 (never) or 8 to 960. The listener sends pings by itself. */
  readonly idleTimeoutS: number;
  /**
   * Decides synchronously: a later upgrade by uWebSockets.js is unreliable. Corked, as it recommends, it sometimes closes a stream.
   * Uncorked, it prints a warning for each (docs/adr/0006).
   */
  accept(request: InboundRequest): Acceptance<Context>;
  /** Answers a GET without an upgrade; if absent, the answer is route not found. */
  notUpgraded?(request: InboundRequest): Reply | Promise<Reply>;
  open(connection: Connection<Context>): void;
  /** `frame` is borrowed: valid until the handler returns. */
  message(connection: Connection<Context>, frame: Uint8Array, isBinary: boolean): void;
  /** Frames to this connection were just dropped at `unsentBytesMax`. */
  dropped?(connection: Connection<Context>): void;
  /** The kernel took unsent data. */
  drain(connection: Connection<Context>): void;
  close(connection: Connection<Context>, code: number): void;
}
