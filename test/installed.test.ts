// `crossbook` from the clone, by a link to it, and from a packed tarball that npm has installed in an empty folder.

import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { removeFolder, temporaryFolder } from './support/temporary-folder.ts';

const run = promisify(execFile);
const BIN = resolve('bin/crossbook');
const { version, dependencies, files } = JSON.parse(readFileSync('package.json', 'utf8'));
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

describe('from a tarball', () => {
  const home = join(folder, 'installed');
  const crossbook = join(home, 'node_modules', '.bin', 'crossbook');

  /** As npm lays it out: every dependency beside the package. The files of the dependencies are those of this clone. */
  beforeAll(async () => {
    // Of a copy: another test compiles the clients into the clone's `dist` meanwhile.
    const copy = join(folder, 'copy');
    for (const name of ['package.json', ...files.filter((it: string) => it !== 'dist' && !it.startsWith('!'))])
      cpSync(name, join(copy, name), { recursive: true });
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: copy });
    const modules = join(home, 'node_modules');
    mkdirSync(join(modules, 'crossbook'), { recursive: true });
    mkdirSync(join(modules, '.bin'));
    await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', join(modules, 'crossbook'), '--strip-components=1']);
    for (const name of Object.keys(dependencies)) {
      mkdirSync(join(modules, name, '..'), { recursive: true });
      symlinkSync(resolve('node_modules', name), join(modules, name));
    }
    symlinkSync('../crossbook/bin/crossbook', crossbook);
    // The sources are those of the clone: their types need not be stripped again.
    mkdirSync(resolve('node_modules/.cache'), { recursive: true });
    mkdirSync(join(modules, 'crossbook', 'node_modules'));
    symlinkSync(resolve('node_modules/.cache'), join(modules, 'crossbook', 'node_modules', '.cache'));
  });

  it('has the clients of other languages, without their tests', () => {
    const of = (path: string): boolean => existsSync(join(home, 'node_modules/crossbook/clients', path));
    expect(['c/crossbook.h', 'rust/crossbook.rs', 'python/crossbook/py.typed'].map(of)).toEqual([true, true, true]);
    expect(of('python/tests')).toBe(false);
  });

  it('runs as npx runs it', async () => {
    const env = { ...process.env, PATH: `${join(home, 'node_modules', '.bin')}:${process.env.PATH}` };
    expect((await run('crossbook', ['--version'], { cwd: home, env })).stdout).toBe(SAID);
    expect((await run('crossbook', ['help', 'stop'], { cwd: home, env })).stdout).toContain('stop ACTOR|POD|--all');
  });

  it('starts the gateway, which answers its commands', async () => {
    const env = { PATH: process.env.PATH, CROSSBOOK_PORT: '0', CROSSBOOK_WARM_UP: 'off' };
    const child = spawn(crossbook, ['start'], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let said = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        said += text;
      });
      await eventually(() => expect(said).toMatch(/^crossbook listening on http:\/\/127\.0\.0\.1:\d+ /));
      await eventually(async () => {
        const { stdout } = await run(crossbook, ['status', '--once'], { cwd: home, env });
        expect(stdout).toContain(`crossbook ${version}, process ${child.pid},`);
      });
      await eventually(async () => {
        expect((await run(crossbook, ['stop', '--all'], { cwd: home, env })).stdout).toContain('cancelled 0, left 0');
      });
    } finally {
      child.kill('SIGTERM');
      await new Promise(resolve => child.once('close', resolve));
    }
    expect(child.exitCode).toBe(0);
  });
});
