// The Python client has the operations of the contract.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/core/generated/api-types.ts';
import { OPERATIONS_PATH } from '../support/make-python-client.ts';

it('has each operation but the upgrades, for both ways to call', () => {
  const text = readFileSync(OPERATIONS_PATH, 'utf8');
  const names = Object.keys(OPERATIONS).map(name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
  const made = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name!).filter(name => name !== '_run');
  expect(made(/^ {4}def (\w+)\(/gm).toSorted()).toEqual(names.toSorted());
  expect(made(/^ {4}async def (\w+)\(/gm).toSorted()).toEqual(names.toSorted());
});
