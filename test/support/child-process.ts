// A program of ours as a child process: its output, a wait for a line of its output, and how the program ended.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { endWithUs } from './reaped.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The flags of node that `npm start` sets. */
export const START_FLAGS = [
  '--disable-sigusr1',
  '--no-memory-reducer',
  ...['--import', './src/core/runtime/stripped-types.js', '--disable-warning=ExperimentalWarning'],
];
/** The environment that `npm start` sets: the memory of the books is on pages of 2 MB. */
export const START_ENVIRONMENT = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

export type Signal = 'SIGHUP' | 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGUSR1';

export class OwnProcess {
  /** The exit code. Null means that a signal ended the program. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #texts = { stdout: '', stderr: '' };

  /**
   * Runs the program from the repository's root, with nothing of our environment but the path, and without a rehearsal of orders. `stderr`
   * is a file of ours that takes the standard error of the program; without `stderr`, this class reads the standard error. `openFilesMax`
   * is the limit of open files, if the program has a limit of its own.
   */
  constructor(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    { stderr, openFilesMax }: { readonly stderr?: number; readonly openFilesMax?: number } = {},
  ) {
    const command = [process.execPath, ...START_FLAGS, ...args];
    const limited = openFilesMax === undefined ? [] : ['/bin/sh', '-c', `ulimit -n ${openFilesMax}; exec "$0" "$@"`];
    const [file, ...rest] = [...limited, ...command];
    this.#child = spawn(file!, rest, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, CROSSBOOK_WARM_UP: 'off', ...environment },
      stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]?.setEncoding('utf8').on('data', text => {
        this.#texts[name] += text;
      });
    }
    endWithUs(this.#child);
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  /** The process id. */
  get pid(): number {
    return this.#child.pid!;
  }

  get stdout(): string {
    return this.#texts.stdout;
  }

  get stderr(): string {
    return this.#texts.stderr;
  }

  /** The signal that ended the program. */
  get endedBy(): NodeJS.Signals | null {
    return this.#child.signalCode;
  }

  /** Resolves with the match of `pattern` on standard output, now or as soon as the output matches. Rejects if the program ends before. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    const found = Promise.withResolvers<RegExpExecArray>();
    const look = (): void => {
      const match = pattern.exec(this.stdout);
      if (match !== null) found.resolve(match);
    };
    this.#child.stdout!.on('data', look);
    void this.ended.then(code => found.reject(new Error(`ended with ${code}: ${this.stderr}`)));
    look();
    return found.promise.finally(() => this.#child.stdout!.off('data', look));
  }

  /** Closes our ends of the program's output, so that nobody reads it any more. */
  closeReaders(): void {
    this.#child.stdout!.destroy();
    this.#child.stderr?.destroy();
  }

  signal(name: Signal): void {
    this.#child.kill(name);
  }
}
