// From the start of the process to the first `ready`, after a clean shutdown and after a kill. The history has a million orders, of which a
// thousand are open at reachable venues. The real program runs beside the paper exchanges.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NO_LIMITS } from '../src/core/domain/identity.ts';
import type { PodVenues } from '../src/core/domain/pod-accounts.ts';
import { ok } from '../src/core/domain/result.ts';
import { Metrics } from '../src/core/metrics/metrics.ts';
import { monotonicUs } from '../src/core/runtime/clock.ts';
import { silentLog } from '../src/core/runtime/log.ts';
import { withSecrets } from '../src/gateway/trading/pods.ts';
import { startTrading } from '../src/gateway/trading/trading.ts';
import { createArena } from '../src/market-data/book/memory.ts';
import { openLedgerFolder } from '../src/orders/history/ledger-folder.ts';
import { createDemoAccounts } from '../src/paper/control/demo-accounts.ts';
import { demoPod } from '../src/paper/demo-pod.ts';
import type { Paper } from '../src/paper/paper.ts';
import { POLYGON } from '../src/venues/venue-a/exchanges.ts';
import { OwnProcess } from '../test/support/child-process.ts';
import { startQuietPaper } from '../test/support/quiet-paper.ts';
import { writeOrders } from '../test/support/write-orders.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, row } from './harness.ts';
import { recordOrder, statusOf } from './order-workload.ts';

const CALLER = { podId: 'demo', actorId: 'demo', keyId: 'key_demo' };
const IN_FLIGHT = 16;
const BATCH = 1_000;
const POLL_MS = 10;

export const suite: BenchSuite = {
  name: 'start/1m-orders',
  runsMax: 1,
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
    const accounts = await createDemoAccounts(POLYGON);
    const paper = await startQuietPaper(accounts);
    try {
      const pod: PodVenues = { ...demoPod(accounts, paper.urls), venueB: await unlimitedAccount(paper) };
      return await measured(folder, paper, pod, options);
    } finally {
      paper.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measured(folder: string, paper: Paper, pod: PodVenues, { smoke }: BenchOptions): Promise<BenchRow[]> {
  const [stored, open] = smoke ? [2_000, 10] : [1_000_000, 1_000];
  const dataDir = join(folder, 'data');
  await placeOrders(dataDir, paper, pod, open);
  await storeOrders(join(dataDir, 'orders'), stored);
  const environment = environmentOf(folder, dataDir, paper, pod);
  // The very first start strips types from every file. Restarts do not.
  await startedMs(environment, 'SIGTERM');
  const afterClean = await startedMs(environment, 'SIGKILL');
  const afterKill = await startedMs(environment, 'SIGTERM');
  const killed = row('start/1m-orders killed', afterKill, 'ms');
  return [
    row('start/1m-orders', afterClean, 'ms'),
    { ...killed, baseline: 'after a clean end', ratio: afterClean / afterKill },
  ];
}

/** Makes an account without rate limits, since a thousand orders are placed before the measurement. */
async function unlimitedAccount({ urls }: Paper): Promise<NonNullable<PodVenues['venueB']>> {
  const answer = await fetch(`${urls.control}/venues/venue_b/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ generate: 'ed25519', tier: 'unlimited', balance: '1000000' }),
  });
  const account = (await answer.json()) as { readonly keyId: string; readonly privateKeyPem: string };
  if (!answer.ok) throw new Error(JSON.stringify(account));
  const { keyId, privateKeyPem } = account;
  return { restUrl: urls.venueB.rest, streamUrl: urls.venueB.stream, keyId, privateKeyPem };
}

/** Places orders that rest at venue B, as an earlier gateway placed them. */
async function placeOrders(dataDir: string, paper: Paper, pod: PodVenues, count: number): Promise<void> {
  const market = paper.markets.find(it => it.venue === 'venue_b');
  if (market?.venue !== 'venue_b') throw new Error('venue B lists nothing');
  const trading = await startTrading({
    usesMainThread: true,
    dataDir,
    arena: createArena(),
    durability: 'process-safe',
    pods: withSecrets(dataDir, [pod]),
    threads: 1,
    metrics: new Metrics({ operations: [] }),
    log: silentLog,
  });
  while (!trading.isReady()) await pause(POLL_MS);
  const body = ok({ ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });
  const numbers = Array.from({ length: count }, (_, it) => it).values();
  const place = async (): Promise<void> => {
    for (const number of numbers) {
      const done = await trading.operations.ask(
        {
          name: 'submit',
          venue: 'venue_b',
          caller: CALLER,
          body,
          bodySha256Hex: '00'.repeat(32),
          idempotencyKey: `start-${number}`,
          isTradable: true,
          limits: NO_LIMITS,
          notAfter: null,
          names: { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' },
          acknowledges: false,
        },
        monotonicUs(),
      );
      const status = done.ok ? done.value.status : done.error;
      if (status !== 201) throw new Error(`order ${number} was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, place));
  await trading.close();
}

/** Stores orders of another pod. */
async function storeOrders(folder: string, count: number): Promise<void> {
  const ledger = await openLedgerFolder(folder);
  ledger.followToEnd();
  for (let first = 0; first < count; first += BATCH) {
    ledger.tables.change(transaction => {
      writeOrders(transaction, writer => {
        for (let number = first; number < first + BATCH; number++) {
          if (statusOf(number) !== 'OPEN') recordOrder(writer, number);
        }
      });
    });
  }
  await ledger.close();
}

function environmentOf(
  folder: string,
  dataDir: string,
  { urls }: Paper,
  pod: PodVenues,
): Readonly<Record<string, string>> {
  const podsFile = join(folder, 'pods.json');
  const { venueB } = pod;
  if (venueB === null) throw new Error('the pod trades at venue B');
  writeFileSync(podsFile, JSON.stringify({ pods: [pod] }), { mode: 0o600 });
  const keyFile = join(folder, 'venue-b.pem');
  writeFileSync(keyFile, venueB.privateKeyPem, { mode: 0o600 });
  return {
    CROSSBOOK_DATA_DIR: dataDir,
    CROSSBOOK_PORT: '0',
    CROSSBOOK_LOG: 'warn',
    CROSSBOOK_PODS_FILE: podsFile,
    CROSSBOOK_VENUE_A_REST_URL: urls.venueA.rest,
    CROSSBOOK_VENUE_A_STREAM_URL: urls.venueA.marketStream,
    CROSSBOOK_VENUE_A_GAMMA_URL: urls.venueA.gamma,
    CROSSBOOK_VENUE_B_REST_URL: urls.venueB.rest,
    CROSSBOOK_VENUE_B_STREAM_URL: urls.venueB.stream,
    CROSSBOOK_VENUE_B_KEY_ID: venueB.keyId,
    CROSSBOOK_VENUE_B_KEY_FILE: keyFile,
  };
}

/** Returns the milliseconds until the first `ready`, and then ends the gateway by `signal`. */
async function startedMs(
  environment: Readonly<Record<string, string>>,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<number> {
  const began = performance.now();
  const child = new OwnProcess(['src/main.ts'], environment);
  const [, url] = await child.said(/listening on (\S+)/);
  while (!(await fetch(`${url}/readyz`)).ok) await pause(POLL_MS);
  const ms = performance.now() - began;
  child.signal(signal);
  await child.ended;
  return ms;
}
