// The gateway: its sockets, the signed API and the stream on them, and its orderly shutdown. Main thread.

import type { CatalogLink } from '../catalog/catalog-link.ts';
import type { Config, TlsFiles } from '../config.ts';
import {
  BOOK_STATES,
  type BookState,
  type MarketKey,
  marketAddress,
  perVenue,
  VENUES,
  type Venue,
} from '../core/domain/market.ts';
import type { FeedCounters } from '../core/metrics/feed-counters.ts';
import type { GaugeRow, Metrics } from '../core/metrics/metrics.ts';
import { unknownWords } from '../core/metrics/unknown-words.ts';
import { type Listener, listen } from '../core/net/listen.ts';
import type { Log } from '../core/runtime/log.ts';
import { wallTimers } from '../core/runtime/timers.ts';
import { type KeyStore, podActors } from '../core/store/key-store.ts';
import type { StatusReport } from '../core/wire/reports.ts';
import type { RateProfile } from '../limits.ts';
import type { Arena } from '../market-data/book/memory.ts';
import type { FeedLink } from '../market-data/feeds/feed-link.ts';
import type { FeedTarget } from '../market-data/feeds/feed-messages.ts';
import type { MarketReads } from '../venues/market-reads.ts';
import { TradingTermsCache } from '../venues/trading-terms-cache.ts';
import type { ActorMetrics } from './actor-metrics.ts';
import { type Api, type ApiParts, createApi } from './api/api.ts';
import type { ContractDocuments } from './api/contract-documents.ts';
import type { Bucket } from './api/rate-limits.ts';
import type { SharedRates } from './api/shared-rates.ts';
import { bareRoutes, Operational } from './operational.ts';
import { bestOfEvent } from './outcomes/outcome-hub.ts';
import type { Enrolment } from './page/enrolment.ts';
import { pageRoutes } from './page/page-routes.ts';
import { PodView } from './pod/pod-view.ts';
import { statusReport } from './status.ts';
import type { BookPlaces } from './stream/books.ts';
import { KeptMarkets } from './stream/kept-markets.ts';
import type { OrderDisconnects } from './stream/order-disconnects.ts';
import { Streaming } from './stream/streaming.ts';
import { TradeClients } from './trade/trade-clients.ts';
import { TradedMarkets } from './traded-markets.ts';
import type { Trading } from './trading/trading.ts';
import { orderFeedOf } from './trading-feed.ts';
import type { VenueMarkets } from './venue-markets.ts';

interface GatewayOptions
  extends Pick<Config, 'host' | 'port' | 'unixSocketPath' | 'tls' | 'metricsAddress' | 'mode' | 'venueNames'> {
  /** The largest number of connections at each address. */
  readonly connectionsMax: number;
  readonly arena: Arena;
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  readonly counters: Readonly<Record<Venue, FeedCounters>>;
  readonly bookLingerMs: number;
  /** The threads that follow the books, too. By default there are none. */
  readonly followers?: readonly BookPlaces[];
  /** The markets that are subscribed even if no client wants them. */
  readonly keptMarkets?: readonly MarketKey[];
  readonly keyStore: KeyStore;
  readonly trading: Trading;
  readonly catalog: CatalogLink;
  readonly marketReads: Pick<MarketReads, 'read' | 'terms'>;
  readonly metrics: Metrics;
  readonly rateProfile: RateProfile;
  /** The rates that both doors share. Null means that the gateway has only one door. */
  readonly rates?: SharedRates<Bucket> | null;
  readonly contract: ContractDocuments;
  /** Registers the web page's key in the demo pod. Null means that only the command line registers keys. */
  readonly enrolment: Enrolment | null;
  /** The origins of web pages that may call the API. By default there are none. */
  readonly corsOrigins?: readonly string[];
  /** Whether all other addresses are open, and the process handles its signals. By default this is true. */
  readonly isOpen?: () => boolean;
  readonly log: Log;
}

export interface Gateway {
  readonly port: number;
  /** The port of /metrics. Null means that /metrics is at `port`. */
  readonly metricsPort: number | null;
  /** Whether /readyz answers 200. */
  readonly isReady: boolean;
  /** Whether the gateway is not ready yet, although nothing is wrong. */
  isStarting(): boolean;
  readonly feeds: Readonly<Record<Venue, FeedLink>>;
  /** The books and the terms that NATS passes on to other gateways. */
  readonly origin: Pick<VenueMarkets, 'acquire' | 'terms'>;
  /** Subscribes to a market. The subscription is released after a while if there is no order and no position in that market. */
  keep(market: MarketKey): void;
  /** The report of `crossbook status`. */
  status(): StatusReport;
  /** The grace periods of cancelOnDisconnect. Null means that orders are not followed. */
  readonly disconnects: OrderDisconnects | null;
  /** Makes later connections get this certificate. If it throws a ListenError, the former certificate stays in use. */
  renewTls(files: TlsFiles): void;
  /** Answers the requests in flight, closes every stream, and ends the feeds. Repeated calls share one shutdown. */
  close(): Promise<void>;
}

