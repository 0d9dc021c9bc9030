// Outbound HTTP/1.1 for orders: keep-alive connections of one origin, and an outcome that says whether a request may have had an
// effect. A request is sent at most once. outbound-pool.ts makes it true. Any thread.

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  readonly body: string | Uint8Array;
}

export type OutboundOutcome =
  | {
      readonly type: 'answer';
      readonly status: number;
      /** By lower-case name. */
      readonly headers: ReadonlyMap<string, string>;
      readonly body: Uint8Array;
    }
  /** No byte of it has left: there was no connection, and none could be made in time. */
  | { readonly type: 'not-sent'; readonly message: string }
  /** Some of it may have left, and no whole answer came. */
  | { readonly type: 'lost'; readonly message: string }
  /** No answer by the deadline; the connection is dropped, so that no late answer is taken for another. */
  | { readonly type: 'timeout'; readonly message: string };

export interface OutboundPool {
  /** Never rejects. `timeoutMs` bounds everything, waiting for a connection included. */
  request(request: OutboundRequest, timeoutMs: number): Promise<OutboundOutcome>;
  /** Opens connections before they are needed; resolves when they are there or cannot be had. */
  warmUp(connections: number): Promise<void>;
  close(): Promise<void>;
}

export interface OutboundPoolOptions {
  /** `https://host[:port]` or `http://…`. */
  readonly origin: string;
  readonly connectionsMax: number;
  /** A connection idle for longer is closed by us, before the other side closes it under a request. */
  readonly idleMs: number;
  readonly answerBytesMax: number;
}
