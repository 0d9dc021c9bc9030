// Notifies systemd once the gateway is ready (sd_notify). Node has no datagram sockets of the Unix domain, so systemd's own program sends
// the message. It waits until systemd has read it: systemd takes no message of a process that has ended. Main thread.

import { execFile } from 'node:child_process';
import { wordsOf } from '../domain/error-words.ts';
import type { Log } from './log.ts';

/** Milliseconds between two looks whether the gateway is ready. */
const LOOK_MS = 50;
/** Milliseconds; after that the notice is given up. */
const NOTICE_TIMEOUT_MS = 10_000;

/** Resolves when the gateway no longer starts. */
export function whenStarted(isStarting: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const looks = setInterval(() => {
      if (isStarting()) return;
      clearInterval(looks);
      resolve();
    }, LOOK_MS);
  });
}

/** Looks until the gateway is ready, or until the returned function is called. */
export function noticeReady(isReady: () => boolean, log: Log): () => void {
  const looks = setInterval(() => {
    if (!isReady()) return;
    clearInterval(looks);
    execFile('systemd-notify', ['--ready'], { timeout: NOTICE_TIMEOUT_MS }, error => {
      if (error === null) log.info('systemd is notified: ready');
      else log.warn('systemd is not notified', { error: wordsOf(error) });
    });
  }, LOOK_MS);
  return () => clearInterval(looks);
}
