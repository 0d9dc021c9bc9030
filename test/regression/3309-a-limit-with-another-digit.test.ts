// Found by changing bytes of the key store. A digit that became another one was read as if it had been set: another limit of an actor, another public
// key. Rows of orders and of the catalog had checksums, and those of keys had none.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitsCommand } from '../../src/cli/limits.ts';
import { podsCommand } from '../../src/cli/pods.ts';
import { encodeRecord, recordName } from '../../src/store/key-record.ts';
import { openEnvironment } from '../../src/store/lmdb.ts';
import { CommandRig } from '../cli/command-rig.ts';

let rig: CommandRig;
let folder: string;
beforeEach(async () => {
  rig = new CommandRig();
  folder = join(rig.dataDir, 'keys');
  for (const args of [
    ['create', 'desk'],
    ['add-actor', 'desk', 'maker'],
  ])
    expect((await rig.run(podsCommand, ...args)).code).toBe(0);
  expect((await rig.run(limitsCommand, 'set', '--actor', 'maker', '--notional-max', '123.45')).code).toBe(0);
});
afterEach(() => rig.remove());

it('is refused, with what to do', async () => {
  const path = join(folder, 'data.mdb');
  const bytes = readFileSync(path);
  const digits = Buffer.from('"notionalMax":123450000');
  // Free pages may have it as well.
  for (let at = bytes.indexOf(digits); at >= 0; at = bytes.indexOf(digits, at + 1))
    bytes[at + digits.indexOf('1')] = '9'.charCodeAt(0);
  writeFileSync(path, bytes);
  const words = 'record "actor/desk/maker": is not what was written: restore a backup (docs/OPERATIONS.md, Backups)';
  const { code, err } = await rig.run(limitsCommand, 'list');
  expect([code, err]).toEqual([1, `crossbook: key store ${folder}: ${words}\n`]);
});

it('records of earlier releases, without a checksum, are read, and have one after their next change', async () => {
  const records = await rig.records();
  const environment = openEnvironment(folder, 16 * 1024 * 1024);
  const record = { kind: 'actor', value: records.actors[0]! } as const;
  environment.transact(it => it.put(recordName(record), encodeRecord(record)));
  expect((await rig.run(limitsCommand, 'set', '--actor', 'maker', '--notional-max', '2')).code).toBe(0);
  expect(Buffer.from(environment.get(recordName(record))!).toString()).toMatch(/^\{"v":3,"sum":\d+,"value":/);
  await environment.close();
});
