// The repository as its forge and the judges of a release see it. Workflows and forms are well-formed, and the scripts that they run exist. The
// native binaries have the recorded hashes. A release names all packages with their licences.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { removeFolder, temporaryFolder } from './support/temporary-folder.ts';

const { validateWorkflow } = createRequire(import.meta.url)('@action-validator/core') as {
  readonly validateWorkflow: (text: string) => { readonly errors: readonly object[] };
};

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, { readonly permissions?: object; readonly steps: readonly Step[] }>>;
}

const WORKFLOWS = readdirSync('.github/workflows').map(name => `.github/workflows/${name}`);
const read = (path: string): string => readFileSync(path, 'utf8');
const { dependencies } = JSON.parse(read('package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

describe.each(WORKFLOWS)('%s', path => {
  const { jobs, permissions } = parse(read(path)) as Workflow;
  const steps = Object.values(jobs).flatMap(it => it.steps);

  it('is a workflow, and a wrong one would be noticed', () => {
    // The permission is younger than the validator's schema.
    const text = read(path).replace(/^ +attestations: write\n/m, '');
    expect(validateWorkflow(text).errors).toEqual([]);
    expect(validateWorkflow(text.replace('runs-on', 'runs-at')).errors).not.toEqual([]);
  });

  it('may read the repository, and each job names what it may do beyond', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  it('runs what bash can read, and files that are there', () => {
    for (const { run = '' } of steps) {
      const plain = run.replaceAll(/\$\{\{.*?\}\}/g, 'x');
      expect([run, spawnSync('bash', ['-n', '-c', plain], { encoding: 'utf8' }).stderr]).toEqual([run, '']);
      for (const [file] of run.matchAll(/\.ci\/[\w-]+/g)) expect([file, existsSync(file)]).toEqual([file, true]);
    }
  });

  it('pins each action that it uses to a version', () => {
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter(it => !/@(v\d+|release\/v\d+)$/.test(it))).toEqual([]);
  });
});

it('CI of the forge is .ci/run, and so is the first check of a release', () => {
  for (const path of WORKFLOWS) expect([path, read(path)]).toEqual([path, expect.stringContaining('bash .ci/run')]);
});

it('the forms of issues ask for what they need, by fields of their own', () => {
  for (const name of ['fault.yml', 'wish.yml']) {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as {
      readonly name: string;
      readonly description: string;
      readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
    };
    expect([form.name, form.description]).toEqual([expect.any(String), expect.any(String)]);
    const asked = form.body.filter(({ type }) => type !== 'markdown');
    expect(form.body.filter(({ type }) => !['markdown', 'input', 'textarea', 'dropdown'].includes(type))).toEqual([]);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
    for (const { attributes } of asked) expect(attributes).toMatchObject({ label: expect.any(String) });
  }
});

describe('the native binaries of the installation', () => {
  const check = (list: string) =>
    spawnSync('sha256sum', ['--check', '--strict', '--quiet', list], { encoding: 'utf8' });
  const paths = read('.ci/binaries.sha256')
    .trimEnd()
    .split('\n')
    .map(line => line.slice(66));

  it('have the recorded hashes, and another byte would be noticed', () => {
    expect(check('.ci/binaries.sha256')).toMatchObject({ status: 0, stderr: '' });
    const list = join(folder, 'list');
    const [path = ''] = paths.filter(it => it.includes('sodium'));
    const copy = join(folder, 'copy.node');
    cpSync(path, copy);
    writeFileSync(
      list,
      read('.ci/binaries.sha256')
        .split('\n')
        .find(it => it.endsWith(path))!
        .replace(path, copy),
    );
    expect(check(list).status).toBe(0);
    writeFileSync(copy, 'x', { flag: 'a' });
    expect(check(list).status).toBe(1);
  });

  it('are all that the gateway may load here', () => {
    expect(paths).toContain('node_modules/node/bin/node');
    // deploy/prune leaves these on Debian; test/deploy/container.test.ts shows that it leaves no others.
    const packages = ['uWebSockets.js', '@lmdb', 'sodium-native', 'secp256k1', '@koromix', '@msgpackr-extract'];
    for (const name of packages)
      expect([name, paths.some(path => path.startsWith(`node_modules/${name}/`))]).toEqual([name, true]);
    expect(paths.filter(path => /musl|darwin|win32|arm64/.test(path))).toEqual([]);
  });
});

it('the bill of materials has each package of the gateway, with its version', () => {
  const text = execFileSync('.ci/bill', { encoding: 'utf8' });
  const { spdxVersion, packages } = JSON.parse(text) as {
    readonly spdxVersion: string;
    readonly packages: readonly { readonly name: string; readonly versionInfo: string }[];
  };
  expect(spdxVersion).toMatch(/^SPDX-2/);
  const named = new Set(packages.map(({ name, versionInfo }) => `${name} ${versionInfo}`));
  const wanted = Object.entries(dependencies).filter(([, version]) => !version.startsWith('npm:'));
  expect(wanted.filter(([name, version]) => !named.has(`${name} ${version}`))).toEqual([]);
  expect([...named].filter(it => it.startsWith('vitest ') || it.startsWith('crossbook '))).toHaveLength(1);
});

it('the licences of others are printed whole, and each allows what we do', () => {
  const text = execFileSync('.ci/third-party', { encoding: 'utf8' });
  const licences = [...text.matchAll(/^={80}\n(\S+) \S+: (.+)$/gm)].map(([, name, licence]) => [name!, licence!]);
  expect(licences.map(([name]) => name)).toEqual(expect.arrayContaining(['lmdb', 'ws', 'piscina', 'sodium-native']));
  const FREE = /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|BSD|Unlicense|0BSD)( OR .*\))?$/;
  expect(licences.filter(([, licence]) => !FREE.test(licence!))).toEqual([]);
  expect(text).toMatch(/Permission is hereby granted, free of charge/);
});
