// The files that `npm pack` puts into the package of the gateway, its size, and the checks of `.ci/publishable` before both packages are published.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from './support/temporary-folder.ts';

/** docs/OPERATIONS.md states the size. */
const BYTES_MAX = 2_000_000;

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const packed: Packed = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { encoding: 'utf8' }))[0];
const paths = packed.files.map(({ path }) => path);

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

it('has what runs the gateway, what deploys it and what explains it', () => {
  const tops = new Set(paths.map(path => path.split('/')[0]));
  const files = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];
  expect([...tops].toSorted()).toEqual([...files, 'bin', 'deploy', 'docs', 'proto', 'src'].toSorted());
  expect(paths).toEqual(expect.arrayContaining(['bin/crossbook', 'src/main.ts', 'deploy/prune', 'docs/OPERATIONS.md']));
});

it('has no tests, pictures, decisions or sources of the page, and is small', () => {
  expect(paths.filter(path => /\.(test\.ts|png)$|^docs\/\w+\/|page\/.*\.(ts|css)$/.test(path))).toEqual(
    paths.filter(path => path.startsWith('src/gateway/page/')),
  );
  expect(packed.size).toBeLessThan(BYTES_MAX);
});

it('becomes ready to publish with the address of its repository, and so does the client', () => {
  mkdirSync(join(folder, 'clients/typescript'), { recursive: true });
  for (const path of ['.ci/publishable', 'package.json', 'clients/typescript/package.json'])
    cpSync(path, join(folder, path), { recursive: true });
  execFileSync(join(folder, '.ci/publishable'), ['https://example.com/o/crossbook']);
  const [gateway, client] = ['.', 'clients/typescript'].map(path =>
    JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')),
  );
  const common = {
    homepage: 'https://example.com/o/crossbook#readme',
    bugs: { url: 'https://example.com/o/crossbook/issues' },
    publishConfig: { access: 'public', provenance: true },
    keywords: expect.arrayContaining(['prediction-markets']),
  };
  const repository = { type: 'git', url: 'git+https://example.com/o/crossbook.git' };
  expect(gateway).toMatchObject({ ...common, repository });
  expect(client).toMatchObject({ ...common, repository: { ...repository, directory: 'clients/typescript' } });
  expect([gateway.private, client.private]).toEqual([undefined, undefined]);
});

it('is not published by hand: both packages are private in the repository', () => {
  for (const path of ['package.json', 'clients/typescript/package.json'])
    expect([path, JSON.parse(readFileSync(path, 'utf8')).private]).toEqual([path, true]);
});
