// The Python client is that of the contract: made anew, its models and operations are what is committed.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/tools/client/api-types.generated.ts';
import { MODELS_PATH, makePythonModels, makePythonOperations, OPERATIONS_PATH } from '../support/make-python-client.ts';

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
