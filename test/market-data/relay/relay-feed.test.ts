// A reader's feed on a real NATS server, in time that stands still. The test decides on every message of the publishers. Covers the feed's requests
// and their times, the publisher that it follows, and the silence after which its books are STALE.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BookId, marketAddress } from '../../../src/core/domain/market.ts';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { NatsLink } from '../../../src/core/nats/connection.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import type { ClientMessage, Rejection } from '../../../src/core/wire/messages.ts';
import { protobufCodec } from '../../../src/core/wire/protobuf.ts';
import {
  endSubject,
  LEASE_MS,
  marketSubject,
  pulseSubject,
  RENEWAL_MS,
  REPEAT_MS,
  requestSubject,
  SILENCE_MS,
} from '../../../src/market-data/relay/protocol.ts';
import { createRelayFeed } from '../../../src/market-data/relay/relay-feed.ts';
import type { FeedAnswer, MarketFeed } from '../../../src/venues/feed.ts';
import { eventually } from '../../support/eventually.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';
import { RecordingSink } from '../../support/recording-sink.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { PublisherRig, TICKER, VENUE } from './relay-rig.ts';

const NOTHING = new Uint8Array();
const MARKET = { venue: VENUE, ticker: TICKER } as const;

/** A publisher that answers requests. The test decides when it lives and sends. */
class Desk {
  readonly requests: ClientMessage[] = [];
  readonly rig: PublisherRig;
  /** The answers to the next requests, by ticker. An absent ticker is accepted; null means that the answer leaves the ticker out. */
  readonly rejected = new Map<string, Rejection | null>();
  book: BookId | null = null;
  readonly #id: string;
  readonly #link: NatsLink;

  static async open(nats: NatsServer, id: string): Promise<Desk> {
    return new Desk(id, await NatsLink.connect(nats.settings, `desk ${id}`));
  }

