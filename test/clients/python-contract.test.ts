// The Python client is that of the contract: made anew, its models and operations are what is committed; its types fit together.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../support/contract-schema.ts';
import { lacks } from '../support/debian-packages.ts';
import { MODELS_PATH, makePythonModels, makePythonOperations, OPERATIONS_PATH } from '../support/make-python-client.ts';
import { PYTHON, succeeds } from './program.ts';

it('its models and operations are made from proto/; if not: npm run make:api-types', () => {
  expect(readFileSync(MODELS_PATH, 'utf8')).toBe(makePythonModels());
  expect(readFileSync(OPERATIONS_PATH, 'utf8')).toBe(makePythonOperations());
});

it('has each operation but the upgrade, for both ways to call', () => {
  const text = readFileSync(OPERATIONS_PATH, 'utf8');
  const names = operations()
    .map(({ operationId }) => operationId.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))
    .filter(name => name !== 'open_stream');
  const made = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name!).filter(name => name !== '_run');
  expect(made(/^ {4}def (\w+)\(/gm).toSorted()).toEqual(names.toSorted());
  expect(made(/^ {4}async def (\w+)\(/gm).toSorted()).toEqual(names.toSorted());
});

const PACKAGES = ['mypy', 'python3-cryptography', 'python3-httpx', 'python3-websockets'];

it.skipIf(lacks(...PACKAGES))('its types fit together, those of examples and tests too (needs mypy)', async () => {
  const client = 'clients/python';
  const parts = ['crossbook', 'examples', 'tests', 'tests/live'].map(folder => `${client}/${folder}`);
  const paths = { MYPYPATH: `${client}:${client}/tests` };
  const options = ['--strict', '--no-incremental', '--cache-dir=/dev/null'];
  for (const part of [parts.slice(0, 1), parts.slice(1, 2), parts.slice(2, 3), parts.slice(3)]) {
    await succeeds([PYTHON, '-m', 'mypy', ...options, ...part], paths);
  }
});
