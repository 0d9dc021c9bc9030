// Found by removing `<data dir>/pods/<pod>.secret`: the next start silently made another one. Order ids are derived from it. So the retry
// of an order whose record was lost got another id, and venue B could not refuse it as a duplicate.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { createOrder, type OrderId } from '../../src/domain/order.ts';
import type { LedgerTransaction } from '../../src/store/order-records.ts';
import { putLedger } from '../cli/ledger-data.ts';
import { OwnProcess } from '../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const request = {
  venue: 'venue_b',
  ticker: 'KX-A',
  side: 'YES',
  action: 'BUY',
  size: 1_000_000 as MicroShares,
  price: 100 as Ticks,
  timeInForce: 'GTC',
} as const;
let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

/** An order of each pod. */
async function placeOrders(pods: readonly string[], isFollowed = true): Promise<void> {
  const steps = pods.map((podId, index) => {
    const orderId = `5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d3${index}` as OrderId;
    const actorId = `${podId}/maker`;
    const order = createOrder({
      orderId,
      podId,
      actorId,
      keyId: 'key_1',
      idempotencyKey: 'k',
      request,
      at: 1_795_000_000_000 as UnixMillis,
    });
    return (step: LedgerTransaction) => step.putOrder({ order, intent: null, refusedAs: null });
  });
  await putLedger(dataDir, steps, isFollowed);
}

/** The gateway with the paper exchanges, whose pod is `demo`: ended once it listens, if it does. */
async function start(): Promise<{ code: number | null; err: string }> {
  const gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_DATA_DIR: dataDir, CROSSBOOK_PORT: '0' });
  gateway.said(/listening/).then(
    () => gateway.signal('SIGTERM'),
    () => {},
  );
  return { code: await gateway.ended, err: gateway.stderr };
}

it.each([
  ['the history has', true],
  ['the journal alone has', false],
])(
  'a pod whose orders %s stops the start, and no secret is made until the old one is back',
  async (_who, isFollowed) => {
    await placeOrders(['another', 'demo', 'last'], isFollowed);
    const secret = join(dataDir, 'pods/demo.secret');
    const refused = { code: 1, err: expect.stringMatching(`crossbook: ${secret}: is missing, and there are orders`) };
    expect(await start()).toEqual(refused);
    expect(await start()).toEqual(refused);
    mkdirSync(join(dataDir, 'pods'), { recursive: true });
    writeFileSync(secret, `${'5f'.repeat(32)}\n`, { mode: 0o600 });
    expect((await start()).code).toBe(0);
  },
);

it('a secret is made if only other pods have orders, and kept', async () => {
  await placeOrders(['another']);
  expect((await start()).code).toBe(0);
  await placeOrders(['another', 'demo']);
  expect((await start()).code).toBe(0);
  rmSync(join(dataDir, 'pods'), { recursive: true });
  expect((await start()).code).toBe(1);
});
