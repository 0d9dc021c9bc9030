// The cost of the recorder for the threads beside it. A feed's thread changes 100 books 50 000 times a second. This thread publishes each change as
// JSON, as the gateway does for a subscriber of all books. Runs with a recorder that writes all changes take turns with runs without one.

import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type BookId, marketKey, PRIMARY } from '../src/core/domain/market.ts';
import { Metrics } from '../src/core/metrics/metrics.ts';
import { silentLog } from '../src/core/runtime/log.ts';
import { wallTimers } from '../src/core/runtime/timers.ts';
import { jsonCodec } from '../src/core/wire/json.ts';
import { StreamBooks } from '../src/gateway/stream/books.ts';
import { VenueStream } from '../src/gateway/stream/venue-stream.ts';
import { BookIndexWriter } from '../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../src/market-data/book/memory.ts';
import { openRecording } from '../src/market-data/recording/open-recording.ts';
import { RecorderLink } from '../src/market-data/recording/recorder-link.ts';
import { MarketChoice } from '../src/market-data/recording/recorder-settings.ts';
import { type BenchRow, type BenchSuite, closing, median, percentile, row } from './harness.ts';
import type { RecordWriterOptions } from './record-writer-worker.ts';

const PER_SECOND = 50_000;
const CHANGES = 100_000;
const SMOKE_CHANGES = 500;
const PAIRS = 10;
const BOOKS = 100;
const PATIENCE_MS = 10_000;
const WITHOUT = 'without a recorder';

interface Figures {
  /** The p99 of a change by the feed. */
  readonly writerUs: number;
  /** The p99 from a change to its message. */
  readonly streamUs: number;
}

export const suite: BenchSuite = {
  name: 'record/',
  runsMax: 1,
  async run({ smoke }) {
    const changes = smoke ? SMOKE_CHANGES : CHANGES;
    return closing(await Stage.start(changes), async stage => {
      for (const recordsToo of [false, true]) await stage.play(recordsToo);
      const ours: Figures[] = [];
      const others: Figures[] = [];
      for (let pair = 0; pair < (smoke ? 1 : PAIRS); pair++) {
        if (pair % 2 === 1) others.push(await stage.play(false));
        ours.push(await stage.play(true));
        if (pair % 2 === 0) others.push(await stage.play(false));
      }
      return [
        ...pairOf('record/writer', ours, others, it => it.writerUs),
        ...pairOf('record/stream', ours, others, it => it.streamUs),
        row('record/gaps', stage.laps, 'turns'),
        row('record/size', stage.bytesPerMillion / 1e6, 'MB/million changes'),
      ];
    });
  },
};

/** Makes a row of the ratio of the medians, since one slow turn of either is no figure. */
function pairOf(name: string, ours: Figures[], others: Figures[], of: (figures: Figures) => number): BenchRow[] {
  const [own, other] = [ours.map(of), others.map(of)];
  const ratio = median(other) / median(own);
  return [
    { name: `${name} p99`, value: median(own), rounds: own, unit: 'µs', baseline: WITHOUT, ratio },
    row(`${name} without p99`, other, 'µs'),
  ];
}

class Stage {
  /** The figure of the last turn with a recorder. */
  bytesPerMillion = 0;
  /** The turns in which the recorder fell a whole tape behind, as on a busy machine. The recording says so. */
  laps = 0;
  readonly #arena = createArena();
  readonly #index = new BookIndexWriter(indexOf(this.#arena));
  readonly #changes: number;
  readonly #begunAt: Float64Array;
  readonly #tookUs: Float64Array;
  readonly #worker: Worker;
  readonly #stream: VenueStream;
  /** The folder of the recording, which is empty between turns. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'crossbook-record-'));
  /** The recorder, with one thread for all turns. A new thread would compile its code in each turn. */
  readonly #recorder: RecorderLink;
  /** The milliseconds from each change to its message, by the number of the change. */
  #ages: number[] = [];

