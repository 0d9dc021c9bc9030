// A venue B for load: one market, answers to the feed's few commands, and deltas at exact times or as fast as they are
// received. The suite's main thread.
//
// Pacing. Node's timers tick in milliseconds. A loop that spins until the next frame would take one of two cores from the measured part. It
// would never let that core idle, and no real venue does so. So the thread sleeps in Atomics.wait until shortly before the time, which is
// late by about 60 µs (timer slack), and spins for the rest. It sends outside of uWebSockets.js' handlers, where each send is one write at
// once.

import {
  type Connection,
  jsonReply,
  type Listener,
  listen,
  type SocketRoute,
  socketRoute,
} from '../../src/core/net/listen.ts';
import { deltaFrame, gatewayDelta, MARKET_FACTS, snapshotFrame } from './bench-market.ts';
import { monotonicMs } from './clock.ts';

/** A client of the venue: the gateway's feed, the relay in its place, or a direct subscriber. */
export type Role = 'gateway' | 'relay' | 'direct';

/** Frame number `seq` is due at `startMs + (seq − firstSeq) × periodMs`, on the monotonic clock. */
export interface Schedule {
  readonly firstSeq: number;
  readonly startMs: number;
  readonly periodMs: number;
}

export interface FloodLimits {
  readonly untilMs: number;
  /** The number of frames in flight to the mean subscriber. */
  readonly window: number;
  /** Returns the number of frames of this flood that a subscriber has received, on average. */
  readonly received: () => number;
}

/** The exactness with which frames are sent on time. */
export interface Pacing {
  /** The time in ms that the thread spins before each frame. 0 leaves the processor to others, and sends as late as the kernel wakes the thread. */
  readonly spinMs: number;
}

const EXACT: Pacing = { spinMs: 0.12 };
/** The frames between two reads of the sockets while pacing. */
const FRAMES_PER_TURN = 16;
const FLOOD_BATCH = 16;
const FLOOD_REST_MS = 0.1;
/** The idle time-out. Pings start at half of it, because the feed takes a silent venue for dead. */
const IDLE_TIMEOUT_S = 16;
const MESSAGE_BYTES_MAX = 64 * 1024;
const UNSENT_BYTES_MAX = 16 * 1024 * 1024;

interface Listening {
  readonly connection: Connection<null>;
  /** The subscription of the book. 0 means no subscription. */
  sid: number;
}

export class Venue {
  readonly #listening = new Map<Role, Listening>();
  readonly #pacing: Pacing;
  #listener: Listener | null = null;

  static async start(pacing: Pacing = EXACT): Promise<Venue> {
    const venue = new Venue(pacing);
    venue.#listener = await listen({
      host: '127.0.0.1',
      port: 0,
      http: [
        {
          method: 'get',
          pattern: '/trade-api/v2/markets/:ticker',
          handle: () => ({ ...jsonReply(200, null), body: MARKET_FACTS }),
        },
      ],
      sockets: [venue.#route('gateway'), venue.#route('relay'), venue.#route('direct')],
    });
    return venue;
  }

  private constructor(pacing: Pacing) {
    this.#pacing = pacing;
  }

  get restUrl(): string {
    return `http://${this.#host}/trade-api/v2`;
  }

  streamUrl(role: Role): string {
    return `ws://${this.#host}/${role}`;
  }

  /** Sends `count` frames, each on time. Late frames are sent at once. */
  async play(role: Role, { firstSeq, startMs, periodMs }: Schedule, count: number): Promise<void> {
    const { send } = this.#senderOf(role);
    for (let index = 0; index < count; index++) {
      if (index % FRAMES_PER_TURN === 0) await turn();
      waitUntil(startMs + index * periodMs, this.#pacing);
      send(firstSeq + index);
    }
  }

  /** Sends frames as fast as they are received, and returns their number. */
  async flood(role: Role, firstSeq: number, { untilMs, window, received }: FloodLimits): Promise<number> {
    const { connection, send } = this.#senderOf(role);
    let sent = 0;
    const batch = () => {
      for (let index = 0; index < FLOOD_BATCH; index++) send(firstSeq + sent++);
    };
    while (monotonicMs() < untilMs) {
      if (sent + FLOOD_BATCH - received() > window) rest(FLOOD_REST_MS);
      else connection.batch(batch);
      await turn();
    }
    return sent;
  }

  close(): void {
    this.#listener?.close();
  }

  get #host(): string {
    return `127.0.0.1:${this.#listener?.port ?? 0}`;
  }

  #route(role: Role): SocketRoute<never> {
    const decoder = new TextDecoder();
    return socketRoute<null>({
      pattern: `/${role}`,
      messageBytesMax: MESSAGE_BYTES_MAX,
      unsentBytesMax: UNSENT_BYTES_MAX,
      idleTimeoutS: IDLE_TIMEOUT_S,
      accept: () => ({ context: null, subprotocol: '' }),
      open: connection => this.#listening.set(role, { connection, sid: 0 }),
      message: (_, frame) => this.#obey(role, JSON.parse(decoder.decode(frame))),
      drain: () => {},
      close: () => this.#listening.delete(role),
    });
  }

  /** Acknowledges a subscription (venue-b.md §10.2). The book's subscription begins with its snapshot. */
  #obey(role: Role, command: { id: number; cmd: string; params: { channels: readonly string[] } }): void {
    const listening = this.#listening.get(role);
    if (command.cmd !== 'subscribe' || listening === undefined) return;
    const [channel] = command.params.channels;
    const sid = command.id;
    const answer = { type: 'subscribed', id: sid, msg: { channel, sid }, sending_ts_ms: Date.now() };
    listening.connection.send(`${JSON.stringify(answer)}\n`, false);
    if (channel !== 'orderbook_delta') return;
    listening.connection.send(snapshotFrame(sid), false);
    listening.sid = sid;
  }

  /** Returns the sender of frames. The relay forwards bytes, so it gets the bytes of the gateway. */
  #senderOf(role: Role): { connection: Connection<null>; send: (seq: number) => void } {
    const listening = this.#listening.get(role);
    if (listening === undefined) throw new Error(`nobody listens as ${role}`);
    const { connection, sid } = listening;
    return {
      connection,
      send: seq => {
        const frame = role === 'relay' ? gatewayDelta(seq) : deltaFrame(sid, seq);
        if (!connection.send(frame, false)) throw new Error(`${role} does not keep up`);
      },
    };
  }
}

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

function rest(ms: number): void {
  Atomics.wait(sleepCell, 0, 0, ms);
}

function waitUntil(dueMs: number, { spinMs }: Pacing): void {
  const restMs = dueMs - spinMs - monotonicMs();
  if (restMs > 0) rest(restMs);
  while (monotonicMs() < dueMs);
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
