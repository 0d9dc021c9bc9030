// The vocabulary of inbound HTTP and WebSockets: what a handler is given, and what it gives back. listen.ts makes it true.
// Whatever thread listens.

/** What is left of a request after its native object is gone. */
export interface InboundRequest {
  /** As sent; only upper-case methods reach a route. */
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Raw query, without `?`; empty if none. */
  readonly query: string;
  /** Path and `?query` byte for byte as sent. Printable ASCII: anything else was refused. */
  readonly target: string;
  /** IPv4 dotted, IPv6 as in RFC 5952, IPv4-mapped IPv6 as IPv4; `unix` on the Unix socket. */
  readonly remoteAddress: string;
  /** Empty if there is none. */
  readonly body: Uint8Array;
  /**
   * Value of a header by lower-case name: empty if absent, joined by `, ` if repeated. Read as UTF-8. uWebSockets.js has
   * cut spaces, tabs and bytes above 0x7F from both ends.
   */
  header(name: string): string;
  isRepeated(name: string): boolean;
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

/** Instead of an answer: the connection is dropped without a word, as a network does that fails. */
export const NO_ANSWER: Reply = { status: 0, contentType: '', body: '' };

/** `parameters`: of the path, percent-decoded. */
export type Handle = (request: InboundRequest, parameters: readonly string[]) => Reply | Promise<Reply>;

export interface HttpRoute {
  /** `head`: the body of the reply is left out. */
  readonly method: 'get' | 'head' | 'post' | 'put' | 'delete';
  /** uWebSockets.js pattern: `/a/:b`. `*` matches the rest. */
  readonly pattern: string;
  /** For answers that depend on nothing: of the request is read only where it ends, and the handler is given an empty one. */
  readonly isBare?: true;
  /** A reply that is returned at once goes out at once, without a promise. */
  handle(request: InboundRequest, parameters: readonly string[]): Reply | Promise<Reply>;
}

/** What is said to requests that no handler answers. */
export interface Refusals {
  notFound(request: InboundRequest): Reply;
  /** `allow` goes into the `Allow` header by itself. */
  methodNotAllowed(request: InboundRequest, allow: string): Reply;
  /** The request cannot be understood; `problem` names the part and the rule. A bare 400 in its absence. */
  malformed?(request: InboundRequest, problem: string): Reply;
  bodyTooLarge(request: InboundRequest): Reply;
  /** The handler threw or rejected. */
  failed(request: InboundRequest, error: unknown): Reply;
}

/** One accepted WebSocket. Every method is harmless after the connection has closed. */
export interface Connection<Context> {
  readonly context: Context;
  /** Sends one frame; returns false if it was dropped at the hard backpressure bound. */
  send(frame: Uint8Array | string, isBinary: boolean): boolean;
  /** Packs every send of `task` into as few writes as possible. */
  batch(task: () => void): void;
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  /** Bytes handed over but not yet taken by the kernel. */
  bufferedBytes(): number;
  /**
   * Says goodbye with a close code (RFC 6455 §7.4) behind what is unsent, or cuts the connection where that is not read in time. Nothing is
   * sent or heard from now on but what its topics bring; `close` of the route follows when it is over.
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
  /** Frames beyond this much unsent data are dropped for that connection. */
  readonly unsentBytesMax: number;
  /** Seconds of silence before the connection is closed: 0 (never) or 8 to 960. Pings are sent by themselves. */
  readonly idleTimeoutS: number;
  /** A client that leaves while a promise is pending is forgotten: neither `open` nor `close` follows. */
  /**
   * Decides at once: uWebSockets.js cannot be trusted with a later upgrade. Corked, as it recommends, it closes a stream now
   * and then; not corked, it prints a warning for each (docs/adr/0006).
   */
  accept(request: InboundRequest): Acceptance<Context>;
  /** Answers a GET that asks for no upgrade; without it that is a route not found. */
  notUpgraded?(request: InboundRequest): Reply | Promise<Reply>;
  open(connection: Connection<Context>): void;
  /** `frame` is borrowed: valid until the handler returns. */
  message(connection: Connection<Context>, frame: Uint8Array, isBinary: boolean): void;
  /** Frames to this connection were dropped at `unsentBytesMax` a moment ago. */
  dropped?(connection: Connection<Context>): void;
  /** Unsent data went down. */
  drain(connection: Connection<Context>): void;
  close(connection: Connection<Context>, code: number): void;
}
