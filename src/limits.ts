// Every bound of the program with its unit and the reason for its value. What a caller is told of one names it, so
// that an operator knows what to raise. Contract §9 where it states a number.

import { orderLimits } from './order-limits.ts';
import { paperLimits } from './paper-limits.ts';

export const limits = {
  // HTTP. Contract §9 where it states a number.
  bodyBytesMax: 64 * 1024,
  headerBytesMax: 16 * 1024,
  /** Levels of nesting in a JSON body; the deepest request of the contract has three. */
  bodyDepthMax: 16,
  /** Contract §4.1. */
  idempotencyKeyBytesMax: 255,
  /**
   * Sockets of one listening address, WebSockets included; file descriptors are the reason. A connection has one request
   * in flight at most, so that this bounds them too.
   */
  httpConnectionsMax: 20_000,
  /** What an ended WebSocket has unsent, its close code behind it, may take so long to be read; then the connection is cut. */
  webSocketEndMs: 10_000,
  /** An ended WebSocket whose peer does not close, too, is kept by uWebSockets.js for 12 to 16 s: it counts as open so long, and a little more. */
  webSocketEndedMs: 20_000,
  /** With files for fewer the gateway does not start: a bot or two with its streams, and whoever watches, want that many. */
  httpConnectionsMin: 64,
  /** Of the files that the process may open, kept from callers: 150 are open on the paper exchanges, and each order on its way to a venue is one. */
  ownFilesMin: 512,
  /** The longest time from SIGTERM to exit. Longer than the longest wait for a venue (5 s), shorter than what supervisors grant. */
  shutdownMs: 10_000,

  // Keys and signatures.
  /** Interface §8: how far a caller's clock may be off. */
  signatureAgeS: 30,
  /** A signature is acceptable for at most twice `signatureAgeS`, so nothing older can come again. */
  signatureMemoryMs: 60_000,
  /** Answers kept of signed mutations without an idempotency key; one more is refused, none is forgotten early. */
  signaturesRememberedMax: 100_000,
  /** Of these, one signing key's: 166 mutations without an idempotency key a second, sustained; nobody fills it for the others. */
  signaturesPerKeyMax: 10_000,
  ticketLifeMs: 30_000,
  ticketsMax: 10_000,
  /** Of these, one signing key's: a browser opens a few streams at a time. */
  ticketsPerKeyMax: 100,
  /** Characters of a key id, label or address in the key store. */
  identityCharactersMax: 128,
  /** Keys, revoked ones included: they are held in memory and read at every change. */
  signingKeysMax: 10_000,
  apiKeysMax: 10_000,
  addressesPerKeyMax: 64,
  /** Address space of the key store: all records at their longest, and their copies while a transaction lasts. */
  keyStoreBytes: 512 * 1024 * 1024,
  /** Of a file with one key; an RSA key of 8 192 bits takes a tenth of it. */
  keyFileBytesMax: 64 * 1024,
  /** How often another process's changes of the keys are looked for, for the sake of open streams; requests look every time. */
  keyWatchMs: 100,

  // The pool.
  /** Signature checks of proven callers that the pool has not answered. At 41 us a check two threads clear them in some 170 ms. */
  poolTasksMax: 8_192,
  /** Of these, what one caller (one signing key at one address) has in any case. Connections bound what that adds up to. */
  poolTasksPerCallerMin: 16,
  /** Beside them, the checks of all callers that have proven nothing: some 20 ms of work. */
  poolTasksUnprovenMax: 1_024,
  /** Tasks of all kinds that one thread has under way: more than there are connections that could ask, so that none waits behind others. */
  poolTasksPerWorkerMax: 32_768,
  /**
   * Operations under way, in six equal parts (threads/operation-shares.ts): half of one is the burst of a signing key. A few KB each
   * while a venue does not answer.
   */
  operationsMax: 12_288,
  /** A signing key has so many of each part whatever all others do. Connections bound what that adds up to. */
  operationsPerKeyMin: 16,
  /** Tasks of checks that a thread has at a time: the second waits in its own queue, so that it never idles. */
  checkTasksPerThreadMax: 2,
  /** Signature checks in one task, 0.7 ms of work: what else runs on that thread is kept waiting no longer. */
  checksPerTaskMax: 16,
  /** Threads that cannot start are not tried more often than this. */
  poolRestartMs: 200,
  /** A thread says so often that it lives; one that has not for so many times hangs. A thread that waits for the disk may miss some. */
  threadPulseMs: 1_000,
  threadPulsesMissedMax: 10,
  /** The same of a thread that takes the process along when it hangs for good: longer than a disk stalls from which one recovers. */
  vitalPulsesMissedMax: 60,
  /** A thread with a store looks so often how full its heap is, and ends itself beyond this share of what V8 lets it have. */
  heapLookMs: 1_000,
  heapShareMax: 0.9,
  /** Threads are asked so often how much memory they have, for /metrics: some 20 µs of each. */
  memoryLookMs: 10_000,
  /** The main thread checks a signature itself unless two tasks were in flight together within so long. */
  mainCheckAloneMs: 10,
  /** Markets of a catalog that the main thread scans itself: some 50 µs. */
  mainListMarketsMax: 5_000,

  // Logs.
  /** Lines that wait to be written, about a megabyte. More are dropped and counted. */
  logLinesWaitingMax: 4_096,

  // Rate limits that no profile changes.
  /** Failed checks under one signing key from one address that has proven it: a tenth of one thread. Cancels have as many again. */
  provenFailedChecksPerS: 2_000,
  provenFailedChecksBurstMax: 4_000,
  /** Upgrades of addresses that have proven no key, together: the main thread checks them, at 41 us each. A stream opens at once. */
  unprovenUpgradesPerS: 500,
  unprovenUpgradesBurstMax: 2_000,
  /**
   * Pages of metrics made anew: a millisecond of the main thread each, and nobody proves a key to ask for one. More callers than that
   * get the latest.
   */
  metricsPagesPerS: 20,
  metricsPagesBurstMax: 100,
  /** Source addresses whose requests were refused before any check, remembered; IPv6 counts by /64. 100 bytes each. */
  refusedAddressesMax: 10_000,
  /** Addresses and key ids, of callers that have proven nothing, whose failed checks are remembered. 200 bytes each. */
  unprovenCallersMax: 10_000,
  /** A signing key counts as proven at an address for this long after a successful check: a bot that acts once a day stays proven. */
  provenCallerMs: 86_400_000,
  /** Addresses at which one signing key counts as proven. The key's own oldest proof makes room, never another key's. */
  provenAddressesPerKeyMax: 16,

  // Shared memory, per venue region. Twice the largest sports catalog seen on either venue.
  booksPerVenueMax: 20_000,
  /** Bytes for ladders per venue; address space, not memory: pages are committed when a book first touches them. */
  ladderBytesPerVenue: 256 * 1024 * 1024,
  /** A power of two: both views of every book of both venues fill 61 % of it, so that look-ups meet a few entries each. */
  bookIndexSlotsMax: 131_072,
  /** Tape slots (64 bytes each) per venue, a power of two: 4 MiB hold 30 ms of the largest recorded burst a hundred times over. */
  tapeSlotsPerVenue: 65_536,
  /** Changes in one batch; a venue frame with more becomes a new epoch, told as a snapshot. */
  changesPerBatchMax: 256,
  /** Attempts of a reader at a book that its writer is changing, before it says busy. A batch takes about a microsecond. */
  bookReadAttemptsMax: 1_000,
  /** Attempts of a reader at a market whose book is taken away while it reads: that happens once in a while, not twice. */
  bookLookUpsMax: 8,
  tradeIdBytesMax: 64,

  // Stream: /v1/orderbook.
  streamMessageBytesMax: 64 * 1024,
  /** A client's own id of a message, echoed in the answer: room for a UUID with a prefix. */
  streamIdCharactersMax: 128,
  /** A token id has up to 78 digits, the longest ticker seen about 60 characters. */
  marketAddressCharactersMax: 128,
  marketsPerSubscribeMax: 100,
  marketsPerConnectionMax: 1_000,
  connectionsMax: 10_000,
  /** Of these, one signing key's: nobody takes them all from the others. */
  streamsPerKeyMax: 2_500,
  /** Subscriptions and snapshots asked for of one connection whose snapshots are not all sent: each of its markets twice. */
  snapshotsOwedMax: 2_000,
  /** Messages of one connection that are no reads, or one read too many: each of its markets given up one by one, of both channels, twice. */
  streamUncountedPerS: 200,
  streamUncountedBurstMax: 4_000,
  /** Subscribe, unsubscribe and snapshot messages of one connection that are not answered yet. */
  streamRequestsWaitingMax: 256,
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
   * Of snapshots by topic, after which sockets are written and slow clients suspended: what comes at once stays far below streamCloseBytes.
   * Of those that one client asks for, too, before others get their turn: a few milliseconds of work.
   */
  snapshotBytesPerTurn: 256 * 1024,
  /** Connections looked at for lag after each turn; all of them come up in rotation. */
  lagChecksPerTurn: 64,
  /** Seconds without a message or pong from a client before it is closed. */
  streamIdleTimeoutS: 60,
  /** Events of one actor's orders read at a time, before other sockets get a turn: a millisecond of work, about 100 KB. */
  orderEventsPerReadMax: 128,
  /** Orders in one message of a snapshot of open orders, and in one turn: about as much. */
  ordersPerSnapshotMax: 100,
  /** Contract §8. */
  cancelOnDisconnectGraceMs: 10_000,
  /** After an attempt that found no room in the pool, or that could not be recorded. */
  cancelOnDisconnectRetryMs: 1_000,
  /** An upstream subscription outlives its last client by this much, so that a reconnecting bot finds its book LIVE. */
  bookLingerMs: 5_000,
  /** A market that its venue has not described by then is refused as VENUE_UNAVAILABLE. */
  subscribeAnswerMs: 10_000,
  /** A market in use that a restarted feed could not describe is asked for again after this, doubled each time up to the second. */
  subscribeRetryMs: 1_000,
  subscribeRetryMsMax: 30_000,

  // Markets of open orders and positions, which stay subscribed.
  /** Beyond them the others have no live marks: as many as have books at a venue. */
  keptMarketsMax: 20_000,
  /** Of these, asked of the feeds at a time, so that clients get their turn. */
  keptMarketsAskedMax: 8,
  /** A refused market is asked for again after this, doubled each time up to `keptMarketRetryMsMax`; an unknown one after the third. */
  keptMarketRetryMs: 1_000,
  keptMarketRetryMsMax: 60_000,
  keptMarketUnknownMs: 600_000,
  /** Between rounds through the store; a market stays for up to two of them after its last order or position. */
  keptMarketsRoundMs: 30_000,
  /** Rows of a round before sockets get their turn: about a millisecond. */
  keptRowsPerTurnMax: 100,

  // Upstream connections.
  upstreamHandshakeMs: 10_000,
  /** Largest frame accepted from a venue: a snapshot of 20 000 levels is about 600 KB. */
  upstreamFrameBytesMax: 16 * 1024 * 1024,
  upstreamBackoffMinMs: 100,
  upstreamBackoffMaxMs: 15_000,
  /** Of our own client: the gateway is near, and a bot without its stream is blind. */
  streamBackoffMaxMs: 1_000,
  /** Our own client asks again for what was refused for now after this, doubled each time up to the second. */
  streamRetryMs: 1_000,
  streamRetryMsMax: 30_000,
  /** Contract §8: no message nor heartbeat for 30 s makes books STALE; venues beat every 10 s. */
  upstreamSilenceMs: 30_000,
  upstreamPingMs: 10_000,
  /** Who has sent a close frame says nothing more; a connection that they then leave open is ended after this. */
  outboundCloseMs: 1_000,
  upstreamRestTimeoutMs: 5_000,
  upstreamRestBodyBytesMax: 16 * 1024 * 1024,
  /** Status line and headers of a venue's answer, with interim answers, trailers and chunk extensions. CDNs send about 2 KB. */
  outboundHeadBytesMax: 16 * 1024,
  /** TCP and TLS together. What waits for the connection has its own deadline; this frees its place in the pool. */
  outboundConnectMs: 5_000,
  /** Requests of one origin that wait for a connection: 200 ms of work for 8 connections to a venue that answers in 1.5 ms. */
  outboundWaitingMax: 1_024,
  /** Where a server says how long it keeps idle connections, ours ends so much earlier than that. */
  outboundKeepAliveMarginMs: 1_000,
  /** A subscribed market without a snapshot after this long is subscribed anew. */
  upstreamSnapshotMs: 10_000,
  /** venue-a.md §5.1: beyond about 500 tokens a connection sends no initial books. */
  venueATokensPerConnectionMax: 500,
  /** Markets that venue A is asked to describe at a time, two reads each. It allows 9 000 in ten seconds. */
  venueADescribedAtOnceMax: 8,
  /** A venue A market without a book event for this long is compared with REST, and again after as long. Streams have frozen for hours. */
  venueAQuietMs: 60_000,
  /** From one such comparison to the next on one connection: a full one has each quiet market looked at once in 8 minutes. The venue allows 150 a second. */
  venueAProbeMs: 2_000,
  /** REST may be ahead of an event that is still under way: a stream that has not told it by then is frozen. */
  venueAFreezeGraceMs: 2_000,
  /** A token id is a uint256 in decimal: 78 digits, rounded up to whole words. */
  venueATokenIdBytesMax: 80,
  /** Changes kept while one book's hash is in doubt: the largest recorded burst, several times over, within a slow REST answer. */
  venueAPendingChangesMax: 4_096,

  // Markets read one by one, for the older family.
  /** What one read may take, however many requests it is made of; a little less than a caller waits for anything. */
  marketReadMs: 4_500,
  /** Contract §7: a result answers for so long. */
  marketReadCacheMs: 1_000,
  /** Of each venue: results kept, at a few KB each, and markets that are being read. */
  marketReadsKeptMax: 1_024,
  marketReadsWaitingMax: 64,
  /** Of a title or an outcome's name, ten times the longest seen; the rest is cut off. */
  marketTextCharactersMax: 2_000,
  /** The largest body seen, a page of 20 groups, is 150 KB; a group of a hundred markets would take twice as much. */
  marketReadBodyBytesMax: 2 * 1024 * 1024,
  /** A venue that asks to be left alone for longer is asked again after this. */
  marketReadRetryAfterMaxS: 60,
  /** A thread of market reads that died is started anew no sooner than this after. */
  marketReadsRestartMs: 200,
  /** Requests at a time, and from the start of one to that of the next. Venue A allows 150 book reads a second. */
  venueAReadsConcurrentMax: 8,
  venueAReadsGapMs: 10,
  /** venues-c-d-e.md §2. */
  venueDReadsConcurrentMax: 2,
  venueDReadsGapMs: 300,
  /** venues-c-d-e.md §3: 15 a second. */
  venueEReadsConcurrentMax: 4,
  venueEReadsGapMs: 67,
  /** Pages of venue E's list of groups that are looked through for one market's group, 20 groups each: seven seconds at its pace. */
  venueEGroupPagesMax: 100,
  /** Markets of groups, remembered with their groups: 100 bytes each. */
  venueEGroupMarketsMax: 50_000,
  /** The list is looked through no more often than this for markets that are not in it; */
  venueEGroupsMs: 60_000,
  /** and for those that are, since a group's title and date may change. */
  venueEGroupTermsMs: 600_000,

  // The catalog.
  /** Characters of a venue's id, title or name of an outcome. The longest recorded title has 130; what is longer is malformed. */
  catalogTextCharactersMax: 1_024,
  /** Markets of one venue that are kept: four times the largest open list seen. More are left out, and counted. */
  catalogMarketsPerVenueMax: 200_000,
  /** Events of one page: venue B's most (venue-b.md §4.5); Gamma's take up to 300 markets of 5 KB each. */
  catalogVenueBRowsPerPageMax: 200,
  catalogVenueARowsPerPageMax: 25,
  /** Pages of one reading: a venue whose pages never end is not read for ever. */
  catalogPagesMax: 10_000,
  /** Of one page: 25 of the largest events. A larger one is asked for again in halves. */
  catalogAnswerBytesMax: 48 * 1024 * 1024,
  /** To the first byte of a page, and between two of its pieces. */
  catalogAnswerTimeoutMs: 15_000,
  /** Between two pages: 4 reads per second, a fifth of venue B's smallest tier. */
  catalogPagePauseMs: 250,
  /** Venue C is asked for the markets of so many events at once, and once a second at most. */
  catalogVenueCRowsPerPageMax: 50,
  catalogVenueCPagePauseMs: 1_000,
  /** Between two looks for news; after a page that failed doubled each time, up to the next constant. */
  catalogNewsMs: 30_000,
  catalogBackoffMinMs: 1_000,
  catalogBackoffMaxMs: 60_000,
  /** A page that has failed so often leads nowhere: the reading begins anew. */
  catalogPageAttemptsMax: 5,
  /** News are asked for from so long before the last reading: clocks differ. */
  catalogNewsOverlapMs: 60_000,
  /** Everything is read anew so often: what venues do not tell as news is at most so old. */
  catalogReadMs: 900_000,
  /** What is new is shown at the latest after this; building it takes about a second of 100 000 markets. */
  catalogShowMs: 10_000,
  /** Between two showings: a thousand times what a reader of the catalog before takes, which the next one overwrites. */
  catalogShowPauseMs: 1_000,
  /**
   * So long after the start lists wait for the first catalog of all, with both venues in it. The paper exchanges' takes three seconds,
   * on a busy machine five, and our own clients wait for ten; real venues take a minute, and then what is known so far is shown.
   */
  firstCatalogMs: 8_000,
  /** Requests that wait for it, at some KB each. */
  firstCatalogWaitingMax: 1_024,
  /** An event that no venue lists any more is shown as ended so long, and so many of them at most: two days of the busiest season. */
  catalogEndedEventMs: 172_800_000,
  catalogEndedEventsMax: 10_000,
  /** Address space of the store of the catalog: all markets at both venues' most, 2 KB each, and their copies while one is written. */
  catalogStoreBytes: 4 * 1024 * 1024 * 1024,
  /** Of the search for markets; words between blanks. */
  searchCharactersMax: 128,
  searchWordsMax: 8,

  ...orderLimits,
  ...paperLimits,

  // Our own client.
  /** Longer than the longest answer of the gateway: it waits 5 s for a venue. */
  clientAnswerTimeoutMs: 10_000,
  clientAnswerBytesMax: 16 * 1024 * 1024,
  /** Kept sockets are closed by us before the gateway closes them, after 8 to 12 s, under a request. */
  clientIdleSocketMs: 5_000,
  clientSocketsMax: 256,

  // Replay: recorded venue sessions on loopback.
  /** A recording is read whole: parsed it takes about ten times its size. */
  replayFileBytesMax: 128 * 1024 * 1024,
  /** Between frames of a recording that carries no times. */
  replayFrameSpacingMs: 20,
  /** Frames of one turn of the loop; between turns sockets are served, so that commands are answered at any speed. */
  replayFramesPerTurnMax: 64,
  /** `--speed` above this is a slip: the sockets are the limit long before. */
  replaySpeedMax: 1_000_000,
  /** Rest before a looped session starts over, so that a recording of no duration does not spin. */
  replayLoopPauseMs: 1_000,
  /** Playing waits while a client has more unsent bytes than this: a replay is late rather than lossy. */
  replayLagBytes: 1024 * 1024,
  /** A client with more unsent bytes is dropped: only a burst of snapshots can take it from one bound to the other. */
  replayUnsentBytesMax: 64 * 1024 * 1024,
  replayCommandBytesMax: 256 * 1024,
  replayConnectionsMax: 64,
  /** venue-b.md §4.2: page size of the market list. */
  replayMarketsPerPageMax: 1_000,
} as const;

