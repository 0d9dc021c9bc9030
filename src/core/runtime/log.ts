// Writes one line of JSON per event on standard error, from any thread. A person at a terminal gets lines of text instead. Callers pass
// named facts, no foreign objects; values that look like a secret are removed all the same. Lines are collected and written once per turn
// of the event loop, so an event costs its caller a few microseconds. If the reader is slow or closed, lines are lost, and the next line
// has their number. A slow or closed reader never costs memory or time, and never ends the process.

import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { limits } from '../../limits.ts';
import { NOT_PLAIN } from '../domain/plain-text.ts';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export const LOG_LEVELS = ['debug', 'info', 'warn'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The level of a log, in shared memory, as an index of LOG_LEVELS. All threads that share the level keep the same events. */
type SharedLevel = Uint8Array<SharedArrayBuffer>;
/** A level beyond all levels: no event is kept. */
const SILENT = LOG_LEVELS.length;

export interface Log {
  /** The shared level, for the log of another thread. */
  readonly level: SharedLevel;
  /** Whether debug events are kept. If not, callers need not build the fields of such events. */
  readonly isDebug: boolean;
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** Writes the waiting lines now. This is for a process that kills itself; a normal exit writes them anyway. */
  flush(): void;
}

interface LogOptions {
  /** Events below this level are dropped. The default is `info`. */
  readonly level?: LogLevel | SharedLevel;
  /** Takes lines, and calls back when it can take more. The default writes to standard error. */
  readonly write?: Write;
}

type Write = (text: string, onTaken: () => void) => void;

/** Makes a log; `component` names the thread. */
export function createLog(component: string, { level = 'info', write = writeToStandardError }: LogOptions = {}): Log {
  const shared = typeof level === 'string' ? sharedLevel(LOG_LEVELS.indexOf(level)) : level;
  const writer = new LineWriter(write, lines => droppedLine(component, lines));
  const at =
    (own: LogLevel, index = LOG_LEVELS.indexOf(own)) =>
    (event: string, fields?: LogFields) => {
      if (index >= shared[0]!) writer.add(() => line(component, own, event, fields));
    };
  return {
    level: shared,
    get isDebug() {
      return shared[0] === 0;
    },
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    flush: () => writer.flush(),
  };
}

/** Changes the level of this log, and of all logs that share its level, in any thread. */
export function changeLevel({ level: shared }: Log, level: LogLevel): void {
  shared[0] = LOG_LEVELS.indexOf(level);
}

function sharedLevel(index: number): SharedLevel {
  return new Uint8Array(new SharedArrayBuffer(1)).fill(index);
}

/** A log that drops every event, for tests and benchmarks that ignore logs. */
export const silentLog: Log = {
  level: sharedLevel(SILENT),
  isDebug: false,
  debug() {},
  info() {},
  warn() {},
  flush() {},
};

class LineWriter {
  readonly #write: Write;
  readonly #droppedLine: (lines: number) => string;
  #lines: string[] = [];
  #dropped = 0;
  /** Whether a write is due at the end of the turn, or when the reader has taken the last lines. */
  #isDue = false;
  readonly #onExit = () => this.flush();

  constructor(write: Write, droppedLine: (lines: number) => string) {
    this.#write = write;
    this.#droppedLine = droppedLine;
  }

  /** Adds a line. `make` is called only if there is room. */
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

function line(component: string, level: LogLevel, event: string, fields: LogFields = {}): string {
  const shown: Record<string, string | number | boolean | null> = {};
  for (const [name, value] of Object.entries(fields)) {
    // Redact before cutting: half a secret does not look like a secret.
    shown[name] = typeof value === 'string' ? redact(name, value).slice(0, limits.venueWordsMax) : value;
  }
  return `${JSON.stringify({ time: new Date().toISOString(), level, component, event: redact('event', event), ...shown })}\n`;
}

function droppedLine(component: string, lines: number): string {
  return line(component, 'warn', 'log lines dropped', { lines });
}

/**
 * The number of lines of all threads that standard error has refused since it last took a line. Its disk was full, or its reader was gone.
 */
let linesRefused = 0;

function writeToStandardError(text: string, onTaken: () => void): void {
  const refused = linesRefused;
  linesRefused = 0;
  const output = refused === 0 ? text : droppedLine('log', refused) + text;
  process.stderr.write(process.stderr.isTTY ? terminalText(output) : output, error => {
    if (error) linesRefused += refused + text.split('\n').length - 1;
    onTaken();
  });
}

const OWN_LINE = /^\{"time":".*\}$/s;

/**
 * Returns lines of a log in a form for a person: time in UTC, level, thread, event, then the facts. Other text stays as it is. The main
 * thread calls this for all lines, because only it knows whether standard error is a terminal.
 */
export function terminalText(text: string): string {
  return text
    .split('\n')
    .map(line => (OWN_LINE.test(line) ? ownLineText(line) : line))
    .join('\n');
}

function ownLineText(line: string): string {
  let entry: Readonly<Record<string, unknown>>;
  try {
    entry = JSON.parse(line);
  } catch {
    // The line is another program's, or was cut off.
    return line.replace(NOT_PLAIN, '?');
  }
  const { time, level, component, event, ...facts } = entry;
  const shown = Object.entries(facts).map(([name, value]) => ` ${name}=${factText(value)}`);
  return `${String(time).slice(11, 19)}Z ${String(level).padEnd(5)} ${component}: ${event}${shown.join('')}`;
}

/** Returns the text of a fact, without quotes if it is one word. No character of the text can steer the terminal. */
function factText(value: unknown): string {
  if (typeof value !== 'string' || /^[!-~]+$/.test(value)) return String(value);
  return JSON.stringify(value).replace(NOT_PLAIN, it => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Ends a line on standard error that native code has begun. LMDB's "Write error: …" has no line break, so a line of JSON behind it could
 * not be parsed. Any thread, right after the native call.
 */
export function endNativeLine(): void {
  try {
    writeSync(2, '\n');
  } catch {
    // The disk is full, or the reader is gone: then native code has written nothing either.
  }
}

/** Ensures that from now on no error of standard output or standard error ends the process. Main thread, before it starts other threads. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // The output of each other thread arrives by a pipe of its own. Without this listener, the first error would unpipe them for good.
  process.stderr.on('pipe', (lines: Readable) => {
    lines.unpipe(process.stderr);
    lines.on('data', (chunk: Buffer) => {
      lines.pause();
      writeToStandardError(chunk.toString(), () => lines.resume());
    });
  });
}

// Secrets: our keys and tickets, private keys of any kind, signatures. This is the last line of defence, since callers pass named facts
// only.

/** The names of fields whose whole value is a secret. */
const SECRET_FIELD =
  /^(signature|svc-?signature|seed|secret|passphrase|password|ticket|authorization|(x-)?api-?key|private-?key)(hex|pem|text)?$/i;
/** The names of fields that may hold 32 bytes in hex. In these fields such a value is public. */
const PUBLIC_HEX_FIELD = /(public_?key|key_?id|hash|sha256|condition|market|token|venue_?order_?id|fill_?id)/i;

const API_KEY = /cbk_[\w-]{16,}/g;
const PEM = /-----BEGIN [A-Z ]+-----[\s\S]*?(-----END [A-Z ]+-----|$)/g;
/** A ticket in the query of a stream's address. */
const TICKET = /([?&]ticket=)[^&#\s"]+/g;
/** A seed or a private key of 32 bytes. */
const HEX_OF_32_BYTES = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi;

/** The shortest text that can hold a secret. */
const CHARACTERS_MIN = 20;

/** Returns the `value` of a log field without the parts that look like a secret. The field's name decides if a form is ambiguous. */
export function redact(field: string, value: string): string {
  if (SECRET_FIELD.test(field)) return '[redacted]';
  if (value.length < CHARACTERS_MIN) return value;
  const text = value
    .replace(API_KEY, '[redacted API key]')
    .replace(PEM, '[redacted PEM]')
    .replace(TICKET, '$1[redacted]');
  return PUBLIC_HEX_FIELD.test(field) ? text : text.replace(HEX_OF_32_BYTES, '[redacted 32 bytes]');
}
