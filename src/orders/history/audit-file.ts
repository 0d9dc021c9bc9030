// The files of the audit log. Lines are written to NAME. When NAME is full it becomes NAME.1, NAME.1 becomes NAME.2 and so on, and the
// oldest file is removed. The last line says up to which record of the journal the files go. History thread.

import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { countOf, isObject, parseJson } from '../../core/domain/json.ts';

export interface AuditBounds {
  /** The size at which a file is full. The batch that reaches it is written as a whole. */
  readonly auditFileBytes: number;
  readonly auditFilesMax: number;
}

/** The place of a line: its record in the journal, and its index among the lines of that record. */
export interface AuditPlace {
  readonly record: number;
  readonly line: number;
}

/** The bytes to read from the end of a file. No line is as long. */
const TAIL_BYTES = 256 * 1_024;
const MODE = 0o600;

export class AuditFile {
  readonly #path: string;
  readonly #bounds: AuditBounds;
  #file: FileHandle | null = null;
  #bytes = 0;

  constructor(path: string, bounds: AuditBounds) {
    this.#path = path;
    this.#bounds = bounds;
  }

  /**
   * Opens the file, and cuts off a torn line at its end. Resolves to the place of the last whole line, or to null if there is none. Rejects
   * with errors of node:fs.
   */
  async open(): Promise<AuditPlace | null> {
    const file = await open(this.#path, 'a+', MODE);
    try {
      const { size } = await file.stat();
      const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
      await file.read(tail, 0, tail.length, size - tail.length);
      const end = tail.lastIndexOf('\n') + 1;
      if (end < tail.length) await file.truncate(size - tail.length + end);
      this.#bytes = size - tail.length + end;
      this.#file = file;
      return placeIn(tail.subarray(0, end)) ?? (await this.#earlierPlace());
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Rejects if the file was removed or moved, because nobody would look for lines there. The next `open` begins another file. */
  async assertNamed(): Promise<void> {
    const [opened, named] = await Promise.all([this.#file!.stat(), stat(this.#path)]);
    if (opened.ino !== named.ino || opened.dev !== named.dev) throw new Error('it was replaced by another file');
  }

  /** Appends whole lines. Rejects with errors of node:fs. Part of the lines may then be in the file, and `open` cuts off the torn line. */
  async append(text: string): Promise<void> {
    if (this.#bytes >= this.#bounds.auditFileBytes) await this.#rotate();
    const bytes = Buffer.from(text);
    await this.#file!.appendFile(bytes);
    this.#bytes += bytes.length;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  /** Returns the place of the last line of the file before. Right after a rotation, that line is the last of all. */
  async #earlierPlace(): Promise<AuditPlace | null> {
    const before = await open(`${this.#path}.1`, 'r').catch(() => null);
    if (before === null) return null;
    try {
      const { size } = await before.stat();
      const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
      await before.read(tail, 0, tail.length, size - tail.length);
      return placeIn(tail);
    } finally {
      await before.close();
    }
  }

  async #rotate(): Promise<void> {
    const names = Array.from({ length: this.#bounds.auditFilesMax }, (_, age) => (age === 0 ? '' : `.${age}`));
    for (let age = names.length - 1; age > 0; age--) {
      const from = this.#path + names[age - 1];
      const isThere = await stat(from).then(
        () => true,
        () => false,
      );
      if (isThere) await rename(from, this.#path + names[age]);
    }
    await this.close();
    this.#file = await open(this.#path, 'a+', MODE);
    this.#bytes = 0;
  }
}

function placeIn(tail: Buffer): AuditPlace | null {
  const line = tail.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
  const value = parseJson(line);
  if (!isObject(value)) return null;
  const [record, number] = [countOf(value.record), countOf(value.line)];
  return record === null || number === null ? null : { record, line: number };
}
