// Traders at the simulated gateway, by the rules of the contract. After a lost answer they repeat the request under the same key. After a
// 503 they do so later, and after an unknown outcome until it is known. Some repeat at once, some cancel, some reuse a key for another
// order.

import type { Answer } from '../../src/core/domain/answer.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import type { OrderRequest, VenueBOrderRequest } from '../../src/core/domain/order-request.ts';
import type { Gateway } from './gateway.ts';
import type { Happenings } from './happenings.ts';
import { limitLosses, protect } from './operators.ts';
import { ADDRESSES } from './outside.ts';
import type { Schedule } from './schedule.ts';
import { HUNDREDTH, SHARE } from './true-order.ts';

/** Every answer to each key, in the order in which the answers came. */
export type Answers = Map<string, Answer[]>;

export interface Market {
  readonly schedule: Schedule;
  readonly venue: 'venue_a' | 'venue_b';
  /** The gateway. Null while it is down. */
  readonly gateway: () => Gateway | null;
  readonly answers: Answers;
  /** Keys whose last request has no answer in `answers`. The earlier answers do not reflect what that request recorded. */
  readonly unnoted: Set<string>;
  /** Orders whose cancel was recorded and answered 504, and orders of a fired switch or protection. Their cancels stay wanted. */
  readonly wanted: Map<OrderId, UnixMillis>;
  /** The time at which the cancel of each order was first answered as confirmed. */
  readonly cancelled: Map<OrderId, UnixMillis>;
  readonly fault: (message: string) => void;
  readonly count: (what: string) => void;
  /** Called when somebody was answered. */
  readonly answered: () => void;
  /** Returns how many times records that had been answered were lost so far. */
  readonly losses: () => number;
}

const ATTEMPTS_MAX = 14;
const CENT = 10_000;
type Way = Pick<VenueBOrderRequest, 'side' | 'action' | 'size'>;

export async function trade(market: Market, actorId: string, orders: number): Promise<void> {
  const { random } = market.schedule;
  for (let index = 0; index < orders; index += 1) {
    await market.schedule.sleep(random.below(5_000));
    const key = `${actorId}-${index}`;
    if (!random.happens(1)) continue;
    protect(market, actorId, random);
    limitLosses(market, actorId, random);
    if (random.happens(0.05)) await cancelEverything(market, actorId);
    if (random.happens(0.2)) {
      await placeBatch(market, actorId, key);
      continue;
    }
    const request = requestOf(market, actorId, random);
    if (random.happens(0.1)) market.gateway()?.setCancelAfter(actorId, random.pick([0, 2_000, 5_000]));
    const isTwin = random.happens(0.15);
    const flows = [place(market, actorId, key, request), ...(isTwin ? [place(market, actorId, key, request)] : [])];
    if (random.chance(0.3)) await Promise.all(flows);
  }
}

/** Sends unknown orders again, as a batch or each by itself. They are the same orders. */
async function placeBatch(market: Market, actorId: string, key: string): Promise<void> {
  const { random } = market.schedule;
  const notAfter = random.happens(0.08) ? ((market.schedule.now() + random.below(60)) as UnixMillis) : null;
  const calls = Array.from({ length: 2 + random.below(4) }, (_, item) => {
    const request = requestOf(market, actorId, random);
    return { actorId, idempotencyKey: `${key}.${item}`, request, notAfter };
  });
  // Now and then an order stands twice in one batch.
  if (random.happens(0.1)) calls.push(calls[0]!);
  let answers: readonly Answer[] | 'lost' = 'lost';
  for (let attempt = 0; attempt < ATTEMPTS_MAX && answers === 'lost'; attempt += 1) {
    const gateway = market.gateway();
    answers = (await gateway?.submitBatch(calls)) ?? 'lost';
    if (answers === 'lost') for (const call of calls) market.unnoted.add(`${actorId}/${call.idempotencyKey}`);
    if (answers === 'lost' && gateway !== null) market.count('killed in a batch');
    if (answers === 'lost') await market.schedule.sleep(300 + random.below(2_000));
  }
  if (answers === 'lost') return;
  const made: OrderId[] = [];
  for (const [index, answer] of answers.entries()) {
    note(market, `${actorId}/${calls[index]!.idempotencyKey}`, answer);
    if (answer.type === 'made') made.push(answer.orderId);
  }
  const open = calls.filter((_, index) => !isFinal(answers[index]!));
  await Promise.all(open.map(({ idempotencyKey, request }) => place(market, actorId, idempotencyKey, request)));
  if (random.happens(0.4)) await cancelThem(market, made);
}

function isFinal(answer: Answer): boolean {
  return answer.type === 'made' || (answer.kind !== 'unavailable' && answer.orderId === null);
}

