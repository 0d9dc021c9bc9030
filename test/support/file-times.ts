// A reporter of the test run: how long each test file took, and how much processor time its process and the child processes took. It writes
// all files as JSON, the slowest first, and prints the slowest thirty. `TEST_TIMES=FILE npm test` switches the reporter on.

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const PRINTED = 30;

/** The data that `before-each-file.ts` adds to a test file. */
export interface Measured {
  readonly processorMs?: number;
}

interface FileTime {
  readonly file: string;
  readonly project: string;
  readonly wallMs: number;
  readonly processorMs: number;
}

export class FileTimes implements Reporter {
  readonly #path: string;

  /** `path` is the path of the JSON file, which may exist from an earlier run. */
  constructor(path: string) {
    this.#path = path;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map(timeOf).sort((a, b) => b.wallMs - a.wallMs);
    writeFileSync(this.#path, `${JSON.stringify(times, null, 2)}\n`);
    console.log(tableOf(times));
  }
}

function timeOf(module: TestModule): FileTime {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return {
    file: relative('.', module.moduleId),
    project: module.project.name,
    wallMs: Math.round(prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration),
    processorMs: (module.meta() as Measured).processorMs ?? 0,
  };
}

function tableOf(times: readonly FileTime[]): string {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(9);
  const sum = (of: (time: FileTime) => number): number => times.reduce((total, time) => total + of(time), 0);
  const row = (wallMs: number, processorMs: number, what: string): string =>
    `${seconds(wallMs)} ${seconds(processorMs)}  ${what}`;
  return [
    `${'time, s'.padStart(9)} ${'proc., s'.padStart(9)}  file`,
    ...times.slice(0, PRINTED).map(({ wallMs, processorMs, file }) => row(wallMs, processorMs, file)),
    row(
      sum(time => time.wallMs),
      sum(time => time.processorMs),
      `all ${times.length} files, one after the other`,
    ),
  ].join('\n');
}
