// The shared file between real processes. A feed’s thread changes books 20 000 times a second and moves them from market to market. Readers
// in other languages read all of it and compute every checksum. What they took for good is compared with the tape, as the stream has it:
//
//   book    a book that equals the tape’s at its epoch and seq, by checksum, and is of the market that was asked for   ACCEPTABLE
//   batch   changes that equal the tape’s, each of them                                                                 ACCEPTABLE
//   lapped  the reader lost records of the ring, and knows it                                                           ACCEPTABLE
//   torn    a book whose levels have another checksum                                                                   FORBIDDEN
//   alien   a book or a batch that differs, or of another market                                                        FORBIDDEN

import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BookId, COMPLEMENT, PRIMARY, type View } from '../../src/core/domain/market.ts';
import { complementTicks, type Ticks } from '../../src/core/domain/numbers.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { BookIndexWriter } from '../../src/market-data/book/book-index-writer.ts';
import { type Arena, createArena, indexOf, regionOf } from '../../src/market-data/book/memory.ts';
import {
  RECORD_CHANGE,
  RECORD_TRADE,
  TAPE_EMPTY,
  TAPE_LAPPED,
  TapeReader,
} from '../../src/market-data/book/tape-reader.ts';
import { ShmLink } from '../../src/market-data/shm/shm-link.ts';
import { Program, PYTHON, succeeds } from '../clients/program.ts';
import { lacks } from '../support/debian-packages.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { MARKETS_MAX, type Opened, type SharedFileWorkerData } from './shared-file-terms.ts';

const MARKETS = 24;
const CHANGES_PER_SECOND = 20_000;
const CHANGES = 60_000;
/** Milliseconds between two books that go to another market. */
const MOVE_MS = 100;
const READERS = resolve('test/stress/readers');
const PYTHON_PACKAGES = ['python3-cryptography', 'python3-httpx', 'python3-websockets'];

const LANGUAGES = [
  {
    name: 'C',
    packages: ['gcc', 'libc6-dev'],
    builds: ['cc', '-std=c11', '-O2', '-Wall', '-Wextra', '-Werror', '-o', 'reader', join(READERS, 'reader.c')],
    runs: ['./reader'],
  },
  {
    name: 'Rust',
    packages: ['rustc'],
    builds: ['rustc', '--edition', '2021', '-O', '-D', 'warnings', '-o', 'reader', join(READERS, 'reader.rs')],
    runs: ['./reader'],
  },
  { name: 'Python', packages: PYTHON_PACKAGES, builds: ['true'], runs: [PYTHON, join(READERS, 'reader.py')] },
].filter(({ packages }) => !lacks(...packages));

const nameOf = (market: number, view: View): string => `KX-${market}-${view === PRIMARY ? 'YES' : 'NO'}`;

describe.skipIf(LANGUAGES.length === 0)('a reader of another process', () => {
  let folder: string;
  let feed: StressFeed;
  beforeEach(() => {
    folder = temporaryFolder();
    feed = new StressFeed(join(folder, 'books'));
  });
  afterEach(async () => {
    await feed.link.close();
    removeFolder(folder);
  });

  it.each(LANGUAGES)('in $name takes no torn book for a good one', async ({ builds, runs }) => {
    await succeeds(builds, {}, folder);
    const names = Array.from({ length: 2 * MARKETS + 60 }, (_, market) => [
      nameOf(market, PRIMARY),
      nameOf(market, COMPLEMENT),
    ]);
    const reader = new Program([...runs, join(folder, 'books'), ...names.flat()], {}, folder);
    await reader.says(/^reading$/m);
    await feed.run();
    // The readers end with the file.
    await feed.link.close();
    expect(await reader.ended).toBe(0);
    const outcomes = feed.judge(reader.said);
    console.table(outcomes);
    expect(outcomes).toMatchObject({ torn: 0, alien: 0 });
    expect(outcomes.book).toBeGreaterThan(0);
    expect(outcomes.batch).toBeGreaterThan(0);
  });
});

/** The tape's record at one position of a book. */
interface Fact {
  readonly checksum: number;
  readonly changesCrc: number;
}

class StressFeed {
  readonly link: ShmLink;
  readonly #arena: Arena = createArena();
  readonly #index = new BookIndexWriter(indexOf(this.#arena));
  readonly #tape = new TapeReader(regionOf(this.#arena, 'venue_b'));
  /** By view, epoch and seq. */
  readonly #facts = new Map<string, Fact>();
  /** Epochs are never given out twice. */
  readonly #marketOfEpoch = new Map<number, number>();
  #batch: [side: number, price: number, size: number][] = [];
  readonly #carried: { market: number; book: BookId }[] = [];
  #nextMarket = MARKETS;

