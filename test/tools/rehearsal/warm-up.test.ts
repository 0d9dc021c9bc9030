// The warm-up before a start: a real rehearsal on the engine's thread that leaves nothing behind, and a start after a rehearsal that fails.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { VENUES } from '../../../src/core/domain/market.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { type Log, type LogFields, silentLog } from '../../../src/core/runtime/log.ts';
import { withSecrets } from '../../../src/gateway/trading/pods.ts';
import { startTrading, type Trading } from '../../../src/gateway/trading/trading.ts';
import { limits } from '../../../src/limits.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import type { EngineData, ToEngine } from '../../../src/orders/engine/engine-messages.ts';
import { EngineThread } from '../../../src/orders/engine/engine-thread.ts';
import { openLedgerFolder } from '../../../src/orders/history/ledger-folder.ts';
import { demoPod } from '../../../src/paper/demo-pod.ts';
import { Rehearsal } from '../../../src/tools/rehearsal/rehearsal.ts';
import { type WarmUpOptions, warmEngineThread } from '../../../src/tools/rehearsal/warm-up.ts';
import {
  accounts,
  atVenueB,
  caller,
  folder,
  open,
  operate,
  paper,
  submission,
  tradingRig,
} from '../../gateway/trading/trading-rig.ts';
import { eventually, PATIENCE_MS } from '../../support/eventually.ts';

tradingRig();

interface Said {
  readonly event: string;
  readonly fields: LogFields;
}

function recordingLog(): Log & { readonly said: Said[] } {
  const said: Said[] = [];
  const say = (event: string, fields: LogFields = {}): void => void said.push({ event, fields });
  return { ...silentLog, info: say, warn: say, said };
}

/** Starts the gateway's parts on the thread that a warm-up returns. */
async function startBehind(metrics: Metrics, options: Partial<WarmUpOptions>): Promise<Trading> {
  const trading = await startTrading({
    dataDir: folder,
    arena: createArena(),
    durability: 'process-safe',
    pods: withSecrets(folder, [demoPod(accounts, paper.urls)]),
    threads: 1,
    usesMainThread: true,
    openEngineThread: () =>
      warmEngineThread({ dataDir: folder, venues: VENUES, hasDoor: false, log: silentLog, ...options }),
    metrics,
    log: silentLog,
  });
  open.push(trading);
  await eventually(() => expect(trading.isReady()).toBe(true));
  return trading;
}

const PATIENT = { ordersMs: PATIENCE_MS, giveUpMs: PATIENCE_MS };
const listOrders = (venue: 'venue_a' | 'venue_b') =>
  ({ name: 'list', venue, caller, path: '/v1/venue-b/orders', query: new Map() }) as const;

it('all its orders are made, and nothing of them is left: no file, order, event, count or order at the venue', async () => {
  const log = recordingLog();
  const metrics = new Metrics({ operations: [] });
  const trading = await startBehind(metrics, { log, ...PATIENT });
  expect(log.said).toEqual([
    { event: 'warmed up', fields: { orders: 2 * limits.warmUpOrdersMax, ms: expect.any(Number) } },
  ]);
  expect(readdirSync(folder)).not.toContain('warm-up');
  for (const venue of VENUES) expect(JSON.parse((await operate(trading, listOrders(venue))).body).orders).toEqual([]);
  expect(await atVenueB()).toBe(0);
  const counted = [...metrics.counters].flatMap(([name, rows]) =>
    rows.filter(({ slot }) => metrics.read(slot) > 0).map(() => name),
  );
  expect(new Set(counted)).toEqual(new Set(['upstream_connections_total']));
  const heard: string[] = [];
  trading.listen(events => heard.push(...events.map(({ actorId }) => actorId)));
  expect((await operate(trading, await submission())).status).toBe(201);
  await eventually(() => expect(new Set(heard)).toEqual(new Set([caller.actorId])));
  await open.pop()!.close();
  const ledger = await openLedgerFolder(join(folder, 'orders'));
  ledger.followToEnd();
  expect(ledger.tables.followed()).toBeLessThan(limits.warmUpOrdersMax);
  await ledger.close();
});

