// The history thread: follows the journal into the tables of lists, and answers from them. Its commits wait for the disk, and only its own
// callers wait for them.

import { parentPort, workerData } from 'node:worker_threads';
import type { OrderId } from '../../core/domain/order.ts';
import { assert } from '../../core/domain/result.ts';
import { Metrics, type MetricsParts } from '../../core/metrics/metrics.ts';
import { createLog, type Log } from '../../core/runtime/log.ts';
import { keepPulse } from '../../core/runtime/pulse.ts';
import { guardHeap, lowerPriority } from '../../core/runtime/thread-state.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { nodeFiles } from '../../core/store/files.ts';
import type { StoredOrder } from '../../core/store/order-records.ts';
import { OrderReader } from '../../core/store/orders/order-reader.ts';
import { JournalPositions } from '../journal/positions.ts';
import { JournalTail } from '../journal/tail.ts';
import { AuditLines } from './audit-lines.ts';
import { AUDIT_BOUNDS, AuditLog } from './audit-log.ts';
import { HistoryFollower } from './follower.ts';
import { answerQuestion, type HistoryAnswer, type NumberedQuestion, type ToHistory } from './history-questions.ts';
import { LedgerNotes } from './known-ledger.ts';
import { historyIn, journalIn } from './ledger-folder.ts';
import { HistoryTables } from './tables.ts';

export interface HistoryThreadData {
  /** The folder of the ledger. */
  readonly folder: string;
  /** The buffer of `JournalPositions`. */
  readonly positions: SharedArrayBuffer;
  readonly pods: readonly { readonly podId: string; readonly secretHex: string }[];
  /** The path of the audit log, and the record of the journal after which a new log begins. Null means that no audit log is written. */
  readonly auditLog: { readonly path: string; readonly after: number } | null;
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

const port = parentPort;
assert(port !== null, 'history-worker.ts runs as a worker');
const data = workerData as HistoryThreadData;
guardHeap();
keepPulse();
// No order waits for this thread, but each of its turns would take a core for 10 ms or longer.
lowerPriority();

const secrets = new Map(data.pods.map(({ podId, secretHex }) => [podId, Buffer.from(secretHex, 'hex')]));
const tables = HistoryTables.openAgain(historyIn(data.folder));
const tail = new JournalTail(nodeFiles, journalIn(data.folder), tables.followed());
const positions = new JournalPositions(data.positions);
const log = createLog('history', { level: data.logLevel });
let answers: HistoryAnswer[] = [];
const follower = new HistoryFollower({
  tables,
  tail,
  positions,
  timers: wallTimers,
  log,
  onAnswered: post,
});
const notes = new LedgerNotes({ folder: data.folder, files: nodeFiles, positions, timers: wallTimers, log });
const audit = data.auditLog === null ? null : auditLog(data.auditLog);

port.on('message', (message: ToHistory) => {
  if (message === 'close') void close();
  else for (const question of message) ask(question);
});

function ask(question: NumberedQuestion): void {
  const { number } = question;
  follower.ask({
    answer: reads => void answers.push({ number, value: answerQuestion(reads, secrets, question) }),
    failed: ({ message }) => void answers.push({ number, fault: message }),
  });
}

function post(): void {
  if (answers.length > 0) port?.postMessage(answers);
  answers = [];
}

function auditLog({ path, after }: NonNullable<HistoryThreadData['auditLog']>): AuditLog {
  const metrics = new Metrics(data.metrics);
  return new AuditLog({
    path,
    after,
    files: nodeFiles,
    journalFolder: journalIn(data.folder),
    positions,
    timers: wallTimers,
    log,
    bounds: AUDIT_BOUNDS,
    lines: new AuditLines(orderOf),
    onFailed: () => metrics.count('audit_log_failures_total'),
  });
}

function orderOf(orderId: OrderId): StoredOrder | null {
  tables.refresh();
  try {
    return new OrderReader(tables).order(orderId);
  } finally {
    tables.release();
  }
}

async function close(): Promise<void> {
  follower.close();
  notes.close();
  await audit?.close();
  tail.close();
  await tables.close();
  port?.close();
}
