// The data directory's note of its folder of orders: the folder's id, and the sequence of a record of the journal that is on disk. The note
// is a file beside the folder, where keys and pod secrets are. By it a start finds out that the folder is missing, is another folder, or
// has lost its end. Any thread.

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { Log } from '../../core/runtime/log.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { type Files, readText } from '../../core/store/files.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { JournalPositions } from '../journal/positions.ts';

interface LedgerNotesParts {
  readonly folder: string;
  readonly files: Files;
  readonly positions: Pick<JournalPositions, 'synced' | 'followed'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

interface KnownLedger {
  readonly id: string;
  /** The sequence of a record that the folder's journal has had. */
  readonly position: number;
}

/** The operator's command that accepts a folder with fewer records than the note says. */
const ACCEPT_LOSS = 'crossbook store accept-loss';
/** The pause between two notes. Each note is a sync of a small file. */
const NOTE_MS = 10_000;
const ID_BYTES = 16;
const ID = /^[0-9a-f]{32}$/;
const KNOWN = /^([0-9a-f]{32}) (\d{1,15})$/;
const FILE_BYTES_MAX = 64;
const WHAT_IS_LOST = 'stops, idempotency keys and open orders are in it';

export function knownPath(folder: string): string {
  return `${folder}.id`;
}

/**
 * Throws a StoreError if the data directory knows another folder than the present folder. Throws one as well if it knows none although
 * `isExpected`. Creates nothing, because the folder may be that of a disk that is not mounted. To be called before the folder is opened.
 */
export function refuseUnknownFolder(files: Files, folder: string, isExpected: boolean): void {
  const known = readKnown(files, folder);
  const id = idOf(files, folder);
  if (known === null ? !isExpected : known.id === id) return;
  const fault = id === null ? 'is missing, or empty' : 'is not the ledger that its data directory knows';
  throw folderRefusal(folder, `${fault}: ${WHAT_IS_LOST}`);
}

/** The facts about a folder. */
interface Found {
  /** Returns the sequence of the last record that the history has. */
  followed(): number;
  /** Returns the sequence of the journal's last record, which is read from `sequence` on. */
  lastFrom(sequence: number): number;
}

/** Throws a StoreError if the data directory knows of records that neither the history nor the journal has. */
export function refuseLostRecords(files: Files, folder: string, { followed, lastFrom }: Found): void {
  const position = knownPosition(files, folder);
  if (position === 0) return;
  const last = followed();
  if (last >= position) return;
  const found = lastFrom(last + 1);
  if (found >= position) return;
  throw folderRefusal(folder, `ends at record ${found}, and has had ${position}: the last orders are lost`);
}

/** Returns the refusal of a folder. Its words end with the actions that an operator can take. */
export function folderRefusal(folder: string, fault: string): StoreError {
  return new StoreError(
    `store ${folder}: ${fault}; put it back, or restore a whole backup; without either: ${ACCEPT_LOSS}`,
  );
}

/** Returns the noted position. 0 means that none is known. */
export function knownPosition(files: Files, folder: string): number {
  return readKnown(files, folder)?.position ?? 0;
}

/**
 * Makes the opened folder the known folder. First the folder gets its id, then the file beside it. If a start is killed in between, the
 * next start takes the folder up. The position is never set back, unless `isLossAccepted`.
 */
export function noteLedger(files: Files, folder: string, position: number, isLossAccepted = false): void {
  const id = idOf(files, folder) ?? makeId(files, folder);
  const known = isLossAccepted ? null : readKnown(files, folder);
  if (known !== null && known.id === id && known.position >= position) return;
  write(files, knownPath(folder), `${id} ${Math.max(position, known?.position ?? 0)}`);
}

function makeId(files: Files, folder: string): string {
  const id = randomBytes(ID_BYTES).toString('hex');
  write(files, idPath(folder), id);
  return id;
}

function idOf(files: Files, folder: string): string | null {
  const text = readLine(files, idPath(folder));
  if (text === null || ID.test(text)) return text;
  throw damagedFile(idPath(folder), 'the id of its folder');
}

function readKnown(files: Files, folder: string): KnownLedger | null {
  const path = knownPath(folder);
  const text = readLine(files, path);
  if (text === null) return null;
  const [, id, position] = KNOWN.exec(text) ?? [];
  if (id === undefined) throw damagedFile(path, 'the id of the folder of orders, and a record');
  return { id, position: Number(position) };
}

function damagedFile(path: string, what: string): StoreError {
  return new StoreError(`store file ${path}: must hold ${what}: restore it, or remove it and run ${ACCEPT_LOSS}`);
}

function idPath(folder: string): string {
  return `${folder}/id`;
}

/** Returns the line of the file. Null means that there is no such file. */
function readLine(files: Files, path: string): string | null {
  return readText(files, path, FILE_BYTES_MAX)?.trimEnd() ?? null;
}

/** Writes the file as a whole, or not at all. The file is on disk when this returns. */
function write(files: Files, path: string, text: string): void {
  const draft = files.create(`${path}.draft`);
  try {
    files.append(draft, Buffer.from(`${text}\n`));
    files.sync(draft);
  } finally {
    files.close(draft);
  }
  files.rename(draft.path, path);
  files.syncFolder(dirname(path));
}

/** Notes how far the journal is on disk: at intervals while records come, and at the end. No order waits for a note. History thread. */
export class LedgerNotes {
  readonly #parts: LedgerNotesParts;
  #noted = 0;
  #fault: string | null = null;
  #cancelTimer: () => void = () => {};

  constructor(parts: LedgerNotesParts) {
    this.#parts = parts;
    this.#noteLater();
  }

  close(): void {
    this.#cancelTimer();
    this.#note();
  }

  #noteLater(): void {
    this.#cancelTimer = this.#parts.timers.after(NOTE_MS, () => {
      this.#note();
      this.#noteLater();
    });
  }

  #note(): void {
    const { files, folder, positions, log } = this.#parts;
    const position = Math.max(positions.synced, positions.followed);
    if (position === this.#noted) return;
    try {
      noteLedger(files, folder, position);
      this.#noted = position;
      this.#fault = null;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (this.#fault === null) log.warn('the position of the journal is not noted', { error: error.message });
      this.#fault = error.message;
    }
  }
}
