// `crossbook backup` and `restore`: the whole data directory of a gateway that has ended, and its restore. backup-beside.test.ts has a gateway that
// trades.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { Protection } from '../../../src/core/domain/protection.ts';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { openEnvironment } from '../../../src/core/store/lmdb.ts';
import { type LedgerTransaction, STOPS_MARK } from '../../../src/core/store/order-records.ts';
import { OrderReader } from '../../../src/core/store/orders/order-reader.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { backupCommand, restoreCommand } from '../../../src/tools/cli/backup.ts';
import { storeCommand } from '../../../src/tools/cli/store.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { CommandRig } from './command-rig.ts';
import { numberedOrder, putLedger } from './ledger-data.ts';

const PAGE_BYTES = 4_096;
const ENTRIES_END_AT = 20;

let rig: CommandRig;
beforeEach(() => {
  rig = new CommandRig();
});
afterEach(() => rig.remove());

const backup = (...args: string[]) => rig.run(backupCommand, ...args);
const restore = (...args: string[]) => rig.run(restoreCommand, ...args);
const store = (...args: string[]) => rig.run(storeCommand, ...args);

const TRIGGERED: Protection = {
  ...{ podId: 'desk', actorId: 'desk/maker', venue: 'venue_b', address: null },
  ...{ fillsMax: 3, sharesMax: null, windowMs: 2_000, setAt: 1 as UnixMillis },
  triggered: { at: 2 as UnixMillis, fills: 4, size: 9 as MicroShares },
  counted: [],
};

/** Creates the data directory of a gateway that has ended. */
async function makeData(): Promise<void> {
  mkdirSync(join(rig.dataDir, 'pods'), { recursive: true });
  writeFileSync(join(rig.dataDir, 'pods', 'desk.secret'), 'secret\n', { mode: 0o600 });
  writeFileSync(join(rig.dataDir, 'pages.secret'), 'pages\n', { mode: 0o600 });
  const keys = openKeyStore(join(rig.dataDir, 'keys'));
  keys.createPod({ podId: 'desk', createdAt: 1 as never });
  await keys.close();
  // Only the journal has the last step.
  await putLedger(rig.dataDir, [it => it.putOrder(numberedOrder(1))]);
  const stop = (it: LedgerTransaction) => it.putMark(STOPS_MARK, 'desk/maker');
  const last = (it: LedgerTransaction) => it.putOrder(numberedOrder(2));
  await putLedger(rig.dataDir, [stop, it => it.putProtection(TRIGGERED), last], false);
}

