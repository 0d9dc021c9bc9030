// The parts of uWebSockets.js' objects that this folder uses, so that only door.ts imports the package. A request is valid until its
// handler returns, a response until it is answered or aborted. Touching either later ends the process. Listening thread.

export interface NativeRequest {
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  /** Returns the query, or undefined if the target has no `?`. The package's typings omit undefined. */
  getQuery(): string | undefined;
  /** Returns a header by its lower-case name: the first value if it is repeated, empty if it is absent. */
  getHeader(name: string): string;
  getParameter(index: number): string | undefined;
  forEach(visit: (name: string, value: string) => void): void;
  /** Passes the request on to the next matching route. */
  setYield(isPassedOn: boolean): unknown;
}

export interface NativeResponse {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** Sends the whole body, and buffers the part that the kernel does not take. */
  end(body: string | Uint8Array, closesConnection: boolean): unknown;
  /** Ends the answer without a body, and adds no `Content-Length`. */
  endWithoutBody(): unknown;
  /**
   * Sends the part of the body that the kernel takes, from the current offset. The result says whether no byte is unsent, and whether the
   * whole body is sent.
   */
  tryEnd(body: string | Uint8Array, totalBytes: number): readonly [boolean, boolean];
  /**
   * Sets a handler for when the kernel takes bytes again. `offset` is the number of body bytes sent so far. The handler returns whether no
   * byte is unsent.
   */
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  /** Sets a handler for the body. `chunk` is borrowed: valid until the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** Packs the writes of `task` into one. Handlers are corked anyway; code that runs later is not. */
  cork(task: () => void): unknown;
  close(): unknown;
  getRemoteAddress(): ArrayBuffer;
}

export interface NativeSocket {
  /** Sends a frame. The result 2 means that the frame was dropped at the backpressure bound. */
  send(frame: Uint8Array | string, isBinary: boolean): number;
  ping(payload: string): unknown;
  cork(task: () => void): unknown;
  subscribe(topic: string): boolean;
  unsubscribe(topic: string): boolean;
  getBufferedAmount(): number;
  end(code: number, reason: string): void;
  close(): void;
}
