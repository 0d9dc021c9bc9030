// Which threads of a process give way to the others, by the system's own account.

import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { OwnProcess } from '../../support/child-process.ts';

const BELOW_NORMAL = 10;

it('a thread gives way alone: main and other workers stay as they are', async () => {
  const child = new OwnProcess([fileURLToPath(new URL('./priorities-child.ts', import.meta.url))]);
  expect(await child.ended).toBe(0);
  const { main, worker, yielding } = JSON.parse(child.stdout);
  // The tests may run below that themselves.
  expect({ worker, yielding }).toEqual({ worker: main, yielding: Math.max(main, BELOW_NORMAL) });
});
