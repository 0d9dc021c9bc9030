// Imports captures in a folder of their own, and reads what was recorded: each book at its end, and the states on the way.

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatMicroShares, formatTicks, type MicroShares, type Ticks } from '../../../../src/core/domain/numbers.ts';
import { checksumLevels } from '../../../../src/market-data/book/checksum.ts';
import type { RecordedEvent } from '../../../../src/market-data/recording/format.ts';
import { openRecording } from '../../../../src/market-data/recording/open-recording.ts';
import { importCaptures } from '../../../../src/tools/conversion/captures/import-captures.ts';
import { collectArenas } from '../../../support/collect-arenas.ts';
import { NaiveBook } from '../invented-recording.ts';

export class Imported {
  readonly words: readonly string[];
  readonly events: readonly RecordedEvent[];

  constructor(words: readonly string[], events: readonly RecordedEvent[]) {
    this.words = words;
    this.events = events;
    this.#verify();
  }

  of(address: string): RecordedEvent[] {
    return this.events.filter(({ market }) => market.address === address);
  }

  /** Returns the final book, best levels first, as `47:3 46:10 | 52:2`: bids, then asks. */
  picture(address: string): string {
    const book = new NaiveBook();
    for (const event of this.of(address)) book.take(event);
    const said = (levels: readonly { readonly price: Ticks; readonly size: MicroShares }[]): string =>
      levels.map(({ price, size }) => `${formatTicks(price)}:${formatMicroShares(size)}`).join(' ');
    return `${said(book.bids)} | ${said(book.asks)}`;
  }

  /** Returns state, reason and time of each change of state, whole books included. */
  states(address: string): string[] {
    const states = this.of(address).flatMap(event =>
      event.kind === 'state' || event.kind === 'book' ? `${event.state} ${event.reason}` : [],
    );
    return states.filter((state, index) => state !== states[index - 1]);
  }

  /** Checks that each book and each change has the checksum of the resulting levels. */
  #verify(): void {
    const books = new Map<string, NaiveBook>();
    for (const event of this.events) {
      const name = event.market.address;
      const book = books.get(name) ?? new NaiveBook();
      books.set(name, book);
      book.take(event);
      if (event.kind !== 'book' && event.kind !== 'changes') continue;
      if (event.checksum !== checksumLevels(book.bids, book.asks)) throw new Error(`${name}: checksum at ${event.seq}`);
    }
  }
}

export class ImportRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'captures-'));
  readonly #progress: [file: string, bytes: number][] = [];
  #runs = 0;

  get progress(): readonly (readonly [file: string, bytes: number])[] {
    return this.#progress;
  }

  write(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** The folder of the last import. */
  get to(): string {
    return join(this.folder, `to-${this.#runs}`);
  }

  async import(...files: readonly string[]): Promise<Imported> {
    this.#runs += 1;
    // Each import makes an arena.
    collectArenas();
    const onBytes = (file: string, bytes: number): void => void this.#progress.push([file, bytes]);
    const words = await importCaptures({ files, folder: this.to, onBytes });
    const recording = openRecording(this.to);
    const faults: string[] = recording.faults.map(it => it.words);
    const events = [...recording.events(fault => faults.push(fault.words))];
    if (faults.length > 0) throw new Error(faults.join('; '));
    return new Imported(words, events);
  }

  /** Returns the files that a refused import has left. */
  left(): string[] {
    return existsSync(this.to) ? readdirSync(this.to) : [];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