/** Rejects if an address cannot be bound or the key store cannot be read. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { metrics, log, trading, marketReads, rates = null, isOpen = () => true } = options;
  let isDraining = false;
  const feedProblem = (venue: Venue): string | null => streaming.feedProblem(venue);
  const pod = new PodView({ ...options, streaming: () => streaming, actors: () => api.actors() });
  const api: Api = createApi({
    ...options,
    store: options.keyStore,
    checks: trading.checks,
    operations: trading.operations,
    actorsOf: podActors(options.keyStore),
    readMarket: (venue, marketId) => marketReads.read(venue, marketId),
    whileMarketRead: (market, work) => streaming.venueMarkets.whileRead(market, work),
    ...readsOf(() => streaming),
    profile: options.rateProfile,
    rates,
    corsOrigins: options.corsOrigins ?? [],
    orderIds: trading.orderIds,
    ...standingOf(trading, feedProblem),
    ...ownershipOf(trading),
    pod: pod.parts,
    isDraining: () => isDraining,
    onKeysChanged: refusalOf => [streaming.clients, traders].map(clients => clients.closeRefused(refusalOf)),
  });
  const terms = new TradingTermsCache((venue, address) => marketReads.terms(venue, address));
  const streaming = new Streaming({
    ...options,
    terms,
    orderFeed: orderFeedOf(trading, log, metrics),
    admit: request => api.admitStream(request),
    seal: (request, reply) => api.refusedUpgrade('openStream', request, reply),
    stamps: api.streamStamps,
    rates: api.upgradeRates,
    takeRead: api.takeRead,
  });
  const traders = tradeClients(api, streaming, rates);
  const keysProblem = (): string | null => options.keyStore.staleness();
  const operational = new Operational({ ...options, isDraining: () => isDraining, isOpen, feedProblem, keysProblem });
  const { listener, monitored } = await openDoors(options, { operational, streaming, traders, api }).catch(error => {
    for (const part of [api, pod]) part.close();
    throw error;
  });
  registerMetrics(options, listener, streaming, traders);
  // The addresses are bound before the feeds start, so that a start that fails leaves no thread behind.
  const feeds = streaming.start(listener.publish);
  for (const venue of VENUES) feeds[venue].countLosses(metrics);
  const keeping = keepTradedMarkets(options, streaming, pod.actorMetrics);
  let closed: Promise<void> | null = null;
  return {
    port: listener.port,
    metricsPort: monitored?.port ?? null,
    get isReady() {
      return operational.isReady;
    },
    isStarting: () => operational.readiness.status === 'starting',
    feeds,
    disconnects: streaming.disconnects,
    origin: streaming.venueMarkets,
    keep: keeping.keep,
    status: () => statusReport({ readiness: operational.readiness, trading, metrics }),
    renewTls: files => listener.renewTls(files),
    close: () => {
      isDraining = true;
      for (const part of [keeping, terms, pod]) part.close();
      options.catalog.endWait();
      closed ??= shutDown(listener, streaming, traders, api).finally(() => monitored?.close());
      return closed;
    },
  };
}

function readsOf(streaming: () => Streaming): Pick<ApiParts, 'bestOf' | 'queues'> {
  return {
    bestOf: eventId => bestOfEvent(streaming().outcomes, eventId),
    queues: () => streaming().queues,
  };
}

function standingOf(
  trading: Trading,
  feedProblem: (venue: Venue) => string | null,
): Pick<ApiParts, 'standing' | 'isTradable'> {
  const isTradable: ApiParts['isTradable'] = (podId, venue) => trading.isTradable(podId, venue);
  return {
    isTradable,
    standing: (podId, venue) => ({ tradable: isTradable(podId, venue), marketData: feedProblem(venue) === null }),
  };
}

function ownershipOf(trading: Trading): Pick<ApiParts, 'venueBudgets' | 'otherOwner'> {
  return { venueBudgets: podId => trading.venueBudgets(podId), otherOwner: () => trading.otherOwner };
}

interface Doors {
  readonly listener: Listener;
  /** The listener of /metrics. Null means that monitors use the gateway's own address. */
  readonly monitored: Listener | null;
}

interface Served {
  readonly operational: Operational;
  readonly streaming: Streaming;
  readonly traders: TradeClients;
  readonly api: Api;
}

