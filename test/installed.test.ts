// `crossbook` from the clone, by a link to it, and from a packed tarball that npx runs in an empty folder.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { removeFolder, temporaryFolder } from './support/temporary-folder.ts';

const run = promisify(execFile);
const BIN = resolve('bin/crossbook');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const SAID = `crossbook ${version}\n`;

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

describe('from the clone', () => {
  it('runs from any folder, and by links', async () => {
    expect((await run(BIN, ['--version'], { cwd: folder })).stdout).toBe(SAID);
    symlinkSync(BIN, join(folder, 'link'));
    symlinkSync('link', join(folder, 'again'));
    expect((await run(join(folder, 'again'), ['--version'], { cwd: '/' })).stdout).toBe(SAID);
  });

  it('runs on the Node that it brings, and on no other in the path', async () => {
    const bin = join(folder, 'path');
    mkdirSync(bin);
    writeFileSync(join(bin, 'node'), '#!/bin/sh\nexit 9\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}` };
    expect((await run(BIN, ['--version'], { env })).stdout).toBe(SAID);
  });

  it('says what to do where its Node is missing', async () => {
    const bare = join(folder, 'bare');
    mkdirSync(join(bare, 'bin'), { recursive: true });
    writeFileSync(join(bare, 'bin', 'crossbook'), readFileSync(BIN), { mode: 0o755 });
    const failed = await run(join(bare, 'bin', 'crossbook'), []).catch(error => error);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('crossbook: its Node is missing')]);
  });
});

describe('from a tarball that npx runs', () => {
  const home = join(folder, 'empty');
  const cache = join(folder, 'cache');
  /** npm installs into a cache of this test's own, from what the usual cache has already loaded. */
  const env = { ...process.env, npm_config_cache: cache, CROSSBOOK_PORT: '0', CROSSBOOK_WARM_UP: 'off' };
  let npx: readonly [string, ...string[]];

  beforeAll(async () => {
    mkdirSync(home);
    mkdirSync(cache);
    const { stdout: usual } = await run('npm', ['config', 'get', 'cache']);
    mkdirSync(join(usual.trim(), '_cacache'), { recursive: true });
    symlinkSync(join(usual.trim(), '_cacache'), join(cache, '_cacache'));
    await run('npm', ['pack', '--silent', '--pack-destination', home]);
    const [tarball] = readdirSync(home);
    // A folder above may have modules of its own; npx would look for the tarball there.
    npx = ['npx', '--prefix', home, '--yes', `./${tarball}`];
  });

  const crossbook = async (...args: string[]): Promise<string> => {
    const [file, ...rest] = npx;
    return (await run(file, [...rest, ...args], { cwd: home, env })).stdout;
  };

  it('installs, and says its version', async () => {
    expect(await crossbook('version')).toBe(SAID);
  });

  it('starts the demo without a command, and answers commands there', async () => {
    const [file, ...rest] = npx;
    const child = spawn(file, rest, { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const ended = new Promise(resolve => child.once('close', resolve));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text;
    });
    try {
      await eventually(() => expect(said).toMatch(/^crossbook listening on http:\/\/127\.0\.0\.1:\d+ \(paper/m));
      expect(readdirSync(home)).toContain('data');
      await eventually(async () => expect(await crossbook('status', '--once')).toContain(`crossbook ${version}, `));
      expect(await crossbook('help', 'stop')).toContain('stop ACTOR|POD|--all');
      await eventually(async () => expect(await crossbook('stop', '--all')).toContain('cancelled 0, left 0'));
    } finally {
      process.kill(-child.pid!, 'SIGTERM');
      await ended;
    }
  });

  it('says for a command that needs another package how to install it', async () => {
    const failed = await crossbook('mcp').catch(error => error);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/npm install .*@modelcontextprotocol\/sdk/),
    ]);
  });
});
