// The data directory at a start: which ones may be left for a new one, and that nothing of them is lost.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { USUAL_TERMS } from '../src/core/runtime/paper-terms.ts';
import { ConfigError } from '../src/core/runtime/setting-values.ts';
import { takeOwnership } from '../src/core/store/owner-lock.ts';
import { StoreError } from '../src/core/store/store-error.ts';
import { openDataDir } from '../src/data-dir.ts';

type Source = Parameters<typeof openDataDir>[0]['source'];

const PAPER: Source = { kind: 'paper', seed: 1, recording: null, terms: USUAL_TERMS };
const VENUES = { kind: 'venues' } as Source;
const LIVE_PAPER = { kind: 'live-paper' } as Source;
const PODS = 'pods.json';

let above: string;
let dataDir: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'crossbook-data-dir-'));
  dataDir = join(above, 'data');
});
afterEach(() => rmSync(above, { recursive: true }));

const start = (source: Source, podsFile: string | null = null) =>
  openDataDir({ dataDir, source, podsFile, isFresh: false });
/** Path of the directory that was left; null: none was. */
const startFresh = (): string | null => {
  const line = openDataDir({ dataDir, source: PAPER, podsFile: null, isFresh: true });
  return /^crossbook begins anew; what it had is in (.*)\n$/.exec(line)?.[1] ?? null;
};
/** As a gateway leaves it that has traded. */
const trade = () => mkdirSync(join(dataDir, 'orders/journal'), { recursive: true });

describe('4035: --fresh', () => {
  it('renames the directory of the paper exchanges, with all that is in it', () => {
    expect(start(PAPER)).toBe('');
    trade();
    writeFileSync(join(dataDir, 'orders/journal/1'), 'orders');
    writeFileSync(join(dataDir, 'paper/exchanges.jsonl'), 'exchanges');
    const left = startFresh();
    expect(readFileSync(join(left!, 'orders/journal/1'), 'utf8')).toBe('orders');
    expect(readFileSync(join(left!, 'paper/exchanges.jsonl'), 'utf8')).toBe('exchanges');
    expect(readdirSync(dataDir)).toEqual(['paper']);
    // The new one may be left in turn.
    expect(startFresh()).not.toBe(left);
    expect(readdirSync(above)).toHaveLength(3);
  });

  it('makes the directory where there is none', () => {
    expect(startFresh()).toBeNull();
    expect(existsSync(join(dataDir, 'paper/source'))).toBe(true);
  });

  it.each([
    ['a folder that no start of the paper exchanges made', () => trade()],
    [
      'a ledger that an earlier release or other venues made',
      () => {
        trade();
        start(PAPER);
      },
    ],
    [
      'a directory with which other venues traded since',
      () => {
        start(PAPER);
        start(VENUES);
        start(PAPER);
        trade();
      },
    ],
  ])('refuses %s', (_what, prepare) => {
    prepare();
    start(VENUES);
    expect(startFresh).toThrow(ConfigError);
    expect(startFresh).toThrow(/does not record that only the paper exchanges were its venues/);
    expect(readdirSync(above)).toEqual(['data']);
  });

  it('refuses a directory that a gateway has open', () => {
    start(PAPER);
    const giveUp = takeOwnership(join(dataDir, 'paper'));
    expect(startFresh).toThrow(StoreError);
    expect(readdirSync(above)).toEqual(['data']);
    giveUp();
    expect(startFresh()).not.toBeNull();
  });
});

describe('a directory with orders of one mode', () => {
  it.each<[what: string, first: () => string, others: readonly (() => string)[]]>([
    [
      'live-paper',
      () => start(LIVE_PAPER),
      [() => start(PAPER), () => start(VENUES), () => start(VENUES, PODS), () => start({ kind: 'relay' })],
    ],
    ['live', () => start(VENUES, PODS), [() => start(PAPER), () => start(LIVE_PAPER)]],
  ])('of %s is opened by no other, and by the same again', (what, first, others) => {
    first();
    trade();
    for (const other of others) expect(other).toThrow(`is of the mode ${what}, and the venues of this start never had`);
    expect(first).not.toThrow();
  });

  it('at the real venues shows their books without accounts, too', () => {
    start(VENUES, PODS);
    trade();
    expect(() => start(VENUES)).not.toThrow();
    expect(() => start({ kind: 'relay' })).not.toThrow();
  });

  it('that no release has recorded is not taken for one of live-paper', () => {
    start(PAPER);
    trade();
    expect(() => start(LIVE_PAPER)).toThrow(ConfigError);
    expect(() => start(LIVE_PAPER)).toThrow('has orders of another mode');
    expect(() => start(PAPER)).not.toThrow();
  });

  it('of live-paper may be left for a new one', () => {
    start(LIVE_PAPER);
    expect(startFresh()).not.toBeNull();
    expect(() => start(PAPER)).not.toThrow();
  });
});

// The cache of sources without types was not synced. After a power cut a file in it may be empty, cut or full of zeros. It was taken for
// the source, so the gateway did not start until somebody removed it.
describe('0016: a power cut after the first start', () => {
  const LOADER = 'src/core/runtime/stripped-types.js';
  const SOURCE = "const words: string = 'as it should';\nconsole.log(words);\n";

  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-power-cut-'));
    mkdirSync(join(folder, 'src/core/runtime'), { recursive: true });
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
});

// It was made as a home, with the files of /etc/skel. So was the new volume of a container, which gets the image's content. Neither was
// empty, and a restore refused both.
const EMPTY_FOR_ITS_OWNER = /install (-d|--directory) (-m|--mode) 0700 .*\/var\/lib\/crossbook"?$/m;

describe('3205: a data directory with a skeleton', () => {
  it('docs/OPERATIONS.md makes the data directory empty, for its owner alone', () => {
    const text = readFileSync('docs/OPERATIONS.md', 'utf8');
    const commands = text.split('\n').filter(line => line.includes('useradd '));
    expect(commands).toHaveLength(1);
    expect(commands[0]).not.toMatch(/ (--create-home|-m) /);
    expect(text).toMatch(EMPTY_FOR_ITS_OWNER);
  });

  it('the image has the data directory empty, for its owner alone', () => {
    expect(readFileSync('deploy/rootfs', 'utf8')).toMatch(EMPTY_FOR_ITS_OWNER);
  });
});