  static async start(changes: number): Promise<Stage> {
    const stage = new Stage(changes);
    await once(stage.#worker, 'message');
    stage.#bindBooks();
    // Each book arrives with its first snapshot.
    await stage.#hears(BOOKS);
    await stage.#recorder.command('stop');
    stage.#empty();
    return stage;
  }

  private constructor(changes: number) {
    this.#changes = changes;
    const memory = (): SharedArrayBuffer => new SharedArrayBuffer(changes * Float64Array.BYTES_PER_ELEMENT);
    const [begunAt, tookUs] = [memory(), memory()];
    [this.#begunAt, this.#tookUs] = [new Float64Array(begunAt), new Float64Array(tookUs)];
    const arena = this.#arena;
    const workerData: RecordWriterOptions = {
      ...{ arena, books: BOOKS, changesPerSecond: PER_SECOND, changesMax: changes, begunAt, tookUs },
    };
    this.#worker = new Worker(new URL('record-writer-worker.ts', import.meta.url), { workerData });
    this.#stream = new VenueStream({
      venue: 'venue_b',
      region: regionOf(arena, 'venue_b'),
      books: this.#books,
      publish: () => this.#hear(),
      suspendLaggards: () => {},
      now: wallTimers.now,
      yieldTo: setImmediate,
    });
    this.#worker.on('message', message => {
      if (message === null) this.#stream.drain();
    });
    this.#recorder = new RecorderLink({
      settings: { folder: this.#folder, markets: MarketChoice.ALL, bytesMax: 1e12 },
      arena,
      metrics: new Metrics({ operations: [] }),
      log: silentLog,
    });
  }

  async play(recordsToo: boolean): Promise<Figures> {
    if (recordsToo) {
      await this.#recorder.command('start');
      await this.#begun();
    }
    this.#ages = [];
    this.#worker.postMessage(this.#changes);
    while ((await once(this.#worker, 'message'))[0] === null);
    await this.#hears(this.#changes);
    if (recordsToo) {
      await this.#recorder.command('stop');
      this.#judge();
    }
    return { writerUs: percentile([...this.#tookUs], 0.99), streamUs: 1_000 * percentile(this.#ages, 0.99) };
  }

  async #hears(messages: number): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (this.#ages.length < messages) {
      if (performance.now() > until) throw new Error(`${this.#ages.length} of ${messages} messages`);
      await new Promise(setImmediate);
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
    await this.#recorder.close();
    rmSync(this.#folder, { recursive: true });
  }

  readonly #books = new StreamBooks(
    [jsonCodec],
    { subscribe: () => {}, unsubscribe: () => {} },
    { put: (...place) => this.#index.put(...place), remove: (...market) => this.#index.remove(...market) },
    0,
  );

  #bindBooks(): void {
    for (let number = 0; number < BOOKS; number++) {
      void this.#books.acquire(marketKey('venue_b', addressOf(number)));
      const book = this.#books.settle('venue_b', addressOf(number), { book: number as BookId, view: PRIMARY })!;
      book.outletOf(jsonCodec).subscribers.book = 1;
      this.#stream.begin(book);
      this.#recorder.places.put('venue_b', addressOf(number), { book: number as BookId, view: PRIMARY });
    }
    this.#stream.drain();
  }

  #hear(): void {
    const number = this.#ages.length;
    if (number < this.#changes) this.#ages.push(performance.timeOrigin + performance.now() - this.#begunAt[number]!);
  }

  /** Throws if the recording lacks changes and does not say so. Removes the recording. */
  #judge(): void {
    let [changes, gaps] = [0, 0];
    for (const { kind } of openRecording(this.#folder).events()) {
      if (kind === 'changes') changes += 1;
      if (kind === 'gap') gaps += 1;
    }
    if (gaps > BOOKS) this.laps += 1;
    else if (changes !== this.#changes) throw new Error(`${changes} changes are recorded`);
    this.bytesPerMillion = (bytesIn(this.#folder) / changes) * 1e6;
    this.#empty();
  }

  #empty(): void {
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name));
  }

  /** Resolves when the recorder has written all books, which proves that it has them. */
  async #begun(): Promise<void> {
    for (;;) {
      const recording = readdirSync(this.#folder).length === 0 ? null : openRecording(this.#folder);
      if (recording?.markets().length === BOOKS) return;
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }
}

const addressOf = (number: number): string => `KX-BENCH-${number}`;

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