/** One token bucket: sustained rate and the most that may come at once. */
export interface RateLimit {
  readonly perS: number;
  readonly burstMax: number;
}

/** Rate limits by what they guard: three of each signing key, `failedChecks` of each source address and of each key id unproven there. */
export interface RateProfile {
  readonly reads: RateLimit;
  readonly submissions: RateLimit;
  readonly cancels: RateLimit;
  readonly failedChecks: RateLimit;
}

/** `CROSSBOOK_RATE_PROFILE` picks one by name. */
export const rateProfiles = {
  /** Contract §9. */
  default: {
    reads: { perS: 1_000, burstMax: 2_000 },
    submissions: { perS: 500, burstMax: 1_000 },
    cancels: { perS: 500, burstMax: 1_000 },
    failedChecks: { perS: 50, burstMax: 500 },
  },
  /** For measuring the gateway, not its limits. */
  bench: {
    reads: { perS: 1_000_000, burstMax: 1_000_000 },
    submissions: { perS: 1_000_000, burstMax: 1_000_000 },
    cancels: { perS: 1_000_000, burstMax: 1_000_000 },
    failedChecks: { perS: 50, burstMax: 500 },
  },
} as const satisfies Readonly<Record<string, RateProfile>>;
export type RateProfileName = keyof typeof rateProfiles;
