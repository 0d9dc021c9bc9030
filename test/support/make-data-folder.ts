// Keeps a data directory of this version for later versions (`npm run make:data-folder`, which a release runs):
// test/data-folders/VERSION.tar.gz. Names, keys, orders and their outcomes are the same at each run; ids of orders and times are not.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeyOf } from '../../src/core/auth/key-pair.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { assert } from '../../src/core/domain/result.ts';
import { createApiKeyId, createKeyId } from '../../src/core/store/key-record.ts';
import { openKeyStore } from '../../src/core/store/key-store.ts';
import type { Trading } from '../../src/gateway/trading/trading.ts';
import { createDemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import {
  CALLER,
  DATA,
  DATA_FOLDERS,
  exportedFrom,
  FOUND,
  type Found,
  identitiesIn,
  NAMES,
  operate,
  orderIdOf,
  packed,
  STOPPED,
  storeSays,
  submit,
  tradingOn,
} from './data-folders.ts';
import { someTicker } from './paper-traders.ts';
import { startQuietPaper } from './quiet-paper.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

const NOW = Date.UTC(2026, 10, 29) as UnixMillis;
const REVOKED = 2;
/** The most bytes of an archive, because an archive is a file of the repository. */
const BYTES_MAX = 20_000;

/** Makes bytes of one value in the place of random bytes, so that each run has the same bytes. */
const bytes = (value: number) => (length: number) => Buffer.alloc(length, value);

async function addIdentities(dataDir: string): Promise<void> {
  const keys = openKeyStore(join(dataDir, 'keys'));
  const publicKeys = await Promise.all([1, REVOKED].map(it => publicKeyOf(bytes(it)(32).toString('hex'))));
  const owner = { podId: CALLER.podId, actorId: CALLER.actorId, label: 'of a release', createdAt: NOW };
  const made = keys.change(to => {
    to.createPod({ podId: owner.podId, createdAt: NOW });
    for (const actorId of [owner.actorId, 'stopped']) to.createActor({ podId: owner.podId, actorId, createdAt: NOW });
    to.setActorLimits(owner.podId, owner.actorId, { openOrdersMax: 20, positionMax: 1_000_000_000 as never });
    for (const [index, publicKeyHex] of publicKeys.entries()) {
      const keyId = createKeyId(bytes(index + 1));
      const added = to.addSigningKey({
        ...owner,
        keyId,
        publicKeyHex,
        scopes: ['read', 'trade'],
        addresses: ['10.0.0.0/24'],
      });
      if (!added.ok) return added;
    }
    to.revokeSigningKey(createKeyId(bytes(REVOKED)), NOW);
    return to.addApiKey({ ...owner, apiKeyId: createApiKeyId(bytes(1)), hashHex: bytes(1)(32).toString('hex') });
  });
  assert(made.ok, made.ok ? '' : made.error);
  await keys.close();
}

/** Submits an order of each kind. Returns their ids. A refused order has no id. */
async function trade(trading: Trading, ticker: string): Promise<Found['orderIds']> {
  const orderIds: Record<string, string | null> = {};
  for (const name of NAMES) orderIds[name] = orderIdOf(await submit(trading, ticker, name));
  const orderId = orderIds.cancelled!;
  await operate(trading, { name: 'cancel', venue: 'venue_b', caller: CALLER, orderId });
  return orderIds;
}

async function make(folder: string): Promise<void> {
  const dataDir = join(folder, DATA);
  mkdirSync(dataDir, { mode: 0o700 });
  await addIdentities(dataDir);
  const accounts = await createDemoAccounts(POLYGON);
  const paper = await startQuietPaper(accounts, { isOpeningOnly: true });
  const trading = await tradingOn(dataDir, paper, accounts);
  const ticker = await someTicker(paper.urls.venueB.rest);
  const orderIds = await trade(trading, ticker);
  const body = { venue: 'venue_b', fillsMax: 3, windowMs: 2_000 };
  await operate(trading, { name: 'protection', ask: 'set', caller: CALLER, body });
  await operate(trading, { name: 'stop', caller: CALLER, scope: STOPPED });
  await trading.close();
  paper.close();
  await storeSays(dataDir, 'compact');
  const [identities, exported] = [await identitiesIn(dataDir), await exportedFrom(dataDir)];
  writeFileSync(join(folder, FOUND), JSON.stringify({ ticker, orderIds, identities, exported } satisfies Found));
}

const folder = temporaryFolder();
try {
  await make(folder);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const archive = join(DATA_FOLDERS, `${version}.tar.gz`);
  const content = packed(folder);
  assert(content.length <= BYTES_MAX, `${content.length} bytes are too many`);
  mkdirSync(DATA_FOLDERS, { recursive: true });
  writeFileSync(archive, content);
  console.log(`${archive}: ${content.length} bytes`);
} finally {
  removeFolder(folder);
}
process.exit(0);
