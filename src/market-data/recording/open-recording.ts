// Reads a recording: its files in the sequence of their starts, and all their events. Damage and a cut-off end are named with their place,
// and the events before are read. Any thread.

import { join } from 'node:path';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { FILE_NAME, type RecordedEvent, type RecordedMarket, RecordingFault } from './format.ts';
import { type FileFault, RecordedFile } from './recorded-file.ts';

export class Recording {
  /** Files with a sound header, each once, by their start. */
  readonly files: readonly RecordedFile[];
  /** Faults of the other files. */
  readonly faults: readonly FileFault[];
  readonly #markets = new Map<string, RecordedMarket>();

  constructor(files: readonly RecordedFile[], faults: readonly FileFault[]) {
    this.files = files;
    this.faults = faults;
  }

  /**
   * All events of all files. `onFault` gets files that are not closed or damaged; a gap `CUT` of each open market follows. `onBreak` is
   * called before a file that does not continue the one before: nobody knows how much is missing between them. Files that begin at `to` or
   * later are left out; null means no end.
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

  /** Markets by the files' own account; files that were not closed are read for it. */
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

/** The events of the file are read all the same: no other file may have them. */
function overlap({ path, bytes }: RecordedFile, before: RecordedFile): FileFault {
  const why = 'two recorders have written there, or the clock was set back';
  return { path, what: 'damaged', soundBytes: bytes, words: `${path}: begins before ${before.path} ends: ${why}` };
}

/** Something is missing before all that follows of these markets. */
function* cuts(open: Set<RecordedMarket>, at: UnixMillis): Generator<RecordedEvent> {
  for (const market of open) yield { kind: 'gap', market, at, why: 'CUT' };
  open.clear();
}

/** Throws a RecordingFault if the folder has no file of a recording, or a StoreError if it cannot be read. */
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
  // Files sort by their headers, in case they were renamed.
  const inTime = originals.toSorted((one, another) => one.startedAt - another.startedAt);
  return new Recording(inTime, [...faults, ...copies]);
}

/** The longest of the files with one number in one session counts. */
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
