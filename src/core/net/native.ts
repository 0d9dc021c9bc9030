// The parts of uWebSockets.js' objects that this folder uses, so that only listen.ts imports the package. A request is
// valid until its handler returns, a response until it is answered or aborted. Touching either later ends the process.
// Listening thread.

export interface NativeRequest {
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  /** Undefined without `?`, which its typings omit. */
  getQuery(): string | undefined;
  /** A header by lower-case name: the first value if repeated, empty if absent. */
  getHeader(name: string): string;
  getParameter(index: number): string | undefined;
  forEach(visit: (name: string, value: string) => void): void;
  /** Passes the request on to the next route that matches. */
  setYield(isPassedOn: boolean): unknown;
}

export interface NativeResponse {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** Sends the whole body, and buffers the part that the kernel does not take. */
  end(body: string | Uint8Array, closesConnection: boolean): unknown;
  /** Ends the answer without a body and without adding a `Content-Length`. */
  endWithoutBody(): unknown;
  /** Sends the part of the body that the kernel takes from the current offset. Returns [nothing is unsent, all of it is sent]. */
  tryEnd(body: string | Uint8Array, totalBytes: number): readonly [boolean, boolean];
  /** `offset`: body bytes sent so far. The handler returns whether nothing is unsent. */
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  /** `chunk` is borrowed: valid until the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** Packs the writes of `task` into one. Handlers run corked; later code does not. */
  cork(task: () => void): unknown;
  /** Drops the connection. */
  close(): unknown;
  getRemoteAddress(): ArrayBuffer;
}

export interface NativeSocket {
  /** 2: dropped at the backpressure bound. */
  send(frame: Uint8Array | string, isBinary: boolean): number;
  ping(payload: string): unknown;
  cork(task: () => void): unknown;
  subscribe(topic: string): boolean;
  unsubscribe(topic: string): boolean;
  getBufferedAmount(): number;
  end(code: number, reason: string): void;
  close(): void;
}
