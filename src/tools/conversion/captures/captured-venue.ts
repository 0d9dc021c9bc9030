// A venue that repeats its capture: the port into which captured-feed.ts plays frames, and the sockets of both venues. Data that the
// capture lacks, such as a book that the feed asks for again, never comes. The command line's process.

import type { HttpGet } from '../../../core/net/http.ts';
import type { Connect, OutboundSocket, SocketHandlers } from '../../../core/net/websocket.ts';
import type { CaptureClock } from './capture-clock.ts';
import type { CapturedFrame } from './capture-frames.ts';

export interface CapturedVenue {
  readonly connect: Connect;
  readonly get: HttpGet;
  /** Addresses of the books that the frame states: they are to be subscribed before it is played. */
  booksIn(frame: CapturedFrame): readonly string[];
  /** Sends a frame to the feed. False: the feed has given up its connection, and did not take the frame. */
  play(frame: CapturedFrame): boolean;
  /** Sends the answers that the feed waits for. Called between its own tasks, never within them. */
  drain(): void;
  /** Whether the feed has a connection, unless it wants none, and its answers. */
  readonly isHeard: boolean;
}

/** The interval of the venue's control frames: less than the feeds' patience. */
const PING_MS = 10_000;

/** The venue's end of a connection in memory. */
export class CapturedSocket implements OutboundSocket {
  isOpen = false;
  /** The socket will not open again. */
  isOver = false;
  readonly #clock: CaptureClock;
  readonly #handlers: SocketHandlers;
  readonly #hear: (text: string) => void;
  #cancelPing: () => void = () => {};

  /** Opens in a later turn of the clock. */
  constructor(clock: CaptureClock, handlers: SocketHandlers, hear: (text: string) => void) {
    this.#clock = clock;
    this.#handlers = handlers;
    this.#hear = hear;
    clock.after(0, () => {
      if (this.isOver) return;
      this.isOpen = true;
      this.#ping();
      handlers.onOpen();
    });
  }

  send(frame: string | Uint8Array): void {
    if (this.isOpen) this.#hear(typeof frame === 'string' ? frame : Buffer.from(frame).toString());
  }

  /** Either side ends the socket. The feed hears of it in a later turn, as from a real socket. */
  terminate(detail = 'terminated'): void {
    if (this.isOver) return;
    this.isOver = true;
    this.isOpen = false;
    this.#cancelPing();
    this.#clock.after(0, () => this.#handlers.onClose(detail));
  }

  deliver(bytes: Uint8Array): void {
    if (this.isOpen) this.#handlers.onFrame(bytes, false);
  }

  #ping(): void {
    this.#cancelPing = this.#clock.after(PING_MS, () => {
      this.#handlers.onPing();
      this.#ping();
    });
  }
}
