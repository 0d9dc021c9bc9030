// Every bound of the program with its unit and the reason for its value. Messages to callers name the bound, so that an operator knows what
// to raise. Contract §9 states some of them.

import { orderLimits } from './order-limits.ts';
import { paperLimits } from './paper-limits.ts';

export const limits = {
  // HTTP. Contract §9 where it states a number.
  bodyBytesMax: 64 * 1024,
  headerBytesMax: 16 * 1024,
  /** Levels of nesting in a JSON body; the deepest request of the contract has three. */
  bodyDepthMax: 16,
  /** The limit of contract §4.1. */
  idempotencyKeyBytesMax: 255,
  batchOrdersMax: 15,
  batchCancelsMax: 100,
  /** Sockets of one listening address, WebSockets included. Each has at most one request in flight, so this bounds both. */
  httpConnectionsMax: 20_000,
  /** Time for the peer to read the unsent rest and the close code of an ended WebSocket; then the connection is cut. */
  webSocketEndMs: 10_000,
  /** uWebSockets.js keeps an ended WebSocket for 12 to 16 s if the peer does not close. It counts as open for slightly longer than that. */
  webSocketEndedMs: 20_000,
  /** The gateway does not start with files for fewer: a bot or two with streams and monitoring need that many. */
  httpConnectionsMin: 64,
  /** File descriptors that callers cannot use. The paper exchanges hold 150 open, and each order on its way to a venue needs one. */
  ownFilesMin: 512,
  /** The longest time from SIGTERM to exit. Longer than the longest wait for a venue (5 s), shorter than supervisors allow. */
  shutdownMs: 10_000,

  // Keys and signatures.
  /** Interface §8: how far a caller's clock may be off. */
  signatureAgeS: 30,
  /** A signature is valid for at most twice `signatureAgeS`, so nothing older can repeat. */
  signatureMemoryMs: 60_000,
  /** Kept answers to signed mutations without an idempotency key. A further one is refused; none is dropped early. */
  signaturesRememberedMax: 100_000,
  /** The share of one signing key: 166 mutations a second without an idempotency key, sustained. No key can fill the memory alone. */
  signaturesPerKeyMax: 10_000,
  ticketLifeMs: 30_000,
  ticketsMax: 10_000,
  /** The share of one signing key: a browser opens a few streams at a time. */
  ticketsPerKeyMax: 100,
  /** Characters of a key id, label or address in the key store. */
  identityCharactersMax: 128,
  /** Keys, including revoked ones: they are held in memory and read at every change. */
  signingKeysMax: 10_000,
  apiKeysMax: 10_000,
  addressesPerKeyMax: 64,
  /** Address space of the key store: all records at full length, and their copies during a transaction. */
  keyStoreBytes: 512 * 1024 * 1024,
  /** Size of a file with one key; an RSA key of 8 192 bits takes a tenth of it. */
  keyFileBytesMax: 64 * 1024,
  /** Interval of the look for other processes' key changes, for open streams. */
  keyWatchMs: 100,
  /** A request may go by keys that were current so long ago. A change of keys returns later than that. */
  keyLookMs: 5,

  // The pool.
  /** Unanswered signature checks of proven callers. Two threads clear them in some 170 ms, at 41 us a check. */
  poolTasksMax: 8_192,
  /** The places guaranteed to one caller (one signing key at one address). Connections bound their sum. */
  poolTasksPerCallerMin: 16,
  /** Further places for checks of all unproven callers: some 20 ms of work. */
  poolTasksUnprovenMax: 1_024,
  /** Tasks of all kinds under way on one thread: more than there are connections, so that none waits behind others. */
  poolTasksPerWorkerMax: 32_768,
  /** Operations under way, in six equal parts (gateway/trading/operation-shares.ts); half a part is a key's burst. A few KB each while a venue hangs. */
  operationsMax: 12_288,
  /** From here on waits for the engine are too long (gateway/trading/standing-wait.ts). Callers that each wait for an answer, 64 of them, are never refused. */
  engineWaitOperationsMin: 128,
  engineWaitMsMax: 20,
  engineWaitStandsMs: 100,
  /** Operations of each part guaranteed to a signing key. Connections bound their sum. */
  operationsPerKeyMin: 16,
  /** Check tasks on a thread at a time: the second waits in its queue, so that the thread never idles. */
  checkTasksPerThreadMax: 2,
  /** Signature checks in one task: 0.7 ms of work, which bounds the delay of other work on the thread. */
  checksPerTaskMax: 16,
  /** Pause before threads that could not start are tried again. */
  poolRestartMs: 200,
  /** Heartbeat interval; this many misses mean that the thread hangs. A thread that waits for the disk may miss some. */
  threadPulseMs: 1_000,
  threadPulsesMissedMax: 10,
  /** Misses after which a thread ends the process: longer than a disk stall from which one recovers. */
  vitalPulsesMissedMax: 60,
  /** Interval of a store thread's look at its heap, and the share of V8's limit beyond which it ends itself. */
  heapLookMs: 1_000,
  heapShareMax: 0.9,
  /** Interval at which threads report their memory for /metrics: some 20 µs each. */
  memoryLookMs: 10_000,
  /** Checks and short pages of one turn of its loop that the main thread does itself: 0.2 ms of work. */
  mainTasksPerTurnMax: 4,
  /** Markets of a catalog that the main thread scans itself: some 50 µs. */
  mainListMarketsMax: 5_000,

  // Logs.
  /** Lines that wait to be written, about a megabyte. More are dropped and counted. */
  logLinesWaitingMax: 4_096,

  // Rate limits that no profile changes.
  /** Failed checks of one signing key from one proven address: a tenth of one thread. Cancels have the same again. */
  provenFailedChecksPerS: 2_000,
  provenFailedChecksBurstMax: 4_000,
  /** Upgrades of all unproven addresses together: the main thread checks them, at 41 us each. A stream opens at once. */
  unprovenUpgradesPerS: 500,
  unprovenUpgradesBurstMax: 2_000,
  /** Metrics pages that are made in a second. A page needs no key and costs the main thread a millisecond. Beyond, callers get the latest page. */
  metricsPagesPerS: 20,
  metricsPagesBurstMax: 100,
  /** Sockets of the metrics address: a few monitors, from the files that callers cannot use. */
  metricsConnectionsMax: 32,
  /** Actors with metrics of their own, the first by id: a page has at most six lines for each. */
  actorsMeasuredMax: 100,
  /** Source addresses whose requests were refused before any check, as remembered; an IPv6 /64 is one. 100 bytes each. */
  refusedAddressesMax: 10_000,
  /** Unproven callers, by address and key id, whose failed checks are remembered. 200 bytes each. */
  unprovenCallersMax: 10_000,
  /** How long a signing key counts as proven at an address after a successful check: a bot that acts daily stays proven. */
  provenCallerMs: 86_400_000,
  /** Addresses at which one signing key counts as proven. A new proof evicts the key's own oldest, never another key's. */
  provenAddressesPerKeyMax: 16,

  // Shared memory, per venue region. Twice the largest sports catalog seen on either venue.
  booksPerVenueMax: 20_000,
  /** Bytes for ladders per venue: address space, not memory. Pages are committed when a book first touches them. */
  ladderBytesPerVenue: 256 * 1024 * 1024,
  /** A power of two: both views of all books of both venues fill 61 %, so that a look-up visits few entries. */
  bookIndexSlotsMax: 131_072,
  /** Tape slots (64 bytes each) per venue, a power of two: 4 MiB hold 30 ms of the largest recorded burst a hundred times over. */
  tapeSlotsPerVenue: 65_536,
  /** Changes in one batch; a larger venue frame starts a new epoch, sent as a snapshot. */
  changesPerBatchMax: 256,
  /** Read attempts on a book that its writer is changing, before the reader reports busy. A batch takes about a microsecond. */
  bookReadAttemptsMax: 1_000,
  /** Read attempts on a market whose book is taken away during the read: rare, and never twice in a row. */
  bookLookUpsMax: 8,
  tradeIdBytesMax: 64,

  // Stream: /v1/orderbook.
  streamMessageBytesMax: 64 * 1024,
  /** A client's id of a message, echoed in the answer: room for a UUID with a prefix. */
  streamIdCharactersMax: 128,
  /** A token id has up to 78 digits, the longest ticker seen about 60 characters. */
  marketAddressCharactersMax: 128,
  marketsPerSubscribeMax: 100,
  marketsPerConnectionMax: 1_000,
  connectionsMax: 10_000,
  /** The share of one signing key: no key can take all streams. */
  streamsPerKeyMax: 2_500,
  /** Subscriptions and snapshot requests of one connection with unsent snapshots: each of its markets twice. */
  snapshotsOwedMax: 2_000,
  /** Messages of one connection that are not reads, or exceed the reads: all its markets unsubscribed one by one, twice. */
  streamUncountedPerS: 200,
  streamUncountedBurstMax: 4_000,
  /** Unanswered subscribe, unsubscribe and snapshot messages of one connection. */
  streamRequestsWaitingMax: 256,
  /** Requests without a result of one connection of /v1/trade. */
  tradeInFlightMax: 256,
  /** Connections of /v1/trade of one signing key. */
  tradeSessionsPerKeyMax: 100,
  heartbeatIntervalMs: 5_000,
  /** A connection with more unsent bytes gets no deltas until it has drained: about 4 000 deltas. */
  streamLagBytes: 1024 * 1024,
  /** A connection with more unsent bytes is closed with 1013. */
  streamCloseBytes: 4 * 1024 * 1024,
  /** A connection that has not drained after this long is closed with 1013. */
  streamLagMs: 30_000,
  /** Tape records handled before other sockets get a turn: about a millisecond of work. */
  tapeRecordsPerTurnMax: 4_096,
  /**
   * Bytes of snapshots by topic before sockets are written and slow clients suspended; far below streamCloseBytes. Also bytes of one
   * client's requested snapshots before others get their turn: a few milliseconds of work.
   */
  snapshotBytesPerTurn: 256 * 1024,
  /** Connections checked for lag after each turn, in rotation. */
  lagChecksPerTurn: 64,
  /** Seconds without a message or pong from a client before it is closed. */
  streamIdleTimeoutS: 60,
  /** Events of one actor's orders in one read, before other sockets get a turn: a millisecond of work, about 100 KB. */
  orderEventsPerReadMax: 128,
  /** Orders in one message of an open-orders snapshot, and in one turn: about the same work. */
  ordersPerSnapshotMax: 100,
  /** The grace period of contract §8. */
  cancelOnDisconnectGraceMs: 10_000,
  /** The pause after an attempt without room in the pool, or without a record. */
  cancelOnDisconnectRetryMs: 1_000,
  /** An upstream subscription outlives its last client by this time, so that a reconnecting bot finds its book LIVE. */
  bookLingerMs: 5_000,
  /** A market that its venue has not described by then is refused as VENUE_UNAVAILABLE. */
  subscribeAnswerMs: 10_000,
  /** First retry for a market in use that a restarted feed could not describe; doubles up to the second. */
  subscribeRetryMs: 1_000,
  subscribeRetryMsMax: 30_000,

  // Markets of open orders and positions, which stay subscribed.
  /** Markets beyond it have no live marks: as many as have books at a venue. */
  keptMarketsMax: 20_000,
  /** Requests of these that are in flight at the feeds, so that clients get their turn. */
  keptMarketsAskedMax: 8,
  /** First retry for a refused market; doubles up to `keptMarketRetryMsMax`. An unknown market is retried after the third. */
  keptMarketRetryMs: 1_000,
  keptMarketRetryMsMax: 60_000,
  keptMarketUnknownMs: 600_000,
  /** Between rounds through the store; a market stays for up to two rounds after its last order or position. */
  keptMarketsRoundMs: 30_000,
  /** Rows of a round before sockets get their turn: about a millisecond. */
  keptRowsPerTurnMax: 100,

  // Upstream connections.
  upstreamHandshakeMs: 10_000,
  /** Largest frame accepted from a venue: a snapshot of 20 000 levels is about 600 KB. */
  upstreamFrameBytesMax: 16 * 1024 * 1024,
  upstreamBackoffMinMs: 100,
  upstreamBackoffMaxMs: 15_000,
  /** The longest pause of our own client: the gateway is near, and a bot without its stream is blind. */
  streamBackoffMaxMs: 1_000,
  /** First retry of our own client after a temporary refusal; doubles up to the second. */
  streamRetryMs: 1_000,
  streamRetryMsMax: 30_000,
  /** Contract §8: without a message or heartbeat for 30 s books become STALE; venues send heartbeats every 10 s. */
  upstreamSilenceMs: 30_000,
  upstreamPingMs: 10_000,
  /** The wait after our close frame; a connection that the peer leaves open is then ended. */
  outboundCloseMs: 1_000,
  upstreamRestTimeoutMs: 5_000,
  /** Venue B's word on places in queues: a list of orders waits no longer for it. */
  venueBQueueReadMs: 2_000,
  upstreamRestBodyBytesMax: 16 * 1024 * 1024,
  /** Status line and headers of a venue's answer, with interim answers, trailers and chunk extensions. CDNs send about 2 KB. */
  outboundHeadBytesMax: 16 * 1024,
  /** The time for TCP and TLS together. Requests that wait for the connection have their own deadline; this frees its place in the pool. */
  outboundConnectMs: 5_000,
  /** Names of headers that were checked, so that each is checked once. */
  outboundNamesRememberedMax: 100,
  /** Requests of one origin that wait for a connection: 200 ms of work for 8 connections to a venue that answers in 1.5 ms. */
  outboundWaitingMax: 1_024,
  /** We close idle connections this much earlier than the server says it does. */
  outboundKeepAliveMarginMs: 1_000,
  /** A subscribed market without a snapshot after this time is subscribed again. */
  upstreamSnapshotMs: 10_000,
  /** venue-a.md §5.1: beyond about 500 tokens a connection sends no initial books. */
  venueATokensPerConnectionMax: 500,
  /** Markets that venue A describes at a time, two reads each. It allows 9 000 in ten seconds. */
  venueADescribedAtOnceMax: 8,
  /** A market of venue A without a book event for this time is compared with REST. Streams have frozen for hours. */
  venueAQuietMs: 60_000,
  /** The pause between two such comparisons on one connection, each of all its quiet markets, every 8 minutes. */
  venueAProbeMs: 2_000,
  /** REST may be ahead of an event under way: a stream that has not sent it by then is frozen. */
  venueAFreezeGraceMs: 2_000,
  /** A token id is a uint256 in decimal: 78 digits, rounded up to whole words. */
  venueATokenIdBytesMax: 80,
  /** Changes kept while one book's hash is in doubt: several times the largest recorded burst, within a slow REST answer. */
  venueAPendingChangesMax: 4_096,

  // Markets read one by one, for the older family.
  /** Time for one read with all its requests; a little less than a caller waits. */
  marketReadMs: 4_500,
  /** Contract §7: how long a result is reused. */
  marketReadCacheMs: 1_000,
  /** Cached results of each venue, a few KB each, and markets being read. */
  marketReadsKeptMax: 1_024,
  marketReadsWaitingMax: 64,
  /** Characters of a title or an outcome's name: ten times the longest seen; longer texts are cut. */
  marketTextCharactersMax: 2_000,
  /** The largest body seen, a page of 20 groups, is 150 KB; a group of a hundred markets would take twice as much. */
  marketReadBodyBytesMax: 2 * 1024 * 1024,
  /** The longest pause that a venue can ask for. */
  marketReadRetryAfterMaxS: 60,
  /** Pause before a dead thread of market reads restarts. */
  marketReadsRestartMs: 200,
  /** Requests at a time, and the time between the starts of two. Venue A allows 150 book reads a second. */
  venueAReadsConcurrentMax: 8,
  venueAReadsGapMs: 10,
  /** The limit of venues-c-d-e.md §2. */
  venueDReadsConcurrentMax: 2,
  venueDReadsGapMs: 300,
  /** venues-c-d-e.md §3: 15 a second. */
  venueEReadsConcurrentMax: 4,
  venueEReadsGapMs: 67,
  /** Pages of venue E's group list to search for one market's group, 20 groups each: seven seconds at its pace. */
  venueEGroupPagesMax: 100,
  /** Remembered markets of groups: 100 bytes each. */
  venueEGroupMarketsMax: 50_000,
  /** Shortest interval between searches of the list for markets that are not in it, */
  venueEGroupsMs: 60_000,
  /** How long the terms of a known group are kept: a group's title and date may change. */
  venueEGroupTermsMs: 600_000,

  // The catalog.
  /** Characters of a venue's id, title or outcome name. The longest recorded title has 130; longer texts are malformed. */
  catalogTextCharactersMax: 1_024,
  /** Kept markets of one venue: four times the largest open list seen. Further ones are left out and counted. */
  catalogMarketsPerVenueMax: 200_000,
  /** Events of one page: venue B's maximum (venue-b.md §4.5); Gamma's have up to 300 markets of 5 KB each. */
  catalogVenueBRowsPerPageMax: 200,
  catalogVenueARowsPerPageMax: 25,
  /** Pages of one reading, so that a venue whose pages never end is not read forever. */
  catalogPagesMax: 10_000,
  /** Bytes of one page: 25 of the largest events. A larger page is requested again in halves. */
  catalogAnswerBytesMax: 48 * 1024 * 1024,
  /** The time for a whole page. A page that takes longer is requested again in halves. */
  catalogAnswerTimeoutMs: 15_000,
  /** Between two pages: 4 reads a second, a fifth of venue B's smallest tier. */
  catalogPagePauseMs: 250,
  /** Events per request for venue C's markets, with at most one request a second. */
  catalogVenueCRowsPerPageMax: 50,
  catalogVenueCPagePauseMs: 1_000,
  /** The pause between two looks for news. After a failed page it doubles each time, up to the next constant. */
  catalogNewsMs: 30_000,
  catalogBackoffMinMs: 1_000,
  catalogBackoffMaxMs: 60_000,
  /** After this many failures of one page, the reading starts over. */
  catalogPageAttemptsMax: 5,
  /** News are requested from this long before the last reading: clocks differ. */
  catalogNewsOverlapMs: 60_000,
  /** Interval of complete readings: changes that venues do not list as news are at most this old. */
  catalogReadMs: 900_000,
  /** News are published after this time at the latest; to build a catalog of 100 000 markets takes about a second. */
  catalogShowMs: 10_000,
  /** The pause between two catalogs: a thousand times the time that a reader needs for the previous one, which the next overwrites. */
  catalogShowPauseMs: 1_000,
  /**
   * After the start lists wait this long for the first catalog with both venues. The paper exchanges take three seconds, five on a busy
   * machine, and our own clients wait for ten. Real venues take a minute: then the partial catalog is shown.
   */
  firstCatalogMs: 8_000,
  /** Requests that wait for it, some KB each. */
  firstCatalogWaitingMax: 1_024,
  /** How long, and how many, events that no venue lists any more are shown as ended: two days of the busiest season. */
  catalogEndedEventMs: 172_800_000,
  catalogEndedEventsMax: 10_000,
  /** Address space of the catalog store: the maximum of markets at both venues, 2 KB each, and their copies during a write. */
  catalogStoreBytes: 4 * 1024 * 1024 * 1024,
  /** Characters of a search for markets; blanks separate words. */
  searchCharactersMax: 128,
  searchWordsMax: 8,

  ...orderLimits,
  ...paperLimits,

  // Our own client.
  /** Longer than the gateway's longest answer: it waits 5 s for a venue. */
  clientAnswerTimeoutMs: 10_000,
  clientAnswerBytesMax: 16 * 1024 * 1024,
  /** We close idle sockets before the gateway does, after 8 to 12 s, which could hit a request. */
  clientIdleSocketMs: 5_000,
  clientSocketsMax: 256,

  // Replay: recorded venue sessions on loopback.
  /** A recording is read whole; parsed it takes about ten times its size. */
  replayFileBytesMax: 128 * 1024 * 1024,
  /** Between frames of a recording without times. */
  replayFrameSpacingMs: 20,
  /** Frames in one turn of the loop; sockets are served between turns, so that commands are answered at any speed. */
  replayFramesPerTurnMax: 64,
  /** A larger `--speed` is a mistake: sockets limit it long before. */
  replaySpeedMax: 1_000_000,
  /** Frames that a player of a backtest reads ahead, in search of a frame that somebody waits for. */
  backtestFramesAheadMax: 256,
  /** A longer `--step` of a backtest would hide most of what a market does. */
  backtestStepMsMax: 60_000,
  /** A bot has so long to end by itself at the end of a backtest. */
  backtestBotEndMs: 10_000,
  /** Pause before a looped session restarts, so that a recording of no duration does not spin. */
  replayLoopPauseMs: 1_000,
} as const;

