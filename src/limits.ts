// Every bound of the program, with its unit and the reason for its value. Messages to callers name the bound, so that an operator knows
// what to raise. Contract §9 states some of the bounds.

import { orderLimits } from './order-limits.ts';
import { paperLimits } from './paper-limits.ts';

export const limits = {
  // HTTP. The values follow contract §9 where it states a number.
  bodyBytesMax: 64 * 1024,
  headerBytesMax: 16 * 1024,
  /** The levels of nesting in a JSON body. The deepest request of the contract has three. */
  bodyDepthMax: 16,
  /** The limit that contract §4.1 states. */
  idempotencyKeyBytesMax: 255,
  batchOrdersMax: 15,
  batchCancelsMax: 100,
  /** The sockets of one listening address, WebSockets included. A socket has at most one request in flight, so this also bounds the requests. */
  httpConnectionsMax: 20_000,
  /** The time for the peer to read the unsent rest and the close code of an ended WebSocket. Then the connection is cut. */
  webSocketEndMs: 10_000,
  /** How long an ended WebSocket counts as open. uWebSockets.js keeps such a socket for 12 to 16 s if the peer does not close it. */
  webSocketEndedMs: 20_000,
  /** The least number of sockets: the gateway does not start with file descriptors for fewer. A bot or two with streams and monitoring need that many. */
  httpConnectionsMin: 64,
  /** The file descriptors that callers cannot use. The paper exchanges hold 150 open, and each order on its way to a venue needs a descriptor. */
  ownFilesMin: 512,
  /** The longest time from SIGTERM to exit. It is longer than the longest wait for a venue (5 s), and shorter than supervisors allow. */
  shutdownMs: 10_000,

  // Keys and signatures.
  /** The largest difference between a caller's clock and ours (interface §8). */
  signatureAgeS: 30,
  /** How long used signatures are remembered. A signature is valid for at most twice `signatureAgeS`, so no older signature can repeat. */
  signatureMemoryMs: 60_000,
  /** The kept answers to signed mutations without an idempotency key. When they are that many, further mutations are refused. No answer is dropped early. */
  signaturesRememberedMax: 100_000,
  /** The kept answers of one signing key: 166 mutations a second without an idempotency key, sustained. So no key can fill the memory alone. */
  signaturesPerKeyMax: 10_000,
  ticketLifeMs: 30_000,
  ticketsMax: 10_000,
  /** The tickets of one signing key at a time. A browser opens only a few streams at once. */
  ticketsPerKeyMax: 100,
  /** The characters of a key id, label or address in the key store. */
  identityCharactersMax: 128,
  /** The number of keys, including revoked keys. All keys are held in memory and read at every change. */
  signingKeysMax: 10_000,
  apiKeysMax: 10_000,
  addressesPerKeyMax: 64,
  /** The address space of the key store: all records at full length, and their copies during a transaction. */
  keyStoreBytes: 512 * 1024 * 1024,
  /** The size of a file with one key. An RSA key of 8 192 bits takes a tenth of it. */
  keyFileBytesMax: 64 * 1024,
  /** The interval at which the key store is checked for changes by other processes, for the sake of open streams. */
  keyWatchMs: 100,
  /** A request may be admitted by keys that were current this long ago. A command that changes keys returns only after this time. */
  keyLookMs: 5,

  // The pool.
  /** The unanswered signature checks of proven callers. Two threads answer them in some 170 ms, at 41 µs a check. */
  poolTasksMax: 8_192,
  /** The places guaranteed to one caller (one signing key at one address). The bounds on connections limit their sum. */
  poolTasksPerCallerMin: 16,
  /** The further places for checks of all unproven callers: some 20 ms of work. */
  poolTasksUnprovenMax: 1_024,
  /** The tasks in flight on one thread, of all kinds. There are fewer connections than this, so no task waits behind others. */
  poolTasksPerWorkerMax: 32_768,
  /** The operations in flight, in six equal parts (gateway/trading/operation-shares.ts). Half a part is a key's burst. Each takes a few KB while a venue hangs. */
  operationsMax: 12_288,
  /** With fewer operations in flight, no wait for the engine counts as too long (gateway/trading/standing-wait.ts). So 64 callers that each wait for an answer are never refused. */
  engineWaitOperationsMin: 128,
  engineWaitMsMax: 20,
  engineWaitStandsMs: 100,
  /** The places of each part that are guaranteed to a signing key. The bounds on connections limit their sum. */
  operationsPerKeyMin: 16,
  /** The check tasks that a thread has at a time. The second task waits in the thread's queue, so that the thread never idles. */
  checkTasksPerThreadMax: 2,
  /** The signature checks in one task: 0.7 ms of work, which bounds the delay of other work on the thread. */
  checksPerTaskMax: 16,
  /** The pause before threads that could not start are started again. */
  poolRestartMs: 200,
  /** The heartbeat interval. A thread that misses `threadPulsesMissedMax` heartbeats hangs. A thread that waits for the disk may miss some. */
  threadPulseMs: 1_000,
  threadPulsesMissedMax: 10,
  /** The number of missed heartbeats after which a thread ends the process. It is longer than a disk stall from which a machine recovers. */
  vitalPulsesMissedMax: 60,
  /** The interval at which a store thread checks its heap, and the share of V8's limit above which the thread ends itself. */
  heapLookMs: 1_000,
  heapShareMax: 0.9,
  /** The interval at which threads report their memory for /metrics. A report takes some 20 µs. */
  memoryLookMs: 10_000,
  /** The signature checks and short pages that the main thread performs itself in one turn of its event loop: 0.2 ms of work. */
  mainTasksPerTurnMax: 4,
  /** The largest catalog, in markets, that the main thread scans itself: some 50 µs of work. */
  mainListMarketsMax: 5_000,

  // Logs.
  /** The log lines that wait to be written, about a megabyte. Further lines are dropped and counted. */
  logLinesWaitingMax: 4_096,

  // Rate limits that no profile changes.
  /** The failed checks of one signing key from one proven address: a tenth of one thread. Cancels have a second budget of the same size. */
  provenFailedChecksPerS: 2_000,
  provenFailedChecksBurstMax: 4_000,
  /** The upgrades of all unproven addresses together. The main thread checks their signatures, at 41 µs each, because a stream opens at once. */
  unprovenUpgradesPerS: 500,
  unprovenUpgradesBurstMax: 2_000,
  /** The metrics pages made in a second. A page needs no key and costs the main thread a millisecond. Beyond this rate callers get the latest page. */
  metricsPagesPerS: 20,
  metricsPagesBurstMax: 100,
  /** The sockets of the metrics address, for a few monitors. They come from the file descriptors that callers cannot use. */
  metricsConnectionsMax: 32,
  /** The number of actors that have metrics of their own, the first by id. A page has at most six lines for each actor. */
  actorsMeasuredMax: 100,
  /** The source addresses that are remembered because their requests were refused before any check. An IPv6 /64 counts as one address. 100 bytes each. */
  refusedAddressesMax: 10_000,
  /** The unproven callers, by address and key id, whose failed checks are remembered. 200 bytes each. */
  unprovenCallersMax: 10_000,
  /** How long a signing key counts as proven at an address after a successful check. A bot that acts daily stays proven. */
  provenCallerMs: 86_400_000,
  /** The addresses at which one signing key counts as proven. A new proof evicts the oldest proof of the same key, never of another key. */
  provenAddressesPerKeyMax: 16,

  // Shared memory, for each venue's region. The number of books is twice the largest sports catalog seen at either venue.
  booksPerVenueMax: 20_000,
  /** The bytes for ladders of each venue. They are address space, not memory: pages are committed when a book first touches them. */
  ladderBytesPerVenue: 256 * 1024 * 1024,
  /** The slots of the book index, a power of two. Both views of all books of both venues fill 61 % of them, so that a look-up visits few slots. */
  bookIndexSlotsMax: 131_072,
  /** The tape slots (64 bytes each) of each venue, a power of two. 4 MiB hold 30 ms of the largest recorded burst a hundred times over. */
  tapeSlotsPerVenue: 65_536,
  /** The changes in one batch. A venue's frame with more changes starts a new epoch, which is sent as a snapshot. */
  changesPerBatchMax: 256,
  /** The attempts to read a book while its writer changes it, before the reader reports busy. A batch takes about a microsecond. */
  bookReadAttemptsMax: 1_000,
  /** The attempts to read a market whose book is taken away, or half written, during the read. The reader sleeps between the latter attempts. */
  bookLookUpsMax: 8,
  tradeIdBytesMax: 64,

  // Stream: /v1/orderbook.
  streamMessageBytesMax: 64 * 1024,
  /** The characters of a client's id for a message, which the answer repeats: room for a UUID with a prefix. */
  streamIdCharactersMax: 128,
  /** The characters of a market's address. A token id has up to 78 digits, the longest ticker seen about 60 characters. */
  marketAddressCharactersMax: 128,
  marketsPerSubscribeMax: 100,
  marketsPerConnectionMax: 1_000,
  connectionsMax: 10_000,
  /** The streams of one signing key, so that no key can take all streams. */
  streamsPerKeyMax: 2_500,
  /** The subscriptions and snapshot requests of one connection whose snapshots are not sent yet: two for each of its markets. */
  snapshotsOwedMax: 2_000,
  /** The messages of one connection that are no reads, or exceed the limit of reads. A client can unsubscribe all its markets one by one, twice. */
  streamUncountedPerS: 200,
  streamUncountedBurstMax: 4_000,
  /** The unanswered subscribe, unsubscribe and snapshot messages of one connection. */
  streamRequestsWaitingMax: 256,
  /** The requests in flight on one connection of /v1/trade. */
  tradeInFlightMax: 256,
  /** The connections to /v1/trade of one signing key. */
  tradeSessionsPerKeyMax: 100,
  heartbeatIntervalMs: 5_000,
  /** A connection with more unsent bytes than this, about 4 000 deltas, gets no further deltas until it has drained. */
  streamLagBytes: 1024 * 1024,
  /** A connection with more unsent bytes than this is closed with 1013. */
  streamCloseBytes: 4 * 1024 * 1024,
  /** A connection that has not drained after this time is closed with 1013. */
  streamLagMs: 30_000,
  /** The tape records that are handled before other sockets get a turn: about a millisecond of work. */
  tapeRecordsPerTurnMax: 4_096,
  /**
   * The bytes of snapshots published by topic before sockets are written and slow clients are suspended, far below streamCloseBytes. Also
   * the bytes of one client's requested snapshots before other clients get their turn: a few milliseconds of work.
   */
  snapshotBytesPerTurn: 256 * 1024,
  /** The connections that are checked for lag after each turn, in rotation. */
  lagChecksPerTurn: 64,
  /** A client is closed after this many seconds without a message or a pong. */
  streamIdleTimeoutS: 60,
  /** The events of one actor's orders in one read, before other sockets get a turn: a millisecond of work, about 100 KB. */
  orderEventsPerReadMax: 128,
  /** The orders in one message of an open-orders snapshot, and in one turn: about as much work as `orderEventsPerReadMax`. */
  ordersPerSnapshotMax: 100,
  /** The grace period of cancelOnDisconnect (contract §8). */
  cancelOnDisconnectGraceMs: 10_000,
  /** The pause before a mass cancel is tried again that found no room in the pool, or was not recorded. */
  cancelOnDisconnectRetryMs: 1_000,
  /** How long an upstream subscription outlives its last client, so that a reconnecting bot finds its book LIVE. */
  bookLingerMs: 5_000,
  /** The time that a venue has to describe a market. After it the market is refused as VENUE_UNAVAILABLE. */
  subscribeAnswerMs: 10_000,
  /** The first pause before a market in use that a restarted feed could not describe is retried. It doubles up to `subscribeRetryMsMax`. */
  subscribeRetryMs: 1_000,
  subscribeRetryMsMax: 30_000,

  // Markets of open orders and positions, which stay subscribed.
  /** The number of kept markets: as many as a venue has books. Markets beyond it have no live marks. */
  keptMarketsMax: 20_000,
  /** The kept markets that are requested at the feeds at a time, so that clients get their turn. */
  keptMarketsAskedMax: 8,
  /** The first pause before a refused market is retried. It doubles up to `keptMarketRetryMsMax`. An unknown market is retried after `keptMarketUnknownMs`. */
  keptMarketRetryMs: 1_000,
  keptMarketRetryMsMax: 60_000,
  keptMarketUnknownMs: 600_000,
  /** The pause between two rounds through the store. A market stays for up to two rounds after its last order or position. */
  keptMarketsRoundMs: 30_000,
  /** The rows of a round that are handled before sockets get their turn: about a millisecond of work. */
  keptRowsPerTurnMax: 100,

  // Upstream connections.
  upstreamHandshakeMs: 10_000,
  /** The largest frame accepted from a venue. A snapshot of 20 000 levels has about 600 KB. */
  upstreamFrameBytesMax: 16 * 1024 * 1024,
  upstreamBackoffMinMs: 100,
  upstreamBackoffMaxMs: 15_000,
  /** The longest pause between reconnects of our own client. The gateway is near, and a bot without its stream is blind. */
  streamBackoffMaxMs: 1_000,
  /** The first pause of our own client after a temporary refusal. It doubles up to `streamRetryMsMax`. */
  streamRetryMs: 1_000,
  streamRetryMsMax: 30_000,
  /** Contract §8: after 30 s without a message or a heartbeat, books become STALE. Venues send heartbeats every 10 s. */
  upstreamSilenceMs: 30_000,
  upstreamPingMs: 10_000,
  /** How long we wait after our close frame. A connection that the peer leaves open is then ended. */
  outboundCloseMs: 1_000,
  upstreamRestTimeoutMs: 5_000,
  /** The longest wait of a list of orders for venue B's statement of places in queues. */
  venueBQueueReadMs: 2_000,
  upstreamRestBodyBytesMax: 16 * 1024 * 1024,
  /** The bytes of a venue's answer before its body, with interim answers, trailers and chunk extensions. CDNs send about 2 KB. */
  outboundHeadBytesMax: 16 * 1024,
  /** The time for TCP and TLS together. Waiting requests have deadlines of their own. This timeout frees the connection's place in the pool. */
  outboundConnectMs: 5_000,
  /** The names of headers that are remembered as checked, so that each name is checked once. */
  outboundNamesRememberedMax: 100,
  /** The requests to one origin that wait for a connection: 200 ms of work for 8 connections to a venue that answers in 1.5 ms. */
  outboundWaitingMax: 1_024,
  /** We close an idle connection this much earlier than the server says that it will close it. */
  outboundKeepAliveMarginMs: 1_000,
  /** A market is subscribed again if its snapshot has not arrived after this time. */
  upstreamSnapshotMs: 10_000,
  /** The tokens of one connection. Beyond about 500 a connection sends no initial books (venue-a.md §5.1). */
  venueATokensPerConnectionMax: 500,
  /** The number of venue A's markets that are described at a time, with two reads each. The venue allows 9 000 reads in ten seconds. */
  venueADescribedAtOnceMax: 8,
  /** A market of venue A is compared with REST after this time without a book event, because streams have frozen for hours. */
  venueAQuietMs: 60_000,
  /** The pause between two comparisons of quiet markets on one connection. Each comparison covers all quiet markets of the connection, every 8 minutes. */
  venueAProbeMs: 2_000,
  /** REST may be ahead of an event that is still on its way. A stream that has not sent the event after this time is frozen. */
  venueAFreezeGraceMs: 2_000,
  /** The bytes of a token id, which is a uint256 in decimal: 78 digits, rounded up to whole words. */
  venueATokenIdBytesMax: 80,
  /** The changes kept while the hash of one book is in doubt: several times the largest recorded burst during a slow REST answer. */
  venueAPendingChangesMax: 4_096,

  // Markets read one by one, for the older family.
  /** The time for one read with all its requests. It is a little less than a caller waits. */
  marketReadMs: 4_500,
  /** How long a result is reused (contract §7). */
  marketReadCacheMs: 1_000,
  /** The cached results of each venue, a few KB each, plus the markets that are being read. */
  marketReadsKeptMax: 1_024,
  marketReadsWaitingMax: 64,
  /** The characters of a title or an outcome's name: ten times the longest seen. Longer texts are cut. */
  marketTextCharactersMax: 2_000,
  /** The size of an answer's body. The largest body seen, a page of 20 groups, has 150 KB. A group of a hundred markets would have twice as much. */
  marketReadBodyBytesMax: 2 * 1024 * 1024,
  /** The longest pause that a venue's `Retry-After` can cause. */
  marketReadRetryAfterMaxS: 60,
  /** The pause before a dead thread of market reads is started again. */
  marketReadsRestartMs: 200,
  /** The requests to venue A at a time, and the pause between the starts of two. Venue A allows 150 book reads a second. */
  venueAReadsConcurrentMax: 8,
  venueAReadsGapMs: 10,
  /** The limit that venues-c-d-e.md §2 states. */
  venueDReadsConcurrentMax: 2,
  venueDReadsGapMs: 300,
  /** The limit of 15 reads a second that venues-c-d-e.md §3 states. */
  venueEReadsConcurrentMax: 4,
  venueEReadsGapMs: 67,
  /** The pages of venue E's list of groups that are searched for one market's group, 20 groups each: seven seconds at its pace. */
  venueEGroupPagesMax: 100,
  /** The markets whose groups are remembered, 100 bytes each. */
  venueEGroupMarketsMax: 50_000,
  /** The shortest interval between two searches of the list for markets that are not in it. */
  venueEGroupsMs: 60_000,
  /** How long the terms of a known group are kept. A group's title and date may change. */
  venueEGroupTermsMs: 600_000,

  // The catalog.
  /** The characters of a venue's id, title or outcome name. The longest recorded title has 130. Longer texts count as malformed. */
  catalogTextCharactersMax: 1_024,
  /** The kept markets of one venue: four times the largest open list seen. Further markets are left out and counted. */
  catalogMarketsPerVenueMax: 200_000,
  /** The events in one page: venue B's maximum (venue-b.md §4.5). Events of Gamma have up to 300 markets of 5 KB each. */
  catalogVenueBRowsPerPageMax: 200,
  catalogVenueARowsPerPageMax: 25,
  /** The pages of one reading, so that a reading ends even if the venue's pages never end. */
  catalogPagesMax: 10_000,
  /** The bytes of one page: 25 of the largest events. If a page is larger, its rows are requested again in halves. */
  catalogAnswerBytesMax: 48 * 1024 * 1024,
  /** The time for a whole page. If a page takes longer, its rows are requested again in halves. */
  catalogAnswerTimeoutMs: 15_000,
  /** The pause between two pages: 4 reads a second, a fifth of the rate of venue B's smallest tier. */
  catalogPagePauseMs: 250,
  /** The events in one request for venue C's markets. There is at most one request a second. */
  catalogVenueCRowsPerPageMax: 50,
  catalogVenueCPagePauseMs: 1_000,
  /** The pause between two looks for news. After a failed page the pause is `catalogBackoffMinMs`, which doubles up to `catalogBackoffMaxMs`. */
  catalogNewsMs: 30_000,
  catalogBackoffMinMs: 1_000,
  catalogBackoffMaxMs: 60_000,
  /** The number of failures of one page after which the reading starts over. */
  catalogPageAttemptsMax: 5,
  /** News are requested from this long before the last reading, because clocks differ. */
  catalogNewsOverlapMs: 60_000,
  /** The interval of complete readings. Changes that venues do not list as news are known after this time at the latest. */
  catalogReadMs: 900_000,
  /** News are published after this time at the latest. Building a catalog of 100 000 markets takes about a second. */
  catalogShowMs: 10_000,
  /** The pause between two catalogs, a thousand times the time that a reader needs. The next catalog overwrites the memory of the previous one. */
  catalogShowPauseMs: 1_000,
  /**
   * How long lists wait after the start for the first catalog with both venues. The paper exchanges take three seconds, or five on a busy
   * machine. Our own clients wait for ten. Real venues take a minute, so a partial catalog is then shown.
   */
  firstCatalogMs: 8_000,
  /** The requests that wait for the first catalog, some KB each. */
  firstCatalogWaitingMax: 1_024,
  /** How long events that no venue lists any more are shown as ended, and how many: two days of the busiest season. */
  catalogEndedEventMs: 172_800_000,
  catalogEndedEventsMax: 10_000,
  /** The address space of the catalog store: the most markets of both venues, 2 KB each, and their copies during a write. */
  catalogStoreBytes: 4 * 1024 * 1024 * 1024,
  /** The characters of a search for markets. Blanks separate its words. */
  searchCharactersMax: 128,
  searchWordsMax: 8,

  ...orderLimits,
  ...paperLimits,

  // Our own client.
  /** How long our client waits for an answer. It is longer than the gateway's longest answer, which waits 5 s for a venue. */
  clientAnswerTimeoutMs: 10_000,
  clientAnswerBytesMax: 16 * 1024 * 1024,
  /** Our client closes an idle socket before the gateway does, after 8 to 12 s. A close by the gateway could hit a request. */
  clientIdleSocketMs: 5_000,
  clientSocketsMax: 256,

  // Replay: recorded venue sessions on loopback.
  /** The size of a recording, which is read whole. Parsed, it takes about ten times its size. */
  replayFileBytesMax: 128 * 1024 * 1024,
  /** The pause between two frames of a recording without times. */
  replayFrameSpacingMs: 20,
  /** The frames in one turn of the event loop. Sockets are served between turns, so that commands are answered at any speed. */
  replayFramesPerTurnMax: 64,
  /** The largest `--speed`. A larger value is a mistake, because sockets limit the speed long before. */
  replaySpeedMax: 1_000_000,
  /** The frames that a player of a backtest reads ahead, in search of a frame that another part waits for. */
  backtestFramesAheadMax: 256,
  /** The longest `--step` of a backtest. A longer step would hide most of a market's changes. */
  backtestStepMsMax: 60_000,
  /** The time that a bot has to end by itself at the end of a backtest. */
  backtestBotEndMs: 10_000,
  /** The pause before a looped session restarts, so that a recording without duration does not use a whole core. */
  replayLoopPauseMs: 1_000,
} as const;

