// Ends the process as kill -9 would; nothing stored is lost. A normal exit waits for all threads. A thread stopped within a transaction
// would wait for ever for a store lock that it holds itself. Main thread.

import { faultOf, wordsOf } from '../domain/error-words.ts';
import { type Log, redact } from './log.ts';
import { ConfigError } from './setting-values.ts';

/** The first process of a namespace: Linux ignores signals by which it would kill itself. */
const INIT = 1;

/** Throws a ConfigError if the process could not end itself: after a fault it would go on. */
export function refuseInit(pid = process.pid): void {
  if (pid !== INIT) return;
  throw new ConfigError(
    'process 1 of a container cannot end itself after a fault: start it under an init (podman run --init, or tini)',
  );
}

/** Ends the process at once, without waiting for any thread. */
export function endByForce(log: Log): void {
  log.flush();
  process.kill(process.pid, 'SIGKILL');
}

/** Logs an uncaught error of this thread, and ends the process. */
export function endOnFault(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    process.stderr.write(`crossbook: the main thread failed: ${redact('error', wordsOf(error))}\n`);
    log.warn('main thread failed', faultOf(error));
    endByForce(log);
  });
}
