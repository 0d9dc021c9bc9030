// Our adapter against the paper exchange of venue A, over real sockets, with the CLOB, the user channel and the Data API. Time stands
// still, and faults come on demand. A rig closes when its test ends.

import { onTestFinished } from 'vitest';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId, transition } from '../../../../src/core/domain/order.ts';
import type { VenueAOrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { VenueAAccount } from '../../../../src/core/domain/pod-accounts.ts';
import { HttpOutboundPool } from '../../../../src/core/net/outbound-pool.ts';
import { connectWebSocket } from '../../../../src/core/net/websocket.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { FaultPlan } from '../../../../src/paper/faults/fault-plan.ts';
import type { PlannedFault } from '../../../../src/paper/faults/faults.ts';
import type { HttpServer } from '../../../../src/paper/http-server.ts';
import { startDataServer } from '../../../../src/paper/venue-a/data-api/data-server.ts';
import { userStreamRoute } from '../../../../src/paper/venue-a/stream/user-session.ts';
import type { PrivateEvent, SubmitOutcome, VenueTrading } from '../../../../src/venues/venue.ts';
import { checksumAddress } from '../../../../src/venues/venue-a/address.ts';
import { createVenueATrading, type VenueATradingParts } from '../../../../src/venues/venue-a/trading.ts';
import { REGULAR, type RigOptions, START_MS, VenueARig, type Wallet } from '../../../paper/venue-a/venue-a-rig.ts';
import { outcomeOf } from '../../../support/order-outcome.ts';
import { turnsUntil } from '../../../support/turns.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

const DOLLAR = 1_000_000;
export const SHARE = 1_000_000;
export const [FIRST, SECOND] = REGULAR.tokens;

export const cents = (value: number): Ticks => (value * 100) as Ticks;
export const shares = (value: number): MicroShares => Math.round(value * SHARE) as MicroShares;
export const dollars = (value: number): MicroDollars => Math.round(value * DOLLAR) as MicroDollars;

export function limit(
  side: 'BUY' | 'SELL',
  price: number,
  size: number,
  more: Partial<Omit<Extract<VenueAOrderRequest, { type: 'LIMIT'; timeInForce: 'GTC' }>, 'timeInForce'>> = {},
): VenueAOrderRequest {
  return {
    venue: 'venue_a',
    tokenId: FIRST,
    type: 'LIMIT',
    side,
    size: shares(size),
    price: cents(price),
    postOnly: false,
    timeInForce: 'GTC',
    ...more,
  };
}

export function marketBuy(spent: number, timeInForce: 'FOK' | 'FAK', worst: number | null = null): VenueAOrderRequest {
  const worstPrice = worst === null ? null : cents(worst);
  return {
    venue: 'venue_a',
    tokenId: FIRST,
    type: 'MARKET',
    side: 'BUY',
    dollars: dollars(spent),
    worstPrice,
    timeInForce,
  };
}

/** Returns an idempotency key that is a UUIDv7. The time in the key is the time of the order. */
export function keyOfTime(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`;
}

let orders = 0;

export class TradingRig {
  readonly venue: VenueARig;
  readonly plan: FaultPlan;
  readonly wallet: Wallet;
  readonly account: VenueAAccount;
  readonly trading: VenueTrading;
  readonly #data: HttpServer;
  readonly #pools: readonly HttpOutboundPool[];
  readonly #parts: VenueATradingParts;
  readonly #others: VenueTrading[] = [];

  private constructor(
    venue: VenueARig,
    plan: FaultPlan,
    data: HttpServer,
    change: Partial<VenueAAccount>,
    parts: Partial<VenueATradingParts>,
  ) {
    this.venue = venue;
    this.plan = plan;
    this.#data = data;
    this.wallet = venue.wallet(1);
    this.account = {
      restUrl: venue.server.restUrl,
      userStreamUrl: venue.server.userStreamUrl,
      dataUrl: data.url,
      chainId: 137,
      privateKey: '1'.padStart(64, '0'),
      funder: checksumAddress(this.wallet.address),
      signatureType: 0,
      ...this.wallet.credentials,
      ...change,
    };
    const [outbound, outboundData] = [this.account.restUrl, this.account.dataUrl].map(
      origin => new HttpOutboundPool({ origin, connectionsMax: 4, idleMs: 5_000, answerBytesMax: 1 << 20 }),
    );
    this.#pools = [outbound!, outboundData!];
    this.#parts = {
      outbound: outbound!,
      outboundData: outboundData!,
      connect: connectWebSocket,
      timers: venue.timers,
      random: () => 0.5,
      log: silentLog,
      ...parts,
    };
    this.trading = this.another();
  }

  /** Returns another adapter of the same account, which has read nothing yet. */
  another(): VenueTrading {
    const trading = createVenueATrading(this.account, this.#parts);
    this.#others.push(trading);
    return trading;
  }

  static async start(
    options: RigOptions = {},
    change: Partial<VenueAAccount> = {},
    parts: Partial<VenueATradingParts> = {},
  ): Promise<TradingRig> {
    const plan = new FaultPlan({ seed: 1, timers: new VirtualTimers(START_MS) });
    const sockets: RigOptions['sockets'] = it => [userStreamRoute(it)];
    const venue = await VenueARig.start({ faults: plan, sockets, ...options });
    const data = await startDataServer({ exchange: venue.exchange, host: '127.0.0.1', port: 0 });
    const rig = new TradingRig(venue, plan, data, change, parts);
    onTestFinished(() => rig.close());
    return rig;
  }

  private async close(): Promise<void> {
    await Promise.all(this.#others.map(trading => trading.close()));
    this.venue.close();
    this.#data.close();
    await Promise.all(this.#pools.map(pool => pool.close()));
  }

  /** Makes the next requests of the operation meet the fault, up to `countMax` of them. */
  strike(operation: string, fault: PlannedFault, countMax: number | null = 1): void {
    const added = this.plan.add({
      venue: 'venue_a',
      key: null,
      operation,
      fault,
      probability: 1,
      countMax,
      lastsMs: null,
    });
    if (!added.ok) throw new Error(added.error);
  }

  in(delayMs: number): UnixMillis {
    return (this.venue.timers.now() + delayMs) as UnixMillis;
  }

  order(request: VenueAOrderRequest): Order<'PENDING'> {
    orders += 1;
    const orderId = `01234567-89ab-8cde-8f01-${orders.toString(16).padStart(12, '0')}` as OrderId;
    const at = this.venue.timers.now();
    return createOrder({ orderId, podId: 'pod', actorId: 'ann', keyId: 'key', idempotencyKey: 'k', request, at });
  }

  /** Prepares and submits an order. Returns the order, its intent and the outcome. */
  async place(request: VenueAOrderRequest, { timeoutMs = 5_000, key = 'key' } = {}) {
    const pending = this.order(request);
    const intent = await this.trading.prepare(pending, key);
    if (!intent.ok) throw new Error(intent.error.message);
    const order = transition(pending, { type: 'sent', at: this.venue.timers.now() });
    const outcome = await outcomeOf(this.trading, order, intent.value, this.in(timeoutMs));
    return { order: known(order, outcome), intent: intent.value, outcome };
  }

  /** Returns the list of the private stream's events from now on. Resolves when the stream is up. */
  async listen(): Promise<PrivateEvent[]> {
    const events: PrivateEvent[] = [];
    this.trading.listen(event => events.push(event));
    await turnsUntil(() => events.some(({ type }) => type === 'up'));
    return events;
  }
}

function known(order: Order, outcome: SubmitOutcome): Order {
  if (outcome.type !== 'accepted') return order;
  const stated = outcome.state === 'rests' ? outcome.stated : null;
  return { ...order, status: 'OPEN', venueOrderId: outcome.venueOrderId, stated };
}
