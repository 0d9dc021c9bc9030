// Outbound HTTP/1.1 for orders, over keep-alive connections of one origin. The outcome says whether a request may have had an effect. A
// request is sent at most once. outbound-pool.ts implements this. Any thread.

export type OutboundHeaders = Readonly<Record<string, string>>;

/** The values of headers by lower-case name. */
export type AnswerHeaders = Pick<ReadonlyMap<string, string>, 'get'>;

export interface OutboundRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** The path and the query, as they are sent. */
  readonly target: string;
  /**
   * The headers, in printable ASCII. The pool sets Host, Connection and Content-Length. A function is called as the request leaves, so that
   * a timestamp or signature does not age in the queue.
   */
  readonly headers: OutboundHeaders | (() => OutboundHeaders);
  /** The body. Empty if the request has no body. */
  readonly body: string | Uint8Array;
  /** An urgent request goes ahead of all waiting requests, and may use the reserved connections. */
  readonly isUrgent?: boolean;
  /** The longest wait for a connection, in milliseconds from now. After this time the request is not sent. */
  readonly sendWithinMs?: number;
}

/** An answer. A 408 may not answer this request: servers also send a 408 when they close an idle connection, and it may cross a request. */
export interface OutboundAnswer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body as text, decoded from UTF-8. */
  readonly body: string;
}

export type OutboundOutcome =
  | OutboundAnswer
  /** Nothing was sent: no connection was available in time. */
  | { readonly type: 'not-sent'; readonly message: string }
  /** A part of the request may have been sent, and no complete answer came. */
  | { readonly type: 'lost'; readonly message: string }
  /** No answer came by the deadline. The connection is dropped, so that a late answer is not taken for the answer to another request. */
  | { readonly type: 'timeout'; readonly message: string };

export interface OutboundPool {
  /** Sends a request. Never rejects. `timeoutMs` covers everything, the wait for a connection included. */
  request(request: OutboundRequest, timeoutMs: number): Promise<OutboundOutcome>;
  /** Does the same as `request`, and calls `done` once, now or later. `done` must not throw. */
  send(request: OutboundRequest, timeoutMs: number, done: (outcome: OutboundOutcome) => void): void;
  /** Opens connections in advance, until at least `connections` exist. Resolves when they are open or have failed. */
  warmUp(connections: number): Promise<void>;
  /** Closes the pool. Waiting requests fail. Requests in flight still get their outcomes; then the promise resolves. */
  close(): Promise<void>;
}

/** The events of connections that are counted: opened, closed, failed to open, ended under a request, dropped at a request's timeout. */
export type OutboundEvent = 'opened' | 'closed' | 'unreachable' | 'lost' | 'timeout';

export interface OutboundPoolOptions {
  /** An origin as `https://host[:port]` or `http://…`. */
  readonly origin: string;
  readonly connectionsMax: number;
  /** The number of these connections that are reserved for urgent requests. */
  readonly connectionsKept?: number;
  /** The time after which we close an idle connection, before the server closes it under a request. */
  readonly idleMs: number;
  /** The largest number of bytes of a body. */
  readonly answerBytesMax: number;
  /** The certificate authorities to trust instead of Node's own, in PEM. */
  readonly authorities?: string;
  /**
   * Returns a promise for which the request waits before it counts as asked. The promise never rejects. Null means that the request does
   * not wait.
   */
  readonly before?: (request: OutboundRequest) => Promise<void> | null;
  readonly count?: (event: OutboundEvent) => void;
  /** Gets the time from the writing of each answered request to the reading of its answer, in microseconds. */
  readonly measure?: (method: OutboundRequest['method'], durationUs: number) => void;
}
