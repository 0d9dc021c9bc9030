// Venue B's trading on the paper exchange of venue B. The exchange, server, pool and streams are the real ones, on real sockets. Time
// stands still for both sides until a test moves it. A rig closes when its test ends.

import { generateKeyPairSync } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../../../src/core/domain/order.ts';
import type { VenueBOrderRequest } from '../../../../src/core/domain/order-request.ts';
import { assert } from '../../../../src/core/domain/result.ts';
import type { OutboundPool } from '../../../../src/core/net/outbound.ts';
import { HttpOutboundPool } from '../../../../src/core/net/outbound-pool.ts';
import { connectWebSocket } from '../../../../src/core/net/websocket.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { FaultPlan } from '../../../../src/paper/faults/fault-plan.ts';
import { type PaperVenueB, startPaperVenueB } from '../../../../src/paper/paper-venues.ts';
import type { Owner } from '../../../../src/paper/venue-b/records.ts';
import type { UsageTier } from '../../../../src/paper/venue-b/rest/access.ts';
import type { VenueTrading } from '../../../../src/venues/venue.ts';
import { createBudgetMemory } from '../../../../src/venues/venue-b/trading/budget.ts';
import { createVenueBTrading, type VenueBTradingParts } from '../../../../src/venues/venue-b/trading.ts';
import { type ListedEvent, listedEvent } from '../../../paper/venue-b/venue-b-listings.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { size as contracts, price as dollars, type TradingRig, type Wish } from '../../trading-rig.ts';

export const TICKER = 'KXNBAGAME-26NOV21NYKBOS-BOS';
export const OTHER_TICKER = 'KXNBAGAME-26NOV21NYKBOS-NYK';
/** A ticker on shard 3, on which the venue has tennis. */
export const TENNIS_TICKER = 'KXATPMATCH-26NOV21SINALC-SIN';
export const OWNER: Owner = { userId: '00000001-aaaa-4aaa-8aaa-aaaaaaaaaaaa', subaccount: 0 };
export const KEY_ID = '00000001-bbbb-4bbb-8bbb-bbbbbbbbbbbb';
const EVENT_TICKER = 'KXNBAGAME-26NOV21NYKBOS';
const TENNIS_EVENT_TICKER = 'KXATPMATCH-26NOV21SINALC';

export interface VenueBTradingRigOptions {
  readonly keyType?: 'ed25519' | 'rsa';
  readonly tier?: UsageTier;
  readonly parts?: Partial<VenueBTradingParts>;
  readonly isBalanceGross?: boolean;
  /** Makes, from the rig's pool, the outbound through which the account sends. */
  readonly outbound?: (pool: OutboundPool, timers: VirtualTimers) => OutboundPool;
  /** The listing of the event whose markets are traded. */
  readonly listing?: Partial<ListedEvent>;
}

export class VenueBTradingRig implements TradingRig {
  readonly trading: VenueTrading;
  readonly paper: PaperVenueB;
  readonly faults: FaultPlan;
  readonly timers: VirtualTimers;
  readonly pool: HttpOutboundPool;
  readonly secrets: readonly string[];
  readonly address = TICKER;
  readonly unknownAddress = 'KXNBAGAME-NEVER';
  readonly operations = {
    submit: 'POST /portfolio/events/orders',
    cancel: 'DELETE /portfolio/events/orders/batched',
    submitBatch: 'POST /portfolio/events/orders/batched',
    cancelBatch: 'DELETE /portfolio/events/orders/batched',
    fillMessage: 'fill',
  };
  /** Returns another trading adapter of the same account, as on another thread. */
  readonly another: () => VenueTrading;
  #orders = 0;

  private constructor(
    paper: PaperVenueB,
    faults: FaultPlan,
    timers: VirtualTimers,
    pool: HttpOutboundPool,
    another: () => VenueTrading,
    privateKeyPem: string,
  ) {
    this.paper = paper;
    this.faults = faults;
    this.timers = timers;
    this.pool = pool;
    this.trading = another();
    this.another = another;
    this.secrets = privateKeyPem.split('\n').filter(line => line.length > 20 && !line.includes('-----'));
  }

