// Outbound HTTP/1.1 for orders: keep-alive connections of one origin. The outcome says whether a request may have had an effect. A
// request is sent at most once. outbound-pool.ts implements it. Any thread.

export type OutboundHeaders = Readonly<Record<string, string>>;

/** Values by lower-case name. */
export type AnswerHeaders = Pick<ReadonlyMap<string, string>, 'get'>;

export interface OutboundRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, as sent. */
  readonly target: string;
  /**
   * Printable ASCII. The pool sets Host, Connection and Content-Length. A function is called as the request leaves, so that a
   * timestamp or signature does not age in the queue.
   */
  readonly headers: OutboundHeaders | (() => OutboundHeaders);
  /** The body; empty if there is none. */
  readonly body: string | Uint8Array;
  /** An urgent request goes ahead of all waiting requests, and may use the reserved connections. */
  readonly isUrgent?: boolean;
  /** Milliseconds from now: longest wait for a connection; after that it is not sent. */
  readonly sendWithinMs?: number;
}

/** A 408 may not answer this request: servers also close idle connections with one, and it may cross a request. */
export interface OutboundAnswer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** From UTF-8. */
  readonly body: string;
}

export type OutboundOutcome =
  | OutboundAnswer
  /** Nothing was sent: no connection was available in time. */
  | { readonly type: 'not-sent'; readonly message: string }
  /** Some of the request may have been sent, and no complete answer came. */
  | { readonly type: 'lost'; readonly message: string }
  /** No answer came by the deadline. The connection is dropped, so that a late answer is not taken for another. */
  | { readonly type: 'timeout'; readonly message: string };

export interface OutboundPool {
  /** Never rejects. `timeoutMs` covers everything, the wait for a connection included. */
  request(request: OutboundRequest, timeoutMs: number): Promise<OutboundOutcome>;
  /** Does the same as `request`, and calls `done` once, now or later. `done` must not throw. */
  send(request: OutboundRequest, timeoutMs: number, done: (outcome: OutboundOutcome) => void): void;
  /** Opens at least so many connections in advance. Resolves when they are open or have failed. */
  warmUp(connections: number): Promise<void>;
  /** Fails waiting requests. Requests in flight still get their outcomes; then the promise resolves. */
  close(): Promise<void>;
}

/** Counts of connections: opened, closed, failed to open, ended under a request, dropped at a request's timeout. */
export type OutboundEvent = 'opened' | 'closed' | 'unreachable' | 'lost' | 'timeout';

export interface OutboundPoolOptions {
  /** An origin as `https://host[:port]` or `http://…`. */
  readonly origin: string;
  readonly connectionsMax: number;
  /** The number of these connections that are reserved for urgent requests. */
  readonly connectionsKept?: number;
  /** We close a connection idle for longer, before the server closes it under a request. */
  readonly idleMs: number;
  /** The most bytes of a body. */
  readonly answerBytesMax: number;
  /** PEM: the certificate authorities to trust, instead of Node's own. */
  readonly authorities?: string;
  /** A request waits for this promise before it counts as asked. The promise never rejects; null: the request does not wait. */
  readonly before?: (request: OutboundRequest) => Promise<void> | null;
  readonly count?: (event: OutboundEvent) => void;
  /** Gets the time from each answered request written to its answer read, in microseconds. */
  readonly measure?: (method: OutboundRequest['method'], durationUs: number) => void;
}
