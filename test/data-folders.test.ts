// Data directories of released versions, opened by this program: a later version takes over what an earlier one has recorded.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trading } from '../src/gateway/trading/trading.ts';
import { createDemoAccounts } from '../src/paper/control/demo-accounts.ts';
import { POLYGON } from '../src/venues/venue-a/exchanges.ts';
import {
  CALLER,
  DATA,
  DATA_FOLDERS,
  exportedFrom,
  type Found,
  identitiesIn,
  NAMES,
  operate,
  orderIdOf,
  STOPPED,
  storeSays,
  submit,
  tradingOn,
  unpack,
} from './support/data-folders.ts';
import { startQuietPaper } from './support/quiet-paper.ts';
import { removeFolder, temporaryFolder } from './support/temporary-folder.ts';

const archives = readdirSync(DATA_FOLDERS);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const released = readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+), /gm);

it('there is one of this version, and of each released one', () => {
  const versions = [version, ...Array.from(released, ([, name]) => name)];
  expect(archives).toEqual(expect.arrayContaining(versions.map(it => `${it}.tar.gz`)));
});

describe.each(archives.map(it => basename(it, '.tar.gz')))('of %s', name => {
  let folder: string;
  let dataDir: string;
  let found: Found;
  const closing: (() => unknown)[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
    found = unpack(join(DATA_FOLDERS, `${name}.tar.gz`), folder);
    dataDir = join(folder, DATA);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    removeFolder(folder);
  });

  async function open(): Promise<Trading> {
    const accounts = await createDemoAccounts(POLYGON);
    const paper = await startQuietPaper(accounts, { isOpeningOnly: true });
    closing.push(() => paper.close());
    const trading = await tradingOn(dataDir, paper, accounts);
    closing.push(() => trading.close());
    return trading;
  }

  it('has its pods, actors, keys and limits', async () => {
    expect(await identitiesIn(dataDir)).toMatchObject(found.identities as object);
  });

  it('has its orders, fills and positions, and is whole', async () => {
    expect(await exportedFrom(dataDir)).toMatchObject(found.exported);
    expect(await storeSays(dataDir, 'check')).toBe('whole: 4 orders, 1 fills, 1 positions\n');
  });

  it('goes on: a repetition of an idempotency key trades nothing and has the first order; stop and protection hold', async () => {
    const trading = await open();
    for (const key of NAMES) {
      expect(orderIdOf(await submit(trading, found.ticker, key)), key).toBe(found.orderIds[key]);
    }
    const held = await operate(trading, {
      name: 'positions',
      venue: 'venue_b',
      caller: CALLER,
      address: null,
      hasTotals: false,
    });
    expect(JSON.parse(held.body).positions).toMatchObject([{ ticker: found.ticker, size: '3' }]);
    expect(trading.stops).toEqual([STOPPED]);
    const list = await operate(trading, { name: 'protection', ask: 'list', caller: CALLER, body: {} });
    expect(JSON.parse(list.body).protections).toMatchObject([{ venue: 'venue_b', fillsMax: 3, windowMs: 2_000 }]);
  });
});
