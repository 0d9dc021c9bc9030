// The catalog thread: reads the venues' lists, stores them, and publishes the catalog in shared memory. It is the only writer of both. At
// its start it publishes the stored lists.

import { parentPort, workerData } from 'node:worker_threads';
import { VENUES, type Venue } from '../core/domain/market.ts';
import type { CatalogSnapshot } from '../core/domain/operation.ts';
import { assert } from '../core/domain/result.ts';
import { Metrics, type MetricsParts } from '../core/metrics/metrics.ts';
import { createHttpClient } from '../core/net/http.ts';
import { createLog, type Log } from '../core/runtime/log.ts';
import { keepPulse } from '../core/runtime/pulse.ts';
import { guardHeap, lowerPriority } from '../core/runtime/thread-state.ts';
import { wallTimers } from '../core/runtime/timers.ts';
import { StoreError } from '../core/store/store-error.ts';
import { limits } from '../limits.ts';
import type { ListedVenue } from '../venues/discovery.ts';
import { ListingRecorder } from '../venues/recorded-listings.ts';
import { CatalogBuilder } from './build-catalog.ts';
import { RowBuilder } from './catalog-rows.ts';
import { type Listed, openCatalogStore } from './catalog-store.ts';
import { EndedEvents, KnownEvents } from './known-events.ts';
import { EventIds } from './matching/event-ids.ts';
import { PublishSchedule } from './publish-schedule.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import { type DiscoveryTargets, discoveriesOf, type RecordedLists, VenueReader } from './venue-reader.ts';

export interface CatalogThreadData {
  readonly targets: DiscoveryTargets | RecordedLists;
  /** The folder of the catalog store. Only this thread writes it. */
  readonly storeFolder: string;
  /** The folder of the recording that gets the listings of its markets. Null means that nothing is recorded. */
  readonly recordingFolder: string | null;
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

/** A message to the catalog thread: a market that is recorded from now on, or the order to end, which every lasting thread knows. */
export type ToCatalog = { readonly venue: Venue; readonly address: string } | 'close';

/** A catalog that is shown. It stays valid until the next but one is shown. */
export interface ShownCatalog extends CatalogSnapshot {
  readonly markets: number;
  readonly events: number;
  /** Whether both trading venues have been read completely since this thread started. */
  readonly isWhole: boolean;
  /** Whether markets of both trading venues were stored when this thread started. */
  readonly isStored: boolean;
  /** Whether each trading venue has been read completely, or has failed, since this thread started. */
  readonly isPassed: boolean;
}

/** A new catalog, or only `isPassed` while there is nothing to show. */
export type CatalogNews = ShownCatalog | { readonly isPassed: boolean };

lowerPriority();
const port = parentPort;
assert(port !== null, 'a catalog worker is started as a thread');
const { targets, storeFolder, recordingFolder, metrics: metricsParts, logLevel } = workerData as CatalogThreadData;
const log = createLog('catalog', { level: logLevel });
guardHeap();
keepPulse();
const metrics = new Metrics(metricsParts);
const http = createHttpClient(limits.catalogAnswerTimeoutMs, limits.catalogAnswerBytesMax);

const discoveries = discoveriesOf(targets, http.get, wallTimers);
const known = new Map(discoveries.map(({ venue }) => [venue, new KnownEvents()]));
const { store, ids, ended } = restored();
const isStored = VENUES.every(venue => known.get(venue)!.markets > 0);
const read = new Set<ListedVenue>();
/** The venues that have been read completely at least once, or have failed. */
const tried = new Set<ListedVenue>();
const isPassed = (): boolean => VENUES.every(venue => tried.has(venue));
const builder = new CatalogBuilder(ids);
const rows = new RowBuilder();
const writer = new SnapshotWriter();
const showing = new PublishSchedule(wallTimers, () => {
  const events = [...known.values()].flatMap(it => it.all());
  const catalog = ended.addTo(builder.build(events), wallTimers.now());
  // The catalog is stored before any caller sees an id.
  keep({ events, ended: ended.all() });
  recordListings();
  const shown: ShownCatalog = {
    ...writer.write(rows.of(catalog, ids.lost())),
    markets: catalog.markets.length,
    events: catalog.events.length,
    isWhole: VENUES.every(venue => read.has(venue)),
    isStored,
    isPassed: isPassed(),
  };
  port.postMessage(shown);
});
const listings = recordingFolder === null ? null : new ListingRecorder(recordingFolder);
let endListingPause: (() => void) | null = null;
if ([...known.values()].some(({ markets }) => markets > 0)) showing.publishSoon();

/** Opens the store and restores the last lists of the venues. */
function restored() {
  const opened = openCatalogStore(storeFolder);
  for (const fault of opened.known.faults)
    log.warn('stored listing left out until its venue lists it again', { fault });
  for (const [venue, events] of known) events.restore(opened.known.events.filter(event => event.venue === venue));
  const eventIds = new EventIds(opened.known.ids);
  const isLost = (id: string): boolean => eventIds.current(id) !== id;
  return { store: opened.store, ids: eventIds, ended: new EndedEvents(isLost, opened.known.ended) };
}

/** Stores new ids and the listings. If storing fails, the catalog is published all the same, and the next call stores the ids again. */
function keep(listed: Listed): void {
  try {
    store.write(ids.takeUnsaved(), listed);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    metrics.count('catalog_store_failures_total');
    log.warn('the catalog cannot be stored', { error: error.message });
  }
}

function recordListings(): void {
  endListingPause?.();
  endListingPause = null;
  try {
    listings?.write(
      [...known.values()].flatMap(it => it.all()),
      wallTimers.now(),
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn('listings cannot be recorded', { error: error.message });
  }
}

const readers = discoveries.map(discovery => {
  const { venue } = discovery;
  const events = known.get(venue)!;
  return new VenueReader({
    discovery,
    known: events,
    timers: wallTimers,
    onChange: () => showing.publishLater(),
    onRead: () => {
      log.info('venue read', { venue, markets: events.markets });
      read.add(venue);
      tried.add(venue);
      showing.publishSoon();
    },
    onFailure: words => {
      metrics.count('catalog_failures_total', venue);
      log.warn('venue cannot be read', { venue, error: words });
      tried.add(venue);
      if ([...known.values()].some(({ markets }) => markets > 0)) showing.publishLater();
      else port.postMessage({ isPassed: isPassed() } satisfies CatalogNews);
    },
    onLeftOut: (why, objects) => {
      metrics.add(metrics.counter('catalog_left_out_total', venue, why), objects);
      // An operator can raise this bound, so it is logged. Malformed objects are only counted, because they come again with every reading.
      if (why === 'no-room') log.warn('markets left out', { venue, objects, limit: 'catalogMarketsPerVenueMax' });
    },
  });
});
const running = Promise.all(readers.map(reader => reader.run()));

port.on('message', (message: ToCatalog) => {
  if (message === 'close') {
    void close();
    return;
  }
  listings?.add(message.venue, message.address);
  // Many markets are recorded at about the same time, so their listings are written together.
  endListingPause ??= wallTimers.after(limits.catalogShowPauseMs, recordListings);
});

async function close(): Promise<void> {
  showing.stop();
  endListingPause?.();
  for (const reader of readers) reader.stop();
  http.close();
  await running;
  await store.close();
  port!.close();
}
