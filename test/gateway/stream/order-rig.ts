// Sessions that follow orders, on connections in memory and under virtual time. The rig records what each session heard, and decides how
// much it reads.

import type { SigningKey } from '../../../src/core/domain/identity.ts';
import type { Connection } from '../../../src/core/net/listen.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { ClientMessage, ServerMessage, StreamCodec } from '../../../src/core/wire/messages.ts';
import { StreamBooks } from '../../../src/gateway/stream/books.ts';
import { STREAM_CODECS } from '../../../src/gateway/stream/clients.ts';
import { OrderHub } from '../../../src/gateway/stream/order-hub.ts';
import { StreamSession } from '../../../src/gateway/stream/session.ts';
import type { VenueStream } from '../../../src/gateway/stream/venue-stream.ts';
import { limits } from '../../../src/limits.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf } from '../../../src/market-data/book/memory.ts';
import { MemoryOrderFeed } from '../../support/memory-order-feed.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

/** The streams of books, which no session ever uses. */
const NO_STREAMS = {} as Readonly<Record<'venue_a' | 'venue_b', VenueStream>>;

export class OrderRig {
  readonly feed = new MemoryOrderFeed();
  readonly timers = new VirtualTimers();
  readonly hub: OrderHub | null;

  constructor({ isServed = true } = {}) {
    this.hub = isServed ? new OrderHub(this.feed, this.timers) : null;
  }

  settle(): Promise<void> {
    return settle(this.timers);
  }

  connect(key: SigningKey = ANYBODY, codec: StreamCodec = jsonCodec): OrderClient {
    return new OrderClient(this, key, codec);
  }
}

/** More turns than any test has pages to read. */
const TURNS = 100;

/** Lets followers read all that they can, while virtual time stands still. */
export async function settle(timers: VirtualTimers): Promise<void> {
  for (let count = 0; count < TURNS; count++) await timers.settle();
}

/** An index without subscribed books. */
const NO_INDEX = new BookIndexWriter(indexOf(createArena()));

export class OrderClient {
  readonly heard: ServerMessage[] = [];
  /** The number of frames that the connection takes before it reads slowly. Later frames are unsent. */
  framesTaken = Number.POSITIVE_INFINITY;
  /** The events and parts of snapshots that came while the connection took no more frames. */
  unsentFrames = 0;
  endedWith: number | null = null;
  readonly #codec: StreamCodec;
  readonly #timers: VirtualTimers;
  readonly #session: StreamSession;

  constructor({ hub, timers }: Pick<OrderRig, 'hub' | 'timers'>, key: SigningKey, codec: StreamCodec) {
    this.#codec = codec;
    this.#timers = timers;
    const books = new StreamBooks(STREAM_CODECS, { subscribe() {}, unsubscribe() {} }, NO_INDEX, 0);
    const own = { codec, key, orders: hub, takeRead: () => true, nowMs: () => timers.now(), yieldTo: setImmediate };
    const parts = { ...own, books, streams: NO_STREAMS };
    this.#session = new StreamSession(parts, this.#connection());
  }

  /** Resolves once the session has handled the request. */
  async say(message: ClientMessage): Promise<void> {
    this.#session.receive(this.#codec.encodeClient(message));
    await this.#timers.settle();
  }

  subscribe(from: number | null = null, cancelOnDisconnect = false): Promise<void> {
    return this.say({ op: 'subscribe', id: 's', channel: 'orders', from, cancelOnDisconnect });
  }

  unsubscribe(): Promise<void> {
    return this.say({ op: 'unsubscribe', id: 'u', channel: 'orders' });
  }

  /** The cursors of the events that the client heard. */
  get cursors(): number[] {
    return this.heard.flatMap(message => (message.type === 'order' ? [message.cursor] : []));
  }

  /** Lets the connection take more frames, up to `frames`. */
  drain(frames = Number.POSITIVE_INFINITY): void {
    this.unsentFrames = 0;
    this.framesTaken = frames;
    if (this.endedWith === null) this.#session.catchUp();
  }

  checkLag(): void {
    this.#session.checkLag();
  }

  /** Ends the connection, from either side. */
  end(code = 1006): void {
    if (this.endedWith !== null) return;
    this.endedWith = code;
    this.#session.close();
  }

  #take(frame: Uint8Array): boolean {
    const message = this.#codec.decodeServer(frame);
    this.heard.push(message);
    if (this.framesTaken > 0) this.framesTaken -= 1;
    else if (message.type === 'order' || message.type === 'ordersSnapshot') this.unsentFrames += 1;
    return true;
  }

  #connection(): Connection<null> {
    return {
      context: null,
      send: frame => this.#take(frame as Uint8Array),
      batch: task => task(),
      subscribe() {},
      unsubscribe() {},
      ping() {},
      bufferedBytes: () => (this.framesTaken > 0 ? 0 : limits.streamLagBytes),
      end: code => this.end(code),
      terminate: () => this.end(),
    };
  }
}
