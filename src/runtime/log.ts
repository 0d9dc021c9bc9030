// One line of JSON per event on standard error, any thread. Callers pass named facts, not objects of other people; what looks
// like a secret is taken out all the same. Lines are collected and written once per turn of the event loop, so that an event
// costs its caller a few microseconds; a reader that does not keep up, or is gone, costs lines, never memory, time or the process, and
// is told how many.

import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { limits } from '../limits.ts';
import { redact } from './redact.ts';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export const LOG_LEVELS = ['debug', 'info', 'warn'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Log {
  /** For another thread's log: the same events are kept there. */
  readonly level: LogLevel | 'silent';
  /** Whether debug events are kept: their fields are not worth building otherwise. */
  readonly isDebug: boolean;
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** Writes what waits, now: before a process ends itself by force. An ordinary exit does it by itself. */
  flush(): void;
}

export interface LogOptions {
  /** Events below it are dropped; `info` by default. */
  readonly level?: LogLevel | 'silent';
  /** Takes lines and calls back when it can take more. */
  readonly write?: Write;
}

type Write = (text: string, onTaken: () => void) => void;

/** `component` names the thread. */
export function createLog(component: string, { level = 'info', write = writeToStandardError }: LogOptions = {}): Log {
  if (level === 'silent') return silentLog;
  const writer = new LineWriter(write, lines => droppedLine(component, lines));
  const at = (own: LogLevel) =>
    LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)
      ? () => {}
      : (event: string, fields: LogFields = {}) => writer.add(() => line(component, own, event, fields));
  return {
    level,
    isDebug: level === 'debug',
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    flush: () => writer.flush(),
  };
}

/** Drops every event: for tests and benchmarks that look at behaviour, not at logs. */
export const silentLog: Log = { level: 'silent', isDebug: false, debug() {}, info() {}, warn() {}, flush() {} };

class LineWriter {
  readonly #write: Write;
  readonly #droppedLine: (lines: number) => string;
  #lines: string[] = [];
  #dropped = 0;
  /** The turn's end or the reader is awaited. */
  #isDue = false;
  readonly #onExit = () => this.flush();

  constructor(write: Write, droppedLine: (lines: number) => string) {
    this.#write = write;
    this.#droppedLine = droppedLine;
  }

  /** `make` is only called if there is room. */
  add(make: () => string): void {
    if (this.#lines.length >= limits.logLinesWaitingMax) {
      this.#dropped += 1;
      return;
    }
    if (this.#lines.length === 0) process.on('exit', this.#onExit);
    this.#lines.push(make());
    this.#schedule();
  }

  flush(): void {
    if (this.#lines.length > 0) this.#write(this.#take(), () => {});
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      if (this.#lines.length > 0) this.#write(this.#take(), () => this.#taken());
      else this.#isDue = false;
    });
  }

  #taken(): void {
    this.#isDue = false;
    if (this.#lines.length > 0) this.#schedule();
  }

  #take(): string {
    process.off('exit', this.#onExit);
    if (this.#dropped > 0) this.#lines.push(this.#droppedLine(this.#dropped));
    const text = this.#lines.join('');
    this.#lines = [];
    this.#dropped = 0;
    return text;
  }
}

function line(component: string, level: LogLevel, event: string, fields: LogFields): string {
  const shown: Record<string, string | number | boolean | null> = {};
  for (const [name, value] of Object.entries(fields)) {
    // Redacted first: a secret that is cut in two does not look like one.
    shown[name] = typeof value === 'string' ? redact(name, value).slice(0, limits.venueWordsMax) : value;
  }
  return `${JSON.stringify({ time: new Date().toISOString(), level, component, event: redact('event', event), ...shown })}\n`;
}

function droppedLine(component: string, lines: number): string {
  return line(component, 'warn', 'log lines dropped', { lines });
}

/** Of all threads, that standard error has refused since it last took any: its disk was full, or its reader gone. */
let linesRefused = 0;

function writeToStandardError(text: string, onTaken: () => void): void {
  const refused = linesRefused;
  linesRefused = 0;
  const told = refused === 0 ? text : droppedLine('log', refused) + text;
  process.stderr.write(told, error => {
    if (error) linesRefused += refused + text.split('\n').length - 1;
    onTaken();
  });
}

/**
 * Ends a line of standard error that native code has begun: LMDB's "Write error: …" has no line break, and the next line of JSON could
 * not be read. Any thread, right after the native call.
 */
export function endNativeLine(): void {
  try {
    writeSync(2, '\n');
  } catch {
    // Its disk is full, or its reader gone: nothing was begun either.
  }
}

/** From now on no error of standard output or standard error ends the process. On the main thread, before it has others. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // What other threads write comes by a pipe each, which the first error would take away for good.
  process.stderr.on('pipe', (lines: Readable) => {
    lines.unpipe(process.stderr);
    lines.on('data', (chunk: Buffer) => {
      lines.pause();
      writeToStandardError(chunk.toString(), () => lines.resume());
    });
  });
}
