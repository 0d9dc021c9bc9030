// The start never came to an end, at all of a processor, with a data directory that lies where nobody can make folders though the folder
// above is there: node:fs, asked for all folders of a path, makes the one above again, and again.

import { expect, it } from 'vitest';
import { OwnProcess } from '../support/child-process.ts';

it.each(['/proc/crossbook', '/proc/crossbook/data'])('%s is refused', async folder => {
  const gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_DATA_DIR: folder, CROSSBOOK_PORT: '0' });
  expect(await gateway.ended).toBe(1);
  expect(gateway.stderr).toMatch(
    /^crossbook: CROSSBOOK_DATA_DIR: must be a folder, or one that can be made: ENOENT: .*'\/proc\/crossbook'\n$/,
  );
});
