// A program of another language as a child process: what it has said, how it ended. Its environment is the path and what is given.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { endWithUs } from '../support/reaped.ts';

/** Debian's, which sees Debian's packages. */
export const PYTHON = '/usr/bin/python3';
export const PYTHON_CLIENT = resolve('clients/python');

export class Program {
  /** Exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The text of both outputs so far. */
  said = '';
  readonly #child: ChildProcess;

  constructor([file = '', ...parameters]: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = '.') {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const paths = { PATH: process.env.PATH, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
    this.#child = spawn(file, parameters, { cwd, env: { ...paths, ...env }, stdio: [...stdio] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', text => {
        this.said += text;
      });
    }
    endWithUs(this.#child);
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(name);
  }

  async says(pattern: RegExp): Promise<void> {
    await eventually(() => expect(this.said).toMatch(pattern));
  }
}

/** Runs a program to its end, and expects that it succeeds. What it has said. */
export async function succeeds(...of: ConstructorParameters<typeof Program>): Promise<string> {
  const program = new Program(...of);
  const code = await program.ended;
  expect([code, program.said]).toEqual([0, program.said]);
  return program.said;
}
