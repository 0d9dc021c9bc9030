// Every bound of the program with its unit and the reason for its value. An error that reports one of them names it, so
// that an operator knows what to raise. Contract §9 where it states a number.

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
  /** SIGTERM to exit at the latest. Longer than the longest wait for a venue (5 s), shorter than what supervisors grant. */
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
  /** How often another process's changes of the keys are looked for, for the sake of open streams; requests look every time. */
  keyWatchMs: 100,

  // The durable store.
  /** LMDB takes keys of up to 1 978 bytes; an index entry of the longest ids has about 300. */
  storeKeyBytesMax: 511,
  /** Of one row: a stored order with its signed body has about 3 KB. */
  storeValueBytesMax: 1024 * 1024,
  /** Of one transaction's journal record, held in memory twice. */
  storeTransactionBytesMax: 16 * 1024 * 1024,
  /** Rows of one range read: they are all in memory; whoever wants more asks again from where it ended. */
  storeRangeRowsMax: 10_000,
  /** Commits of one thread that wait to be made together. */
  storeCommitsWaitingMax: 4_096,
  /** A group of commits is closed at this size, a millisecond of work, so that other threads get their turn. */
  storeGroupBytes: 256 * 1024,
  /** A commit to the start of its sync. Contract §4.8 promises 10 ms; a sync takes less than one here, five on slow disks. */
  storeSyncDelayMs: 4,
  /** A longer segment of the journal is followed by a new one. It is read whole. */
  storeSegmentBytes: 16 * 1024 * 1024,
  /** The longest that a segment gets: one transaction more. */
  storeSegmentBytesMax: 32 * 1024 * 1024,
  /** Journal before a checkpoint is due, or half of the state if that is more: about a second of reading after a power cut. */
  storeCheckpointJournalBytes: 64 * 1024 * 1024,
  /** Address space of the state, not memory nor disk: ten million orders. */
  storeStateBytesMax: 64 * 1024 * 1024 * 1024,

  // The order store.
  /** Contract §4.6: an answer is given again as it was for at least 24 h, then rendered anew from its order. */
  answerKeptMs: 24 * 3_600_000,
  /** Of one actor: what its private stream can be resumed from. About 15 MB, a day of an order every second. */
  orderEventsKeptMax: 50_000,
  /** Older ones are pruned however few there are: who was away for longer reads its orders anew. */
  orderEventsKeptMs: 7 * 24 * 3_600_000,
  /** Rows that one slice of pruning removes, a few milliseconds during which nobody else commits. */
  orderRowsPrunedMax: 500,
  /** Rows of one read of a list without an end: open orders, positions, all rows of a check. */
  orderRowsPerSliceMax: 500,
  /** Faults that a check tells one by one; it counts all. */
  orderFaultsToldMax: 100,

  // The pool.
  /** Tasks given to the pool and not answered. At 60 us a check two threads clear them in about 60 ms. */
  poolTasksMax: 2_048,
  /** Of these, what callers may fill whose address has had no successful check lately. */
  poolTasksUnprovenMax: 1_024,
  poolTasksPerWorkerMax: 512,
  /** Tasks of checks that a thread has at a time: the second waits in its own queue, so that it never idles. */
  checkTasksPerThreadMax: 2,
  /** Signature checks in one task, a millisecond of work: what else runs on that thread is kept waiting no longer. */
  checksPerTaskMax: 16,
  /** Threads that cannot start are not tried more often than this. */
  poolRestartMs: 200,

  // Logs.
  /** Lines that wait to be written, about a megabyte. More are dropped and counted. */
  logLinesWaitingMax: 4_096,

  // Rate limits that no profile changes.
  /**
   * Upgrades of addresses that have not proven a key, together: their signatures are checked on the main thread, at 60 us
   * each, since a stream has to be opened at once.
   */
  unprovenUpgradesPerS: 500,
  unprovenUpgradesBurstMax: 2_000,
  /** Source addresses whose failed checks are remembered; IPv6 counts by /64. */
  failedCheckAddressesMax: 10_000,
  /** An address counts as proven for this long after a successful check. */
  provenAddressMs: 60_000,

  // Shared memory, per venue region. Twice the largest sports catalog seen on either venue.
  booksPerVenueMax: 20_000,
  /** Bytes for ladders per venue; address space, not memory: pages are committed when a book first touches them. */
  ladderBytesPerVenue: 256 * 1024 * 1024,
  /** Tape slots (64 bytes each) per venue, a power of two: 4 MiB hold 30 ms of the largest recorded burst a hundred times over. */
  tapeSlotsPerVenue: 65_536,
  /** Changes in one batch; a venue frame with more becomes a new epoch, told as a snapshot. */
  changesPerBatchMax: 256,
  /** Attempts of a reader at a book that its writer is changing, before it says busy. A batch takes about a microsecond. */
  bookReadAttemptsMax: 1_000,
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
  /** Subscribe, unsubscribe and snapshot messages of one connection that wait for their turn. */
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
  /** Connections looked at for lag after each turn; all of them come up in rotation. */
  lagChecksPerTurn: 64,
  /** A feed thread that died is started anew after this long. */
  feedRestartMs: 200,
  /** Seconds without a message or pong from a client before it is closed. */
  streamIdleTimeoutS: 60,
  /** An upstream subscription outlives its last client by this much, so that a reconnecting bot finds its book LIVE. */
  bookLingerMs: 5_000,
  /** A market that its venue has not described by then is refused as VENUE_UNAVAILABLE. */
  subscribeAnswerMs: 10_000,
  /** A market in use that a restarted feed could not describe is asked for again after this long. */
  subscribeRetryMs: 1_000,

  // Upstream connections.
  upstreamHandshakeMs: 10_000,
  /** Largest frame accepted from a venue: a snapshot of 20 000 levels is about 600 KB. */
  upstreamFrameBytesMax: 16 * 1024 * 1024,
  upstreamBackoffMinMs: 100,
  upstreamBackoffMaxMs: 15_000,
  /** Contract §8: no message nor heartbeat for 30 s makes books STALE; venues beat every 10 s. */
  upstreamSilenceMs: 30_000,
  upstreamPingMs: 10_000,
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
  /**
   * A venue A connection without a book event for this long is compared with REST, and again after as long. Streams have
   * frozen for hours, so a minute is early; and a request per minute and connection is nothing beside the venue's 150 per
   * second.
   */
  venueAQuietMs: 60_000,
  /** REST may be ahead of an event that is still under way: a stream that has not told it by then is frozen. */
  venueAFreezeGraceMs: 2_000,
  /** A token id is a uint256 in decimal: 78 digits, rounded up to whole words. */
  venueATokenIdBytesMax: 80,
  /** Changes kept while one book's hash is in doubt: the largest recorded burst, several times over, within a slow REST answer. */
  venueAPendingChangesMax: 4_096,

  // Trading at venue A.
  /** Connections opened before the first order: a burst of this many waits for no handshake. */
  venueAWarmConnectionsMax: 4,
  /** Tokens whose market is remembered: both of twice the largest sports catalog seen. The oldest goes. */
  venueATermsMax: 40_000,
  /** What a market asks of orders is used for this long without a look at the venue; then it is read again meanwhile. */
  venueATermsFreshMs: 30_000,
  /** Older than this it is not used at all: an order waits for the venue. */
  venueATermsAgeMs: 600_000,
  /** A clock this far from the venue's is taken as right: `GET /time` says whole seconds, and the venue forgives about 30. */
  venueAClockToleranceMs: 2_000,
  /** Contract §4.6: a UUIDv7 key this close to our clock lends the order its time. */
  venueAKeyTimeMs: 300_000,
  /** Trades are asked for from this long before an order was sent, as the venue's clock may lag behind ours. */
  venueATradesLookbackS: 5,
  /** How far back trades are listed to be told how they settle: minutes, on a busy chain; the venue filters by when they matched. */
  venueASettlingS: 900,
  /** venue-a.md §9.5: what was sent shows within 30 s, or never came. */
  venueATraceMs: 30_000,
  /** Reads may lag behind the book by this: an order that the venue took and shows no more has ended. */
  venueAReadLagMs: 5_000,
  /** Pages of 100 of one list. More trades than this since an order was sent are not looked through. */
  venueAPagesMax: 100,
  /** venue-a.md §8. */
  venueADataRowsPerPage: 500,
  /** venue-a.md §8: an offset beyond 10 000 is refused. */
  venueADataPagesMax: 20,
  /** Resolved markets are looked for so often: the Data API itself lags by seconds to minutes. */
  venueASettlementPollMs: 30_000,
  /** Frames of the user channel that wait for a market's description. More: it is connected anew, and what was missed is read. */
  venueAUserFramesWaitingMax: 4_096,
  /** A venue that cannot be reached, or does not say when to come again, is tried again after this. */
  venueARetryAfterS: 1,
  /** Nobody is sent away for longer, whatever the venue says. */
  venueARetryAfterLongestS: 300,
  /** Markets in one venue B command: keeps a command under 8 KB. */
  venueBMarketsPerCommandMax: 200,
  /** Longest venue B ticker, a multiple of 4: the longest seen (combos) have about 60 bytes. */
  venueBTickerBytesMax: 96,
  /** Longer venue B frames are read by JSON.parse instead of the scanner: snapshots beyond 10 000 levels. */
  venueBScanBytesMax: 256 * 1024,
  /** Markets that venue B is asked to describe at the same time: its smallest tier allows 20 reads per second. */
  venueBFactsInFlightMax: 16,
  /** Tickers, with their commas, of one request for many markets: its head stays below 4 KB, the least that servers accept. */
  venueBTickerListBytes: 3_072,
  /** Such requests per sweep: with half of the smallest tier's 20 reads per second left to markets that clients ask for. */
  venueBListsPerSweep: 10,
  /** A market is asked for so often, a sweep apart: half a minute outlasts a restart of the venue's REST. */
  venueBListAttemptsMax: 30,
  /** How often closing times, late snapshots and refused commands of venue B are looked at. */
  venueBSweepMs: 1_000,
  /** Characters of a venue's own words that go into a log line or a message. */
  venueWordsMax: 500,
  /** A refused command is given again after this pause. */
  venueBCommandRetryMs: 2_000,
  /** A book that cannot be recovered asks for a snapshot no more often than this. */
  venueBRecoveryPauseMs: 1_000,
  /** One level per tick of $0.0001. */
  venueBLevelsPerSideMax: 10_000,

  // Venue B's orders.
  /** Markets whose description is kept for orders, the longest unused forgotten first: as many as have books. */
  venueBTradedMarketsMax: 20_000,
  /** A description of that age is asked for again while it is still used; grids change less often than once a day. */
  venueBFactsFreshMs: 30_000,
  /** An older one is not used any more: an order waits for a new one. */
  venueBFactsAgeMaxMs: 600_000,
  /** A market that the venue does not know is not asked for again so soon: what is wrong once is often wrong twice. */
  venueBUnknownMarketMs: 2_000,
  /** Of the write bucket, kept free of new orders, so that cancels always have room: ten of them in the smallest tier. */
  venueBCancelReservePercentMax: 20,
  /** Write buckets, one of each shard (venue-b.md §3 knows four). */
  venueBShardsMax: 16,
  /** Rows of one page, the most that the venue gives, and pages of one list: 50 000 orders or fills since a connection was lost. */
  venueBRowsPerPageMax: 1_000,
  venueBPagesMax: 50,
  /** Connections that are open before the first order needs one. */
  venueBWarmConnectionsMax: 4,
  /** While trading is paused callers are asked to come again after this long. */
  venueBPauseS: 5,
  /** The longest pause that a venue's own `Retry-After` makes us ask for. */
  venueBRetryAfterMaxS: 60,
  /** What the budget is by the venue's own word is asked for no more often than this. */
  venueBTermsAgeMs: 60_000,
  /**
   * An order is looked for among those that the venue took so long before and after its sending: a signature of that age is
   * refused (venue-b.md §2), so it cannot be elsewhere, whatever the clocks.
   */
  venueBLookUpWindowMs: 120_000,
  /** Contract §4.7: what a list shows is newer than the order by a safe margin. */
  venueBReadMarginMs: 5_000,
  /** How far back settlements are read at first, then from the last reading with an hour to spare; and how often. */
  venueBSettlementsLookBackMs: 30 * 86_400_000,
  venueBSettlementsOverlapMs: 3_600_000,
  venueBSettlementsReadMs: 300_000,
  /** A settlement that was heard without its value is read this much later, together with its neighbours. */
  venueBSettlementsPauseMs: 1_000,
  /** Results that were heard and not paid out yet, oldest forgotten first. */
  venueBResultsMax: 20_000,
  /** After frames that nobody can read, what they may have said is read, no more often than this. */
  venueBRereadPauseMs: 10_000,

  // The life of orders.
  /** Of one order: far above any venue's depth, far below what integers hold exactly. */
  contractsPerOrderMax: 1_000_000_000,
  /** Shares of one order, or dollars. */
  sharesPerOrderMax: 1_000_000_000,
  /** Contract §4.7: how long a caller waits for the venue's answer. */
  venueAnswerTimeoutMs: 5_000,
  /** Contract §4.7: an order that has left no trace so long after it was sent is not there. */
  absenceProvenMs: 30_000,
  /** Between two looks at an order whose cancel is not clear, doubled each time up to the second. */
  cancelPollMs: 50,
  cancelPollMsMax: 800,
  /** Of one token, those of an actor that are looked through when it sells: with more of them the venue decides. */
  restingSellsMax: 1_000,

  ...paperLimits,

  // Our own client.
  /** Longer than the longest answer of the gateway: it waits 5 s for a venue. */
  clientAnswerTimeoutMs: 10_000,
  clientAnswerBytesMax: 16 * 1024 * 1024,
  /** Kept sockets are closed by us before the gateway closes them, after 10 s, under a request. */
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

/** Rate limits by what they guard: three of each signing key, one of each source address. */
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