async function cancelThem(market: Market, orderIds: readonly OrderId[]): Promise<void> {
  await market.schedule.sleep(market.schedule.random.below(8_000));
  const cancelled = (await market.gateway()?.cancelBatch(orderIds)) ?? 'lost';
  if (cancelled === 'lost') return;
  for (const [orderId, { answer, isRecorded }] of cancelled) {
    const isUnknown = answer.type === 'refused' && answer.kind === 'unknownOutcome';
    if (isUnknown && isRecorded) market.wanted.set(orderId, market.schedule.now());
    if (answer.type === 'cancelled') confirmed(market, orderId);
    market.count(`batch cancel ${answer.type === 'cancelled' ? answer.type : answer.kind}`);
    if (answer.type === 'refused' && answer.kind === 'limited') market.count('refused for cancelRateMax');
  }
}

function confirmed({ cancelled, schedule }: Market, orderId: OrderId): void {
  if (!cancelled.has(orderId)) cancelled.set(orderId, schedule.now());
}

async function cancelEverything(market: Market, actorId: string): Promise<void> {
  const results = (await market.gateway()?.cancelAll(actorId)) ?? 'lost';
  if (results === 'lost') return;
  market.count('cancel-all');
  const left = results.filter(({ outcome }) => outcome !== 'NOT_CANCELLABLE');
  for (const { orderId } of left) market.wanted.set(orderId, market.schedule.now());
  for (const { orderId, outcome } of results) if (outcome === 'CANCELLED') confirmed(market, orderId);
}

async function place(market: Market, actorId: string, idempotencyKey: string, request: OrderRequest): Promise<void> {
  const { schedule } = market;
  const { random } = schedule;
  const notAfter = random.happens(0.08) ? ((schedule.now() + random.below(60)) as UnixMillis) : null;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const answer = (await market.gateway()?.submit({ actorId, idempotencyKey, request, notAfter })) ?? 'lost';
    if (answer === 'lost') {
      market.unnoted.add(`${actorId}/${idempotencyKey}`);
      await schedule.sleep(300 + random.below(2_000));
      continue;
    }
    note(market, `${actorId}/${idempotencyKey}`, answer);
    if (answer.type === 'made') {
      if (closesFraction(market, actorId, request)) market.count('a fraction closed');
      await afterwards(market, actorId, idempotencyKey, request, answer.orderId);
    } else if (answer.kind === 'unavailable') {
      await schedule.sleep(1_000 * (answer.retryAfterS ?? 1));
      continue;
    } else if (answer.orderId !== null) {
      await schedule.sleep(500 + random.below(8_000));
      continue;
    }
    // A known order is asked for once more now and then: its answer must not change.
    if (!random.happens(0.3)) return;
    await schedule.sleep(random.below(6_000));
  }
}

async function afterwards(
  market: Market,
  actorId: string,
  idempotencyKey: string,
  request: OrderRequest,
  orderId: OrderId,
): Promise<void> {
  const { random } = market.schedule;
  if (random.happens(0.05)) await misuse(market, actorId, idempotencyKey, request);
  if (random.happens(0.25) && 'price' in request && request.timeInForce === 'GTC') {
    await replaceIt(market, actorId, idempotencyKey, request, orderId);
    return;
  }
  if (!random.happens(0.4)) return;
  await market.schedule.sleep(random.below(8_000));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const cancelled = (await market.gateway()?.cancel(orderId)) ?? 'lost';
    if (cancelled === 'unknown-order') return;
    if (cancelled !== 'lost') {
      const { answer, isRecorded } = cancelled;
      if (answer.type === 'cancelled') confirmed(market, orderId);
      if (answer.type === 'cancelled' || answer.kind === 'notCancellable') return;
      if (answer.kind === 'limited') market.count('refused for cancelRateMax');
      if (answer.kind === 'unknownOutcome' && isRecorded) market.wanted.set(orderId, market.schedule.now());
    }
    await market.schedule.sleep(500 + random.below(2_000));
  }
}

/** Replaces an order by another price or size, and perhaps the replacement again. */
async function replaceIt(
  market: Market,
  actorId: string,
  key: string,
  request: OrderRequest & { readonly size: MicroShares },
  orderId: OrderId,
): Promise<void> {
  const { schedule } = market;
  const { random } = schedule;
  await schedule.sleep(random.below(6_000));
  const price = (4_000 + 100 * random.below(20)) as Ticks;
  const total = Math.max(SHARE, request.size + (random.below(5) - 2) * SHARE);
  const terms = random.chance(0.3)
    ? { price, total: null }
    : { price: random.chance(0.5) ? price : null, total: total as MicroShares };
  const call = { actorId, idempotencyKey: `${key}.r${random.below(1_000_000)}`, orderId, terms, notAfter: null };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const gateway = market.gateway();
    const answer = (await gateway?.replace(call)) ?? 'lost';
    market.unnoted.add(`${actorId}/${call.idempotencyKey}`);
    if (answer === 'unknown-order') return;
    if (answer === 'lost') {
      if (gateway !== null) market.count('killed in a replace');
      await schedule.sleep(300 + random.below(2_000));
      continue;
    }
    // A refusal before the record may have other words later.
    if (answer.type === 'made' || answer.kind !== 'notCancellable')
      note(market, `${actorId}/${call.idempotencyKey}`, answer);
    if (answer.type === 'made') return afterwards(market, actorId, call.idempotencyKey, request, answer.orderId);
    if (answer.kind !== 'unavailable' && answer.orderId === null) return;
    await schedule.sleep(1_000 + random.below(6_000));
  }
}

