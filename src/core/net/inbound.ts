// The types of inbound HTTP and WebSockets: the arguments of a handler, and its results. listen.ts implements them. Listening thread.

import type { Soon } from '../domain/soon.ts';
import type { HeaderName } from './header-names.ts';

/** A request, as it outlives its native object. */
export interface InboundRequest {
  /** The method as it was sent. Only upper-case methods reach a route. */
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The raw query, without `?`. Empty if the request has no query. */
  readonly query: string;
  /** The path and `?query`, byte for byte as they were sent. Printable ASCII only: the listener refuses any other target. */
  readonly target: string;
  /** The address of the caller: IPv4 dotted, IPv6 as in RFC 5952, IPv4-mapped IPv6 as IPv4; `unix` on the Unix socket. */
  readonly remoteAddress: string;
  /** The body. Empty if the request has no body. */
  readonly body: Uint8Array;
  /**
   * Returns the value of a header by its lower-case name: empty if the header is absent, joined by `, ` if it is repeated. The value is
   * decoded as UTF-8. uWebSockets.js trims spaces, tabs and bytes above 0x7F at both ends.
   */
  header(name: HeaderName): string;
  /**
   * Returns the first of the headers, by lower-case names, that the request has more than once. Returns null if it repeats none of them.
   */
  repeatedOf(names: readonly HeaderName[]): string | null;
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

/** A reply that handlers return instead of an answer: it drops the connection without an answer, as a failing network does. */
export const NO_ANSWER: Reply = { status: 0, contentType: '', body: '' };

/** Takes the answer to one request, once; later calls do nothing. */
export interface Answering {
  answer(reply: Reply): void;
  /** States that the handler has failed. */
  failed(error: unknown): void;
}

/**
 * Handles a request. `parameters` are the parameters of the path, percent-decoded. A reply that is returned synchronously is sent
 * synchronously. Undefined means that the handler gives its reply to `answering`, now or later, without a promise.
 */
export type Handle = (
  request: InboundRequest,
  parameters: readonly string[],
  answering: Answering,
) => Soon<Reply> | undefined;

export interface HttpRoute {
  /** The method of the route. `head` answers HEAD, without the body of the reply. */
  readonly method: 'get' | 'head' | 'post' | 'put' | 'delete';
  /** A pattern of uWebSockets.js: `/a/:b`. `*` matches the rest. */
  readonly pattern: string;
  /** True for a route with answers that do not depend on the request. Only the request's end is read; the handler gets an empty request. */
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
  /** Answers a request whose handler threw or rejected. */
  failed(request: InboundRequest, error: unknown): Reply;
}

/** One accepted WebSocket. Every method does nothing once the connection has closed. */
export interface Connection<Context> {
  readonly context: Context;
  /** Sends one frame; returns false if it was dropped at the hard backpressure bound. */
  send(frame: Uint8Array | string, isBinary: boolean): boolean;
  /** Sends a ping control frame; `payload`: at most 125 bytes. */
  ping(payload: string): void;
  /** Packs all frames that `task` sends into as few writes as possible. */
  batch(task: () => void): void;
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  /** Returns the bytes that we have sent and the kernel has not taken yet. */
  bufferedBytes(): number;
  /**
   * Sends a close frame (RFC 6455 §7.4) after unsent data, or cuts the connection if the peer does not read the data in time. From now on
   * only the connection's topics send, and nothing is received. The route's `close` follows at the end.
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
  /** The number of unsent bytes above which frames to this connection are dropped. */
  readonly unsentBytesMax: number;
  /** The seconds of silence after which the connection closes: 8 to 960; 0 means never. The listener itself sends pings. */
  readonly idleTimeoutS: number;
  /**
   * Accepts or refuses a connection. The decision is synchronous, because a later upgrade by uWebSockets.js is unreliable. Corked, as the
   * package recommends, it sometimes closes a stream. Uncorked, it prints a warning for each upgrade (docs/adr/0006).
   */
  accept(request: InboundRequest): Acceptance<Context>;
  /** Answers a GET without an upgrade. If this handler is absent, the answer is route not found. */
  notUpgraded?(request: InboundRequest): Reply | Promise<Reply>;
  open(connection: Connection<Context>): void;
  /** Hears a frame. `frame` is borrowed: valid until the handler returns. */
  message(connection: Connection<Context>, frame: Uint8Array, isBinary: boolean): void;
  /** Hears that frames to this connection were just dropped at `unsentBytesMax`. */
  dropped?(connection: Connection<Context>): void;
  /** Hears that the kernel took unsent data. */
  drain(connection: Connection<Context>): void;
  close(connection: Connection<Context>, code: number): void;
}