  static async open(options: VenueBTradingRigOptions = {}): Promise<VenueBTradingRig> {
    const { keyType = 'ed25519', tier = 'prestige', parts = {}, isBalanceGross = false, listing = {} } = options;
    const timers = new VirtualTimers();
    const faults = new FaultPlan({ seed: 1, timers });
    const event = { eventTicker: EVENT_TICKER, tickers: [TICKER, OTHER_TICKER], now: timers.now(), ...listing };
    const tennis = { eventTicker: TENNIS_EVENT_TICKER, tickers: [TENNIS_TICKER], series: { shard: 3 } };
    const events = [listedEvent(event), listedEvent({ ...tennis, now: timers.now() })];
    const paper = await startPaperVenueB({
      catalog: { series: events.map(({ series }) => series), events },
      timers,
      faults,
      seed: 1,
      host: '127.0.0.1',
      port: 0,
      mode: 'exact',
      onFailure: error => console.error(error),
    });
    const isRsa = keyType === 'rsa';
    const pair = isRsa ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
    const publicKeyPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const opened = paper.control.open({
      userId: OWNER.userId,
      tier,
      balance: 1_000_000_000 as MicroDollars,
      keys: [{ keyId: KEY_ID, name: 'rig', publicKeyPem }],
    });
    assert(opened.ok, 'the account is opened');
    const pool = new HttpOutboundPool({
      origin: new URL(paper.urls.rest).origin,
      connectionsMax: 8,
      idleMs: 5_000,
      answerBytesMax: 16 * 1024 * 1024,
    });
    const urls = { restUrl: paper.urls.rest, streamUrl: paper.urls.stream };
    const account = { ...urls, keyId: KEY_ID, privateKeyPem, isBalanceGross };
    const common = {
      outbound: options.outbound?.(pool, timers) ?? pool,
      connect: connectWebSocket,
      timers,
      random: () => 0,
      log: silentLog,
    };
    const open = () => createVenueBTrading(account, { ...common, budgetMemory: createBudgetMemory(), ...parts });
    const rig = new VenueBTradingRig(paper, faults, timers, pool, open, privateKeyPem);
    onTestFinished(() => rig.close());
    await rig.trading.warmUp();
    return rig;
  }

  now(): UnixMillis {
    return this.timers.now();
  }

  advance(byMs: number): Promise<void> {
    return this.timers.settle(byMs);
  }

  order({ side, price, size, timeInForce = 'GTC', postOnly = false, forMs }: Wish): Order {
    const wish = { side: 'YES', action: side, price, size } as const;
    if (forMs === undefined && !postOnly) return this.wish({ ...wish, timeInForce });
    const expiresAt = forMs === undefined ? null : ((this.now() + forMs) as UnixMillis);
    const terms = { expiresAt, postOnly, reduceOnly: false, selfTrade: 'CANCEL_TAKER' } as const;
    return this.wish({ ...wish, timeInForce: expiresAt === null ? timeInForce : 'GTD', terms });
  }

  /** Returns an order in venue B's own terms. It rests with ten contracts of YES at 0.30, unless the wish says otherwise. */
  wish(wish: Partial<VenueBOrderRequest> = {}): Order {
    this.#orders += 1;
    const orderId = `00000000-0000-8000-8000-${String(this.#orders).padStart(12, '0')}` as OrderId;
    const request: VenueBOrderRequest = {
      ...{ venue: 'venue_b', ticker: TICKER, side: 'YES', action: 'BUY', timeInForce: 'GTC' },
      ...{ price: dollars('0.3'), size: contracts('10') },
      ...wish,
    };
    const names = { podId: 'pod', actorId: 'alice', keyId: 'key', idempotencyKey: 'k' };
    return createOrder({ orderId, ...names, request, at: this.now() });
  }

  /** Places orders of other traders, in terms of YES. */
  others(side: 'BUY' | 'SELL', price: Ticks, size: MicroShares, kind: 'rest' | 'take', ticker = TICKER): void {
    const { desk } = this.paper.exchange;
    const market = desk.markets.find(({ address }) => address === ticker);
    assert(market !== undefined, 'the market is listed');
    desk.place(market, side === 'BUY' ? BID : ASK, price, size, kind);
  }

  /** Adds cash of the account on a shard. */
  fund(shard: number, amount: MicroDollars): void {
    assert(this.paper.exchange.deposit(OWNER, amount, shard), 'the shard takes it');
  }

  disconnect(): void {
    this.paper.control.disconnect(KEY_ID);
  }

  async close(): Promise<void> {
    await this.trading.close();
    this.paper.close();
    await this.pool.close();
  }
}
