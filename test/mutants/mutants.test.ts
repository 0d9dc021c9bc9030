// The lines that `npm run mutants` changes exist, and so do the tests that it runs. The run itself is by hand.

import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MUTANTS, mutated } from './mutants.ts';

it('there are at least forty mutants, each with a name of its own', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

it.each(MUTANTS)('$name: the line stands once in $file, and its tests exist', mutant => {
  const source = readFileSync(mutant.file, 'utf8');
  expect(mutated(mutant, source)).not.toBe(source);
  expect(mutant.tests.filter(path => !existsSync(path))).toEqual([]);
  expect(mutant.tests.length).toBeGreaterThan(0);
});

it('a line that is gone, or stands twice, is an error', () => {
  const mutant = { name: 'one', file: '', search: 'a', replace: 'b', tests: [] };
  expect(mutated({ ...mutant, replace: '$&$&' }, 'xay')).toBe('x$&$&y');
  expect(() => mutated(mutant, 'xyz')).toThrow('one: its line stands 0 times');
  expect(() => mutated(mutant, 'aa')).toThrow('one: its line stands 2 times');
});
