// A trading gateway's parts over a paper exchange and a store that stays, started and ended as the gateway does it.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Config, Durability } from '../../../src/config.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { OperationReply, OrderOperation, SubmitOperation } from '../../../src/core/domain/operation.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { assert, ok } from '../../../src/core/domain/result.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { monotonicUs } from '../../../src/core/runtime/clock.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { prepareDemo } from '../../../src/first-start.ts';
import { COUNTED_OPERATIONS } from '../../../src/gateway/api/operations.ts';
import { withSecrets } from '../../../src/gateway/trading/pods.ts';
import { startTrading, type Trading } from '../../../src/gateway/trading/trading.ts';
import { orderFeedOf } from '../../../src/gateway/trading-feed.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import { createDemoAccounts, type VenueBKeyType } from '../../../src/paper/control/demo-accounts.ts';
import { demoPod } from '../../../src/paper/demo-pod.ts';
import type { Paper } from '../../../src/paper/paper.ts';
import { podsCommand } from '../../../src/tools/cli/pods.ts';
import { POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { eventually } from '../../support/eventually.ts';
import type { NatsServer } from '../../support/nats-server.ts';
import { ask, someTicker, VenueBTrader } from '../../support/paper-traders.ts';
import { startQuietPaper } from '../../support/quiet-paper.ts';

/** The same at every exchange: an RSA key takes its time to be made. */
export const accounts = await createDemoAccounts(POLYGON);

export let folder: string;
export let paper: Paper;
export let metrics: Metrics;
export const open: Trading[] = [];

/** A paper exchange and a data directory, for each test or for all tests of the file or block; both are gone behind it. */
export function tradingRig(lasts: 'a test' | 'all tests' = 'a test'): void {
  const [before, behind] = lasts === 'a test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-trading-'));
    paper = await startQuietPaper(accounts, { isOpeningOnly: true });
    const keys = openKeyStore(join(folder, 'keys'));
    await prepareDemo(folder, keys, Date.now() as UnixMillis);
    await keys.close();
  });
  behind(async () => {
    for (const trading of open.splice(0)) await trading.close();
    paper.close();
    rmSync(folder, { recursive: true });
  });
}

interface StartOptions {
  readonly rpcUrl?: string;
  readonly spins?: boolean;
  readonly replicated?: Config['replicated'];
  /** Without it, the one of the test. */
  readonly dataDir?: string;
}

export async function start(
  durability: Durability = 'process-safe',
  threads = 1,
  keyType: VenueBKeyType = 'ed25519',
  { rpcUrl, spins = false, replicated = null, dataDir = folder }: StartOptions = {},
): Promise<Trading> {
  const pod = demoPod(accounts, paper.urls);
  const { keyId, privateKeyPem } = accounts.venueB.keys.find(key => key.keyType === keyType)!;
  const venueA = { ...pod.venueA!, ...(rpcUrl === undefined ? {} : { rpcUrl }) };
  const pods = withSecrets(dataDir, [{ ...pod, venueA, venueB: { ...pod.venueB!, keyId, privateKeyPem } }]);
  metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  const arena = createArena();
  const options = { dataDir, arena, durability, replicated, pods, threads, usesMainThread: true, spins };
  const trading = await startTrading({ ...options, metrics, log: silentLog });
  open.push(trading);
  await eventually(() => expect(trading.isReady()).toBe(true));
  return trading;
}

export async function operate({ operations }: Trading, operation: OrderOperation): Promise<OperationReply> {
  const done = await operations.ask(operation, monotonicUs());
  assert(done.ok, 'there is room for it');
  return done.value;
}

/** As the operator of that gateway does it. */
export async function takePod(server: NatsServer, dataDir: string, url: string): Promise<void> {
  let said = '';
  const env = { CROSSBOOK_DURABILITY: 'replicated', CROSSBOOK_NATS: server.url, CROSSBOOK_PUBLIC_URL: url };
  const say = (text: string): void => {
    said += text;
  };
  expect([await podsCommand(['take', 'demo', '--data-dir', dataDir], { out: say, err: say, env }), said]).toEqual([
    0,
    expect.stringMatching(/^pod demo is taken by record \d+ of its stream, for the gateway at /),
  ]);
}

/** `placed`: by whom and where the order was placed. */
export async function statusOf(
  trading: Trading,
  orderId: string,
  placed: Pick<SubmitOperation, 'venue' | 'caller'> = { venue, caller },
): Promise<string> {
  const { body } = await operate(trading, { name: 'get', venue: placed.venue, caller: placed.caller, orderId });
  return JSON.parse(body).status;
}

export const caller = { podId: 'demo', actorId: 'demo', keyId: 'key_demo' };
export const venue = 'venue_b' as const;

export async function submission(priceCents = 1): Promise<SubmitOperation> {
  const ticker = await someTicker(paper.urls.venueB.rest);
  const body = ok({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents });
  const asked = {
    body,
    bodySha256Hex: '00'.repeat(32),
    idempotencyKey: 'k-1',
    limits: NO_LIMITS,
    notAfter: null,
    names: { idempotencyKey: 'idempotencyKey', notAfter: 'notAfter' },
  };
  return { name: 'submit', venue, caller, isTradable: true, acknowledges: false, ...asked };
}

interface RestingOrder {
  readonly order_id: string;
  readonly client_order_id: string;
  readonly ticker: string;
}

/** The orders that venue B has open, in the markets of these submissions. */
export async function restingOf(...submitted: readonly SubmitOperation[]): Promise<readonly RestingOrder[]> {
  const tickers = submitted.map(({ body }) => (body.ok ? body.value.ticker : null));
  return (await resting()).filter(({ ticker }) => tickers.includes(ticker));
}

/** How many orders venue B has open. */
export async function atVenueB(): Promise<number> {
  return (await resting()).length;
}

async function resting(): Promise<readonly RestingOrder[]> {
  const trader = new VenueBTrader(paper.urls.venueB.rest, accounts);
  const { body } = await trader.call<{ orders: RestingOrder[] }>('GET', '/portfolio/orders?status=resting');
  return body.orders;
}

export const callerOf = (actorId: string) => ({ podId: 'demo', actorId, keyId: `key_${actorId}` });

/** In a market of its own, by an actor of its own unless `by` has placed others. */
export async function orderOf(by: string): Promise<SubmitOperation> {
  return { ...(await submission()), caller: callerOf(by), idempotencyKey: randomUUID() };
}

/** The id of an order that rests. */
export async function made(trading: Trading, submitted: SubmitOperation): Promise<OrderId> {
  const reply = await operate(trading, submitted);
  expect(reply.status, reply.body).toBe(201);
  return JSON.parse(reply.body).orderId;
}

export const fail = (rule: object) => ask(`${paper.urls.control}/faults`, 'POST', { venue, ...rule });
export const endFaults = () => ask(`${paper.urls.control}/faults`, 'DELETE');

/** As the end of a subscription with cancelOnDisconnect does it. */
export function cancelAllOf(trading: Trading, { keyId, actorId, podId } = caller, isAgain = false): Promise<boolean> {
  return orderFeedOf(trading, silentLog, metrics).cancelAllOf(keyId, actorId, podId, isAgain);
}