async function openDoors(options: GatewayOptions, { operational, streaming, traders, api }: Served): Promise<Doors> {
  const { metricsAddress, log } = options;
  const guide = { status: 200, contentType: 'text/plain; charset=utf-8', body: options.contract.guide };
  const listener = await listen({
    host: options.host,
    port: options.port,
    connectionsMax: options.connectionsMax,
    ...(options.unixSocketPath === null ? {} : { unixSocketPath: options.unixSocketPath }),
    ...(options.tls === null ? {} : { tls: options.tls }),
    sockets: [streaming.clients.route, traders.route],
    http: [
      ...operational.routesBeside(metricsAddress),
      ...bareRoutes('/llms.txt', () => guide),
      ...pageRoutes({ enrolment: options.enrolment, hasTls: options.tls !== null }),
      ...api.routes,
    ],
    refuse: api.refusals,
  });
  if (metricsAddress === null) return { listener, monitored: null };
  const monitored = await operational.listen(metricsAddress).catch(error => {
    listener.close();
    throw error;
  });
  log.info('metrics are served', { host: metricsAddress.host, port: monitored.port });
  return { listener, monitored };
}

function tradeClients(api: Api, { disconnects }: Streaming, rates: SharedRates<Bucket> | null): TradeClients {
  return new TradeClients({
    admit: request => api.admitTrade(request),
    seal: (request, reply) => api.refusedUpgrade('openTrade', request, reply),
    stamps: api.streamStamps,
    rates: api.upgradeRates,
    desk: api.tradeDesk,
    sessions: rates?.sessions ?? null,
    disconnects,
  });
}

/** Registers the metrics of the listener, the feeds, the streams and their clients. */
function registerMetrics(
  { metrics, counters, catalog, trading }: GatewayOptions,
  listener: Listener,
  { clients, streams, books }: Streaming,
  traders: TradeClients,
): void {
  catalog.follow(snapshot => trading.engine.sendCatalog(snapshot));
  metrics.gauge('http_connections', () => listener.connections);
  metrics.gauge('http_connections_refused_total', () => listener.connectionsRefused);
  metrics.gauge('http_requests_in_flight', () => listener.requestsInFlight);
  metrics.gauge('stream_connections', () => clients.count);
  metrics.gauge('trade_connections', () => traders.count);
  metrics.gauge('stream_lagging_total', () => clients.laggards);
  metrics.gaugeRows('books', () => VENUES.flatMap(venue => bookRows(venue, books.of(venue))));
  metrics.gaugeRows('unknown_words_total', () => unknownWords.totals());
  metrics.gaugeRows('unknown_words_by_name_total', () => unknownWords.rows());
  metrics.countersByVenue({
    feed: perVenue(venue => name => counters[venue].read(name)),
    stream: perVenue(venue => name => streams[venue].counts[name]),
  });
}

function bookRows(venue: Venue, books: readonly { readonly state: BookState }[]): readonly GaugeRow[] {
  const counts = new Map(BOOK_STATES.map(state => [state, 0]));
  for (const { state } of books) counts.set(state, counts.get(state)! + 1);
  return Array.from(counts, ([state, value]) => ({ values: [venue, state], value }));
}

/** Keeps the traded markets and the configured markets subscribed until the returned `close` is called. */
function keepTradedMarkets(
  { trading, metrics, log, keptMarkets = [] }: GatewayOptions,
  { books }: Streaming,
  actorMetrics: ActorMetrics,
) {
  const refused = (market: MarketKey, why: string): void => {
    metrics.count('kept_markets_refused_total');
    log.debug('market not kept', { market: marketAddress(market), why });
  };
  const kept = new KeptMarkets({ books, timers: wallTimers, onRefused: refused });
  // The configured markets are kept apart, so that no round of the traded markets releases them.
  const always = new KeptMarkets({ books, timers: wallTimers, onRefused: refused });
  for (const market of keptMarkets) always.keep(market);
  metrics.gauge('kept_markets', () => kept.count + always.count);
  const heldMarkets = async () => {
    const { markets, holdings } = await trading.engine.inUse();
    actorMetrics.setHoldings(holdings);
    return markets;
  };
  const traded = new TradedMarkets({ kept, heldMarkets, timers: wallTimers, log });
  const stopHearing = trading.listen(traded.handleNews);
  traded.start();
  const close = (): void => {
    stopHearing();
    traded.close();
    kept.close();
    always.close();
  };
  return { keep: (market: MarketKey) => kept.keep(market), close };
}

/** Closes the listeners after the requests in flight are answered. */
async function shutDown(listener: Listener, streaming: Streaming, traders: TradeClients, api: Api): Promise<void> {
  await Promise.all([listener.drain(), traders.drain()]);
  await streaming.close();
  api.close();
  listener.close();
}
