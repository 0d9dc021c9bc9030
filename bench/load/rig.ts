// A load run: the venue on the suite's own thread, a gateway or relay in a process, subscribers on a thread. Everything
// ends with the rig, and with the suite's process.

import type { NatsSettings } from '../../src/core/nats/settings.ts';
import { TICKER } from './bench-market.ts';
import { monotonicMs } from './clock.ts';
import { type StartedGateway, startGatewayProcess, startReaderProcess } from './http-gateway.ts';
import type { BenchKey } from './http-signing.ts';
import { Latencies } from './latencies.ts';
import type { CpuAnswer, Received, SubscribersWorkerData } from './messages.ts';
import { Peer } from './peer.ts';
import { type Pacing, type Role, type Schedule, Venue } from './venue.ts';

/** The time in which all parts get ready before the first frame is due. */
const LEAD_MS = 20;
/** The time after which a message counts as lost. */
const ARRIVAL_TIMEOUT_MS = 5_000;

/** A subscriber's requests to the gateway, and its counts. */
type Subscription = Pick<SubscribersWorkerData, 'hello' | 'readyText' | 'dataPrefix'>;

const markets = [{ venue: 'venue_b', ticker: TICKER }];
const WHOLE_BOOK: Subscription = {
  hello: JSON.stringify({ op: 'subscribe', id: '1', channel: 'book', markets }),
  readyText: '{"type":"snapshot"',
  dataPrefix: '{"type":"delta"',
};
/** Returns a subscription that is ready after its first quote. Only later quotes count. */
export function quotesEvery(minIntervalMs: number): Subscription {
  return {
    hello: JSON.stringify({ op: 'subscribe', id: '1', channel: 'quote', minIntervalMs, markets }),
    readyText: '{"type":"subscribed"',
    dataPrefix: '{"type":"quote"',
  };
}

const SUBSCRIBE_VENUE = JSON.stringify({
  id: 1,
  cmd: 'subscribe',
  params: { channels: ['orderbook_delta'], market_tickers: [TICKER] },
});

export interface FeedUrls {
  readonly restUrl: string;
  readonly streamUrl: string;
}

/** The data for a subscriber of a gateway. */
export interface StreamAccess {
  readonly port: number;
  readonly key: BenchKey;
}

/** The result of one turn of load. */
export interface Turn {
  readonly deliveries: number;
  readonly lost: number;
  /** The time from the due time of the first frame to the last delivery. */
  readonly elapsedMs: number;
  readonly latencies: Latencies;
  /** The processor time of the gateway or relay in percent of one core. NaN without either. */
  readonly cpuPercent: number;
}

export class Rig {
  /** The functions that close what was started, newest last. */
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #venue: Venue;

  static async start(pacing?: Pacing): Promise<Rig> {
    return new Rig(await Venue.start(pacing));
  }

  private constructor(venue: Venue) {
    this.#venue = venue;
  }

  /** Subscribers of the market through the real gateway. */
  async throughGateway(subscribers: number, subscription: Subscription = WHOLE_BOOK): Promise<Path> {
    const gateway = await startGatewayProcess(this.#venue, 1);
    this.#ends.push(() => gateway.close());
    const { port, keys } = gateway;
    return this.#gatewayPath(gateway.process, subscribers, { port, key: keys[0]! }, subscription);
  }

  /**
   * Starts a gateway that publishes its books, and gateways that read them. Returns the path to subscribers of the publisher, and the path of each
   * reader.
   */
  async throughNats(nats: NatsSettings, readers: number, subscribers: number): Promise<readonly [Path, ...Path[]]> {
    const publisher = await startGatewayProcess(this.#venue, 1, nats);
    this.#ends.push(() => publisher.close());
    const others: StartedGateway[] = [];
    for (let reader = 0; reader < readers; reader++) {
      const gateway = await startReaderProcess(nats, 1);
      this.#ends.push(() => gateway.close());
      others.push(gateway);
    }
    const pathOf = ({ process, port, keys }: StartedGateway) =>
      this.#gatewayPath(process, subscribers, { port, key: keys[0]! });
    const paths = [pathOf(publisher), ...others.map(pathOf)] as const;
    await Promise.all(paths.map(it => it.ready()));
    return paths;
  }

  /** Makes the same path through a gateway started elsewhere, which gets venue B's books from `venueBFeed`. */
  throughOther(gateway: StreamAccess, subscribers: number): Path {
    return this.#gatewayPath(null, subscribers, gateway);
  }

  /** The addresses at which a gateway reads venue B's books. */
  get venueBFeed(): FeedUrls {
    return { restUrl: this.#venue.restUrl, streamUrl: this.#venue.streamUrl('gateway') };
  }

  /** Makes a path to subscribers of a bare relay, which publishes the bytes that it gets. */
  async throughRelay(subscribers: number): Promise<Path> {
    const server = Peer.process(new URL('../baselines/relay-process.ts', import.meta.url), 'relay');
    this.#ends.push(() => server.kill());
    const port = await server.ask<number>({ upstreamUrl: this.#venue.streamUrl('relay') });
    const url = `ws://127.0.0.1:${port}/relay`;
    return this.#path('relay', server, subscribers, {
      url,
      key: null,
      hello: '',
      readyText: '',
      dataPrefix: '{"type":"delta"',
    });
  }

  /** Makes a path to one subscriber on the venue's own socket. */
  async direct(): Promise<Path> {
    return this.#path('direct', null, 1, {
      url: this.#venue.streamUrl('direct'),
      key: null,
      hello: SUBSCRIBE_VENUE,
      readyText: '"orderbook_snapshot"',
      dataPrefix: '{"type":"orderbook_delta"',
    });
  }

  async close(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
    this.#venue.close();
  }

  #gatewayPath(
    server: Peer | null,
    subscribers: number,
    { port, key }: StreamAccess,
    subscription: Subscription = WHOLE_BOOK,
  ): Path {
    const url = `ws://127.0.0.1:${port}/v1/orderbook`;
    return this.#path('gateway', server, subscribers, { url, key, ...subscription });
  }