it('a rehearsal that fails is logged, and the start goes on', async () => {
  const log = recordingLog();
  const inTheWay = join(folder, 'file');
  writeFileSync(inTheWay, '');
  const trading = await startBehind(new Metrics({ operations: [] }), { log, dataDir: inTheWay });
  expect(log.said).toMatchObject([
    { event: 'not warmed up: the first orders take longer', fields: { error: expect.stringContaining(inTheWay) } },
  ]);
  expect((await operate(trading, await submission())).status).toBe(201);
});

it('a rehearsal that takes longer than warmUpGiveUpMs is given up and logged, and the start goes on', async () => {
  const log = recordingLog();
  const trading = await startBehind(new Metrics({ operations: [] }), { log, giveUpMs: 1 });
  expect(log.said).toMatchObject([{ fields: { error: 'it takes longer than 1 ms (warmUpGiveUpMs)' } }]);
  expect((await operate(trading, await submission())).status).toBe(201);
  await eventually(() => expect(existsSync(join(folder, 'warm-up'))).toBe(false));
});

it('a rehearsal with a door on the engine’s thread sends its orders by both doors, and leaves nothing', async () => {
  const log = recordingLog();
  const trading = await startBehind(new Metrics({ operations: [] }), { log, hasDoor: true, ...PATIENT });
  expect(log.said).toMatchObject([{ event: 'warmed up', fields: { orders: 2 * limits.warmUpOrdersMax } }]);
  expect(readdirSync(folder)).not.toContain('warm-up');
  expect((await operate(trading, await submission())).status).toBe(201);
});

/** An engine thread that gives the rehearsal up when its engine is about to open, or when it is asked for a door. It records what ends. */
class WatchedThread extends EngineThread {
  readonly ended: string[] = [];
  readonly rehearsal: Rehearsal;
  readonly #givenUpAt: 'engine' | 'door';

  constructor(givenUpAt: 'engine' | 'door') {
    super();
    this.#givenUpAt = givenUpAt;
    this.rehearsal = new Rehearsal({
      ...{ thread: this, folder: join(folder, 'warm-up'), venues: VENUES },
      hasDoor: givenUpAt === 'door',
    });
  }

  override run(data: EngineData, port: MessagePort): Promise<unknown> {
    const { port1, port2 } = new MessageChannel();
    port.on('message', (messages: readonly ToEngine[]) => {
      const doors = messages.flatMap(message => (message.type === 'door' ? [message.port] : []));
      if (doors.length > 0) this.#giveUp();
      port1.postMessage(messages, doors);
    });
    port1.on('message', messages => port.postMessage(messages));
    const running = super.run(data, port2);
    void running.finally(() => this.ended.push('engine'));
    if (this.#givenUpAt === 'engine') this.#giveUp();
    return running;
  }

  override close(): Promise<void> {
    this.ended.push('thread');
    return super.close();
  }

  #giveUp(): void {
    this.rehearsal.giveUp(new Error('too late'));
  }
}

it.each(['engine', 'door'] as const)(
  'a rehearsal that is given up while its %s opens closes it before the thread ends, which would abort the process',
  async part => {
    const thread = new WatchedThread(part);
    await expect(thread.rehearsal.open()).rejects.toThrow('too late');
    await thread.rehearsal.abandon();
    expect(thread.ended).toEqual(['engine', 'thread']);
    expect(readdirSync(folder)).not.toContain('warm-up');
  },
);

it('a rehearsal that may send no more orders, by warmUpMs, ends without any', async () => {
  const log = recordingLog();
  await startBehind(new Metrics({ operations: [] }), { log, ordersMs: 0, giveUpMs: PATIENCE_MS });
  expect(log.said).toMatchObject([{ event: 'warmed up', fields: { orders: 0 } }]);
});

it('an engine that fails in it ends the rehearsal, and not the process', async () => {
  const thread = new EngineThread();
  const rehearsal = new Rehearsal({ thread, folder: join(folder, 'warm-up'), venues: VENUES, hasDoor: false });
  await rehearsal.open();
  await thread.close();
  await expect(rehearsal.lost).rejects.toThrow();
  await rehearsal.close();
  expect(readdirSync(folder)).not.toContain('warm-up');
});

it('a start without an account has nothing to rehearse', async () => {
  const log = recordingLog();
  const thread = await warmEngineThread({ dataDir: folder, venues: [], hasDoor: false, log });
  expect(log.said).toEqual([]);
  await thread.close();
});
