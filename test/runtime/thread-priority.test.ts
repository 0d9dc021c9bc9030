// Which threads of a process give way to the others, by the system's own account.

import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { OwnProcess } from '../support/child-process.ts';

const BELOW_NORMAL = 10;

it('V8’s helpers give way, and threads that ask for it; main, other workers and libuv’s threads do not', async () => {
  const child = new OwnProcess([fileURLToPath(new URL('./priorities-child.ts', import.meta.url))]);
  expect(await child.ended).toBe(0);
  const { main, helpers, worker, yielding, pool } = JSON.parse(child.stdout);
  // The tests may run below that themselves.
  const lower = Math.max(main, BELOW_NORMAL);
  expect({ worker, yielding }).toEqual({ worker: main, yielding: lower });
  expect(helpers.filter((nice: number) => nice === lower).length).toBeGreaterThan(0);
  expect(new Set(pool)).toEqual(new Set([main]));
});
