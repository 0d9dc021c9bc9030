// The entries of a capture, in the forms of paper/replay/recorder-forms.ts. It reads a part of the file at a time, plain or packed: a capture
// may be larger than memory. The command line's process.

import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { wordsOf } from '../../../core/domain/error-words.ts';
import { parseJson } from '../../../core/domain/json.ts';
import {
  cutEntry,
  EXPECTED,
  entriesOf,
  entryOf,
  isCutOff,
  LISTS,
  lastEntryOf,
  listIn,
  type RecordedEntry,
  RecordingError,
} from '../../../paper/replay/recorder-forms.ts';
import { ListError, ListItems } from './json-list.ts';

const BOUNDS: EntryBounds = { wholeCharactersMax: 16 * 1024 * 1024, entryCharactersMax: 32 * 1024 * 1024 };
const PART_BYTES = 1024 * 1024;
/** A part that unpacks to a thousand times as much still fits into memory. */
const PACKED_BYTES = 64 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * The entries of each part of the file; the whole ones of a packed file that is cut off. Rejects with a `RecordingError`. `onBytes` gets
 * the number of bytes read.
 */
export async function* captureEntries(file: string, onBytes: (bytes: number) => void): AsyncGenerator<RecordedEntry[]> {
  const splitter = new EntrySplitter(BOUNDS);
  try {
    let cut: RecordedEntry | null = null;
    const onCut = (bytes: number): void => {
      cut = cutEntry(file, bytes);
    };
    for await (const text of textOf(file, onBytes, onCut)) yield [...splitter.push(text)];
    yield [...splitter.end(), ...(cut === null ? [] : [cut])];
  } catch (error) {
    if (error instanceof RecordingError) throw new RecordingError(`${file}: ${error.message}`);
    throw new RecordingError(`${file}: cannot be read (${wordsOf(error)})`);
  }
}

/** Rejects where there is no such file. */
export async function sizeOfFile(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw new RecordingError(`${file}: cannot be read (${wordsOf(error)})`);
  }
}

type OnBytes = (bytes: number) => void;

/** `onCut` gets the number of unpacked bytes of a packed file without its end. */
async function* textOf(file: string, onBytes: OnBytes, onCut: OnBytes): AsyncGenerator<string> {
  const unpacks = await isPacked(file);
  const source = createReadStream(file, { highWaterMark: unpacks ? PACKED_BYTES : PART_BYTES });
  const bytes = unpacks ? unpacked(source, onCut) : source;
  const decoder = new TextDecoder();
  try {
    for await (const part of bytes) {
      yield decoder.decode(part as Buffer, { stream: true });
      onBytes(source.bytesRead);
    }
    yield decoder.decode();
  } finally {
    source.destroy();
  }
}

async function isPacked(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return buffer.equals(GZIP);
  } finally {
    await handle.close();
  }
}

interface EntryBounds {
  /** A file that is not longer is parsed whole. */
  readonly wholeCharactersMax: number;
  /** The most characters of a line, or of an item of a list. */
  readonly entryCharactersMax: number;
}

/** Splits text that comes in parts into entries. Throws a `RecordingError` for an entry of an unknown form. */
export class EntrySplitter {
  readonly #bounds: EntryBounds;
  /** Text that is not split yet. */
  #text = '';
  #form: 'unknown' | 'lines' | ListItems = 'unknown';
  /** Lines or items so far. */
  #count = 0;

  constructor(bounds: EntryBounds) {
    this.#bounds = bounds;
  }

  *push(part: string): Generator<RecordedEntry> {
    let text = part;
    if (this.#form === 'unknown') {
      this.#text += part;
      if (this.#text.length <= this.#bounds.wholeCharactersMax) return;
      text = this.#text;
      this.#text = '';
      this.#form = hasLines(text) ? 'lines' : new ListItems(LISTS, this.#bounds.entryCharactersMax);
    }
    if (this.#form instanceof ListItems) yield* this.#items(this.#form, text);
    else yield* this.#lines(text);
  }

  *end(): Generator<RecordedEntry> {
    if (this.#form === 'unknown') yield* entriesOf(this.#text);
    else if (this.#form instanceof ListItems) this.#inList(() => (this.#form as ListItems).end());
    else if (this.#text.trim() !== '') yield lastEntryOf(`line ${this.#count + 1}`, this.#text);
  }

  *#lines(text: string): Generator<RecordedEntry> {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop()!;
    for (const line of lines) {
      this.#count += 1;
      if (line.trim() !== '') yield entryOf(`line ${this.#count}`, line);
    }
    const { entryCharactersMax } = this.#bounds;
    if (this.#text.length <= entryCharactersMax) return;
    throw new RecordingError(`line ${this.#count + 1}: longer than ${entryCharactersMax} characters`);
  }

  *#items(list: ListItems, text: string): Generator<RecordedEntry> {
    const items = list.push(text);
    for (;;) {
      const item = this.#inList(() => items.next());
      if (item.done === true) return;
      this.#count += 1;
      yield entryOf(`entry ${this.#count}`, item.value);
    }
  }

  #inList<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ListError)) throw error;
      throw new RecordingError(`entry ${this.#count + 1}: ${error.message}; ${EXPECTED}`);
    }
  }
}

/** Whether the first line stands for itself; else the file is one list. `text`: the beginning of a file that is too long to be parsed whole. */
function hasLines(text: string): boolean {
  const start = text.trimStart();
  if (!/^[[{]/.test(start)) return true;
  const end = start.indexOf('\n');
  const first = end < 0 ? undefined : parseJson(start.slice(0, end));
  if (first === undefined) return false;
  return start.slice(end).trim() !== '' || listIn(first) === null;
}

const OUTPUT_BYTES = 1024 * 1024;

/** Rejects if the source does, or is damaged. `onCut` gets the number of unpacked bytes if the source ends too early. */
async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  onCut: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: OUTPUT_BYTES });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  gunzip.on('data', (part: Uint8Array) => {
    bytes += part.length;
    parts.push(part);
  });
  try {
    for await (const packed of source) {
      await fed(gunzip, packed);
      yield* parts.splice(0);
    }
    // A stream that fails forgets its rest. So all of it is taken out before the stream learns that nothing follows.
    gunzip.end();
    await finished(gunzip);
    yield* parts.splice(0);
  } catch (error) {
    if (!isCutOff(error)) throw error;
    onCut(bytes);
  } finally {
    gunzip.destroy();
  }
}

/** Resolves once all of it is unpacked. */
function fed(gunzip: Gunzip, packed: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    gunzip.once('error', reject);
    gunzip.write(packed, () => {
      gunzip.off('error', reject);
      resolve();
    });
  });
}
