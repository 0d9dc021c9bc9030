// The executions thread: hears what the venues tell of every account, reads what was missed, and finds out what nobody knows. It
// says when an account has been read once, and tells what changes.

import { parentPort, workerData } from 'node:worker_threads';
import { LiveBooks } from '../book/live-books.ts';
import { actorTag } from '../domain/actor-tag.ts';
import { fullActorId } from '../domain/identity.ts';
import { assert, unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { AccountNews } from '../orders/account-parts.ts';
import { CancelAfterWatch, type UnrecordedSwitch } from '../orders/cancel-after.ts';
import { Executions } from '../orders/executions.ts';
import { Ledger } from '../orders/ledger.ts';
import { guardHeap } from '../runtime/heap-guard.ts';
import { createLog } from '../runtime/log.ts';
import { Metrics, type MetricsParts } from '../runtime/metrics.ts';
import { keepPulse } from '../runtime/pulse.ts';
import { wallTimers } from '../runtime/timers.ts';
import { openKeyStore } from '../store/key-store.ts';
import type { Account, OrderEventRecord } from '../store/order-records.ts';
import { openOrderStore } from '../store/order-store.ts';
import { StoreError } from '../store/store-error.ts';
import type { OrderDeskData } from './order-desk.ts';
import { PodTrading } from './pod-trading.ts';

export interface ExecutionsData extends OrderDeskData {
  /** Whose actors' orders are adopted. */
  readonly keysFolder: string;
  readonly metrics: MetricsParts;
}

export type FromExecutions =
  | { readonly type: 'events'; readonly events: readonly OrderEventRecord[] }
  /** Whatever was open before the start is known now. */
  | { readonly type: 'read'; readonly account: Account }
  | { readonly type: 'news'; readonly account: Account; readonly news: AccountNews }
  /** A switch that could not be recorded now is. */
  | { readonly type: 'switch-recorded'; readonly recorded: UnrecordedSwitch };

export type ToExecutions = 'close' | { readonly type: 'switch-set'; readonly unrecorded: UnrecordedSwitch };

const port = parentPort;
assert(port !== null, 'executions-worker.ts runs as a worker');
const data = workerData as ExecutionsData;
const { storeFolder, durability, pods, logLevel, keysFolder, metrics: metricsParts } = data;
const metrics = new Metrics(metricsParts);
const say = (message: FromExecutions): void => port.postMessage(message);
const log = createLog('executions', { level: logLevel });
guardHeap();
keepPulse();

const keys = openKeyStore(keysFolder);
const store = await openOrderStore({ folder: storeFolder, mode: durability, role: 'member', timers: wallTimers });
const trading = new PodTrading(pods, new LiveBooks(data.arena), { log, metrics });
const accounts = trading.accounts.map(({ podId, venue, trading: port }) => ({
  account: { podId, venue },
  trading: port,
}));

const actorsOf = (podId: string): readonly string[] =>
  keys
    .read()
    .actors.filter(actor => actor.podId === podId)
    .map(fullActorId);

const ledger = new Ledger({
  store,
  now: () => wallTimers.now(),
  tell: events => say({ type: 'events', events }),
  diverged: (kind, detail) => {
    metrics.add(metrics.counter('order_divergences_total', kind));
    log.warn('diverged', { kind, ...detail });
  },
});
const executions = new Executions({
  ledger,
  timers: wallTimers,
  accounts,
  actorOfTag: (podId, tag) => actorsOf(podId).find(actorId => actorTag(actorId) === tag) ?? null,
  actorsOf,
  announce: (account, news) => {
    logNews(account, news);
    say({ type: 'news', account, news });
  },
  storeFailed,
});
executions.start();
const switches = new CancelAfterWatch({
  ledger,
  timers: wallTimers,
  fired: ({ keyId, podId }, orderIds, isRecorded) => {
    log.info('cancel-after fires', { keyId, orders: orderIds.length, isRecorded });
    for (const { account } of accounts.filter(it => it.account.podId === podId)) {
      const ofVenue = orderIds.filter(orderId => store.order(orderId)?.order.request.venue === account.venue);
      executions.cancelNow(account, ofVenue, isRecorded);
    }
  },
  recorded: it => say({ type: 'switch-recorded', recorded: it }),
  storeFailed,
});
switches.start();

let lastFault = { message: '', untilMs: 0 };
let unread = accounts.map(({ account }) => account);
const watch = setInterval(() => {
  const read = unread.filter(account => executions.isRead(account));
  unread = unread.filter(account => !read.includes(account));
  for (const account of read) say({ type: 'read', account });
  if (unread.length === 0) clearInterval(watch);
}, limits.executionsReadPollMs);

port.on('message', (message: ToExecutions) => {
  if (message === 'close') void close();
  else switches.hear(message.unrecorded);
});

/** Orders are cancelled, and venues heard, all the same. Told in the log once a minute at most, unless it is another fault. */
function storeFailed(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
  const { message } = error;
  if (message === lastFault.message && wallTimers.elapsed() < lastFault.untilMs) return;
  lastFault = { message, untilMs: wallTimers.elapsed() + limits.storeFaultRepeatMs };
  log.warn('the order store failed', { error: message });
}

function logNews({ podId, venue }: Account, news: AccountNews): void {
  switch (news.type) {
    case 'read':
      log.info('account read', { podId, venue });
      break;
    case 'unread':
      log.warn('account cannot be read', { podId, venue, message: news.message });
      break;
    case 'held':
      log.warn('fills that cannot be read', { podId, venue, rows: news.rows });
      break;
    case 'stream-up':
      log.info('private stream up', { podId, venue });
      break;
    case 'stream-down':
      log.warn('private stream down', { podId, venue, message: news.message });
      break;
    default:
      unreachable(news);
  }
}

async function close(): Promise<void> {
  clearInterval(watch);
  switches.stop();
  const stopped = executions.stop();
  // What venues have been asked ends with their answers, and what would be asked yet is answered at once.
  await trading.close();
  await stopped;
  await store.close();
  await keys.close();
  port?.close();
}
