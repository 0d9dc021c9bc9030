// Commands and starts with a damaged or lost state.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { createOrder, type OrderId } from '../../../src/core/domain/order.ts';
import type { LedgerTransaction } from '../../../src/core/store/order-records.ts';
import { OwnProcess, START_FLAGS } from '../../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { numberedOrder, putLedger } from './ledger-data.ts';

// SIGSEGV or SIGABRT ended `crossbook store check`, `export` and `compact` without a message, though checkpoint and journal held
// everything. Where LMDB did not notice, `compact` made the damage permanent.
describe('0151: a state that ends its readers', () => {
  const ORDERS = 400;
  const PAGE_BYTES = 4_096;
  const PAGE_FLAGS_AT = 18;
  const WHOLE = `whole: ${ORDERS} orders, 0 fills, 0 positions\n`;
  const TICKER = 'KX-0100';
  let dataDir: string;
  let history: string;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    history = join(dataDir, 'orders/history');
    await putOrders(0, ORDERS);
  });
  afterEach(() => removeFolder(dataDir));

  function putOrders(from: number, to: number): Promise<void> {
    const numbers = Array.from({ length: to - from }, (_, index) => from + index);
    return putLedger(
      dataDir,
      numbers.map(number => step => step.putOrder(numberedOrder(number))),
    );
  }

  const run = (name: string) => crossbook('store', name);

  async function crossbook(...args: string[]) {
    const command = new OwnProcess(['src/tools/cli/crossbook.ts', ...args, '--data-dir', dataDir]);
    const code = await command.ended;
    return { code, out: command.stdout, err: command.stderr };
  }

  /** Changes a byte of every page that has TICKER in it: the first byte of the name, or the byte at `offset`. */
  function damage(offset: number | null = null): void {
    const path = join(history, 'data.mdb');
    const file = readFileSync(path);
    for (let at = 0; at < file.length; at += PAGE_BYTES) {
      const page = file.subarray(at, at + PAGE_BYTES);
      const ticker = page.indexOf(TICKER);
      if (ticker >= 0) page[offset ?? ticker]! ^= 0x5a;
    }
    writeFileSync(path, file);
  }

  describe('a damaged page of the history', () => {
    // LMDB takes such a page for a page of another kind.
    it.each([['check'], ['export'], ['compact']])('is what `%s` says, and what to do, which works', async name => {
      const folder = temporaryFolder();
      const copy = join(folder, 'copy');
      expect(await crossbook('backup', copy)).toMatchObject({ code: 0 });
      damage(PAGE_FLAGS_AT);
      const { code, err } = await run(name);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(
          /^(.*\n)*crossbook: the history cannot be read \(SIG(ABRT|SEGV)\): stop the gateway, and restore/,
        ),
      ]);
      rmSync(history, { recursive: true });
      cpSync(join(copy, 'data/orders/history'), history, { recursive: true });
      expect(await run('check')).toEqual({ code: 0, out: WHOLE, err: '' });
      removeFolder(folder);
    });
  });

  it('a command that is ended leaves nobody at work', async () => {
    await putOrders(ORDERS, 8 * ORDERS);
    const args = [...START_FLAGS, 'src/tools/cli/crossbook.ts', 'store', 'export', '--data-dir', dataDir];
    const command = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    // The output is larger than the buffers on its way, so the command cannot have ended yet.
    await once(command.stdout, 'readable');
    command.kill('SIGTERM');
    const closed = once(command, 'close');
    command.stdout.resume();
    expect(await closed).toEqual([128 + constants.signals.SIGTERM, null]);
  });

  it.each(['check', 'export'])('a changed byte that LMDB does not notice is found by `%s`', async name => {
    damage();
    const words = /^(.*\n)*crossbook: store: \w+ record ".*": has a wrong checksum: restore a backup/;
    expect(await run(name)).toMatchObject({ code: 1, err: expect.stringMatching(words) });
  });
});

// Order ids are derived from the secret. So the retry of an order with a lost record got another id, and venue B could not refuse it as a duplicate.
describe('0152: a lost secret of a pod with orders', () => {
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

  /** Stores an order of each pod. */
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

  /** Starts the gateway with the paper exchanges and the pod `demo`. If it starts, it is ended as soon as it listens. */
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
});
