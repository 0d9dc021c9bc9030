// An accepted WebSocket on its native socket, which must not be touched before `open` nor from `close` on.
// Whatever thread listens.

import type { Connection } from './inbound.ts';
import type { NativeSocket } from './native.ts';

const DROPPED = 2;

export class InboundSocket implements Connection<unknown> {
  readonly context: unknown;
  socket: NativeSocket | null = null;
  #hasDropToTell = false;

  constructor(context: unknown) {
    this.context = context;
  }

  send(frame: Uint8Array | string, isBinary: boolean): boolean {
    return this.socket !== null && this.socket.send(frame, isBinary) !== DROPPED;
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
      if (this.socket !== null) tell();
    });
  }

  batch(task: () => void): void {
    this.socket?.cork(task);
  }

  subscribe(topic: string): void {
    this.socket?.subscribe(topic);
  }

  unsubscribe(topic: string): void {
    this.socket?.unsubscribe(topic);
  }

  bufferedBytes(): number {
    return this.socket?.getBufferedAmount() ?? 0;
  }

  end(code: number, reason: string): void {
    this.socket?.end(code, reason);
  }

  terminate(): void {
    this.socket?.close();
  }
}
