// The start looped forever on a data directory in a place where nobody can make folders though the parent exists. node:fs, asked for all
// folders of a path, makes the parent again and again.

import { expect, it } from 'vitest';
import { OwnProcess } from '../support/child-process.ts';

it.each(['/proc/crossbook', '/proc/crossbook/data'])('%s is refused', async folder => {
  const gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_DATA_DIR: folder, CROSSBOOK_PORT: '0' });
  expect(await gateway.ended).toBe(1);
  expect(gateway.stderr).toMatch(
    /^crossbook: CROSSBOOK_DATA_DIR: must be a folder, or one that can be made: ENOENT: .*'\/proc\/crossbook'\n$/,
  );
});
