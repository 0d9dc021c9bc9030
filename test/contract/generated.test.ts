// Generated files are what their sources give.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GENERATED } from '../support/make-generated.ts';

it.each(Object.entries(GENERATED))('%s is what `npm run make:generated` makes', async (path, make) => {
  expect(readFileSync(path, 'utf8')).toBe(await make());
});

it('nothing else is in the folder of generated files', () => {
  const folder = 'src/core/generated/';
  const made = Object.keys(GENERATED).filter(path => path.startsWith(folder));
  expect(readdirSync(folder).map(name => folder + name)).toEqual(made.toSorted());
});
