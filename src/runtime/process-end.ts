// The end of the process by force, which is that of kill -9: nothing that was stored is lost. An ordinary exit waits for all threads, and one
// that it stops in the midst of a transaction waits in turn, for ever, for the lock of the store that it holds itself. Main thread.

import { faultOf, wordsOf } from '../domain/error-words.ts';
import type { Log } from './log.ts';
import { redact } from './redact.ts';

/** At once, whatever its threads do. */
export function endByForce(log: Log): void {
  log.flush();
  process.kill(process.pid, 'SIGKILL');
}

/** What nobody catches on this thread is said, and ends the process. */
export function endOnFault(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    process.stderr.write(`crossbook: the main thread failed: ${redact('error', wordsOf(error))}\n`);
    log.warn('main thread failed', faultOf(error));
    endByForce(log);
  });
}
