// Books by NATS, in three measures. The first is how much later a subscriber of a reader has a change than a subscriber of the publisher in the
// same run. The publisher has the connection to the venue. The second is the cost of a change for the publisher's thread. The third is four readers
// of 500 subscribers each, none of which may miss a change. A real nats-server of Debian's package passes the messages on. Without it these rows
// are missing.

import { spawnSync } from 'node:child_process';
import { type BookId, PRIMARY } from '../src/core/domain/market.ts';
import { FeedCounters } from '../src/core/metrics/feed-counters.ts';
import { BookIndexWriter } from '../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../src/market-data/book/memory.ts';
import { BookWriter } from '../src/market-data/book/writer.ts';
import { BookPublisher } from '../src/market-data/relay/book-publisher.ts';
import { decodeRelayed } from '../src/market-data/relay/protocol.ts';
import { FIRST_STEP, RelayedBook } from '../src/market-data/relay/relayed-book.ts';
import type { FeedSubscription } from '../src/venues/feed.ts';
import { NatsServer } from '../test/support/nats-server.ts';
import { openBooks, playChange, workload } from './book-workload.ts';
import {
  type BenchOptions,
  type BenchRow,
  type BenchSuite,
  closing,
  measure,
  overRounds,
  row,
  timesLess,
} from './harness.ts';
import { type Path, Rig, type Turn } from './load/rig.ts';
import { cpuMeasure, type Measure, percentileMeasure, rateMeasure } from './load/turns.ts';

const SUBSCRIBERS = 20;
const PER_SECOND = 500;
const FRAMES = 3_000;
const ROUNDS = 3;
const READERS = 4;
const SUBSCRIBERS_EACH = 500;
/** The rate of changes. It makes 40 000 deliveries a second in all, far from the maximum of two cores. */
const FANOUT_PER_SECOND = 20;
const FANOUT_FRAMES = 200;
const WORDS = 'the publisher’s own stream';

export const suite: BenchSuite = {
  name: 'relay/',
  runsMax: 1,
  async run(options) {
    const ofThreads = [row('relay/publish', publishNs(options), 'ns'), row('relay/read', readNs(options), 'ns')];
    if (spawnSync('nats-server', ['--version']).error !== undefined) return ofThreads;
    return closing(await NatsServer.start(), async nats => [
      ...ofThreads,
      ...(await addedRows(nats, options)),
      ...(await fanoutRows(nats, options)),
    ]);
  },
};

/** Returns the ns from the tape to the bytes of a message, for a change of one level. Includes the change itself. */
function publishNs(options: BenchOptions): number {
  let bytes = 0;
  const playNext = published(100, options, message => {
    bytes += message.length;
  });
  return measure(times => {
    for (let done = 0; done < times; done++) playNext();
    return bytes;
  }, options);
}

/** Returns the ns from the bytes of a message to a reader's book and its tape, for a change of one level and its checksum. */
function readNs(options: BenchOptions): number {
  const messages: Uint8Array[] = [];
  const playNext = published(1, options, message => messages.push(message));
  for (let done = 0; done < (options.smoke ? 1_000 : 100_000); done++) playNext();
  const sink = new BookWriter(regionOf(createArena(), 'venue_b'), () => {});
  const id = sink.openBook(FIRST_STEP)!;
  sink.setViews(id, true, false);
  const parts = { sink, counters: new FeedCounters(), elapsed: () => 0, expireFacts: () => {} };
  const book = new RelayedBook(id, parts);
  let next = 0;
  return measure(times => {
    for (let done = 0; done < times; done++) {
      // The first message is a snapshot, with which the stream begins anew.
      book.take(decodeRelayed(messages[next]!));
      next = (next + 1) % messages.length;
    }
    return next;
  }, options);
}

/** Returns a function that makes a change of one of the books, and its message. */
function published(books: number, { smoke }: BenchOptions, send: (message: Uint8Array) => void): () => void {
  const arena = createArena();
  const load = workload(books, smoke ? 1_000 : 100_000);
  const writer = new BookWriter(regionOf(arena, 'venue_b'), () => {});
  const index = new BookIndexWriter(indexOf(arena));
  openBooks(writer, load, true);
  const publisher = new BookPublisher({
    ...{ venue: 'venue_b', arena, publisher: 'bench' },
    send: (_subject, message) => send(message),
    elapsed: () => performance.now(),
  });
  for (let book = 0; book < load.bookCount; book++) {
    const binding: FeedSubscription = { book: book as BookId, view: PRIMARY };
    index.put('venue_b', `KX-${book}`, binding);
    publisher.list(`KX-${book}`, binding);
  }
  publisher.follow();
  let next = 0;
  return () => {
    playChange(writer, load.stream, next);
    next = (next + 1) % load.stream.count;
    publisher.follow();
  };
}

async function addedRows(nats: NatsServer, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const frames = smoke ? 50 : FRAMES;
  return closing(await Rig.start(), async rig => {
    const paths = await rig.throughNats(nats.settings, 1, smoke ? 2 : SUBSCRIBERS);
    await playAll(paths, PER_SECOND, frames);
    const turns: Turn[][] = [];
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) turns.push(await playAll(paths, PER_SECOND, frames));
    const [publisher, reader] = [turns.map(it => it[0]!), turns.map(it => it[1]!)];
    return [
      ...pair('p50', publisher, reader, percentileMeasure(0.5)),
      ...pair('p99', publisher, reader, percentileMeasure(0.99)),
      ...pair('cpu', publisher, reader, cpuMeasure),
      row('relay/reader lost', lostOf(turns.flat()), 'deliveries'),
    ];
  });
}

async function fanoutRows(nats: NatsServer, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const frames = smoke ? 10 : FANOUT_FRAMES;
  const [readers, each] = smoke ? [2, 5] : [READERS, SUBSCRIBERS_EACH];
  return closing(await Rig.start(), async rig => {
    const paths = await rig.throughNats(nats.settings, readers, each);
    const [, ...others] = await playAll(paths, FANOUT_PER_SECOND, frames);
    const name = `relay/fanout ${readers}x${each}`;
    const worst = (measureOf: (turn: Turn) => number) => Math.max(...others.map(measureOf));
    return [
      row(
        name,
        others.reduce((sum, turn) => sum + rateMeasure.of(turn), 0),
        rateMeasure.unit,
      ),
      row(
        `${name} p50`,
        worst(turn => turn.latencies.percentileUs(0.5)),
        'µs',
      ),
      row(
        `${name} p99`,
        worst(turn => turn.latencies.percentileUs(0.99)),
        'µs',
      ),
      row(`${name} lost`, lostOf(others), 'deliveries'),
    ];
  });
}

function playAll([first, ...others]: readonly [Path, ...Path[]], perSecond: number, frames: number): Promise<Turn[]> {
  return first.playAll(others, perSecond, frames);
}

function pair(name: string, publisher: readonly Turn[], reader: readonly Turn[], { unit, of }: Measure): BenchRow[] {
  const [own, relayed] = [publisher.map(of), reader.map(of)];
  const compared = { baseline: WORDS, ratio: timesLess(relayed, own) };
  return [
    { name: `relay/reader ${name}`, ...overRounds(relayed), unit, ...compared },
    row(`relay/publisher ${name}`, own, unit),
  ];
}

function lostOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { lost }) => sum + lost, 0);
}
