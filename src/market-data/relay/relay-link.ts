// The main thread's end of the publisher: passes on which market has which book, and keeps the markets that readers want. Main thread.

import type { MarketKey } from '../../core/domain/market.ts';
import type { Result } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { SharedFigures } from '../../core/metrics/shared-figures.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { THREADS } from '../../threads.ts';
import type { TermsReading, TradingTerms } from '../../venues/trading-terms.ts';
import type { FactsRefusal } from '../../venues/venue.ts';
import { ListedBooks } from '../book/listed-books.ts';
import type { Arena } from '../book/memory.ts';
import { type AcquireMarket, MarketLeases } from './market-leases.ts';
import { type FromRelay, RELAY_COUNTS, type RelayThreadData, type ToRelay } from './relay-messages.ts';

interface RelayLinkOptions {
  readonly nats: NatsSettings;
  readonly arena: Arena;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** The place where readers’ requests are served. */
interface Origin {
  acquire(...market: Parameters<AcquireMarket>): ReturnType<AcquireMarket>;
  /** Never rejects. */
  terms(market: MarketKey): Promise<Result<TradingTerms, FactsRefusal>>;
}

export class RelayLink {
  readonly places = new ListedBooks(message => this.#post(message));
  readonly #thread: LastingThread;
  #leases: MarketLeases | null = null;
  #origin: Origin | null = null;

  constructor({ nats, arena, metrics, log }: RelayLinkOptions) {
    const counters = new SharedFigures(RELAY_COUNTS);
    const workerData: RelayThreadData = { arena, counters: counters.memory, nats, logLevel: log.level };
    this.#thread = new LastingThread({
      ...THREADS.relay,
      workerData,
      log,
      onMessage: message => this.#hear(message as FromRelay),
      onLost: () => counters.set('connected', 0),
      onRestart: () => this.places.sayAll(),
    }).countLosses(metrics, 'relay');
    metrics.gauge('relay_connected', () => counters.read('connected'));
    metrics.gauge('relay_markets', () => this.places.size);
    metrics.gauge('relay_leases', () => this.#leases?.count ?? 0);
    metrics.gauge('relay_messages_total', () => counters.read('messages'));
    metrics.gauge('relay_bytes_total', () => counters.read('bytes'));
    metrics.gauge('relay_pauses_total', () => counters.read('pauses'));
    metrics.gauge('relay_refused_total', () => counters.read('refused'));
  }

  /** From now on readers' requests are served. */
  serve(origin: Origin): void {
    this.#leases = new MarketLeases(market => origin.acquire(market), wallTimers);
    this.#origin = origin;
  }

  /** Readers are notified of it. */
  async close(): Promise<void> {
    this.#leases?.close();
    await this.#thread.close();
  }

  /** Kills the thread, as a fault would. For tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #hear(message: FromRelay): void {
    if (message.op === 'lease') void this.#lease(message.id, message.markets);
    else void this.#readTerms(message.id, message.market);
  }

  async #lease(id: number, markets: readonly MarketKey[]): Promise<void> {
    const outcome = await this.#leases?.lease(markets);
    if (outcome !== undefined) this.#post({ op: 'leased', id, outcome });
  }

  async #readTerms(id: number, market: MarketKey): Promise<void> {
    const answer = await this.#origin?.terms(market);
    if (answer !== undefined)
      this.#post({
        op: 'terms',
        id,
        reading: answer.ok ? { type: 'terms', terms: answer.value } : readingOf(answer.error),
      });
  }

  #post(message: ToRelay): void {
    this.#thread.send(message);
  }
}

function readingOf(refusal: FactsRefusal): TermsReading {
  if (refusal.type === 'unknown-market') return { type: 'unknown', message: 'the venue has no such market' };
  return { type: 'faulty', message: refusal.message };
}