  constructor(path: string) {
    const metrics = new Metrics({ operations: [] });
    this.link = new ShmLink({ path, arena: this.#arena, spins: false, metrics, log: silentLog });
  }

  /** Makes all changes, while a reader follows the tape and books move. */
  async run(): Promise<void> {
    const workerData: SharedFileWorkerData = {
      ...{ arena: this.#arena, markets: MARKETS, changesPerSecond: CHANGES_PER_SECOND, changes: CHANGES },
    };
    const worker = new Worker(new URL('shared-file-worker.ts', import.meta.url), { workerData });
    worker.on('message', (message: Opened | { readonly elapsedMs: number }) => {
      if ('book' in message) this.#carry(message);
    });
    const following = setInterval(() => this.#follow(), 5);
    const moving = setInterval(() => this.#move(worker), MOVE_MS);
    const [code] = await once(worker, 'exit');
    clearInterval(following);
    clearInterval(moving);
    this.#follow();
    expect(code).toBe(0);
  }

  /** Counts what a reader said of what it read. */
  judge(said: string) {
    const outcomes = { book: 0, batch: 0, unmatched: 0, lapped: 0, torn: 0, alien: 0 };
    const names = new Map<string, string>();
    const lines = said.split('\n').map(line => line.split(' '));
    for (const [what, stamp = '', name = ''] of lines) if (what === 'name') names.set(stamp, name);
    for (const [what, stamp = '', ...numbers] of lines) {
      if (what === 'torn' || what === 'lapped') outcomes[what] += Number(stamp);
      if (what !== 'book' && what !== 'batch') continue;
      const [epoch, seq, checksum, changesCrc] = numbers.map(Number);
      const name = names.get(stamp);
      const market = this.#marketOfEpoch.get(epoch!);
      const view = name?.endsWith('NO') ? COMPLEMENT : PRIMARY;
      const fact = this.#facts.get(`${view} ${epoch} ${seq}`);
      // The first book of an epoch is on no tape, and a market that came and went may have no name.
      if (name === undefined || market === undefined || fact === undefined) outcomes.unmatched += 1;
      else {
        const isTrue = fact.checksum === checksum && (what === 'book' || fact.changesCrc === changesCrc);
        outcomes[isTrue && name === nameOf(market, view) ? what : 'alien'] += 1;
      }
    }
    return outcomes;
  }

  #carry({ market, book }: Opened): void {
    this.#carried.push({ market, book });
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      this.#index.put('venue_b', nameOf(market, view), { book, view });
      this.link.places.put('venue_b', nameOf(market, view), { book, view });
    }
  }

  /** As the gateway drops a market: out of the index, out of the file, then at the feed. */
  #move(worker: Worker): void {
    const carried = this.#carried.shift();
    if (carried === undefined) return;
    for (const view of [PRIMARY, COMPLEMENT] as const) {
      this.#index.remove('venue_b', nameOf(carried.market, view));
      this.link.places.remove('venue_b', nameOf(carried.market, view));
    }
    worker.postMessage({ from: carried.market, to: this.#nextMarket++ });
  }

  #follow(): void {
    const tape = this.#tape;
    for (let found = tape.read(); found !== TAPE_EMPTY; found = tape.read()) {
      // On a busy machine this reader may be lapped itself: what it missed is no fact then.
      if (found === TAPE_LAPPED) {
        this.#batch = [];
        continue;
      }
      if (tape.kind === RECORD_TRADE) tape.readTradeId();
      if (tape.kind !== RECORD_CHANGE) continue;
      this.#batch.push([tape.side, tape.price, tape.size]);
      if (tape.isCommit) this.#learn();
    }
  }

  #learn(): void {
    const { epoch, seq, checksum, complementChecksum } = this.#tape;
    const batch = this.#batch;
    this.#batch = [];
    const sizeOfMarket = batch.find(([, , size]) => size !== 0)?.[2];
    if (sizeOfMarket !== undefined) this.#marketOfEpoch.set(epoch, sizeOfMarket % MARKETS_MAX);
    const crcOf = (changes: typeof batch) =>
      crc32(changes.map(([side, price, size]) => `${side}:${price}:${size}|`).join(''));
    const mirrored = batch.map(([side, price, size]): [number, number, number] => [
      1 - side,
      complementTicks(price as Ticks),
      size,
    ]);
    this.#facts.set(`${PRIMARY} ${epoch} ${seq}`, { checksum, changesCrc: crcOf(batch) });
    this.#facts.set(`${COMPLEMENT} ${epoch} ${seq}`, { checksum: complementChecksum, changesCrc: crcOf(mirrored) });
  }
}
