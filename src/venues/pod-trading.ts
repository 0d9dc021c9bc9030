// The connections to the accounts of every pod, with one adapter for each account. Engine and guard thread.

import { VENUES, type Venue } from '../core/domain/market.ts';
import type { VenueAAccount, VenueBTradingAccount } from '../core/domain/pod-accounts.ts';
import { LABEL_VALUES } from '../core/metrics/metric-table.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import type { OutboundEvent, OutboundPool, OutboundRequest } from '../core/net/outbound.ts';
import { HttpOutboundPool } from '../core/net/outbound-pool.ts';
import { connectWebSocket } from '../core/net/websocket.ts';
import type { Log } from '../core/runtime/log.ts';
import { wallTimers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import { onOutdatedFacts } from './outdated-facts.ts';
import type { BudgetedPod } from './pod-budgets.ts';
import type { VenueTrading } from './venue.ts';
import type { BookOf } from './venue-a/trading/preparation.ts';
import { unconvertedReader } from './venue-a/trading/unconverted.ts';
import { createVenueATrading, type VenueATradingParts } from './venue-a/trading.ts';
import { createVenueBTrading } from './venue-b/trading.ts';

/** An account of a pod, and the adapter that trades with it. */
export interface TradedAccount {
  readonly podId: string;
  readonly venue: Venue;
  readonly trading: VenueTrading;
}

interface PodTradingParts {
  readonly log: Log;
  readonly metrics: Metrics;
  /** The levels of venue A’s books, for prices of market orders. */
  readonly bookOf: BookOf;
  /** Returns the promise for which a cancel must wait, or null if the cancel may go at once. Absent means that no cancel waits. */
  readonly fence?: Fence;
}

type Fence = () => Promise<void> | null;

export class PodTrading {
  readonly accounts: readonly TradedAccount[];
  readonly #pools: HttpOutboundPool[] = [];
  readonly #bookOf: BookOf;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #fence: Fence;
  readonly #stopHearing: () => void;

  /** Throws if an account cannot sign, which is a mistake of the operator. */
  constructor(pods: readonly BudgetedPod[], { log, metrics, bookOf, fence = () => null }: PodTradingParts) {
    this.#bookOf = bookOf;
    this.#log = log;
    this.#metrics = metrics;
    this.#fence = fence;
    this.accounts = pods.flatMap(pod => VENUES.flatMap(venue => this.#accountOf(pod, venue)));
    this.#stopHearing = onOutdatedFacts(({ venue, address }) => {
      for (const account of this.accounts) if (account.venue === venue) account.trading.expireFacts(address);
    });
  }

  /** Returns null if the pod has no account at the venue. */
  of(podId: string, venue: Venue): VenueTrading | null {
    for (const account of this.accounts) if (account.podId === podId && account.venue === venue) return account.trading;
    return null;
  }

  ofPod(podId: string): readonly TradedAccount[] {
    return this.accounts.filter(it => it.podId === podId);
  }

  /** Warms up all accounts. Resolves when every account is as ready as its venue allows. */
  async warmUp(): Promise<void> {
    await Promise.all(this.accounts.map(({ trading }) => trading.warmUp()));
  }

  async close(): Promise<void> {
    this.#stopHearing();
    await Promise.all(this.accounts.map(({ trading }) => trading.close()));
    await Promise.all(this.#pools.map(pool => pool.close()));
  }

  #accountOf({ podId, venueA, venueB, budgets }: BudgetedPod, venue: Venue): TradedAccount[] {
    if (venue === 'venue_a')
      return venueA === null ? [] : [{ podId, venue, trading: this.#venueA(venueA, budgets.venueA) }];
    return venueB === null ? [] : [{ podId, venue, trading: this.#venueB(venueB, budgets.venueB) }];
  }

  #venueA(account: VenueAAccount, rateMemory: Float64Array): VenueTrading {
    const outbound = this.#pool('venue_a', account.restUrl);
    const outboundData = this.#pool('venue_a_data', account.dataUrl);
    const outboundRelayer = account.relayer ? this.#pool('venue_a_relayer', account.relayer.url) : null;
    const chain = this.#chain(account);
    const parts = { ...this.#common(), outbound, outboundData, outboundRelayer, rateMemory, bookOf: this.#bookOf };
    return createVenueATrading(account, { ...parts, ...chain });
  }

  #chain({ rpcUrl }: VenueAAccount): Pick<VenueATradingParts, 'unconvertedOf'> {
    if (rpcUrl === undefined) return {};
    const outbound = this.#pool('venue_a_chain', rpcUrl, limits.chainAnswerBytesMax);
    const { pathname: target } = new URL(rpcUrl);
    return { unconvertedOf: unconvertedReader({ outbound, target, now: () => performance.now() }) };
  }

  #venueB(account: VenueBTradingAccount, budgetMemory: BigInt64Array): VenueTrading {
    const outbound = this.#pool('venue_b', account.restUrl);
    return createVenueBTrading(account, { ...this.#common(), outbound, budgetMemory });
  }

  #common() {
    return { connect: connectWebSocket, timers: wallTimers, random: Math.random, log: this.#log };
  }

  #pool(
    upstream: (typeof LABEL_VALUES.upstream)[number],
    url: string,
    answerBytesMax: number = limits.upstreamRestBodyBytesMax,
  ): OutboundPool {
    const slots = new Map<OutboundEvent, number>(
      LABEL_VALUES.event.map(event => [event, this.#metrics.counter('upstream_connections_total', upstream, event)]),
    );
    const durations = {
      submit: this.#metrics.histogram('upstream_request_seconds', upstream, 'submit'),
      cancel: this.#metrics.histogram('upstream_request_seconds', upstream, 'cancel'),
      read: this.#metrics.histogram('upstream_request_seconds', upstream, 'read'),
    };
    const pool = new HttpOutboundPool({
      before: ({ method }) => (method === 'DELETE' ? this.#fence() : null),
      origin: new URL(url).origin,
      connectionsMax: limits.orderConnectionsMax,
      connectionsKept: limits.orderConnectionsForCancelsMin,
      idleMs: limits.orderConnectionIdleMs,
      answerBytesMax,
      count: event => this.#metrics.add(slots.get(event)!),
      measure: (method, durationUs) => this.#metrics.observe(durations[purposeOf(upstream, method)], durationUs),
    });
    this.#pools.push(pool);
    return pool;
  }
}

/** Returns the purpose of a request, for the metrics. A POST to a node of the chain is a read. */
function purposeOf(
  upstream: (typeof LABEL_VALUES.upstream)[number],
  method: OutboundRequest['method'],
): (typeof LABEL_VALUES.request)[number] {
  if (method === 'DELETE') return 'cancel';
  return method === 'POST' && upstream !== 'venue_a_chain' ? 'submit' : 'read';
}
