// The history thread: follows the journal into the tables of lists, and answers from them. Its commits wait for the disk; only its
// own callers wait for them.

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../domain/result.ts';
import { JournalPositions } from '../journal/positions.ts';
import { JournalTail } from '../journal/tail.ts';
import { guardHeap } from '../runtime/heap-guard.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { keepPulse } from '../runtime/pulse.ts';
import { wallTimers } from '../runtime/timers.ts';
import { nodeFiles } from '../store/files.ts';
import { HistoryFollower } from './follower.ts';
import { type AskedQuestion, answerQuestion, type HistoryAnswer, type ToHistory } from './history-questions.ts';
import { HistoryTables } from './tables.ts';

export interface HistoryThreadData {
  readonly historyFolder: string;
  readonly journalFolder: string;
  /** Buffer of `JournalPositions`. */
  readonly positions: SharedArrayBuffer;
  readonly pods: readonly { readonly podId: string; readonly secretHex: string }[];
  readonly logLevel: Log['level'];
}

const port = parentPort;
assert(port !== null, 'history-worker.ts runs as a worker');
const data = workerData as HistoryThreadData;
guardHeap();
keepPulse();

const secrets = new Map(data.pods.map(({ podId, secretHex }) => [podId, Buffer.from(secretHex, 'hex')]));
const tables = HistoryTables.open(data.historyFolder);
const tail = new JournalTail(nodeFiles, data.journalFolder, tables.followed());
let answers: HistoryAnswer[] = [];
const follower = new HistoryFollower({
  tables,
  tail,
  positions: new JournalPositions(data.positions),
  timers: wallTimers,
  log: createLog('history', { level: data.logLevel }),
  onAnswered: post,
});

port.on('message', (message: ToHistory) => {
  if (message === 'close') void close();
  else for (const question of message) ask(question);
});

function ask(question: AskedQuestion): void {
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

async function close(): Promise<void> {
  follower.close();
  tail.close();
  await tables.close();
  port?.close();
}
