// `npm run release` in a clone of this repository, by git and npm themselves. Its `npm run check` only looks whether a file is there,
// and its data directory is an empty file.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from './support/temporary-folder.ts';

const CHANGES = '### Action required\n\n- **A setting is gone.**\n';
const OLDER = '## 2026-11-21\n\n- The public baseline.\n';

let clone: string;
/** The commit from which each test begins. */
let before: string;

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: clone, encoding: 'utf8' }).trim();
}

function release(...args: string[]) {
  const names = { GIT_AUTHOR_NAME: 'a', GIT_COMMITTER_NAME: 'a' };
  const mails = { GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_EMAIL: 'a@example.com' };
  const env = { ...process.env, ...names, ...mails };
  const { status, stdout, stderr } = spawnSync('.ci/release', args, { cwd: clone, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function write(name: string, text: string): void {
  writeFileSync(join(clone, name), text);
}

function versions(): unknown[] {
  const manifests = ['package.json', 'package-lock.json', 'clients/typescript/package.json'];
  const [, python] = /^version = "(.*)"$/m.exec(readFileSync(join(clone, 'clients/python/pyproject.toml'), 'utf8'))!;
  return [...manifests.map(name => JSON.parse(readFileSync(join(clone, name), 'utf8')).version), python];
}

/** Copies the files at the root, .ci, the clients' manifests and data directories, which are all that a release needs. */
beforeAll(() => {
  clone = temporaryFolder();
  execFileSync('git', ['clone', '--quiet', '--no-tags', '--shared', '--sparse', '.', clone]);
  git('sparse-checkout', 'set', '.ci', 'clients/typescript', 'clients/python', 'test/data-folders');
  copyFileSync('.ci/release', join(clone, '.ci/release'));
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n${CHANGES}\n${OLDER}`);
  const manifest = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  const make = 'mkdir -p test/data-folders && touch test/data-folders/$npm_package_version.tar.gz';
  const scripts = { check: 'test ! -e broken.log', 'make:data-folder': make };
  copyFileSync('clients/typescript/package.json', join(clone, 'clients/typescript/package.json'));
  write('package.json', `${JSON.stringify({ ...manifest, version: '0.1.0', scripts }, null, 2)}\n`);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a change');
  before = git('rev-parse', 'HEAD');
});

afterEach(() => {
  git('reset', '--quiet', '--hard', before);
  git('clean', '--quiet', '--force', '-x');
  if (git('tag') !== '') git('tag', '--delete', ...git('tag').split('\n'));
});

afterAll(() => removeFolder(clone));

it('dates the changelog, sets the version, commits and tags', () => {
  expect(release('0.2.0')).toMatchObject({ status: 0, stderr: '' });
  const text = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
  const [, heading] = /^## (0\.2\.0, \d{4}-\d\d-\d\d)$/m.exec(text)!;
  expect(text).toBe(`# Changelog\n\n## ${heading}\n\n${CHANGES}\n${OLDER}`);
  expect(versions()).toEqual(['0.2.0', '0.2.0', '0.2.0', '0.2.0']);
  expect(git('log', '-1', '--format=%s')).toBe('release: 0.2.0');
  expect(git('diff', '--name-only', before, 'HEAD')).toContain('test/data-folders/0.2.0.tar.gz');
  expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect(git('tag', '--list', '--format=%(contents)', 'v0.2.0')).toBe(`${heading}\n\n${CHANGES}`.trim());
  expect(git('status', '--porcelain')).toBe('');
});

it('says with --dry-run what it would do, and does nothing', () => {
  const { status, stdout } = release('--dry-run', '0.2.0');
  expect(status).toBe(0);
  expect(stdout).toMatch(/## 0\.2\.0, \d{4}-\d\d-\d\d\n.*0\.2\.0 \(now 0\.1\.0\)\n.*release: 0\.2\.0\n.*v0\.2\.0/);
  expect(stdout).toContain(CHANGES.trim());
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list', 'v0.2.0')]).toEqual([
    before,
    '',
    '',
  ]);
});

const empty = (): void => {
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n${OLDER}`);
  git('commit', '--quiet', '--all', '--message', 'nothing to say');
};

it.each<[string, string[], RegExp, () => void]>([
  ['a dirty tree', ['0.2.0'], /tree is dirty/, () => write('more.md', '')],
  ['a failing check', ['0.2.0'], /`npm run check` fails/, () => write('broken.log', '')],
  ['a failing check, dry', ['0.2.0', '--dry-run'], /`npm run check` fails/, () => write('broken.log', '')],
  ['a changelog without news', ['0.2.0'], /nothing under "## Unreleased"/, empty],
  ['a version that is not above the last', ['0.1.0'], /0\.1\.0 is not above 0\.1\.0/, () => undefined],
  ['a lower version', ['0.0.9'], /0\.0\.9 is not above 0\.1\.0/, () => undefined],
  ['a tag that exists', ['0.2.0'], /the tag v0\.2\.0 exists/, () => git('tag', 'v0.2.0')],
  ['no version', [], /^npm run release -- X\.Y\.Z/, () => undefined],
  ['a version of other form', ['v0.2'], /^npm run release -- X\.Y\.Z/, () => undefined],
])('refuses %s', (_what, args, words, prepare) => {
  prepare();
  const state = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')];
  const { status, stderr } = release(...args);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(words);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual(state);
});
