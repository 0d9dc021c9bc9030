// The catalog thread: reads what the venues list, stores it, and hands the whole of it on as shared memory. It alone writes either.
// What was stored is shown at once when it starts.

import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { CatalogBuilder } from '../catalog/build-catalog.ts';
import { RowMaker } from '../catalog/catalog-rows.ts';
import { type Listed, openCatalogStore } from '../catalog/catalog-store.ts';
import { EndedEvents } from '../catalog/ended-events.ts';
import { KnownEvents } from '../catalog/known-events.ts';
import { EventIds } from '../catalog/matching/event-ids.ts';
import { Showing } from '../catalog/showing.ts';
import { type Snapshot, SnapshotWriter } from '../catalog/snapshot-writer.ts';
import { VenueReader } from '../catalog/venue-reader.ts';
import { VENUES } from '../domain/market.ts';
import { assert } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { createHttpClient } from '../net/http.ts';
import { guardHeap } from '../runtime/heap-guard.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { Metrics, type MetricsParts } from '../runtime/metrics.ts';
import { keepPulse } from '../runtime/pulse.ts';
import { wallTimers } from '../runtime/timers.ts';
import { StoreError } from '../store/store-error.ts';
import type { ListedVenue } from '../venues/discovery.ts';
import { type DiscoveryTargets, discoveriesOf } from './catalog-discoveries.ts';

export interface CatalogThreadData {
  readonly targets: DiscoveryTargets;
  /** Written by this thread only. */
  readonly storeFolder: string;
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

/** A catalog, good until the one after the next. */
export interface ShownCatalog extends Snapshot {
  readonly markets: number;
  readonly events: number;
  /** Both venues that can be traded at have been read whole since this thread began. */
  readonly isWhole: boolean;
  /** Of both of them something was stored when it began. */
  readonly isStored: boolean;
}

// On Linux of this thread alone: whoever trades goes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const port = parentPort;
assert(port !== null, 'a catalog worker is started as a thread');
const { targets, storeFolder, metrics: metricsParts, logLevel } = workerData as CatalogThreadData;
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
const builder = new CatalogBuilder(ids);
const rows = new RowMaker();
const writer = new SnapshotWriter();
const showing = new Showing(wallTimers, () => {
  const events = [...known.values()].flatMap(it => it.all());
  const catalog = ended.addTo(builder.build(events), wallTimers.now());
  // Before anybody sees an id.
  keep({ events, ended: ended.all() });
  const shown: ShownCatalog = {
    ...writer.write(rows.of(catalog, ids.lost())),
    markets: catalog.markets.length,
    events: catalog.events.length,
    isWhole: VENUES.every(venue => read.has(venue)),
    isStored,
  };
  port.postMessage(shown);
});
if ([...known.values()].some(({ markets }) => markets > 0)) showing.soon();

/** With what was listed last in what is known. */
function restored() {
  const opened = openCatalogStore(storeFolder);
  for (const fault of opened.known.faults) log.warn('to be listed anew', { fault });
  for (const [venue, events] of known) events.restore(opened.known.events.filter(event => event.venue === venue));
  const eventIds = new EventIds(opened.known.ids);
  const isLost = (id: string): boolean => eventIds.current(id) !== id;
  return { store: opened.store, ids: eventIds, ended: new EndedEvents(isLost, opened.known.ended) };
}

/** What cannot be stored is shown all the same, and stored the next time. */
function keep(listed: Listed): void {
  try {
    store.write(ids.takeNews(), listed);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    metrics.add(metrics.counter('catalog_store_failures_total'));
    log.warn('the catalog cannot be stored', { error: error.message });
  }
}

const readers = discoveries.map(discovery => {
  const { venue } = discovery;
  const events = known.get(venue)!;
  return new VenueReader({
    discovery,
    known: events,
    timers: wallTimers,
    onChange: () => showing.later(),
    onRead: () => {
      log.info('venue read', { venue, markets: events.markets });
      read.add(venue);
      showing.soon();
    },
    onFailure: words => {
      metrics.add(metrics.counter('catalog_failures_total', venue));
      log.warn('venue cannot be read', { venue, error: words });
    },
    onLeftOut: (why, objects) => {
      metrics.add(metrics.counter('catalog_left_out_total', venue, why), objects);
      // The bound, that an operator may raise; malformed objects come again with every reading.
      if (why === 'no-room') log.warn('markets left out', { venue, objects, limit: 'catalogMarketsPerVenueMax' });
    },
  });
});
const running = Promise.all(readers.map(reader => reader.run()));

port.once('message', async () => {
  showing.stop();
  for (const reader of readers) reader.stop();
  await http.close();
  await running;
  await store.close();
  port.close();
});
