// The recorder beside a writer, its tape and real files, on a clock of the test's own.

import { expect } from 'vitest';
import { type BookId, PRIMARY, type Side, type View } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf, regionOf } from '../../../src/market-data/book/memory.ts';
import { BookCopy, BookReader, WHOLE_BOOK } from '../../../src/market-data/book/reader.ts';
import { BookWriter } from '../../../src/market-data/book/writer.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { Recorder, type RecorderBounds } from '../../../src/market-data/recording/recorder.ts';
import { RecordedBooks } from '../../../src/tools/cli/recorded-books.ts';
import { FailingFiles } from '../../support/failing-files.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

export const START = Date.UTC(2026, 10, 26, 6, 45) as UnixMillis;
const UNBOUNDED: RecorderBounds = { recordingBytesMax: 1e12, recordingFileBytesMax: 1e12, diskFreeBytesMin: 0 };
const CENT = 100 as Ticks;

export class RecorderRig {
  readonly folder = temporaryFolder();
  readonly files = new FailingFiles();
  readonly writer: BookWriter;
  readonly index: BookIndexWriter;
  recorder: Recorder;
  now: number = START;
  /** The free bytes of the disk. */
  free = 1e12;
  readonly #arena = createArena();

  constructor() {
    this.writer = new BookWriter(regionOf(this.#arena, 'venue_b'), () => {});
    this.writer.receivedAt = START;
    this.index = new BookIndexWriter(indexOf(this.#arena));
    this.recorder = this.record();
  }

  record(bounds: Partial<RecorderBounds> = {}): Recorder {
    return new Recorder({
      arena: this.#arena,
      folder: this.folder,
      bounds: { ...UNBOUNDED, ...bounds },
      now: () => this.now as UnixMillis,
      freeBytes: () => this.free,
      files: this.files,
    });
  }

  openBook(): BookId {
    const book = this.writer.openBook(CENT)!;
    this.writer.setViews(book, true, true);
    return book;
  }

  list(address: string, book: BookId, view: View = PRIMARY) {
    this.index.put('venue_b', address, { book, view });
    return this.recorder.list('venue_b', address, { book, view });
  }

  write(book: BookId, levels: readonly (readonly [Side, number, number])[], isSnapshot = false): boolean {
    const { writer } = this;
    writer.begin(book);
    if (isSnapshot) writer.clear(book);
    for (const [side, price, size] of levels) writer.set(book, side, price as Ticks, size as MicroShares);
    return isSnapshot ? writer.commitSnapshot(book, 5 as UnixMillis) : writer.commit(book, 6 as UnixMillis);
  }

  copyOf(book: BookId, view: View): BookCopy {
    const copy = new BookCopy(WHOLE_BOOK);
    expect(new BookReader(regionOf(this.#arena, 'venue_b')).read(book, view, copy)).toBe(true);
    return copy;
  }

  follow(): void {
    while (this.recorder.turn());
  }

  /** Closes the recorder's files; returns all events of the folder. Each book and each change has its checksum. */
  async recorded(): Promise<RecordedEvent[]> {
    await this.recorder.close();
    const events = [...openRecording(this.folder).events(({ words }) => expect(words).toBe(''))];
    const books = new RecordedBooks();
    for (const event of events) books.take(event);
    expect(books.faults).toEqual([]);
    return events;
  }

  remove(): void {
    removeFolder(this.folder);
  }
}
