// Follows the journal into the audit log of orders (CROSSBOOK_AUDIT_LOG), for people and programs outside. No answer depends on the log. A
// full disk stops the log with an alarm. Once there is room, the log goes on where it stopped. It writes one batch at a time, without
// blocking the thread. History thread.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { Log } from '../../core/runtime/log.ts';
import { type Timers, turn } from '../../core/runtime/timers.ts';
import type { Files } from '../../core/store/files.ts';
import type { JournalPositions } from '../journal/positions.ts';
import { listSegments } from '../journal/segments.ts';
import { JournalTail } from '../journal/tail.ts';
import { eventsOf } from '../ledger/events.ts';
import { type AuditBounds, AuditFile, type AuditPlace } from './audit-file.ts';
import type { AuditLines } from './audit-lines.ts';

/** The default bounds: a gigabyte in all, which holds some two million lines. */
export const AUDIT_BOUNDS: AuditBounds = { auditFileBytes: 64 * 1_024 * 1_024, auditFilesMax: 16 };
/** The pause between two looks at the journal. */
const FOLLOW_MS = 200;
/** The pause after a failure. */
const RETRY_MS = 5_000;
/** The most records of one batch, which take some milliseconds of the thread. */
const RECORDS_MAX = 200;
/** An index beyond all lines of a record. It means that all of its lines are written, or lost. */
const NO_LINE_LEFT = 1_000_000;

interface AuditLogParts {
  readonly path: string;
  readonly bounds: AuditBounds;
  readonly lines: AuditLines;
  readonly files: Files;
  readonly journalFolder: string;
  readonly positions: Pick<JournalPositions, 'appended'>;
  /** A new file begins after the record with this sequence. */
  readonly after: number;
  readonly timers: Timers;
  readonly log: Log;
  /** Called when the log stops. */
  readonly onFailed: () => void;
}

export class AuditLog {
  readonly #parts: AuditLogParts;
  readonly #file: AuditFile;
  /** The tail of the journal. Null means that the file is not open. */
  #tail: JournalTail | null = null;
  /** The place of the last line that is written. Null means that there is none. */
  #last: AuditPlace | null = null;
  /** For a file without a line: the sequence of the record after which lines are written. */
  #after: number;
  #fault: string | null = null;
  #isClosing = false;
  #cancelTimer: () => void = () => {};
  #running: Promise<void>;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    this.#after = parts.after;
    this.#file = new AuditFile(parts.path, parts.bounds);
    this.#running = this.#run();
  }

  /** Closes the log. First writes the lines of all records that are appended by now, if the disk allows it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelTimer();
    await this.#running;
    await this.#run();
    this.#tail?.close();
    await this.#file.close();
  }

  /** Writes the lines of all appended records, and does so again after a pause. */
  async #run(): Promise<void> {
    let pauseMs = FOLLOW_MS;
    try {
      await this.#catchUp();
      this.#recovered();
    } catch (error) {
      pauseMs = RETRY_MS;
      await this.#stop(wordsOf(error));
    }
    if (this.#isClosing) return;
    this.#cancelTimer = this.#parts.timers.after(pauseMs, () => {
      this.#running = this.#run();
    });
  }

  async #catchUp(): Promise<void> {
    const tail = this.#tail ?? (await this.#begin());
    while (tail.sequence < this.#parts.positions.appended) {
      // The name is checked before each batch, because records may be appended, and the file be removed, while a batch is written.
      await this.#file.assertNamed();
      const text = this.#read(tail);
      if (text.lines.length > 0) await this.#file.append(text.lines.join(''));
      else await turn(this.#parts.timers);
      // The recovery is noted after each batch. On a busy journal the log may fail again before it has caught up, which deserves another
      // alarm.
      this.#recovered();
      this.#last = text.last ?? this.#last;
      this.#after = tail.sequence;
    }
  }

  #recovered(): void {
    if (this.#fault !== null) this.#parts.log.info('the audit log is written again');
    this.#fault = null;
  }

  /** Closes the file after a fault. The next `#begin` reads in the file itself how far it goes. */
  async #stop(fault: string): Promise<void> {
    const { log, path, onFailed } = this.#parts;
    if (this.#fault === null) {
      log.warn('the audit log is not written', { path, error: fault });
      onFailed();
    }
    this.#fault = fault;
    this.#tail?.close();
    this.#tail = null;
    await this.#file.close().catch(() => {});
  }

  /** Opens the file. A file without a line begins with the next record, or with the first record that this process failed to write. */
  async #begin(): Promise<JournalTail> {
    const { files, journalFolder, positions } = this.#parts;
    const last = await this.#file.open();
    const { appended } = positions;
    const [oldest] = listSegments(files, journalFolder);
    // The last record is read again, because some of its lines may be missing.
    const wanted = last === null ? this.#after : Math.min(last.record - 1, appended);
    const reached = last === null ? this.#after : last.record;
    const after = Math.max(wanted, (oldest?.first ?? 1) - 1);
    this.#last = last;
    if (last !== null && last.record > appended) await this.#noteMissing('lost', appended + 1, last.record);
    else if (after > reached) await this.#noteMissing('gap', reached + 1, after);
    this.#tail = new JournalTail(files, journalFolder, after);
    return this.#tail;
  }

  /**
   * Appends a line about missing records. `lost` means that a power cut took them from the journal, `gap` that the journal no longer has
   * them.
   */
  async #noteMissing(step: 'lost' | 'gap', from: number, to: number): Promise<void> {
    const place = { record: step === 'lost' ? from - 1 : to, line: NO_LINE_LEFT };
    await this.#file.append(`${JSON.stringify({ ...place, at: null, step, from, to })}\n`);
    this.#last = place;
  }

  #read(tail: JournalTail): { readonly lines: readonly string[]; readonly last: AuditPlace | null } {
    const written: string[] = [];
    let last: AuditPlace | null = null;
    tail.read(this.#parts.positions.appended, RECORDS_MAX, (record, payload) => {
      const lines = this.#parts.lines.linesOf(eventsOf(record, payload), line => ({ record, line }));
      const isPart = record === this.#last?.record;
      const fresh = isPart ? lines.slice(this.#last!.line + 1) : lines;
      written.push(...fresh);
      if (fresh.length > 0) last = { record, line: lines.length - 1 };
    });
    return { lines: written, last };
  }
}
