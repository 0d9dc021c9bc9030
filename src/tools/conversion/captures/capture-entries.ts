// The entries of a capture, in the forms of paper/replay/recorder-forms.ts. Reads a part of the file at a time, plain or packed, because a
// capture may be larger than memory. The command line's process.

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

const BOUNDS: EntryBounds = { wholeCharactersMax: 16 * 1024 * 1024, entryCharactersMax: 32 * 1024 * 1024 };
const PART_BYTES = 1024 * 1024;
/** The bytes of a packed file that are unpacked at a time. Even a thousand times as many fit into memory. */
const PACKED_BYTES = 64 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Yields the entries of each part of the file. If a packed file is cut off, yields only its whole entries. Rejects with a `RecordingError`.
 * `onBytes` gets the number of bytes read.
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

/** The size of the file. Rejects if there is no such file. */
export async function sizeOfFile(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw new RecordingError(`${file}: cannot be read (${wordsOf(error)})`);
  }
}

type OnBytes = (bytes: number) => void;

/** `onCut` gets the number of unpacked bytes if a packed file lacks its end. */
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
  /** A file with at most this many characters is parsed whole. */
  readonly wholeCharactersMax: number;
  /** The largest number of characters in a line, or in an item of a list. */
  readonly entryCharactersMax: number;
}

/** Splits text that arrives in parts into entries. Throws a `RecordingError` for an entry of an unknown form. */
export class EntrySplitter {
  readonly #bounds: EntryBounds;
  /** Text that is not split yet. */
  #text = '';
  #form: 'unknown' | 'lines' | ListItems = 'unknown';
  /** The number of lines or items so far. */
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

/** Whether the first line is an entry; if not, the file is one list. `text` begins a file that is too long to be parsed whole. */
function hasLines(text: string): boolean {
  const start = text.trimStart();
  if (!/^[[{]/.test(start)) return true;
  const end = start.indexOf('\n');
  const first = end < 0 ? undefined : parseJson(start.slice(0, end));
  if (first === undefined) return false;
  return start.slice(end).trim() !== '' || listIn(first) === null;
}

const OUTPUT_BYTES = 1024 * 1024;

/** Rejects if the source rejects or is damaged. `onCut` gets the number of unpacked bytes if the source ends too early. */
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
    // A stream that fails forgets what it still holds. So everything is taken out before the stream learns that nothing follows.
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

/** Resolves once all packed bytes are unpacked. */
function fed(gunzip: Gunzip, packed: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    gunzip.once('error', reject);
    gunzip.write(packed, () => {
      gunzip.off('error', reject);
      resolve();
    });
  });
}

/** The text is no JSON, or is no such list. The message says why. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

type State =
  | 'start'
  | 'first-item'
  | 'next-item'
  | 'item'
  | 'after-item'
  | 'first-key'
  | 'next-key'
  | 'key'
  | 'colon'
  | 'value'
  | 'in-value'
  | 'after-value'
  | 'end';

const BLANK = /\s/;

const MALFORMED = 'no JSON';

export class ListItems {
  readonly #keys: readonly string[];
  readonly #itemCharactersMax: number;
  readonly #value = new ValueScanner();
  #state: State = 'start';
  #isInObject = false;
  /** The text of the item or key that is being read. */
  #text = '';
  #key = '';
  #lists = 0;

  /** `keys` are the names under which an object may hold the list. */
  constructor(keys: readonly string[], itemCharactersMax: number) {
    this.#keys = keys;
    this.#itemCharactersMax = itemCharactersMax;
  }

