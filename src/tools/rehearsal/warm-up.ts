// Makes the first order after a start fast. Before the gateway is ready, a rehearsal sends orders along the whole path until their code is
// compiled. This warms up code on the main thread and the engine's thread. Nothing else remains of the rehearsal. Main thread.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { faultOf } from '../../core/domain/error-words.ts';
import { isObject, textOf } from '../../core/domain/json.ts';
import type { MarketKey, Venue } from '../../core/domain/market.ts';
import { HTTP_CREATED, HTTP_OK } from '../../core/net/http-status.ts';
import type { OutboundAnswer } from '../../core/net/outbound.ts';
import { HttpOutboundPool } from '../../core/net/outbound-pool.ts';
import type { Log } from '../../core/runtime/log.ts';
import { limits } from '../../limits.ts';
import { EngineThread } from '../../orders/engine/engine-thread.ts';
import { nodeSigner } from '../client/node-client.ts';
import { type Signer, signRequest } from '../client/signer.ts';
import { Rehearsal, type Stage } from './rehearsal.ts';

export interface WarmUpOptions {
  /** The data directory, which holds the rehearsal's folder while the rehearsal runs. */
  readonly dataDir: string;
  /** The venues at which pods have accounts. */
  readonly venues: readonly Venue[];
  /** Whether the engine's thread has a door of its own. */
  readonly hasDoor: boolean;
  readonly log: Log;
  /** The milliseconds for orders, once all parts have started. The default is `limits.warmUpMs`. */
  readonly ordersMs?: number;
  /** The milliseconds until the rehearsal is abandoned. The default is `limits.warmUpGiveUpMs`. */
  readonly giveUpMs?: number;
}

/** Returns a warm thread for the engine. If the rehearsal fails or takes too long, returns a new thread, and logs why. Never rejects. */
export async function warmEngineThread(options: WarmUpOptions): Promise<EngineThread> {
  const { dataDir, venues, hasDoor, log, ordersMs = limits.warmUpMs, giveUpMs = limits.warmUpGiveUpMs } = options;
  const thread = new EngineThread();
  if (venues.length === 0) return thread;
  const beganMs = performance.now();
  const rehearsal = new Rehearsal({ thread, folder: join(dataDir, 'warm-up'), venues, hasDoor });
  const tooLate = new Error(`it takes longer than ${giveUpMs} ms (warmUpGiveUpMs)`);
  const timer = setTimeout(() => rehearsal.giveUp(tooLate), giveUpMs);
  try {
    const orders = await Promise.race([rehearse(rehearsal, ordersMs), rehearsal.lost]);
    log.info('warmed up', { orders, ms: Math.round(performance.now() - beganMs) });
    return thread;
  } catch (error) {
    log.warn('not warmed up: the first orders take longer', faultOf(error));
    // The start does not wait for a part that hangs. The part ends in the background.
    void Promise.allSettled([rehearsal.abandon()]);
    return new EngineThread();
  } finally {
    clearTimeout(timer);
  }
}

/** Sends orders until `ordersMs` after orders could first be sent. Resolves with the number of orders when all parts have ended. */
async function rehearse(rehearsal: Rehearsal, ordersMs: number): Promise<number> {
  try {
    const stage = await rehearsal.open();
    return await Promise.race([sendOrders(stage, performance.now() + ordersMs), rehearsal.lost]);
  } finally {
    await rehearsal.close();
  }
}

interface Order {
  readonly path: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const NOTHING = new Uint8Array(0);
/** The number of callers that send in parallel. */
const CALLERS = 4;
/**
 * The share of orders that are sent in parallel. The rest are sent one by one, because the main thread checks only the first signatures of
 * a turn itself.
 */
const PARALLEL_SHARE = 3 / 4;

/**
 * Resolves with the number of orders that were sent: all orders, or as many as the time allows. No order is sent after `untilMs`, which is
 * by performance.now(). Rejects if an order is refused.
 */
async function sendOrders({ ports, bots, markets, ends }: Stage, untilMs: number): Promise<number> {
  const pools = ports.map(port => {
    const outbound = new HttpOutboundPool({
      origin: `http://127.0.0.1:${port}`,
      connectionsMax: CALLERS,
      idleMs: limits.warmUpGiveUpMs,
      answerBytesMax: limits.bodyBytesMax,
    });
    ends.add(() => outbound.close());
    return outbound;
  });
  const signers = bots.map(bot => nodeSigner(bot));
  const orders = markets.map(orderOf);
  const venues = new Set(markets.map(({ venue }) => venue));
  const count = limits.warmUpOrdersMax * venues.size;
  const numbers = Array.from({ length: count }, (_, it) => it).values();
  let sent = 0;
  const call = async (isLast: boolean): Promise<void> => {
    for (const number of numbers) {
      if (performance.now() > untilMs) return;
      // Each key is used at each door.
      const outbound = pools[Math.floor(number / signers.length) % pools.length]!;
      const caller = new Caller(outbound, signers[number % signers.length]!);
      await caller.orderAndCancel(orders[number % orders.length]!);
      sent += 1;
      if (!isLast && number >= PARALLEL_SHARE * count) return;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, it) => call(it === 0)));
  return sent;
}

class Caller {
  readonly #outbound: HttpOutboundPool;
  readonly #signer: Signer;

  constructor(outbound: HttpOutboundPool, signer: Signer) {
    this.#outbound = outbound;
    this.#signer = signer;
  }

  async orderAndCancel({ path, body }: Order): Promise<void> {
    const made = await this.#ask('POST', path, body, randomUUID());
    if (made.status !== HTTP_CREATED) throw refused(made);
    const order: unknown = JSON.parse(made.body);
    if (!isObject(order) || order.status !== 'OPEN') return;
    const cancelled = await this.#ask('DELETE', `${path}/${textOf(order.orderId)}`, NOTHING, '');
    if (cancelled.status !== HTTP_OK) throw refused(cancelled);
  }

  async #ask(
    method: 'POST' | 'DELETE',
    target: string,
    body: Uint8Array<ArrayBuffer>,
    idempotencyKey: string,
  ): Promise<OutboundAnswer> {
    const request = { method, target, body, idempotencyKey, notAfterMillis: null };
    const signed = await signRequest(this.#signer, request, Date.now());
    const headers = body.length === 0 ? signed : { ...signed, 'Content-Type': 'application/json' };
    const outcome = await this.#outbound.request({ method, target, headers, body }, limits.warmUpGiveUpMs);
    if (outcome.type !== 'answer') throw new Error(outcome.message);
    return outcome;
  }
}

function refused({ status, body }: OutboundAnswer): Error {
  return new Error(`${status}: ${body}`);
}

/** An order that rests, because there is no other trader in the market. */
function orderOf(market: MarketKey): Order {
  if (market.venue === 'venue_b') {
    const order = { ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
    return { path: '/v1/venue-b/orders', body: bytesOf(order) };
  }
  const order = { tokenId: market.tokenId, side: 'BUY', type: 'LIMIT', size: '20', price: '0.01' };
  return { path: '/v1/venue-a/orders', body: bytesOf(order) };
}

function bytesOf(order: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(order));
}
