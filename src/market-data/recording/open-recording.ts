// Reads a recording: its files in the sequence of their starts, and all their events. The place of damage, or of a cut-off end, is
// reported; the events before that place are read. Any thread.

import { join } from 'node:path';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { FILE_NAME, type RecordedEvent, type RecordedMarket, RecordingFault } from './format.ts';
import { type FileFault, RecordedFile } from './recorded-file.ts';

export class Recording {
  /** The files with a sound header, each once, in the sequence of their starts. */
  readonly files: readonly RecordedFile[];
  /** The faults of files that have no sound header, or are copies of other files. */
  readonly faults: readonly FileFault[];
  readonly #markets = new Map<string, RecordedMarket>();

  constructor(files: readonly RecordedFile[], faults: readonly FileFault[]) {
    this.files = files;
    this.faults = faults;
  }

  /**
   * Returns all events of all files. `onFault` gets each file that was not closed or is damaged; a gap `CUT` follows for each open market.
   * `onBreak` is called before a file that does not continue the previous file: nobody knows how much is missing between the two. Files
   * that begin at `to` or later are left out; null means no end.
   */
  *events(
    onFault: (fault: FileFault) => void = () => {},
    onBreak = () => {},
    to: UnixMillis | null = null,
  ): Generator<RecordedEvent> {
    const open = new Set<RecordedMarket>();
    let at = 0 as UnixMillis;
    let before: RecordedFile | null = null;
    for (const file of this.files) {
      if (to !== null && file.startedAt >= to) break;
      if (before !== null && !file.follows(before)) {
        yield* cuts(open, at);
        onBreak();
        if (file.startedAt < at) onFault(overlap(file, before));
      }
      before = file;
      let isWhole = true;
      const events = file.events(
        (venue, address) => this.#marketOf({ venue, address }),
        fault => {
          isWhole = false;
          onFault(fault);
        },
      );
      for (const event of events) {
        if (event.kind === 'end') open.delete(event.market);
        else open.add(event.market);
        at = event.at;
        yield event;
      }
      if (!isWhole) yield* cuts(open, at);
    }
  }

  /** Returns the markets that the last blocks of the files state. Files that were not closed are read in full instead. */
  markets(): readonly RecordedMarket[] {
    for (const file of this.files) {
      for (const { venue, address } of file.contents().markets) this.#marketOf({ venue, address });
    }
    return [...this.#markets.values()];
  }

  #marketOf(market: RecordedMarket): RecordedMarket {
    const name = `${market.venue} ${market.address}`;
    const known = this.#markets.get(name);
    if (known === undefined) this.#markets.set(name, market);
    return known ?? market;
  }
}

/**
 * Returns the fault of a file that begins before the previous file ends. The events of this file are read all the same, because no other
 * file may have them.
 */
function overlap({ path, bytes }: RecordedFile, before: RecordedFile): FileFault {
  const why = 'two recorders have written there, or the clock was set back';
  return { path, what: 'damaged', soundBytes: bytes, words: `${path}: begins before ${before.path} ends: ${why}` };
}

/** Adds a gap for each open market: something is missing before the market's next event. */
function* cuts(open: Set<RecordedMarket>, at: UnixMillis): Generator<RecordedEvent> {
  for (const market of open) yield { kind: 'gap', market, at, why: 'CUT' };
  open.clear();
}

/**
 * Opens the recording in a folder. Throws a RecordingFault if the folder has no file of a recording, or a StoreError if it cannot be read.
 */
export function openRecording(folder: string): Recording {
  const sound: RecordedFile[] = [];
  const faults: FileFault[] = [];
  const names = nodeFiles.list(folder).filter(name => FILE_NAME.test(name));
  for (const name of names.sort()) {
    const file = RecordedFile.open(join(folder, name));
    if (file instanceof RecordedFile) sound.push(file);
    else faults.push(file);
  }
  if (names.length === 0)
    throw new RecordingFault(`${folder}: no recording is there (files named like 20261126T064500123Z.xrec)`);
  const { originals, copies } = withoutCopies(sound);
  // Files are sorted by the starts in their headers, because their names may have been changed.
  const inTime = originals.toSorted((one, another) => one.startedAt - another.startedAt);
  return new Recording(inTime, [...faults, ...copies]);
}

/** Sorts out copies: of files with the same session and number, only the longest counts. */
function withoutCopies(files: readonly RecordedFile[]): { originals: RecordedFile[]; copies: FileFault[] } {
  const byNumber = [...Map.groupBy(files, ({ session, number }) => `${session} ${number}`).values()];
  const all = byNumber.map(alike => alike.toSorted((one, another) => another.bytes - one.bytes));
  return {
    originals: all.map(([longest]) => longest!),
    copies: all.flatMap(([longest, ...others]) =>
      others.map(({ path }) => {
        const words = `${path}: a copy of ${longest!.path}, or of a part of it`;
        return { path, what: 'damaged' as const, soundBytes: 0, words };
      }),
    ),
  };
}
