// Sockets of a replayed venue: one stream and some REST routes on a free loopback port, a session per connection, faults on
// the way out. Replay thread.

import type { MarketKey } from '../../core/domain/market.ts';
import {
  type Connection,
  type HttpRoute,
  type InboundRequest,
  jsonReply,
  type Listener,
  listen,
  type Reply,
  socketRoute,
} from '../../core/net/listen.ts';
import { limits } from '../../limits.ts';
import { type Fault, FrameSender } from './faults.ts';

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
  /** Why an upgrade is refused; null accepts it. */
  readonly refusal: (request: InboundRequest) => Reply | null;
  readonly openSession: (outlet: Outlet) => Session;
}

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
      if (connection.bufferedBytes() > limits.replayLagBytes) return true;
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
      messageBytesMax: limits.replayCommandBytesMax,
      unsentBytesMax: limits.replayUnsentBytesMax,
      // A silent venue sends no pings either.
      idleTimeoutS: faults.some(fault => fault.kind === 'silence') ? 0 : IDLE_TIMEOUT_S,
      accept: request => {
        if (this.#sessions.size >= limits.replayConnectionsMax) {
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
  /** Markets whose book is known from the start. Venue A has the first token of each; the other is its mirror. */
  readonly markets: readonly MarketKey[];
  /** Applies one frame to the venue's own view, and sends it to every client that it concerns. */
  play(frame: string): void;
  /** Restarts the session; every client gets its books again. */
  rewind(): void;
  /** Whether a client is so far behind that playing should pause. */
  isCongested(): boolean;
  close(): void;
}
