// Follows the journal into the audit log of orders (CROSSBOOK_AUDIT_LOG), for people and programs outside; no answer depends on it. A full
// disk stops it with an alarm; it goes on where it stopped once there is room. It writes without blocking the thread, one batch at a time.
// History thread.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { Log } from '../../core/runtime/log.ts';
import { type Timers, turn } from '../../core/runtime/timers.ts';
import type { Files } from '../../core/store/files.ts';
import type { JournalPositions } from '../journal/positions.ts';
import { listSegments } from '../journal/segments.ts';
import { JournalTail } from '../journal/tail.ts';
import { type AuditBounds, AuditFile, type AuditPlace } from './audit-file.ts';
import type { AuditLines } from './audit-lines.ts';
import { stepOf } from './projection.ts';

/** A gigabyte in all, some two million lines. */
export const AUDIT_BOUNDS: AuditBounds = { auditFileBytes: 64 * 1_024 * 1_024, auditFilesMax: 16 };
/** Pause between two looks at the journal. */
const FOLLOW_MS = 200;
/** The pause after a failure. */
const RETRY_MS = 5_000;
/** Records of one batch: some milliseconds of the thread. */
const RECORDS_MAX = 200;
/** More lines than a record has: all of its lines are written, or gone. */
const NO_LINE_LEFT = 1_000_000;

interface AuditLogParts {
  readonly path: string;
  readonly bounds: AuditBounds;
  readonly lines: AuditLines;
  readonly files: Files;
  readonly journalFolder: string;
  readonly positions: Pick<JournalPositions, 'appended'>;
  /** A new file begins after this record. */
  readonly after: number;
  readonly timers: Timers;
  readonly log: Log;
  /** Called when the log stops. */
  readonly failed: () => void;
}

export class AuditLog {
  readonly #parts: AuditLogParts;
  readonly #file: AuditFile;
  /** The tail of the journal; null if the file is not open. */
  #tail: JournalTail | null = null;
  /** The last line that is written; null: none. */
  #last: AuditPlace | null = null;
  /** Record up to which nothing is to be written any more, for a file without a line. */
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

  /** Writes the records that are appended by now, if the disk allows it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelTimer();
    await this.#running;
    await this.#run();
    this.#tail?.close();
    await this.#file.close();
  }

  /** Writes all there is; then again after a pause. */
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
      // Asked before each batch: more may be appended, and the file removed, while a batch is written.
      await this.#file.needName();
      const text = this.#read(tail);
      if (text.lines.length > 0) await this.#file.append(text.lines.join(''));
      else await turn(this.#parts.timers);
      // Here, too: on a busy journal, a failure may come before all is written, and deserves an alarm of its own.
      this.#recovered();
      this.#last = text.last ?? this.#last;
      this.#after = tail.sequence;
    }
  }

  #recovered(): void {
    if (this.#fault !== null) this.#parts.log.info('the audit log is written again');
    this.#fault = null;
  }

  /** The next begin reads in the file itself how far it is. */
  async #stop(fault: string): Promise<void> {
    const { log, path, failed } = this.#parts;
    if (this.#fault === null) {
      log.warn('the audit log is not written', { path, error: fault });
      failed();
    }
    this.#fault = fault;
    this.#tail?.close();
    this.#tail = null;
    await this.#file.close().catch(() => {});
  }

  /** A new file begins with the next record, or where this process had failed to write. */
  async #begin(): Promise<JournalTail> {
    const { files, journalFolder, positions } = this.#parts;
    const last = await this.#file.open();
    const { appended } = positions;
    const [oldest] = listSegments(files, journalFolder);
    // The last record may be read again, because some of its lines may be missing.
    const wanted = last === null ? this.#after : Math.min(last.record - 1, appended);
    const reached = last === null ? this.#after : last.record;
    const after = Math.max(wanted, (oldest?.first ?? 1) - 1);
    this.#last = last;
    if (last !== null && last.record > appended) await this.#note('lost', appended + 1, last.record);
    else if (after > reached) await this.#note('gap', reached + 1, after);
    this.#tail = new JournalTail(files, journalFolder, after);
    return this.#tail;
  }

  /** `lost`: a power cut took these records of the journal. `gap`: the journal has them no more. */
  async #note(step: 'lost' | 'gap', from: number, to: number): Promise<void> {
    const place = { record: step === 'lost' ? from - 1 : to, line: NO_LINE_LEFT };
    await this.#file.append(`${JSON.stringify({ ...place, at: null, step, from, to })}\n`);
    this.#last = place;
  }

  #read(tail: JournalTail): { readonly lines: readonly string[]; readonly last: AuditPlace | null } {
    const written: string[] = [];
    let last: AuditPlace | null = null;
    tail.read(this.#parts.positions.appended, RECORDS_MAX, (record, payload) => {
      const lines = this.#parts.lines.of(stepOf(record, payload).events, line => ({ record, line }));
      const isPart = record === this.#last?.record;
      const fresh = isPart ? lines.slice(this.#last!.line + 1) : lines;
      written.push(...fresh);
      if (fresh.length > 0) last = { record, line: lines.length - 1 };
    });
    return { lines: written, last };
  }
}