/** A token bucket: its sustained rate, and its burst. */
export interface RateLimit {
  readonly perS: number;
  readonly burstMax: number;
}

/** The rate limits by purpose. Each signing key has the first three. `failedChecks` applies to each source address, and to each unproven key id there. */
export interface RateProfile {
  readonly reads: RateLimit;
  readonly submissions: RateLimit;
  readonly cancels: RateLimit;
  readonly failedChecks: RateLimit;
}

/** The profiles from which `CROSSBOOK_RATE_PROFILE` picks one by name. */
export const rateProfiles = {
  /** The rates of contract §9. */
  default: {
    reads: { perS: 1_000, burstMax: 2_000 },
    submissions: { perS: 500, burstMax: 1_000 },
    cancels: { perS: 500, burstMax: 1_000 },
    failedChecks: { perS: 50, burstMax: 500 },
  },
  /** A profile for measuring the gateway itself, without its rate limits. */
  bench: {
    reads: { perS: 1_000_000, burstMax: 1_000_000 },
    submissions: { perS: 1_000_000, burstMax: 1_000_000 },
    cancels: { perS: 1_000_000, burstMax: 1_000_000 },
    failedChecks: { perS: 50, burstMax: 500 },
  },
} as const satisfies Readonly<Record<string, RateProfile>>;
export type RateProfileName = keyof typeof rateProfiles;
