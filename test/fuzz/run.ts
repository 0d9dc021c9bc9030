// `npm run fuzz`: runs every target for a while, from a new seed, which each target prints. The exit code is 1 if a target found something. The
// target prints the smallest failing input, which becomes a test before the defect is fixed.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runnerOptions } from '../support/runner-options.ts';

const USAGE = `npm run fuzz -- [options]

  --seconds N  of each target (default 30)
  --only NAME  those whose name contains it
  --seed S     of what is drawn (default: from the clock)`;
const values = runnerOptions(USAGE, {
  seconds: { type: 'string', default: '30' },
  only: { type: 'string', default: '' },
  seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (!Number.isInteger(seconds) || seconds < 1 || !Number.isInteger(seed)) {
  console.error('--seconds must be a whole number from 1 on, --seed a whole number');
  process.exit(2);
}

const quoted = values.only.replace(/[^\w ]/g, '\\$&');
const child = spawn(
  process.execPath,
  [
    join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs'),
    ...['run', 'test/fuzz', '--reporter=verbose', '--silent=false', '--no-file-parallelism', '-t', quoted],
  ],
  { stdio: 'inherit', env: { ...process.env, FUZZ_SECONDS: String(seconds), FUZZ_SEED: String(seed) } },
);
// The child ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
child.once('exit', code => process.exit(code ?? 1));
