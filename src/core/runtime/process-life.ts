// The life of the process: signals, the notice that it is ready, parts that are closed in reverse, and the end by force. Main thread.

import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { faultOf, wordsOf } from '../domain/error-words.ts';
import { type Log, redact } from './log.ts';
import { ConfigError } from './setting-values.ts';

// Signals. They are heard before anything listens, and act once all is open, since only open parts can be closed in order.

interface Opening {
  /** Whether all parts are open. */
  readonly isEnded: boolean;
  /** `reload`: called for each later SIGHUP, and for those that came before. */
  end(reload: () => void): void;
}

/**
 * `stop` is called for each signal that ends the process, and not before the opening has ended. SIGHUP ends it if its terminal was closed,
 * and reloads otherwise.
 */
export function hearSignals(stop: () => void): Opening {
  const ended = Promise.withResolvers<() => void>();
  let isEnded = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void ended.promise.then(stop));
  const hadTerminal = hasTerminal();
  process.on('SIGHUP', () => {
    const isClosed = hadTerminal && !hasTerminal();
    void ended.promise.then(reload => (isClosed ? stop() : reload()));
  });
  return {
    get isEnded() {
      return isEnded;
    },
    end: reload => {
      isEnded = true;
      ended.resolve(reload);
    },
  };
}

/** Whether a terminal controls this process. The kernel takes a closed terminal away before it sends SIGHUP. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

// Notifies systemd once the gateway is ready (sd_notify). Node has no datagram sockets of the Unix domain, so systemd's own program sends
// the message. It waits until systemd has read it: systemd takes no message of a process that has ended.

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

// Parts that were started, to be closed in reverse. A part that cannot be closed keeps no other from it.

export class Closers {
  readonly #closers: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Closes the newest part first, one after the other, and parts that start meanwhile. Returns the failures. */
  async closeAll(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}

// Ends the process as kill -9 would; nothing stored is lost. A normal exit waits for all threads. A thread stopped within a transaction
// would wait for ever for a store lock that it holds itself.

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