  private constructor(id: string, link: NatsLink) {
    this.#id = id;
    this.#link = link;
    this.rig = new PublisherRig(id, (subject, bytes) => link.publish(subject, bytes));
    link.subscribe(requestSubject(id), ({ data, reply }) => this.#hear(data, reply));
  }

  /** Opens a market with a whole book. */
  openBook(): void {
    this.book = this.rig.open();
    this.rig.begin(this.book);
    this.rig.list(TICKER, this.book);
    this.rig.take();
  }

  pulse(): void {
    this.#link.publish(pulseSubject(this.#id), NOTHING);
  }

  end(): void {
    this.#link.publish(endSubject(this.#id), NOTHING);
  }

  /** Sends the position of the market. */
  beat(): void {
    this.rig.now += 1_000;
    this.rig.publisher.beat();
    this.rig.take();
  }

  garbage(): void {
    this.#link.publish(marketSubject(this.#id, VENUE, TICKER), Uint8Array.of(1, 2, 3));
  }

  count(op: ClientMessage['op']): number {
    return this.requests.filter(it => it.op === op).length;
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #hear(data: Uint8Array, reply: string | undefined): void {
    const message = protobufCodec.decode(data);
    if (!message.ok) throw new Error(message.error.message);
    this.requests.push(message.value);
    if (message.value.op === 'snapshot') {
      this.rig.publisher.renew(TICKER);
      this.rig.take();
    } else if (message.value.op === 'subscribe' && message.value.channel === 'book' && reply !== undefined) {
      const markets = message.value.markets.map(({ market }) => market);
      const rejections = markets.map(it => this.rejected.get(marketAddress(it)));
      const accepted = markets.filter((_, index) => rejections[index] === undefined);
      const rejected = rejections.filter(it => it !== undefined && it !== null);
      const answer = { type: 'subscribed', id: 'lease', channel: 'book', accepted, rejected } as const;
      this.#link.publish(reply, protobufCodec.encode(answer));
    }
  }
}

describe.skipIf(lacksNats)('a reader’s feed', () => {
  let nats: NatsServer;
  let timers: VirtualTimers;
  let sink: RecordingSink;
  let counters: FeedCounters;
  let feed: MarketFeed;
  let desks: Desk[];
  let outdated: string[];

  beforeAll(async () => {
    nats = await NatsServer.start();
  });
  afterAll(() => nats.close());

  beforeEach(() => {
    timers = new VirtualTimers();
    [desks, outdated] = [[], []];
    start(new RecordingSink());
  });
  afterEach(async () => {
    feed.close();
    for (const desk of desks) await desk.close();
  });

  function start(into: RecordingSink): void {
    sink = into;
    counters = new FeedCounters();
    const none = () => {
      throw new Error('a reader has no connection to a venue');
    };
    feed = createRelayFeed(
      {
        ...{ sink, timers, counters, log: silentLog, connect: none, get: none, random: none },
        expireFacts: address => outdated.push(address),
      },
      VENUE,
      nats.settings,
    );
    feed.start();
  }

  async function desk(id = 'p1'): Promise<Desk> {
    const made = await Desk.open(nats, id);
    desks.push(made);
    return made;
  }

  /** Waits for messages by NATS; the feed's own time stands still. */
  const heard = (check: () => void): Promise<void> =>
    eventually(async () => {
      await timers.settle(0);
      check();
    });

  /** Waits as `heard` does, while the publisher sends its pulses. */
  const followed = (publisher: Desk, check: () => void): Promise<void> =>
    heard(() => {
      publisher.pulse();
      check();
    });

  const shown = () => sink.books[0]!;
  const isLive = (): void => expect(shown()).toMatchObject({ state: 'LIVE' });

  /** Makes a LIVE book. */
  async function live(publisher: Desk): Promise<FeedAnswer> {
    publisher.openBook();
    const answer = feed.subscribe(TICKER);
    await followed(publisher, () => expect(sink.books).toHaveLength(1));
    await heard(isLive);
    return answer;
  }

  it('requests a market and its snapshot from the publisher that it hears, and has its book', async () => {
    const publisher = await desk();
    expect(await live(publisher)).toEqual({ book: 0, view: 0 });
    expect(publisher.requests).toMatchObject([
      { op: 'subscribe', channel: 'book', markets: [{ market: MARKET, side: null }] },
      { op: 'snapshot', market: { market: MARKET } },
    ]);
    expect([counters.link, counters.read('connects'), counters.read('snapshots')]).toEqual(['up', 1, 1]);
  });

  it('passes on why the publisher refuses a market, and asks again for one that it left out', async () => {
    const publisher = await desk();
    const rejection = {
      market: { ...MARKET, ticker: 'NOPE' },
      code: 'UNKNOWN_MARKET',
      message: 'no such market',
    } as const;
    publisher.rejected.set('NOPE', rejection).set('LATER', null);
    const [refused, later] = [feed.subscribe('NOPE'), feed.subscribe('LATER')];
    await followed(publisher, () => expect(publisher.count('subscribe')).toBe(1));
    expect(await refused).toEqual({ code: 'UNKNOWN_MARKET', message: 'no such market' });
    publisher.rejected.delete('LATER');
    await timers.settle(REPEAT_MS);
    await heard(() => expect(publisher.count('subscribe')).toBe(2));
    expect(await later).toEqual({ book: 0, view: 0 });
  });

  it('renews its leases well before they end', async () => {
    const publisher = await desk();
    await live(publisher);
    for (let passed = 0; passed < LEASE_MS; passed += REPEAT_MS) {
      const before = counters.read('frames');
      publisher.beat();
      await followed(publisher, () => expect(counters.read('frames')).toBeGreaterThan(before));
      await timers.settle(REPEAT_MS);
    }
    // The last renewal may still be on its way.
    await heard(() => expect(publisher.count('subscribe')).toBeGreaterThanOrEqual(LEASE_MS / RENEWAL_MS));
    isLive();
  });

  it('shows STALE after the silence of three heartbeats, not before, and LIVE with the next one', async () => {
    const publisher = await desk();
    await live(publisher);
    timers.advance(SILENCE_MS);
    isLive();
    // The next check is at most 100 ms away.
    timers.advance(100);
    expect(shown()).toMatchObject({ state: 'STALE', reason: 'SILENCE' });
    expect(counters.link).toBe('down');
    publisher.beat();
    await heard(isLive);
    await eventually(async () => {
      publisher.pulse();
      await timers.settle(100);
      expect(counters.link).toBe('up');
    });
    expect(counters.read('silences')).toBe(1);
  });

  it('follows another publisher once the first is silent, and not while it lives', async () => {
    const [first, second] = [await desk('p1'), await desk('p2')];
    await live(first);
    second.openBook();
    await heard(() => {
      first.pulse();
      second.pulse();
      expect(counters.read('frames')).toBeGreaterThan(0);
    });
    expect(second.requests).toEqual([]);
    // A pulse of the first publisher may still be on its way.
    await eventually(async () => {
      await timers.settle(SILENCE_MS + 100);
      second.pulse();
      await new Promise(setImmediate);
      expect(sink.events).toContainEqual(expect.objectContaining({ reason: 'FEED_RESTARTED' }));
    });
    await heard(isLive);
    const states = sink.events.flatMap(it => (it.kind === 'state' ? [it.reason] : []));
    expect(states).toEqual(['SILENCE', 'FEED_RESTARTED']);
    expect(sink.events.filter(({ kind }) => kind === 'tradesMissed')).toHaveLength(1);
  });

  it('follows another publisher at once when the first says that it ends', async () => {
    const [first, second] = [await desk('p1'), await desk('p2')];
    await live(first);
    second.openBook();
    first.end();
    await followed(second, () => expect(second.count('snapshot')).toBeGreaterThan(0));
    await heard(isLive);
  });

  it('takes bytes that are no message for a loss, and requests the book', async () => {
    const publisher = await desk();
    await live(publisher);
    await timers.settle(REPEAT_MS);
    publisher.garbage();
    await followed(publisher, () => expect(publisher.count('snapshot')).toBe(2));
    await heard(isLive);
    expect(sink.events).toContainEqual({ kind: 'state', book: 0, state: 'RESYNCING', reason: 'UNREADABLE' });
    expect(counters.read('unreadable')).toBe(1);
  });

  it('says that terms are out of date when the market’s state changes', async () => {
    const publisher = await desk();
    await live(publisher);
    publisher.rig.writer.setState(publisher.book!, 'HALTED', 'MARKET_PAUSED');
    publisher.rig.take();
    await heard(() => expect(shown().state).toBe('HALTED'));
    expect(outdated).toEqual([TICKER]);
  });

  it('gives a market back, and hears no more of it', async () => {
    const publisher = await desk();
    await live(publisher);
    feed.unsubscribe(TICKER);
    expect(shown().isReleased).toBe(true);
    await timers.settle(LEASE_MS);
    publisher.beat();
    const again = feed.subscribe(TICKER);
    await followed(publisher, () => expect(sink.books).toHaveLength(2));
    expect(await again).toEqual({ book: 1, view: 0 });
  });

  it('without room for a book says which bound is reached', async () => {
    feed.close();
    start(new RecordingSink(0));
    const publisher = await desk();
    publisher.openBook();
    const answer = feed.subscribe(TICKER);
    await followed(publisher, () => expect(publisher.count('subscribe')).toBe(1));
    expect(await answer).toMatchObject({ code: 'BOOK_LIMIT', message: expect.stringContaining('booksPerVenueMax') });
  });
});