  /** Takes in a part of the document. Yields the texts of items that end in the part. Throws a ListError. */
  *push(part: string): Generator<string> {
    let at = 0;
    while (at < part.length) {
      if (this.#state === 'item' || this.#state === 'key' || this.#state === 'in-value') {
        const end = this.#value.scan(part, at);
        if (this.#state !== 'in-value') this.#keep(part.slice(at, end));
        at = end;
        if (!this.#value.hasEnded) return;
        if (this.#state === 'item') yield this.#text;
        else if (this.#state === 'key') this.#key = keyOf(this.#text);
        this.#state = STATE_AFTER[this.#state];
        continue;
      }
      // The first character of a value is read a second time, as a part of the value.
      if (BLANK.test(part[at]!) || !this.#step(part[at]!)) at += 1;
    }
  }

  /** Ends the document. Throws a ListError if the document ends too early, or had no list. */
  end(): void {
    if (this.#state !== 'end') throw new ListError('the file ends within its JSON: it is cut off');
    if (this.#lists === 0) throw new ListError(`no list under ${this.#keys.join(', ')}`);
  }

  #keep(text: string): void {
    this.#text += text;
    if (this.#text.length > this.#itemCharactersMax)
      throw new ListError(`longer than ${this.#itemCharactersMax} characters`);
  }

  /** Takes in a character between two values. Returns true if a value begins with it. */
  #step(character: string): boolean {
    switch (this.#state) {
      case 'start':
        if (character === '[') this.#openList(false);
        else if (character === '{') this.#state = 'first-key';
        else throw new ListError(MALFORMED);
        return false;
      case 'first-item':
        if (character === ']') this.#closeList();
        else return this.#begin('item');
        return false;
      case 'next-item':
        return this.#begin('item');
      case 'after-item':
        if (character === ',') this.#state = 'next-item';
        else if (character === ']') this.#closeList();
        else throw new ListError(MALFORMED);
        return false;
      case 'first-key':
      case 'next-key':
        if (character === '}' && this.#state === 'first-key') this.#state = 'end';
        else if (character === '"') return this.#begin('key');
        else throw new ListError(MALFORMED);
        return false;
      case 'colon':
        if (character !== ':') throw new ListError(MALFORMED);
        this.#state = 'value';
        return false;
      case 'value':
        if (character !== '[' || !this.#keys.includes(this.#key)) return this.#begin('in-value');
        this.#openList(true);
        return false;
      case 'after-value':
        if (character !== ',' && character !== '}') throw new ListError(MALFORMED);
        this.#state = character === ',' ? 'next-key' : 'end';
        return false;
      default:
        throw new ListError(MALFORMED);
    }
  }

  #begin(state: 'item' | 'key' | 'in-value'): true {
    this.#state = state;
    this.#text = '';
    this.#value.begin();
    return true;
  }

  #openList(isInObject: boolean): void {
    this.#lists += 1;
    if (this.#lists > 1) throw new ListError('more than one list of frames');
    this.#isInObject = isInObject;
    this.#state = 'first-item';
  }

  #closeList(): void {
    this.#state = this.#isInObject ? 'after-value' : 'end';
  }
}

const STATE_AFTER = { item: 'after-item', key: 'colon', 'in-value': 'after-value' } as const;

function keyOf(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ListError(MALFORMED);
  }
}

/** Finds the end of a JSON value by its brackets and quotes. The parser checks the value. */
class ValueScanner {
  hasEnded = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isScalar = false;
  #hasBegun = false;

  begin(): void {
    this.hasEnded = this.#isInString = this.#isEscaped = this.#isScalar = this.#hasBegun = false;
    this.#depth = 0;
  }

  /** The index of the first character after the value, or the length of `part`. Throws a ListError. */
  scan(part: string, from: number): number {
    for (let at = from; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      if (this.#isInString) this.#inString(code);
      else if (code === QUOTE) this.#isInString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1;
      else if (this.#isScalar || !this.#hasBegun) {
        this.#isScalar = true;
        this.hasEnded =
          this.#hasBegun && (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE);
        if (this.hasEnded) return at;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#depth -= 1;
      this.#hasBegun = true;
      if (this.#depth === 0 && !this.#isInString && !this.#isScalar) {
        this.hasEnded = true;
        return at + 1;
      }
    }
    return part.length;
  }

  #inString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInString = false;
    else if (code < SPACE) throw new ListError(MALFORMED);
  }
}

const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
