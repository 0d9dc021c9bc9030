// One schedule: a simulated venue, a gateway that dies and comes back, and those who trade through it, all from one seed. When they
// are done everything goes right for a while, and then what must be true is looked at.

import { isDeepStrictEqual } from 'node:util';
import { actorTag } from '../../src/domain/actor-tag.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { createOrder, type Order, type OrderId, type OrderStatus } from '../../src/domain/order.ts';
import { deriveOrderId } from '../../src/orders/order-ids.ts';
import { Random } from '../../src/runtime/random.ts';
import type { Account, OrderEventRecord } from '../../src/store/order-records.ts';
import { MemoryLedger, MemoryLog } from '../support/memory-ledger.ts';
import { SHARE } from './exchange.ts';
import { ACTORS, Gateway, POD } from './gateway.ts';
import { faultsOf } from './invariants.ts';
import { Wire } from './port.ts';
import { Schedule } from './schedule.ts';
import { type Answers, trade } from './traders.ts';

const TRADING_MS = 40_000;
/** Longer than absence takes to be proven, a pause between looks, and a reading of the account, one after the other. */
const REST_MS = 90_000;

/** What happened in how many schedules, so that nothing is believed to be tested which never happens. */
export type Coverage = Map<string, number>;

interface Outcome {
  readonly faults: readonly string[];
  readonly orders: number;
}

export async function simulate(seed: number, coverage: Coverage): Promise<Outcome> {
  const random = new Random(seed);
  const schedule = new Schedule(random);
  const venue = random.chance(0.5) ? 'venue_a' : 'venue_b';
  const wire = new Wire(venue, schedule);
  const account = { podId: POD, venue } as const;
  const count = (what: string): void => void coverage.set(what, (coverage.get(what) ?? 0) + 1);
  let log = new MemoryLog();
  let told: OrderEventRecord[] = [];
  const answers: Answers = new Map();
  const faults: string[] = [];
  const wanted = new Map<OrderId, UnixMillis>();
  let losses = 0;
  let gateway: Gateway | null = null;
  const startGateway = (): void => {
    gateway = new Gateway({
      wire,
      log,
      told: event => told.push(event),
      diverged: count,
      answeredEarly: () => count('answered before the venue'),
      fired: orderIds => {
        count('switch fired');
        for (const orderId of orderIds) wanted.set(orderId, schedule.now());
      },
    });
  };
  if (random.chance(0.1)) putUnsent(log, schedule, venue, () => gateway);
  startGateway();
  for (let crashes = random.below(4); crashes > 0; crashes -= 1) {
    schedule.after(random.below(TRADING_MS), () => {
      if (gateway === null) return;
      gateway.crash();
      faults.push(...replayFaults(gateway.store, account));
      gateway = null;
      count('crash');
      if (random.chance(0.04)) {
        transitionsOf(log).forEach(count);
        log = new MemoryLog();
        wire.sent.clear();
        told = [];
        losses += 1;
        count('store lost');
      }
      schedule.after(random.below(2_500), startGateway);
    });
  }
  const market = { schedule, venue, answers, wanted, gateway: () => gateway, losses: () => losses } as const;
  for (const actorId of ACTORS) void trade({ ...market, fault: fault => faults.push(fault) }, actorId, 6);
  await schedule.run(TRADING_MS);
  wire.exchange.quiet();
  wire.becomePerfect();
  await schedule.run(REST_MS);
  const { exchange, sent } = wire;
  const { store } = gateway!;
  for (const answer of [...answers.values()].flat())
    count(answer.type === 'made' ? 'answer made' : `answer ${answer.kind}`);
  faults.push(...faultsOf({ account, store, exchange, answers, told, wanted, sent, losses }));
  faults.push(...replayFaults(store, account));
  transitionsOf(log).forEach(count);
  gateway!.crash();
  return { faults, orders: exchange.orders.size };
}

/** An order that was recorded and never sent, as another version may have left it; its owner may cancel it before it is found. */
function putUnsent(
  log: MemoryLog,
  schedule: Schedule,
  venue: 'venue_a' | 'venue_b',
  gateway: () => Gateway | null,
): void {
  const actorId = ACTORS[0];
  const orderId: OrderId = deriveOrderId(Buffer.alloc(32, 7), actorId, venue, 'unsent');
  const terms = { size: SHARE as MicroShares, price: 5_000 as Ticks, timeInForce: 'GTC' } as const;
  const request =
    venue === 'venue_b'
      ? ({ venue, ticker: 'KXGAME-1', side: 'YES', action: 'BUY', ...terms } as const)
      : ({ venue, tokenId: '1001', type: 'LIMIT', side: 'BUY', postOnly: false, ...terms } as const);
  const order = createOrder({ orderId, podId: POD, actorId, keyId: 'key', request, at: schedule.now() });
  const clientOrderId = `${orderId}.${actorTag(actorId)}`;
  const intent = { payload: new Uint8Array([1]), venueOrderId: null, clientOrderId };
  const store = new MemoryLedger(log);
  store.change(transaction => transaction.putOrder({ order, intent, idempotencyKey: 'unsent', refusedAs: null }));
  schedule.after(schedule.random.below(8), () => void gateway()?.cancel(orderId));
}

/** Its journal, folded, is the state that it was. */
function replayFaults(store: MemoryLedger, account: Account): string[] {
  const replayed = new MemoryLedger(store.log);
  return isDeepStrictEqual(replayed.picture([account]), store.picture([account]))
    ? []
    : ['the journal has another state'];
}

function transitionsOf(log: MemoryLog): readonly string[] {
  const orders = new Map<OrderId, Order>();
  return log.events().flatMap(event => {
    if (event.type !== 'order-made' && event.type !== 'order-moved') return [];
    const orderId = event.type === 'order-made' ? event.stored.order.orderId : event.orderId;
    const before = orders.get(orderId);
    const after = event.type === 'order-made' ? event.stored.order : { ...before!, ...event.motion };
    orders.set(orderId, after);
    return steps(before, after);
  });
}

/** The transitions between two records; PENDING is passed within one step. */
function steps(before: Order | undefined, { status: to, isReleased }: Order): readonly string[] {
  const from: OrderStatus = before?.status ?? 'PENDING';
  const isReopened = before?.isReleased === true && (to === 'SUBMITTED' || (to === 'REJECTED' && !isReleased));
  if (isReopened) return ['REJECTED → PENDING', `PENDING → ${to}`];
  return from === to ? [] : [`${from} → ${to}`];
}
