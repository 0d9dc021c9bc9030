// The Python client is that of the contract: made anew, its models and operations are what is committed; its types fit together.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/tools/client/api-types.generated.ts';
import { lacks } from '../support/debian-packages.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { MODELS_PATH, makePythonModels, makePythonOperations, OPERATIONS_PATH } from '../support/make-python-client.ts';
import { PYTHON, succeeds } from './program.ts';

it('models and operations are made from proto/; if not: npm run make:api-types', () => {
  expect(readFileSync(MODELS_PATH, 'utf8')).toBe(makePythonModels());
  expect(readFileSync(OPERATIONS_PATH, 'utf8')).toBe(makePythonOperations());
});

it('has each operation but the upgrades, for both ways to call', () => {
  const text = readFileSync(OPERATIONS_PATH, 'utf8');
  const names = Object.keys(OPERATIONS).map(name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
  const made = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name!).filter(name => name !== '_run');
  expect(made(/^ {4}def (\w+)\(/gm).toSorted()).toEqual(names.toSorted());
  expect(made(/^ {4}async def (\w+)\(/gm).toSorted()).toEqual(names.toSorted());
});

const PACKAGES = ['mypy', 'python3-cryptography', 'python3-httpx', 'python3-websockets'];
/** mypy reads the types of all packages first, which takes 18 s of a core. */
const LONG_MS = 10 * PATIENCE_MS;

it.skipIf(lacks(...PACKAGES))(
  'the client’s types fit together, those of examples and tests too (needs mypy)',
  async () => {
    const parts = ['crossbook', 'examples', 'tests'].map(folder => `clients/python/${folder}`);
    const roots = ['', '/tests', '/tests/live'].map(folder => `clients/python${folder}`).join(':');
    const options = ['--strict', '--explicit-package-bases', '--cache-dir=/dev/null'];
    await succeeds([PYTHON, '-m', 'mypy', ...options, ...parts], { MYPYPATH: roots });
  },
  LONG_MS,
);
