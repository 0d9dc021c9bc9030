// An accepted WebSocket on its native socket. Do not touch the native socket before `open`, nor from `close` on. Listening thread.
//
// The native `end` reports the socket as closed at once. But uWebSockets.js keeps the socket, out of our reach, while its peer reads slowly.
// So we call `end` only when no byte is unsent; until then we can still cut the connection.

import type { Connection } from './inbound.ts';
import type { NativeSocket } from './native.ts';

const DROPPED = 2;

interface Goodbye {
  readonly code: number;
  readonly reason: string;
  readonly cutTimer: NodeJS.Timeout;
}

export class InboundSocket implements Connection<unknown> {
  readonly context: unknown;
  socket: NativeSocket | null = null;
  readonly #endMs: number;
  #closeFrame: Goodbye | null = null;
  #isDropUnreported = false;

  /** `endMs` is the time that unsent data may take after `end`. Then the connection is cut. */
  constructor(context: unknown, endMs: number) {
    this.context = context;
    this.#endMs = endMs;
  }

  /** Whether our side has closed the connection. The native socket may still be open. */
  get isEnded(): boolean {
    return this.#closeFrame !== null;
  }

  send(frame: Uint8Array | string, isBinary: boolean): boolean {
    return this.socket !== null && !this.isEnded && this.socket.send(frame, isBinary) !== DROPPED;
  }

  ping(payload: string): void {
    if (!this.isEnded) this.socket?.ping(payload);
  }

  /**
   * Calls `report` later, once for all frames that were dropped until then, unless the connection has closed. uWebSockets.js reports a
   * dropped frame while it iterates over a topic's subscribers: a change of the subscribers at that moment would end the process.
   */
  noteDropped(report: () => void): void {
    if (this.#isDropUnreported) return;
    this.#isDropUnreported = true;
    setImmediate(() => {
      this.#isDropUnreported = false;
      if (this.socket !== null && !this.isEnded) report();
    });
  }

  batch(task: () => void): void {
    this.socket?.cork(task);
  }

  subscribe(topic: string): void {
    if (!this.isEnded) this.socket?.subscribe(topic);
  }

  unsubscribe(topic: string): void {
    this.socket?.unsubscribe(topic);
  }

  bufferedBytes(): number {
    return this.socket?.getBufferedAmount() ?? 0;
  }

  end(code: number, reason: string): void {
    if (this.socket === null || this.isEnded) return;
    const cutTimer = setTimeout(() => this.terminate(), this.#endMs).unref();
    this.#closeFrame = { code, reason, cutTimer };
    this.closeIfSent();
  }

  /** Closes the native socket if our side has ended the connection and no byte is unsent. */
  closeIfSent(): void {
    if (this.#closeFrame === null || this.bufferedBytes() > 0) return;
    const { code, reason } = this.#closeFrame;
    this.socket?.end(code, reason);
  }

  /** States that the native socket has closed. */
  noteClosed(): void {
    this.socket = null;
    clearTimeout(this.#closeFrame?.cutTimer);
  }

  terminate(): void {
    this.socket?.close();
  }
}