/** One token bucket: sustained rate, and burst. */
export interface RateLimit {
  readonly perS: number;
  readonly burstMax: number;
}

/** Rate limits by their purpose: three for each signing key; `failedChecks` for each source address and each unproven key id there. */
export interface RateProfile {
  readonly reads: RateLimit;
  readonly submissions: RateLimit;
  readonly cancels: RateLimit;
  readonly failedChecks: RateLimit;
}

/** `CROSSBOOK_RATE_PROFILE` picks one by name. */
export const rateProfiles = {
  /** The rates of contract §9. */
  default: {
    reads: { perS: 1_000, burstMax: 2_000 },
    submissions: { perS: 500, burstMax: 1_000 },
    cancels: { perS: 500, burstMax: 1_000 },
    failedChecks: { perS: 50, burstMax: 500 },
  },
  /** This profile measures the gateway, not its limits. */
  bench: {
    reads: { perS: 1_000_000, burstMax: 1_000_000 },
    submissions: { perS: 1_000_000, burstMax: 1_000_000 },
    cancels: { perS: 1_000_000, burstMax: 1_000_000 },
    failedChecks: { perS: 50, burstMax: 500 },
  },
} as const satisfies Readonly<Record<string, RateProfile>>;
export type RateProfileName = keyof typeof rateProfiles;
