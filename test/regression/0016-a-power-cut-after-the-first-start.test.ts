// The cache of sources without types was not synced. After a power cut a file in it may be empty, cut or full of zeros. It was taken for
// the source, so the gateway did not start until somebody removed it.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const LOADER = 'src/runtime/stripped-types.js';
const SOURCE = "const words: string = 'as it should';\nconsole.log(words);\n";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-power-cut-'));
  mkdirSync(join(folder, 'src/runtime'), { recursive: true });
  copyFileSync(resolve(LOADER), join(folder, LOADER));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'src/main.ts'), SOURCE);
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a file of the cache that is not whole is not run, and is made anew', () => {
  expect(run()).toBe('as it should\n');
  const cache = join(folder, 'node_modules/.cache/crossbook', process.version);
  const [name] = readdirSync(cache);
  const whole = readFileSync(join(cache, name!));
  for (const left of [whole.subarray(0, 0), whole.subarray(0, -20), Buffer.alloc(whole.length)]) {
    writeFileSync(join(cache, name!), left);
    expect(run()).toBe('as it should\n');
    expect(readFileSync(join(cache, name!))).toEqual(whole);
  }
});

function run(): string {
  const flags = ['--import', `./${LOADER}`, '--disable-warning=ExperimentalWarning'];
  return execFileSync(process.execPath, [...flags, 'src/main.ts'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}
