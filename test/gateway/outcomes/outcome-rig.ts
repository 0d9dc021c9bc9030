// The outcome hub over a catalog in shared memory, real books and sessions, under virtual time. All markets have the same terms.

import { CatalogBuilder } from '../../../src/catalog/build-catalog.ts';
import { RowBuilder } from '../../../src/catalog/catalog-rows.ts';
import { EventIds } from '../../../src/catalog/matching/event-ids.ts';
import { SnapshotWriter } from '../../../src/catalog/snapshot-writer.ts';
import { parseRate } from '../../../src/core/domain/fees.ts';
import { fraction } from '../../../src/core/domain/fraction.ts';
import { uniformGrid } from '../../../src/core/domain/grid.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import type { CatalogSnapshot } from '../../../src/core/domain/operation.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { OutcomeHub } from '../../../src/gateway/outcomes/outcome-hub.ts';
import { STREAM_CODECS } from '../../../src/gateway/stream/clients.ts';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { TradingTermsCache } from '../../../src/venues/trading-terms-cache.ts';
import { MemoryStream } from '../../support/memory-stream.ts';

export class OutcomeRig {
  readonly stream = new MemoryStream();
  readonly hub: OutcomeHub;
  /** Called whenever the hub takes the catalog, before it reads it. */
  onLook = (): void => {};
  readonly #terms: TradingTermsCache;
  readonly #ids = new EventIds();
  readonly #builder = new CatalogBuilder(this.#ids);
  readonly #rows = new RowBuilder();
  readonly #writer = new SnapshotWriter();
  #snapshot: CatalogSnapshot;

  constructor(...events: readonly VenueEvent[]) {
    const { stream } = this;
    this.#snapshot = this.#of(events);
    this.#terms = new TradingTermsCache((_venue, address) => {
      const sizes = { sizeMin: 10_000 as MicroShares, sizeStep: 10_000 as MicroShares };
      const rounding = { step: 100 as MicroDollars, rounding: 'UP', waivedUntil: null } as const;
      const fees = { takerRate: parseRate('0.07')!, makerRate: fraction(0n), exponent: 1, ...rounding };
      const ofVenueB = { shard: null, settlementFloor: null };
      const market = { title: '', status: 'open', grid: uniformGrid(100 as Ticks), closesAt: null } as const;
      const readAt = stream.timers.now();
      return Promise.resolve({
        type: 'terms',
        terms: { ...market, ...ofVenueB, ...sizes, fees, addresses: [address], readAt },
      });
    }, stream.timers);
    this.hub = new OutcomeHub({
      books: stream.books,
      streams: { venue_a: stream.stream, venue_b: stream.stream },
      terms: this.#terms,
      timers: stream.timers,
      catalog: () => {
        this.onLook();
        return ok(this.#snapshot);
      },
      codecs: STREAM_CODECS,
      publish: (topic, frame) => stream.publish(topic, frame),
    });
  }

  /** Replaces the events that the venues list. */
  list(...events: readonly VenueEvent[]): void {
    this.#snapshot = this.#of(events);
  }

  /** Writes the catalog twice again, before the main thread hears of either time. */
  overwrite(...events: readonly VenueEvent[]): void {
    for (let time = 0; time < 2; time++) this.#of(events);
  }

  /** Lets time pass, and lets the work that starts meanwhile continue. */
  async pass(ms: number): Promise<void> {
    this.stream.timers.advance(ms);
    await this.turns();
  }

  async turns(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve));
  }

  close(): void {
    this.hub.close();
    this.#terms.close();
    this.stream.close();
  }

  #of(events: readonly VenueEvent[]): CatalogSnapshot {
    return this.#writer.write(this.#rows.of(this.#builder.build(events), this.#ids.lost()));
  }
}
