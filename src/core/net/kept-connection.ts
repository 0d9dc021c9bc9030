// An outbound WebSocket that reconnects: fresh headers for each attempt, keep-alive, a watchdog for silence, jittered backoff. Its user (a
// venue's feed, or our client) defines the messages. Any thread.

import { limits } from '../../limits.ts';
import { plainText } from '../domain/plain-text.ts';
import type { Connect, OutboundSocket } from './websocket.ts';

interface KeptConnectionHandlers {
  /** Hears that the connection is up. Nothing is subscribed on this connection yet. */
  onUp(): void;
  /** Hears a frame. `data` is borrowed: valid until the handler returns. */
  onFrame(data: Uint8Array): void;
  /**
   * Hears that the connection was lost, was refused or is silent. The next attempt is already scheduled, unless the session is closed.
   * `detail` is plain text.
   */
  onDown(detail: string): void;
  /** Hears that nothing was received for `upstreamSilenceMs`. `onDown` follows. */
  onSilence(): void;
}

export interface KeptConnectionOptions {
  readonly url: string;
  /**
   * Returns the headers of one attempt. Called for every attempt, so that signatures are fresh. If it throws, rejects or returns unusable
   * headers, the attempt fails.
   */
  readonly headers: () => Headers | Promise<Headers>;
  readonly subprotocols?: readonly string[];
  /** The frame that the client sends every `upstreamPingMs`. Null if the peer needs no such frame. */
  readonly keepAlive: string | Uint8Array | null;
  readonly connect: Connect;
  readonly timers: { after(delayMs: number, task: () => void): () => void };
  readonly random: () => number;
  /** The longest wait between attempts. The default is `upstreamBackoffMaxMs`. */
  readonly backoffMaxMs?: number;
}

type Headers = Readonly<Record<string, string>>;

const LOOKS_PER_SILENCE = 6;

/** Timers for clients outside the gateway, which may run where Node's timers are missing. */
export const portableTimers = {
  after(delayMs: number, task: () => void): () => void {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export class KeptConnection {
  readonly #options: KeptConnectionOptions;
  readonly #handlers: KeptConnectionHandlers;
  #socket: OutboundSocket | null = null;
  #isUp = false;
  #isClosed = false;
  #attempts = 0;
  #hasReceived = false;
  #cancelTimer: () => void = () => {};
  #cancelWatch: () => void = () => {};
  #cancelKeepAlive: () => void = () => {};

  constructor(options: KeptConnectionOptions, handlers: KeptConnectionHandlers) {
    this.#options = options;
    this.#handlers = handlers;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  start(): void {
    this.#open();
  }

  /** Sends a frame. The frame is ignored while there is no connection. */
  send(frame: string | Uint8Array): void {
    this.#socket?.send(frame);
  }

  /** Drops the connection and reconnects. This is for a stream that is no longer reliable. */
  restart(): void {
    this.#socket?.terminate();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#socket?.terminate();
  }

  #open(): void {
    try {
      const headers = this.#options.headers();
      // The connection is made synchronously if the headers are synchronous.
      if (headers instanceof Promise) headers.then(this.#connect).catch(this.#handleBadHeaders);
      else this.#connect(headers);
    } catch (error) {
      this.#handleBadHeaders(error);
    }
  }

  readonly #handleBadHeaders = (error: unknown): void => {
    if (!this.#isClosed) this.#closed(error instanceof Error ? error.message : String(error));
  };

  readonly #connect = (headers: Headers): void => {
    if (this.#isClosed) return;
    const { url, connect, subprotocols = [] } = this.#options;
    this.#socket = connect(
      {
        url,
        headers,
        subprotocols,
        handshakeTimeoutMs: limits.upstreamHandshakeMs,
        frameBytesMax: limits.upstreamFrameBytesMax,
      },
      {
        onOpen: () => this.#opened(),
        onFrame: data => {
          this.#hasReceived = true;
          this.#handlers.onFrame(data);
        },
        onPing: () => {
          this.#hasReceived = true;
        },
        onClose: detail => this.#closed(detail),
      },
    );
  };

  #opened(): void {
    this.#isUp = true;
    this.#hasReceived = true;
    this.#watch();
    this.#keepAlive();
    this.#handlers.onUp();
  }

  #closed(detail: string): void {
    this.#socket = null;
    this.#isUp = false;
    this.#cancelWatch();
    this.#cancelKeepAlive();
    if (!this.#isClosed) this.#cancelTimer = this.#options.timers.after(this.#backoffMs(), () => this.#open());
    this.#handlers.onDown(plainText(detail, limits.venueWordsMax));
  }

  /** Returns a wait with full jitter over an exponential window, so that many gateways do not reconnect in step after a venue's restart. */
  #backoffMs(): number {
    const { backoffMaxMs = limits.upstreamBackoffMaxMs, random } = this.#options;
    const windowMs = Math.min(backoffMaxMs, limits.upstreamBackoffMinMs * 2 ** this.#attempts);
    this.#attempts += 1;
    return limits.upstreamBackoffMinMs + random() * windowMs;
  }

  /** Watches for silence. It checks several times per silence period, so a dead socket is noticed at most one check late. */
  #watch(quietLooks = 0): void {
    this.#hasReceived = false;
    this.#cancelWatch = this.#options.timers.after(limits.upstreamSilenceMs / LOOKS_PER_SILENCE, () => {
      if (this.#hasReceived) {
        this.#attempts = 0;
        this.#watch();
      } else if (quietLooks + 1 < LOOKS_PER_SILENCE) this.#watch(quietLooks + 1);
      else {
        this.#handlers.onSilence();
        this.#socket?.terminate();
      }
    });
  }

  #keepAlive(): void {
    const { keepAlive, timers } = this.#options;
    if (keepAlive === null) return;
    this.#cancelKeepAlive = timers.after(limits.upstreamPingMs, () => {
      this.#socket?.send(keepAlive);
      this.#keepAlive();
    });
  }
}
