// The life of the process: signals, the notice that the process is ready, the closing of parts in reverse, and the end by force. Main
// thread.

import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { faultOf, wordsOf } from '../domain/error-words.ts';
import { type Log, redact } from './log.ts';
import { ConfigError } from './setting-values.ts';

// Signals. They are heard before anything listens, but act only once all parts are open, since only open parts can be closed in order.

interface Opening {
  /** Whether all parts are open. */
  readonly isEnded: boolean;
  /** Ends the opening. `reload` is called for each later SIGHUP, and for each SIGHUP that came before. */
  end(reload: () => void): void;
}

/**
 * Hears the signals of the process. `stop` is called for each signal that ends the process, but not before the opening has ended. SIGHUP
 * calls `stop` if the terminal of the process was closed, and reloads otherwise.
 */
export function handleSignals(stop: () => void): Opening {
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

/** Returns whether a terminal controls this process. The kernel takes a closed terminal away before it sends SIGHUP. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

// Notifies systemd once the gateway is ready (sd_notify). Node has no datagram sockets of the Unix domain, so systemd's own program sends
// the message. This program waits until systemd has read the message, because systemd takes no message of a process that has ended.

/** The milliseconds between two checks of whether the gateway is ready. */
const LOOK_MS = 50;
/** The milliseconds after which the notice is given up. */
const NOTICE_TIMEOUT_MS = 10_000;

/** Resolves when the gateway has finished starting. */
export function whenStarted(isStarting: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const looks = setInterval(() => {
      if (isStarting()) return;
      clearInterval(looks);
      resolve();
    }, LOOK_MS);
  });
}

/** Looks until the gateway is ready, or until the returned function is called. Then notifies systemd. */
export function notifyReady(isReady: () => boolean, log: Log): () => void {
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

// The parts that were started, to be closed in reverse. A part that cannot be closed does not keep the others from being closed.

export class Closers {
  readonly #closers: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Closes the newest part first, one after the other. Closes parts that start meanwhile, too. Returns the failures. */
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

// Ends the process as kill -9 would; nothing stored is lost. A normal exit waits for all threads. A thread that is stopped within a
// transaction would wait forever for a store lock that it holds itself.

/** The id of the first process of a namespace. Linux ignores signals by which this process would kill itself. */
const INIT = 1;

/** Throws a ConfigError if the process could not end itself: the process would go on after a fault. */
export function refuseProcessOne(pid = process.pid): void {
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