describe('without a gateway', () => {
  let copy: string;
  beforeEach(async () => {
    await makeData();
    copy = rig.file('backup');
    expect(await backup(copy)).toMatchObject({ code: 0, err: '' });
  });

  it('4024: a copy is a folder of its own: restored, it is known after its first opening, and missing without it', async () => {
    const back = rig.file('back');
    await restore(copy, '--data-dir', back);
    expect(readdirSync(back)).not.toContain('orders.id');
    expect((await store('check', '--data-dir', back)).code).toBe(0);
    expect(readFileSync(join(back, 'orders.id'), 'utf8')).not.toBe(
      readFileSync(join(rig.dataDir, 'orders.id'), 'utf8'),
    );
    rmSync(join(back, 'orders'), { recursive: true });
    const { code, err } = await backup(rig.file('another'), '--data-dir', back);
    expect([code, err]).toEqual([1, expect.stringContaining('is missing, or empty')]);
  });

  it('a backup comes back whole: orders, stops and protections of the journal, keys and secrets, for their owner only', async () => {
    const back = rig.file('deep/back');
    expect(await restore(copy, '--data-dir', back)).toMatchObject({ code: 0, err: '' });
    expect((await store('check', '--data-dir', back)).out).toBe('whole: 2 orders, 0 fills, 0 positions\n');
    const tables = HistoryTables.open(join(back, 'orders/history'));
    tables.refresh();
    const orders = new OrderReader(tables);
    expect([orders.mark(STOPS_MARK), orders.protections(null)]).toEqual(['desk/maker', [TRIGGERED]]);
    tables.release();
    await tables.close();
    const keys = openKeyStore(join(back, 'keys'));
    expect(keys.read().pods.map(({ podId }) => podId)).toEqual(['desk']);
    await keys.close();
    expect(readFileSync(join(back, 'pods', 'desk.secret'), 'utf8')).toBe('secret\n');
    for (const name of ['pods/desk.secret', 'pages.secret', 'keys/data.mdb', 'orders/history/data.mdb'])
      expect([name, statSync(join(back, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(readdirSync(rig.file('deep'))).toEqual(['back']);
  });

  it('a backup has no file that others may read', () => {
    const files = readdirSync(copy, { recursive: true, encoding: 'utf8' }).map(name => join(copy, name));
    expect(files.map(path => join(copy, 'data/keys/data.mdb') === path)).toContain(true);
    expect(files.filter(path => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  });

  it('a backup is restored into an empty folder, and into no other', async () => {
    const back = rig.file('back');
    mkdirSync(back);
    expect((await restore(copy, '--data-dir', back)).code).toBe(0);
    const again = await restore(copy, '--data-dir', back);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('is not empty')]);
  });

  it.each([
    ['changed', (path: string) => writeFileSync(path, 'Pages\n'), 'is not what was copied'],
    ['longer', (path: string) => writeFileSync(path, 'pages\n\n'), 'is not what was copied'],
    ['missing', (path: string) => rmSync(path), 'is missing'],
  ])('a backup is not restored where a file is %s', async (_, change, words) => {
    change(join(copy, 'data', 'pages.secret'));
    const back = rig.file('back');
    const { code, err } = await restore(copy, '--data-dir', back);
    expect([code, err]).toEqual([1, expect.stringContaining(`pages.secret: ${words}`)]);
    expect(existsSync(back)).toBe(false);
  });

  it.each([
    ['has no manifest', (path: string) => rmSync(path), 'is not a complete backup'],
    ['is of another form', (path: string) => write(path, { form: 2 }), 'is not of form 1'],
    ['names a file outside', (path: string) => write(path, outside), 'names a file outside of the backup'],
  ])('a backup is not restored where it %s', async (_, change, words) => {
    change(join(copy, 'manifest.json'));
    const { code, err } = await restore(copy, '--data-dir', rig.file('back'));
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it.each([
    ['the history', 'orders/history', 'desk', /^crossbook: store: \w+ record .* has a wrong checksum/],
    ['the keys', 'keys', '"podId":"desk"', /^crossbook: key store .*: record "pod/],
  ])('4013: a backup with a changed row of %s fails, and names the row', async (_what, folder, text, words) => {
    const path = join(rig.dataDir, folder, 'data.mdb');
    const bytes = readFileSync(path);
    const latest = bytes.lastIndexOf(text);
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + text.length - 2]! ^= 1;
    expect(latest).toBeGreaterThan(0);
    writeFileSync(path, bytes);
    const { code, err } = await backup(rig.file('other'));
    expect([code, err]).toEqual([1, expect.stringMatching(words)]);
    expect(existsSync(rig.file('other'))).toBe(false);
  });

  it.each([
    ['keys', ['keys', 'list'], 'the keys'],
    ['keys', ['pods', 'list'], 'the keys'],
    ['catalog', ['catalog', 'unread'], 'the catalog'],
  ])('4013: a damaged page of the %s ends %j in words', async (name, args, what) => {
    await openEnvironment(join(rig.dataDir, name), 1_000_000).close();
    damagePages(join(rig.dataDir, name, 'data.mdb'));
    const command = new OwnProcess(['src/tools/cli/crossbook.ts', ...args, '--data-dir', rig.dataDir]);
    expect(await command.ended).toBe(1);
    expect(command.stderr).toMatch(
      new RegExp(`^(.*\n)*crossbook: ${what} cannot be read \\(SIG\\w+\\): stop the gateway`),
    );
  });

  it.each(['keys', 'catalog'])('a damaged page of the %s is not called one of the history', async name => {
    await openEnvironment(join(rig.dataDir, name), 1_000_000).close();
    damagePages(join(rig.dataDir, name, 'data.mdb'));
    const args = ['src/tools/cli/crossbook.ts', 'backup', rig.file('other'), '--data-dir', rig.dataDir];
    const command = new OwnProcess(args);
    expect(await command.ended).toBe(1);
    expect(command.stderr).toMatch(
      /^(.*\n)*crossbook: the orders, keys or catalog cannot be read \(SIG\w+\): stop the gateway/,
    );
  });

  it('a backup is not made over another, nor within what it copies', async () => {
    expect((await backup(copy)).err).toContain('is not empty');
    for (const within of ['', '/x/y'])
      expect((await backup(`${rig.dataDir}${within}`)).err).toContain('DIR: must not be in ');
    expect((await backup(rig.file('b'), '--data-dir', rig.file('nothing'))).code).toBe(2);
  });
});

/** More entries than a page has room for: their places are read beyond the file. */
function damagePages(path: string): void {
  const bytes = readFileSync(join(rig.dataDir, 'keys/data.mdb'));
  for (let at = 2 * PAGE_BYTES; at < bytes.length; at += PAGE_BYTES) bytes.writeUInt16LE(0x7fff, at + ENTRIES_END_AT);
  writeFileSync(path, bytes);
}

const outside = { form: 1, files: [{ path: '../../x', bytes: 1, sha256: 'a' }] };
function write(path: string, value: object): void {
  writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
}
