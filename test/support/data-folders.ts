// Data directories of released versions, in test/data-folders. `npm run make:data-folder` makes them, and test/data-folders.test.ts reads
// them. Each directory has something of each kind that outlives a start.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import type { OperationReply, OrderOperation } from '../../src/core/domain/operation.ts';
import { assert, ok } from '../../src/core/domain/result.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { monotonicUs } from '../../src/core/runtime/clock.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { openKeyStore } from '../../src/core/store/key-store.ts';
import { COUNTED_OPERATIONS } from '../../src/gateway/api/operations.ts';
import { withSecrets } from '../../src/gateway/trading/pods.ts';
import { startTrading, type Trading } from '../../src/gateway/trading/trading.ts';
import { createArena } from '../../src/market-data/book/memory.ts';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { demoPod } from '../../src/paper/demo-pod.ts';
import type { Paper } from '../../src/paper/paper.ts';
import { storeCommand } from '../../src/tools/cli/store.ts';

export const DATA_FOLDERS = resolve(import.meta.dirname, '../data-folders');
/** The names in an archive: the data directory, and the file with what the program of that version found in the directory. */
export const [DATA, FOUND] = ['data', 'found.json'];

export const CALLER = { podId: 'demo', actorId: 'demo', keyId: 'key_0101010101010101' };
export const STOPPED = 'demo/stopped';
/** The terms of each order by its idempotency key. The key says how the order ended. */
const ORDERS = {
  open: { priceCents: 1 },
  filled: { priceCents: 99, timeInForce: { type: 'IOC' } },
  cancelled: { priceCents: 2 },
  unfilled: { priceCents: 1, timeInForce: { type: 'FOK' } },
} as const;
const ORDER_COUNT = 3;

type Name = keyof typeof ORDERS;
export const NAMES = Object.keys(ORDERS) as readonly Name[];
/** The largest size of a tar file, which includes the holes of sparse files. */
const TAR_BYTES_MAX = 1 << 30;

export interface Found {
  readonly ticker: string;
  /** The ids of the orders by idempotency key. Null means that the answer named no order. */
  readonly orderIds: Readonly<Record<string, string | null>>;
  /** The identities of the key store. */
  readonly identities: unknown;
  /** The lines of `crossbook store export`. */
  readonly exported: readonly unknown[];
}

/** Starts the engine and its threads on a data directory, trading at these exchanges. */
export async function tradingOn(dataDir: string, paper: Paper, accounts: DemoAccounts): Promise<Trading> {
  const pods = withSecrets(dataDir, [demoPod(accounts, paper.urls)]);
  const settings = { durability: 'process-safe', replicated: null, usesMainThread: true, spins: false } as const;
  const parts = { metrics: new Metrics({ operations: COUNTED_OPERATIONS }), arena: createArena(), log: silentLog };
  const trading = await startTrading({ dataDir, pods, threads: 1, ...settings, ...parts });
  while (!trading.isReady()) await pause(10);
  return trading;
}

export async function operate({ operations }: Trading, operation: OrderOperation): Promise<OperationReply> {
  const done = await operations.ask(operation, monotonicUs());
  assert(done.ok, 'there is room for it');
  return done.value;
}

/** Submits the order of this name. Each call sends the same request, so that a later call is a repetition. */
export function submit(trading: Trading, ticker: string, name: Name): Promise<OperationReply> {
  return operate(trading, {
    name: 'submit',
    venue: 'venue_b',
    caller: CALLER,
    body: ok({ ticker, side: 'YES', action: 'BUY', count: ORDER_COUNT, ...ORDERS[name] }),
    bodySha256Hex: Buffer.from(name).toString('hex').padStart(64, '0'),
    idempotencyKey: name,
    isTradable: true,
    limits: NO_LIMITS,
    notAfter: null,
    names: { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' },
    acknowledges: false,
  });
}

export function orderIdOf({ body }: OperationReply): string | null {
  return JSON.parse(body).orderId ?? null;
}

export async function identitiesIn(dataDir: string): Promise<unknown> {
  const keys = openKeyStore(join(dataDir, 'keys'));
  const records = keys.read();
  await keys.close();
  return records;
}

/**
 * Runs a store command as an operator does while no gateway has the directory. Returns the command's output. Throws if the command fails.
 */
export async function storeSays(dataDir: string, command: 'check' | 'compact' | 'export'): Promise<string> {
  let [said, complaint] = ['', ''];
  const out = (text: string): void => {
    said += text;
  };
  const err = (text: string): void => {
    complaint += text;
  };
  const code = await storeCommand([command, '--data-dir', dataDir], { out, err, env: {} });
  if (code !== 0) throw new Error(`store ${command}: ${complaint}`);
  return said;
}

export async function exportedFrom(dataDir: string): Promise<readonly unknown[]> {
  const lines = (await storeSays(dataDir, 'export')).trimEnd().split('\n');
  return lines.map(line => JSON.parse(line));
}

/** Packs a folder with both parts into an archive. The same files give the same bytes. */
export function packed(folder: string): Uint8Array {
  const same = '--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=gnu --sparse'.split(' ');
  const args = ['--create', ...same, '--directory', folder, DATA, FOUND];
  return gzipSync(execFileSync('tar', args, { maxBuffer: TAR_BYTES_MAX }), { level: 9 });
}

/** Unpacks an archive into a folder. Returns what the program found when the archive was made. */
export function unpack(archive: string, folder: string): Found {
  execFileSync('tar', ['--extract', '--directory', folder], { input: gunzipSync(readFileSync(archive)) });
  return JSON.parse(readFileSync(join(folder, FOUND), 'utf8'));
}