/** Uses a key for another order. A key that was answered 201 is never good for another order. */
async function misuse(market: Market, actorId: string, idempotencyKey: string, request: OrderRequest): Promise<void> {
  const losses = market.losses();
  const other = { ...request, price: 5_355 as Ticks } as OrderRequest;
  const answer = await market.gateway()?.submit({ actorId, idempotencyKey, request: other, notAfter: null });
  if (answer === undefined || answer === 'lost' || losses !== market.losses()) return;
  const isRefused = answer.type === 'refused' && answer.kind === 'idempotencyConflict';
  if (!isRefused) market.fault(`${idempotencyKey}: another body was answered ${JSON.stringify(answer)}`);
}

function note({ answers, unnoted, answered }: Market, name: string, answer: Answer): void {
  unnoted.delete(name);
  answers.set(name, [...(answers.get(name) ?? []), answer]);
  answered();
}

/** Returns a time in whole seconds, late enough that a request normally arrives before it. */
function soon(now: number, random: Happenings): UnixMillis {
  return (Math.ceil(now / 1_000 + 8 + random.below(40)) * 1_000) as UnixMillis;
}

/** Draws an order that closes everything that the actor holds, or an order of any size, which may be in hundredths. */
function wayOf({ gateway }: Market, actorId: string, ticker: string, random: Happenings): Way {
  const held = gateway()?.store.position(actorId, 'venue_b', ticker)?.size ?? 0;
  if (held !== 0 && random.chance(0.2))
    return { side: held > 0 ? 'YES' : 'NO', action: 'SELL', size: Math.abs(held) as MicroShares };
  const size = random.chance(0.5) ? (1 + random.below(5)) * SHARE : (1 + random.below(500)) * HUNDREDTH;
  const [side, action] = [random.pick(['YES', 'NO'] as const), random.pick(['BUY', 'SELL'] as const)];
  return { side, action, size: size as MicroShares };
}

/** Returns whether an order for a part of a contract has left nothing of the position. */
function closesFraction({ gateway }: Market, actorId: string, request: OrderRequest): boolean {
  if (request.venue !== 'venue_b' || request.size % SHARE === 0) return false;
  return gateway()?.store.position(actorId, 'venue_b', request.ticker)?.size === 0;
}

function requestOf(market: Market, actorId: string, random: Happenings): OrderRequest {
  const { venue, schedule } = market;
  const isUnknown = random.happens(0.02);
  const price = (4_000 + 100 * random.below(20)) as Ticks;
  if (venue === 'venue_b') {
    const ticker = isUnknown ? 'KX?' : random.pick(ADDRESSES.venue_b);
    const way = wayOf(market, actorId, ticker, random);
    const timeInForce = random.pick(['GTC', 'GTC', 'GTD', 'IOC', 'FOK'] as const);
    const finer = random.chance(0.3) ? 10 * random.below(10) : 0;
    const plain = { venue, ticker, ...way, price: (price + finer) as Ticks, timeInForce };
    const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
    const terms = {
      expiresAt: timeInForce === 'GTD' ? soon(schedule.now(), random) : null,
      postOnly: rests && random.chance(0.3),
      reduceOnly: !rests && random.chance(0.3),
      selfTrade: random.pick(['CANCEL_TAKER', 'CANCEL_MAKER'] as const),
    };
    return timeInForce === 'GTD' || random.chance(0.3) ? { ...plain, terms } : plain;
  }
  const size = ((1 + random.below(5)) * SHARE) as MicroShares;
  const tokenId = isUnknown ? '1?' : random.pick(ADDRESSES.venue_a);
  const side = random.chance(0.7) ? 'BUY' : 'SELL';
  if (random.chance(0.6)) {
    const limit = { venue, tokenId, type: 'LIMIT', side, size, price, postOnly: random.chance(0.2) } as const;
    if (random.chance(0.7)) return { ...limit, timeInForce: 'GTC' };
    return { ...limit, timeInForce: 'GTD', expiresAt: soon(schedule.now(), random) };
  }
  const timeInForce = random.pick(['FOK', 'FAK'] as const);
  const now = { venue, tokenId, type: 'MARKET', worstPrice: null, timeInForce } as const;
  if (side === 'SELL') return { ...now, side, size };
  return { ...now, side, dollars: (CENT * (100 + random.below(400))) as MicroDollars };
}
