// What of uWebSockets.js' objects this folder uses, so that only listen.ts needs the package. A request is valid until its
// handler returns, a response until it is answered or aborted; touching either later ends the process.
// Whatever thread listens.

export interface NativeRequest {
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  /** Undefined without `?`, though its typings deny that. */
  getQuery(): string | undefined;
  /** By lower-case name, empty if absent: the first one if repeated. */
  getHeader(name: string): string;
  getParameter(index: number): string | undefined;
  forEach(visit: (name: string, value: string) => void): void;
  /** Passes the request on to the next route that matches. */
  setYield(isPassedOn: boolean): unknown;
}

export interface NativeResponse {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** Sends all of the body and keeps what the kernel does not take. */
  end(body: string | Uint8Array, closesConnection: boolean): unknown;
  /** Sends what was written so far as an answer that has no body, without a `Content-Length` of its own. */
  endWithoutBody(): unknown;
  /** Sends what the kernel takes of the body from the present offset on. Returns [nothing is stuck, all of it is sent]. */
  tryEnd(body: string | Uint8Array, totalBytes: number): readonly [boolean, boolean];
  /** `offset`: body bytes sent so far. The handler returns whether nothing is stuck. */
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  /** `chunk` is borrowed: valid until the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** Packs the writes of `task` into one. Handlers run corked already; whatever comes later does not. */
  cork(task: () => void): unknown;
  /** Drops the connection. */
  close(): unknown;
  getRemoteAddress(): ArrayBuffer;
}

export interface NativeSocket {
  /** 2: dropped at the backpressure bound. */
  send(frame: Uint8Array | string, isBinary: boolean): number;
  cork(task: () => void): unknown;
  subscribe(topic: string): boolean;
  unsubscribe(topic: string): boolean;
  getBufferedAmount(): number;
  end(code: number, reason: string): void;
  close(): void;
}
