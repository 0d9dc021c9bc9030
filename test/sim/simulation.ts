// One schedule: a simulated venue, a gateway that dies and comes back, and those who trade through it, all from one seed. When they
// are done everything goes right for a while, and then what must be true is looked at.

import { actorTag } from '../../src/domain/actor-tag.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { createOrder, type OrderId, type OrderStatus } from '../../src/domain/order.ts';
import { deriveOrderId } from '../../src/orders/order-ids.ts';
import { Random } from '../../src/runtime/random.ts';
import type { OrderEventRecord, StoredOrder } from '../../src/store/order-records.ts';
import { NaiveOrderStore } from '../support/naive-order-store.ts';
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
  const count = (what: string): void => void coverage.set(what, (coverage.get(what) ?? 0) + 1);
  const store = new NaiveOrderStore({
    defer: commit => schedule.after(random.below(4), commit),
    watch: (before, stored) => steps(before, stored).forEach(count),
  });
  let told: OrderEventRecord[] = [];
  const answers: Answers = new Map();
  const faults: string[] = [];
  const wanted = new Map<OrderId, UnixMillis>();
  let losses = 0;
  let gateway: Gateway | null = null;
  const startGateway = (): void => {
    gateway = new Gateway({
      wire,
      store,
      told: event => told.push(event),
      diverged: count,
      answeredEarly: () => count('answered before the venue'),
      fired: orderIds => {
        count('switch fired');
        for (const orderId of orderIds) wanted.set(orderId, schedule.now());
      },
    });
  };
  if (random.chance(0.1)) putUnsent(store, schedule, venue, () => gateway);
  startGateway();
  for (let crashes = random.below(4); crashes > 0; crashes -= 1) {
    schedule.after(random.below(TRADING_MS), () => {
      if (gateway === null) return;
      gateway.crash();
      gateway = null;
      count('crash');
      if (random.chance(0.04)) {
        store.lose();
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
  const account = { podId: POD, venue } as const;
  for (const answer of [...answers.values()].flat())
    count(answer.type === 'made' ? 'answer made' : `answer ${answer.kind}`);
  faults.push(...faultsOf({ account, store, exchange, answers, told, wanted, sent, losses }));
  gateway!.crash();
  return { faults, orders: exchange.orders.size };
}

/** An order that was recorded and never sent, as another version may have left it; its owner may cancel it before it is found. */
function putUnsent(
  store: NaiveOrderStore,
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
  store.change(transaction => transaction.putOrder({ order, intent, idempotencyKey: 'unsent', refusedAs: null }));
  schedule.after(schedule.random.below(8), () => void gateway()?.cancel(orderId));
}

/** The transitions between two records; PENDING is passed within one transaction. */
function steps(before: StoredOrder | null, { order }: StoredOrder): readonly string[] {
  const to = order.status;
  const from: OrderStatus = before?.order.status ?? 'PENDING';
  const wasReleased = before?.order.isReleased === true;
  const isReopened = wasReleased && (to === 'SUBMITTED' || (to === 'REJECTED' && !order.isReleased));
  if (isReopened) return ['REJECTED → PENDING', `PENDING → ${to}`];
  return from === to ? [] : [`${from} → ${to}`];
}