  #path(
    role: Role,
    server: Peer | null,
    count: number,
    connect: Omit<SubscribersWorkerData, 'count' | 'progress'>,
  ): Path {
    const progress = new SharedArrayBuffer(4);
    const workerData: SubscribersWorkerData = { ...connect, count, progress };
    const file = new URL('subscribers-worker.ts', import.meta.url);
    const subscribers = Peer.thread(file, `subscribers of ${role}`, workerData);
    this.#ends.push(() => subscribers.kill());
    return new Path({ role, venue: this.#venue, server, subscribers, count, delivered: new Int32Array(progress) });
  }
}

interface PathParts {
  readonly role: Role;
  readonly venue: Venue;
  readonly server: Peer | null;
  readonly subscribers: Peer;
  readonly count: number;
  /** The number of messages of all subscribers so far. It wraps. */
  readonly delivered: Int32Array;
}

/** A path from the venue to subscribers. Frame numbers are equal at both ends, since each begins with a snapshot of number 1. */
export class Path {
  readonly #parts: PathParts;
  #nextSeq = 2;

  constructor(parts: PathParts) {
    this.#parts = parts;
  }

  /** Plays an open loop: `count` frames at a steady rate, whether they are received or not. */
  play(framesPerSecond: number, count: number): Promise<Turn> {
    const { role, venue } = this.#parts;
    const schedule = { startMs: monotonicMs() + LEAD_MS, periodMs: 1_000 / framesPerSecond, firstSeq: this.#nextSeq };
    return this.#turn(schedule.startMs, schedule, async () => {
      await venue.play(role, schedule, count);
      return count;
    });
  }

  /** Resolves when every subscriber has its book. */
  async ready(): Promise<void> {
    await this.#parts.subscribers.ask({ op: 'begin', firstSeq: this.#nextSeq, schedule: null });
  }

  /** Plays an open loop on this path and on others, all of which are ready. Each frame reaches the subscribers of all paths. */
  playAll(others: readonly Path[], framesPerSecond: number, count: number): Promise<Turn[]> {
    const { role, venue } = this.#parts;
    const schedule = { startMs: monotonicMs() + LEAD_MS, periodMs: 1_000 / framesPerSecond, firstSeq: this.#nextSeq };
    const played = Promise.withResolvers<number>();
    const begun = others.map(() => Promise.withResolvers<void>());
    const theirs = others.map((it, index) =>
      it.#turn(schedule.startMs, schedule, () => {
        begun[index]!.resolve();
        return played.promise;
      }),
    );
    const mine = this.#turn(schedule.startMs, schedule, async () => {
      await Promise.all(begun.map(({ promise }) => promise));
      await venue.play(role, schedule, count);
      played.resolve(count);
      return count;
    });
    return Promise.all([mine, ...theirs]);
  }

  /** Plays a closed loop: as many frames as are received, with at most `window` frames in flight to the mean subscriber. */
  flood(durationMs: number, window: number): Promise<Turn> {
    const { role, venue, count, delivered } = this.#parts;
    const before = Atomics.load(delivered, 0);
    const startMs = monotonicMs();
    return this.#turn(startMs, null, () =>
      venue.flood(role, this.#nextSeq, {
        untilMs: startMs + durationMs,
        window,
        received: () => ((Atomics.load(delivered, 0) - before) | 0) / count,
      }),
    );
  }

  async #turn(startMs: number, schedule: Schedule | null, send: () => Promise<number>): Promise<Turn> {
    const { subscribers } = this.#parts;
    await subscribers.ask({ op: 'begin', firstSeq: this.#nextSeq, schedule });
    const cpuBefore = await this.#cpuMs();
    const lastSeq = this.#nextSeq + (await send()) - 1;
    const received = await subscribers.ask<Received>({ op: 'finish', lastSeq, timeoutMs: ARRIVAL_TIMEOUT_MS });
    const cpuMs = (await this.#cpuMs()) - cpuBefore;
    this.#nextSeq = lastSeq + 1;
    const latencies = Latencies.of(received.latencies);
    const elapsedMs = received.lastAtMs - startMs;
    const { deliveries, lost } = received;
    return { deliveries, lost, elapsedMs, latencies, cpuPercent: (100 * cpuMs) / elapsedMs };
  }

  async #cpuMs(): Promise<number> {
    const { server } = this.#parts;
    return server === null ? Number.NaN : (await server.ask<CpuAnswer>({ op: 'cpu' })).cpuMs;
  }
}
