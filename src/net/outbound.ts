// Outbound HTTP/1.1 for orders: keep-alive connections of one origin, and an outcome that says whether a request may have had an
// effect. A request is sent at most once. outbound-pool.ts makes it true. Any thread.

export type OutboundHeaders = Readonly<Record<string, string>>;

export interface OutboundRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, as sent. */
  readonly target: string;
  /**
   * Printable ASCII. Host, Connection and Content-Length are the pool's. A function is called as the request leaves: what is dated or
   * signed does not age while it waits for a connection.
   */
  readonly headers: OutboundHeaders | (() => OutboundHeaders);
  /** Empty: none. */
  readonly body: string | Uint8Array;
  /** It goes ahead of all that wait, and may have the connections that are kept free for such. */
  readonly isUrgent?: boolean;
  /** From now on: it may wait so long for a connection, and is not sent later. */
  readonly sendWithinMs?: number;
}

/** Of a 408 nobody knows whether it is to this request: servers also end idle connections with it, as one may be under way. */
export interface OutboundAnswer {
  readonly type: 'answer';
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export type OutboundOutcome =
  | OutboundAnswer
  /** No byte of it has left: there was no connection, and none could be made in time. */
  | { readonly type: 'not-sent'; readonly message: string }
  /** Some of it may have left, and no whole answer came. */
  | { readonly type: 'lost'; readonly message: string }
  /** No answer by the deadline; the connection is dropped, so that no late answer is taken for another. */
  | { readonly type: 'timeout'; readonly message: string };

export interface OutboundPool {
  /** Never rejects. `timeoutMs` bounds everything, waiting for a connection included. */
  request(request: OutboundRequest, timeoutMs: number): Promise<OutboundOutcome>;
  /** Sees that at least so many connections are open, before they are needed; resolves when they are or cannot be had. */
  warmUp(connections: number): Promise<void>;
  /** What waits is not sent; what is under way still gets its outcome, and then the promise resolves. */
  close(): Promise<void>;
}

/**
 * What befalls connections: opened and closed, could not be made, ended under a request, given up with a request that had no
 * answer in time.
 */
export type OutboundEvent = 'opened' | 'closed' | 'unreachable' | 'lost' | 'timeout';

export interface OutboundPoolOptions {
  /** `https://host[:port]` or `http://…`. */
  readonly origin: string;
  readonly connectionsMax: number;
  /** Of these, kept free for what is urgent. */
  readonly connectionsKept?: number;
  /** A connection idle for longer is closed by us, before the other side closes it under a request. */
  readonly idleMs: number;
  /** Of a body. */
  readonly answerBytesMax: number;
  /** PEM: who may vouch for the server, instead of the authorities that Node knows. */
  readonly authorities?: string;
  readonly count?: (event: OutboundEvent) => void;
}
