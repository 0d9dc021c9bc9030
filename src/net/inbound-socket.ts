// An accepted WebSocket on its native socket, which must not be touched before `open` nor from `close` on.
// Whatever thread listens.
//
// `end` of the native socket closes it for us, while uWebSockets.js keeps it for as long as its peer reads a little of what is unsent, out
// of anybody's reach. So it is called when nothing is unsent, and until then the connection can still be cut.

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
  #goodbye: Goodbye | null = null;
  #hasDropToTell = false;

  /** `endMs`: what is unsent when it is ended may take so long; then it is cut. */
  constructor(context: unknown, endMs: number) {
    this.context = context;
    this.#endMs = endMs;
  }

  /** By our side, though it may not be gone yet. */
  get isEnded(): boolean {
    return this.#goodbye !== null;
  }

  send(frame: Uint8Array | string, isBinary: boolean): boolean {
    return this.socket !== null && !this.isEnded && this.socket.send(frame, isBinary) !== DROPPED;
  }

  /**
   * uWebSockets.js says that a frame was dropped while it goes through the subscribers of its topics: to change them there ends the process. So
   * `tell` comes later, once for all frames until then, unless the connection has closed.
   */
  dropped(tell: () => void): void {
    if (this.#hasDropToTell) return;
    this.#hasDropToTell = true;
    setImmediate(() => {
      this.#hasDropToTell = false;
      if (this.socket !== null && !this.isEnded) tell();
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
    this.#goodbye = { code, reason, cutTimer };
    this.sayGoodbye();
  }

  /** Of one that was ended: as soon as nothing is unsent. */
  sayGoodbye(): void {
    if (this.#goodbye === null || this.bufferedBytes() > 0) return;
    const { code, reason } = this.#goodbye;
    this.socket?.end(code, reason);
  }

  /** The native socket has closed. */
  closed(): void {
    this.socket = null;
    clearTimeout(this.#goodbye?.cutTimer);
  }

  terminate(): void {
    this.socket?.close();
  }
}
