// An accepted WebSocket on its native socket, which must not be touched before `open` nor from `close` on.
// Whatever thread listens.

import type { Connection } from './inbound.ts';
import type { NativeSocket } from './native.ts';

const DROPPED = 2;

export class InboundSocket implements Connection<unknown> {
  readonly context: unknown;
  socket: NativeSocket | null = null;

  constructor(context: unknown) {
    this.context = context;
  }

  send(frame: Uint8Array | string, isBinary: boolean): boolean {
    return this.socket !== null && this.socket.send(frame, isBinary) !== DROPPED;
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
