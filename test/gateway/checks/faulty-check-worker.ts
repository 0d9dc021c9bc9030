// A check worker that does what a check's message says: it dies, throws, waits at a gate, or leaves a timer and a socket behind. It
// verifies all other messages as the real one does. Such a check brings memory that it shares with the test.

import { createServer } from 'node:net';
import { verify as runRealTask } from '../../../src/gateway/checks/check-worker.ts';
import type { CheckAnswer, CheckTask } from '../../../src/gateway/checks/checker.ts';
import { type Behaviour, type ScriptedCheck, SHARED } from './behaviour.ts';

async function runTask(task: CheckTask): Promise<CheckAnswer> {
  if (task.kind !== 'verify') return runRealTask(task);
  for (const { check } of task.checks) {
    const behaviour = behaviours[check.message as Behaviour];
    if (behaviour === undefined) continue;
    await behaviour((check as ScriptedCheck).shared);
    return task.checks.map(() => true);
  }
  return runRealTask(task);
}

const behaviours: Readonly<Record<Behaviour, (shared: Int32Array) => unknown>> = {
  exit: () => process.exit(3),
  exitOnce: shared => isFirst(shared) && process.exit(3),
  exitOnceAtGate: shared => {
    if (!isFirst(shared)) return;
    Atomics.wait(shared, SHARED.gate, 0);
    process.exit(3);
  },
  throw: () => {
    throw new Error('thrown');
  },
  throwUncaught: () =>
    new Promise(() => {
      setImmediate(() => {
        throw new Error('thrown outside of the task');
      });
    }),
  waitAtGate: shared => {
    isFirst(shared);
    Atomics.wait(shared, SHARED.gate, 0);
  },
  leaveTimer: shared => {
    setInterval(() => {
      Atomics.add(shared, SHARED.count, 1);
      Atomics.notify(shared, SHARED.count);
    }, 1);
  },
  leaveServer: shared =>
    new Promise<void>(resolve => {
      const server = createServer(socket => socket.end('alive'));
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        Atomics.store(shared, SHARED.port, typeof address === 'object' && address !== null ? address.port : 0);
        resolve();
      });
    }),
};

/** Counts the message, and notifies the test. */
function isFirst(shared: Int32Array): boolean {
  const before = Atomics.add(shared, SHARED.count, 1);
  Atomics.notify(shared, SHARED.count);
  return before === 0;
}

export { runTask as verify };
