// Sockets of a replayed venue: one stream and some REST routes on a free loopback port, and a session per connection. Faults strike
// outbound frames, by the frames' count. A fault acts after a frame has its sequence number, so that a dropped frame leaves a gap.

import type { MarketKey } from '../../../src/core/domain/market.ts';
import {
  type Connection,
  type HttpRoute,
  type InboundRequest,
  jsonReply,
  type Listener,
  listen,
  type Reply,
  socketRoute,
} from '../../../src/core/net/listen.ts';

/** A session's way to its client. */
interface Outlet {
  send(frame: string): void;
  /** Ends the connection with a WebSocket close code. */
  end(code: number, reason: string): void;
}

interface LoopbackOptions<Session> {
  readonly streamPath: string;
  readonly http: readonly HttpRoute[];
  readonly faults: readonly Fault[];
  /** The reason why an upgrade is refused. Null accepts the upgrade. */
  readonly refusal: (request: InboundRequest) => Reply | null;
  readonly openSession: (outlet: Outlet) => Session;
}

/** Playback waits while a client has more unsent bytes: a replay is late rather than lossy. */
const LAG_BYTES = 1024 * 1024;
/** A client with more unsent bytes is dropped. Because playback waits at LAG_BYTES, only a burst of snapshots can pass this bound. */
const UNSENT_BYTES_MAX = 64 * 1024 * 1024;
const COMMAND_BYTES_MAX = 256 * 1024;
const CONNECTIONS_MAX = 64;
/** Seconds of silence after which a client is dropped. Pings start at half of it, about as often as the venues'. */
const IDLE_TIMEOUT_S = 16;

export class Loopback<Session extends { receive(text: string): void }> {
  readonly #sessions = new Map<Connection<null>, Session>();
  #listener: Listener | null = null;

  /** Listens on a free port of 127.0.0.1. */
  static async start<Session extends { receive(text: string): void }>(
    options: LoopbackOptions<Session>,
  ): Promise<Loopback<Session>> {
    const loopback = new Loopback<Session>();
    await loopback.#listen(options);
    return loopback;
  }

  /** The address as `127.0.0.1:port`. */
  get host(): string {
    return `127.0.0.1:${this.#listener?.port ?? 0}`;
  }

  sessions(): Iterable<Session> {
    return this.#sessions.values();
  }

  isCongested(): boolean {
    for (const connection of this.#sessions.keys()) {
      if (connection.bufferedBytes() > LAG_BYTES) return true;
    }
    return false;
  }

  close(): void {
    this.#listener?.close();
  }

  async #listen({ streamPath, http, faults, refusal, openSession }: LoopbackOptions<Session>): Promise<void> {
    const sender = new FrameSender(faults);
    const decoder = new TextDecoder();
    const stream = socketRoute<null>({
      pattern: streamPath,
      messageBytesMax: COMMAND_BYTES_MAX,
      unsentBytesMax: UNSENT_BYTES_MAX,
      // A silent venue sends no pings either.
      idleTimeoutS: faults.some(fault => fault.kind === 'silence') ? 0 : IDLE_TIMEOUT_S,
      accept: request => {
        if (this.#sessions.size >= CONNECTIONS_MAX) {
          return { refusal: jsonReply(503, { error: 'replayConnectionsMax reached' }) };
        }
        const refused = refusal(request);
        return refused === null ? { context: null, subprotocol: '' } : { refusal: refused };
      },
      open: connection => {
        const session = openSession({
          send: frame => sender.send(connection, frame),
          end: (code, reason) => connection.end(code, reason),
        });
        this.#sessions.set(connection, session);
      },
      message: (connection, frame) => this.#sessions.get(connection)?.receive(decoder.decode(frame)),
      drain: () => {},
      close: connection => this.#sessions.delete(connection),
    });
    this.#listener = await listen({ host: '127.0.0.1', port: 0, http, sockets: [stream] });
  }
}

export interface VenueAddresses {
  readonly restUrl: string;
  readonly streamUrl: string;
}

export interface VenueServer extends VenueAddresses {
  /** The markets whose book is known from the start. Venue A has the first token of each market; the other token is its mirror. */
  readonly markets: readonly MarketKey[];
  /** Applies one frame to the venue's own view, and sends the frame to every client that it concerns. */
  play(frame: string): void;
  /** Whether a client is so far behind that playback should pause. */
  isCongested(): boolean;
  close(): void;
}

export interface Fault {
  /**
   * The effect on the frame: `drop` drops it, `duplicate` sends it twice, `swap` swaps it with the next frame, and `truncate` sends its
   * first half. `close` ends the connection after the frame; `silence` sends nothing more until the client gives up the connection.
   */
  readonly kind: 'drop' | 'duplicate' | 'swap' | 'truncate' | 'close' | 'silence';
  /** The index of the server's frame, from 1, over all connections of the server. Each fault happens once. */
  readonly frame: number;
  /** If set, the fault counts only frames that contain this text. */
  readonly containing?: string;
}

/** Sends frames on connections, and applies the faults that are due. */
class FrameSender {
  readonly #faults: readonly { readonly fault: Fault; seen: number }[];
  readonly #silenced = new WeakSet<Connection<unknown>>();
  /** The frame that waits until the next frame has overtaken it. */
  readonly #overtaken = new WeakMap<Connection<unknown>, string>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults.map(fault => ({ fault, seen: 0 }));
  }

  send(connection: Connection<unknown>, frame: string): void {
    if (this.#faults.length === 0) {
      deliver(connection, frame);
      return;
    }
    const kind = this.#due(frame);
    if (kind === 'silence') this.#silenced.add(connection);
    if (this.#silenced.has(connection) || kind === 'drop') return;
    if (kind === 'swap' && !this.#overtaken.has(connection)) {
      this.#overtaken.set(connection, frame);
      return;
    }
    deliver(connection, kind === 'truncate' ? frame.slice(0, frame.length >> 1) : frame);
    if (kind === 'duplicate') deliver(connection, frame);
    if (kind === 'close') connection.terminate();
    const overtaken = this.#overtaken.get(connection);
    if (overtaken === undefined) return;
    this.#overtaken.delete(connection);
    deliver(connection, overtaken);
  }

  /** Returns the fault of this frame. Every fault counts every frame; the first fault that is due wins. */
  #due(frame: string): Fault['kind'] | null {
    let due: Fault['kind'] | null = null;
    for (const entry of this.#faults) {
      const { containing } = entry.fault;
      if (containing !== undefined && !frame.includes(containing)) continue;
      entry.seen += 1;
      if (entry.seen === entry.fault.frame) due ??= entry.fault.kind;
    }
    return due;
  }
}

/**
 * uWebSockets.js drops a frame beyond the bound of unsent bytes. Here the connection ends instead, because a silent loss would be our
 * fault, not the venue's.
 */
function deliver(connection: Connection<unknown>, frame: string): void {
  if (!connection.send(frame, false)) connection.terminate();
}
