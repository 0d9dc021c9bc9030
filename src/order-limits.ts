// Bounds of orders: their life, their store, their venues; with units and reasons. `limits.ts` merges them with the others; import
// them from there.

export const orderLimits = {
  // The terms of an order.
  /** Contracts per order: far above any venue's depth, far below what integers hold exactly. */
  contractsPerOrderMax: 1_000_000_000,
  /** The same for venue A, in shares or dollars. */
  sharesPerOrderMax: 1_000_000_000,
  dollarsPerOrderMax: 1_000_000_000,

  // The answer to a submission.
  /** Contract §4.7: how long a caller waits for the venue's answer. */
  venueAnswerTimeoutMs: 5_000,
  /** How long a submission waits for the venue's answer only. After that it answers from the ledger as soon as that suffices. */
  answerPatienceMs: 1_000,
  /** The extra wait of a repeated request after that of the first, whose answer is recorded by then. */
  repeatGraceMs: 100,

  // Cancels, and dead man's switches.
  /** Pause between look-ups of an order whose cancel is unclear; doubles up to `cancelPollMsMax`. */
  cancelPollMs: 50,
  cancelPollMsMax: 800,
  /** Pause from which an order without a known venue id is looked up; that takes three reads. */
  cancelLookPauseMs: 400,
  /** How long each look-up after a confirmed cancel waits for the fills just before it. */
  cancelFillsLookMs: 500,
  /** The longest wait for a record with `power-safe`, for an answer, a stop, a switch, a protection and a cancel that is left for later. */
  recordPatienceMs: 1_000,
  /** Orders per read and transaction when many are cancelled together; blocks other commits for tens of milliseconds. */
  ordersPerPageMax: 500,
  /** Concurrent cancels of one cancel-all: a fifth of the smallest tier's rate per second. */
  cancelsInFlightMax: 10,
  /** The bounds of contract §4.11. */
  cancelAfterMsMin: 1_000,
  cancelAfterMsMax: 600_000,
  /** Maximum delay of a dead man's switch. */
  cancelAfterCheckMs: 100,
  /** Pause before a failed record of a switch is retried. */
  cancelAfterRetryMs: 1_000,

  // Connections to venues that take orders.
  /** Connections per thread and origin; an order that waits for its answer occupies one. */
  orderConnectionsMax: 512,
  /** Part of these, reserved for cancels, so that unanswered orders never block them. */
  orderConnectionsForCancelsMin: 64,
  /** Less than the 10 s after which servers close idle connections: a close during an order leaves the order in doubt. */
  orderConnectionIdleMs: 8_000,

  // Lists, and limits of actors.
  /** Interface §4.1: the default, and the maximum. */
  rowsPerPage: 20,
  pageRowsMax: 100,
  /** Orders read for one page of the older list when its filters pass few: 3 ms of the history thread. */
  olderOrdersLookedMax: 500,
  /** Positions valued before the thread yields to orders: about 2 ms. */
  positionsPerTurnMax: 200,
  /** Events of an actor or a pod in one answer about risk, the largest losses first. */
  riskEventsMax: 100,

  // Orders that are looked up until they are clear.
  /** Contract §4.7: an order without a trace this long after its sending does not exist. */
  absenceProvenMs: 30_000,
  /** An order is given up at this age although its market has more orders than can all be searched for it. */
  absenceUnsearchedMs: 120_000,
  /** Interval of the scan for orders that need a look-up. */
  sweepMs: 1_000,
  /** Pause before the first look-up of an unknown outcome; doubles up to the next constant. */
  lookPauseMs: 1_000,
  lookPauseMsMax: 8_000,
  /** Concurrent look-ups per account: a tenth of the smallest tier's reads per second. */
  looksInFlightMax: 8,
  /** Timeout of a look-up or cancel without a waiting caller. */
  lookTimeoutMs: 5_000,
  /** Given-up orders per actor that are looked up once more for an orphan fill. */
  givenUpLookedMax: 20,
  /**
   * Ended orders with missing fills that one reading of an account looks up, a few reads each. The next constant: look-ups per
   * order, with doubling pauses; they outlast a lag of four hours.
   */
  unreportedLooksPerReading: 8,
  unreportedLooksMax: 10,
  /** Fills of one order that are searched for a failed one. */
  fillsOfOrderMax: 1_000,
  /** Fills of a look-up applied in one transaction; blocks other commits for tens of milliseconds. */
  fillsPerChangeMax: 500,

  // Readings of an account, and the audit of what it holds.
  /** Poll interval for the first reading of an account; only at the start. */
  executionsReadPollMs: 20,
  /** Interval of full readings of an account's orders and fills, even if its private stream was never down. */
  accountReadMs: 30_000,
  /** Rows processed before other venue messages get their turn: 1 to 2 ms, 10 ms if all are new. */
  accountRowsPerTurnMax: 100,
  /** Pause after a failed reading; doubles up to the next constant. */
  accountReadRetryMs: 1_000,
  accountReadRetryMsMax: 15_000,
  /** Overlap with the previous reading of fills: clocks differ, and lists lag. */
  accountReadOverlapMs: 60_000,
  /**
   * How far back an account's first reading goes: it restores a day of open orders' fills after a loss of the store. An ended order
   * that may still get fills stays in memory as long.
   */
  accountFirstReadMs: 86_400_000,
  /** How long unsettled fills are read again: minutes on a busy chain. All trades since then are read with them. */
  accountSettlingMs: 3_600_000,
  /** Minimum interval of readings caused by unreadable stream messages. */
  accountRereadMs: 10_000,
  /** Unreadable rows of one account that are tracked singly, 1 kB each. More rows hold the whole account. */
  unreadRowsMax: 1_000,
  /** Markets of one account that such rows hold, 80 bytes each in one record of the store. More markets hold the whole account. */
  heldMarketsMax: 500,
  /** Time spans around such rows that one reading requests in addition. Further spans are merged into one. */
  heldSpansMax: 5,
  /** Fills that wait for their order; more are read again. */
  orphanFillsMax: 10_000,
  /** Requests for the unknown orders of fills before the fills count as unattributed. */
  strangeOrdersAttemptsMax: 3,
  /** Remembered orders of strangers, so that each counts once; the oldest is dropped first. */
  strangeOrdersMax: 10_000,
  /** Settlements that arrived before their fill; the oldest is dropped first and read again with its fill. */
  earlySettlementsMax: 10_000,
  /** Interval between comparisons of the venue's list of holdings with our positions. */
  holdingsAuditMs: 60_000,
  /** A position that changed this recently is not compared: the venue's list can lag by minutes. */
  holdingsSettleMs: 300_000,
  /** Maximum age of the last reading for a comparison, twice the usual: unread fills are no difference. */
  holdingsReadAgeMs: 60_000,
  /** Positions compared before other venue messages get their turn: 0.5 ms, 10 ms if all are booked. */
  holdingsPerTurnMax: 100,
  /** Markets that one comparison asks about payouts, one after another; the others follow next time. */
  payoutsAskedPerLook: 20,

  // Threads that last, and what they are started with.
  /**
   * Delay before a dead lasting thread is restarted. Doubles up to `threadRestartMsMax` for each death within `threadSettledMs`: a
   * fault at every start must not take a core and fill the log.
   */
  threadRestartMs: 200,
  threadRestartMsMax: 10_000,
  threadSettledMs: 30_000,
  /** How long `/readyz` waits for a silent venue, and for the first list of all markets, which takes a real one a minute. */
  readyWaitMs: 30_000,
  /** A thousand pods with their keys. */
  podsFileBytesMax: 4 * 1024 * 1024,
  /** Interval of history pruning; the next constant is the pause between slices. */
  storeKeepMs: 10_000,
  storePruneSliceMs: 50,
  /** Interval and bytes of the probe for a journal that takes records again; as large as a large order's record. */
  storeProbeMs: 1_000,
  /** The engine's heartbeat interval. After this many misses the guard answers for it: a busy machine delays no thread so long. */
  engineBeatMs: 100,
  engineBeatsMissedMax: 8,
  /** An operation that the engine had begun is answered as unknown after this time. */
  engineGiveUpMs: 1_000,
  /** Operations under way that the engine has not begun, four bytes each: several times `operationsMax`. */
  engineClaimsMax: 65_536,
  /** A cancel without the guard's answer this long after its deadline is undecided: the guard thread has died or hangs. */
  guardGraceMs: 500,
  /** Interval at which the engine evicts rows that the history has on disk. */
  engineUpkeepMs: 100,
  /** Orders, keys and positions examined per eviction: some 2 ms of work. */
  engineEvictionsMax: 2_000,
  /** Interval of removing journal segments that are no longer needed. */
  journalPruneMs: 10_000,
  storeProbeBytes: 4_096,
  /** Minimum interval between log lines of the same store fault. */
  storeFaultRepeatMs: 60_000,

  // The journal, and the tables of the history.
  /** LMDB takes keys of up to 1 978 bytes; an index entry of the longest ids has about 300. */
  storeKeyBytesMax: 511,
  /** Bytes of one step's record in the journal; memory holds it twice. */
  storeTransactionBytesMax: 16 * 1024 * 1024,
  /** Rows of one range read, all in memory; a caller continues from its end. */
  storeRangeRowsMax: 10_000,
  /**
   * Delay from a commit to the start of its sync. Contract §4.8 promises 10 ms; a sync takes below 1 ms here, 5 ms on slow disks.
   */
  storeSyncDelayMs: 4,
  /** A longer journal segment is followed by a new one. A start reads the segment whole and rewrites it. */
  storeSegmentBytes: 16 * 1024 * 1024,
  /** Maximum length of a segment: one more record. */
  storeSegmentBytesMax: 32 * 1024 * 1024,
  /** Address space of the history, neither memory nor disk: ten million orders. */
  storeStateBytesMax: 64 * 1024 * 1024 * 1024,

  // The engine's state.
  /** Pause before recalled or retained rows are examined again for eviction: 100 000 such orders cost 1 ms per second. */
  evictionPauseMs: 10_000,

  // The history of orders.
  /** Bytes of the journal that its follower reads at a time: some 300 records. */
  journalTailBytes: 64 * 1024,
  /** Bytes of the journal kept after the history has them; a newer backup can catch up from these. */
  journalKeptBytes: 1024 * 1024 * 1024,
  /** Interval at which the history follows the journal without questions; each time is a sync. */
  historyFollowMs: 200,
  /** Records in one transaction: some 10 ms of work and 10 MB of changed pages. */
  historyStepsMax: 500,
  /** Records applied for an answer while the disk is full and nothing can be kept: some 100 ms of work. Above it, no answers. */
  historyUnkeptStepsMax: 5_000,
  /** Records that the history may be behind. Beyond it no new orders are taken: some 100 MB of the engine's memory wait for the history. */
  historyBehindMax: 200_000,
  /** Free space below this counts as full: LMDB writes beyond its memory if a commit finds no room. */
  historyFreeBytesMin: 16 * 1024 * 1024,
  /** Pause after a failed commit. */
  historyRetryMs: 1_000,
  /** A question is answered as unavailable after this time. */
  historyAnswerMs: 5_000,

  // Records of orders.
  /** Events of one actor from which its private stream can resume. About 15 MB, a day at one order per second. */
  orderEventsKeptMax: 50_000,
  /** Older events are pruned even if they are few: after a longer absence, a client reads its orders again. */
  orderEventsKeptMs: 7 * 24 * 3_600_000,
  /** Events of one actor that may have been sent and lost: a backup of eleven days ago at a thousand per second. */
  orderEventsLostMax: 1_000_000_000,
  /**
   * Kept movements of one position since the oldest trade that may still fail. Reversing one replays all later ones in some
   * milliseconds. A failed trade that is no longer kept is booked as an opposite trade.
   */
  bookedChangesKeptMax: 1_000,
  /** Rows that one slice of pruning removes; blocks other commits for a few milliseconds. */
  orderRowsPrunedMax: 500,
  /** Rows per read of an unbounded list: open orders, positions, all rows of a check. */
  orderRowsPerSliceMax: 500,
  /** Faults that a check lists; it counts all. */
  orderFaultsReportedMax: 100,

  // Trading at venue A.
  /** Connections opened before the first order: a burst of this many waits for no handshake. */
  venueAWarmConnectionsMax: 4,
  /** Cached tokens: both of twice the largest sports catalog seen. The oldest is dropped first. */
  venueATermsMax: 40_000,
  /** Age up to which an instrument spec is used without a read; after that it is refreshed in the background. */
  venueATermsFreshMs: 30_000,
  /** Age from which it is not used at all: an order waits for the venue. */
  venueATermsAgeMs: 600_000,
  /** Age from which a spec that refuses an order is read again first: four reads a second for a market with only wrong orders. */
  venueARefusingTermsAgeMs: 250,
  /** Tolerated difference to the venue's clock: `GET /time` gives whole seconds, and the venue accepts about 30 s. */
  venueAClockToleranceMs: 2_000,
  /** Contract §4.6: a UUIDv7 key this close to our clock lends the order its time. */
  venueAKeyTimeMs: 300_000,
  /** Trades are requested from this long before an order's sending, since the venue's clock may lag; the digest decides. */
  venueATradesLookbackS: 120,
  /** venue-a.md §9.5: a sent order shows within 30 s or never. */
  venueATraceMs: 30_000,
  /** Reads may lag behind the book by this: an accepted order that is missing for longer has ended. */
  venueAReadLagMs: 5_000,
  /** An order that cannot rest is over at this age. It covers a taker delay (3 s), the lag of a read (5 s) and a difference of clocks. */
  venueAImmediateMs: 10_000,
  /** Longer gaps between look-ups (readings are 30 s apart) do not prove that an order was missing all the time. */
  venueAMissGapMs: 90_000,
  /** Rested orders missing from lists, per account and thread, 150 bytes each: an account cleared at once without messages. */
  venueAOrdersMissedMax: 20_000,
  /** Recently reported ends of orders per account and thread, 100 bytes each; a look-up follows within seconds, if at all. */
  venueAEndsRememberedMax: 1_000,
  /** Trades examined since an order's sending. If a rested order has more, only possibly new ones are requested. */
  venueATradesLookedMax: 1_000,
  /** Pages of 100 rows per list. More trades since an order's sending, or its last read, are not searched. */
  venueAPagesMax: 100,
  /** venue-a.md §8: the most that the venue lists in a page. */
  venueADataRowsPerPage: 1_000,
  /** Pages of a wallet's holdings in one reading: each is a request, of which the venue takes 20 a second. */
  venueADataPagesMax: 20,
  /** Interval of looking for resolved markets: the Data API itself lags by seconds to minutes. */
  venueASettlementPollMs: 30_000,
  /** Markets asked for their payout in one look, one after another: half a minute at the venue's slowest. */
  venueAPayoutsAskedMax: 20,
  /** Minimum interval between reads of unconverted money from the chain: callers poll balances, and nodes count calls. */
  unconvertedFreshMs: 5_000,
  /** Bytes of a node's answer: one word and its wrapping. */
  chainAnswerBytesMax: 16_384,
  /** User channel frames that wait for a market's description. Beyond that the stream reconnects, and missed events are read. */
  venueAUserFramesWaitingMax: 4_096,
  /** Retry-After for a venue that is unreachable or does not give one. */
  venueARetryAfterS: 1,
  /** Total wait of a cancel while the venue throttles: three times its usual second, with time left to send it. */
  venueACancelWaitMsMax: 3_500,
  /** Upper bound of the `Retry-After` that we pass on. */
  venueARetryAfterLongestS: 300,

  /** Trades with missing numbers that one reading requests by id, one request each. */
  venueATradesAskedMax: 20,
  /** Markets without a description that one reading tolerates; more mean that the venue is down. */
  venueAMarketsUnreportedMax: 3,

  // Answers of all venues.
  /** Fields of an unreadable row in the log, and the characters of all of them. */
  rowFormFieldsMax: 40,
  rowFormCharactersMax: 1_000,
  unknownWordsMax: 100, // Words that no reader knows, each a row of /metrics; further ones are counted together.
  unknownWordBytesMax: 96, // One of them, with its venue and field.
  /** ASCII characters of a venue's order, trade or fill id: three of them and the pod's name form one key of the order store. */
  venueIdCharactersMax: 100,
  /** Characters of a venue's list cursor, which is part of the next request's target. */
  venueCursorCharactersMax: 2_000,
  /** Characters of a venue's own text in a log line or a message. */
  venueWordsMax: 500,

  // Venue B's feed.
  /** Markets in one venue B command: keeps a command under 8 KB. */
  venueBMarketsPerCommandMax: 200,
  /** Longest venue B ticker, a multiple of 4: the longest seen (combos) have about 60 bytes. */
  venueBTickerBytesMax: 96,
  /** Longer venue B frames are read by JSON.parse instead of the scanner: snapshots beyond 10 000 levels. */
  venueBScanBytesMax: 256 * 1024,
  /** Concurrent market descriptions at venue B: its smallest tier allows 20 reads per second. */
  venueBFactsInFlightMax: 16,
  /** Connections of one thread to one origin, for lists and facts: the reads of a feed at a time. */
  upstreamRestConnectionsMax: 16,
  /** Interval between requests for wanted markets: half of those 20 reads. */
  venueBFactsGapMs: 100,
  /** Tickers and commas of one request for many markets: keeps its head below 4 KB, the least that servers accept. */
  venueBTickerListBytes: 3_072,
  /** Such requests per sweep: leaves half of the smallest tier's 20 reads per second to markets that clients request. */
  venueBListsPerSweep: 10,
  /** Attempts per market, one per sweep: half a minute outlasts a restart of the venue's REST. */
  venueBListAttemptsMax: 30,
  /** Interval of checks for closing times, late snapshots and refused commands of venue B. */
  venueBSweepMs: 1_000,
  /** Pause before a refused command is sent again. */
  venueBCommandRetryMs: 2_000,
  /** Minimum interval between snapshot requests of a book that cannot be recovered. */
  venueBRecoveryPauseMs: 1_000,
  /** One level per tick of $0.0001. */
  venueBLevelsPerSideMax: 10_000,

  // Venue B's orders.
  /** Market descriptions cached for orders, as many as have books; the oldest is dropped first. */
  venueBTradedMarketsMax: 20_000,
  /** Age from which a description is refreshed while still in use; grids change less than once a day. */
  venueBFactsFreshMs: 30_000,
  /** Age from which it is not used: an order waits for a new one. */
  venueBFactsAgeMaxMs: 600_000,
  /**
   * Age up to which a description may refuse an order (no such market, a closed one, prices off whole cents): errors tend to
   * repeat. Beyond it an order waits for a new one.
   */
  venueBRefusingFactsAgeMaxMs: 2_000,
  /** Percentage of the write bucket reserved for cancels: ten of them in the smallest tier. */
  venueBCancelReservePercentMax: 20,
  /** Maximum wait of a cancel in that bucket: a hundred of them in the smallest tier, with time left to send it. */
  venueBCancelWaitMsMax: 2_000,
  /** Write buckets, one for each shard (venue-b.md §3 knows four). */
  venueBShardsMax: 16,
  /** Rows per page, the venue's maximum; and pages per list: 50 000 orders or fills since a lost connection. */
  venueBRowsPerPageMax: 1_000,
  venueBPagesMax: 50,
  /** Connections opened before the first order needs one. */
  venueBWarmConnectionsMax: 4,
  /** Maximum age of a signature that is sent: a tenth of the venue's tolerance, to allow for clock differences (venue-b.md §2). */
  venueBSignatureAgeMsMax: 1_000,
  /** Age at which a waiting signature is replaced; the rest is time to make the next one on shared threads. */
  venueBSignatureRenewMs: 850,
  /** An account without orders and cancels for this long keeps no signatures ready. */
  venueBSignatureIdleMs: 60_000,
  /** Signatures ready per request and account: a burst of this many waits for none. */
  venueBSignaturesMax: 32,
  /** Concurrent signatures per request: four by RSA take libuv's threads, which also serve files, for about 1 ms. */
  venueBSignaturesInMakingMax: 4,
  /** Remembered times of signatures, so that no two are equal: a second of more orders than the highest tier allows. */
  venueBSignatureDatesMax: 1_024,
  /** Requests per thread that are signed ahead, two per account: some 6 % of a core by RSA at rest. */
  venueBSignatureStocksMax: 64,
  /** Retry-After for callers while trading is paused. */
  venueBPauseS: 5,
  /** Upper bound of the venue's `Retry-After` that we pass on. */
  venueBRetryAfterMaxS: 60,
  /** Minimum interval between reads of the venue's own budget. */
  venueBTermsAgeMs: 60_000,
  /**
   * Time before and after its sending in which an order is searched. The venue refuses older signatures (venue-b.md §2), so it
   * cannot be elsewhere, even with wrong clocks.
   */
  venueBLookUpWindowMs: 120_000,
  /** Contract §4.7: margin by which a list must be newer than the order. */
  venueBReadMarginMs: 5_000,
  /** How far back the first reading of settlements goes; later ones overlap the last by an hour; and their interval. */
  venueBSettlementsLookBackMs: 30 * 86_400_000,
  venueBSettlementsOverlapMs: 3_600_000,
  venueBSettlementsReadMs: 300_000,
  /** Delay before a reported settlement is read with its neighbours; doubles while the list lags, up to the usual interval. */
  venueBSettlementsPauseMs: 1_000,
  /**
   * After this time, many times the longest lag seen, an unlisted settlement or unreadable row is given up. Until then each reading begins
   * before it.
   */
  venueBSettlementsAwaitedMs: 86_400_000,

  // Warm-up.
  /** From the first order of a rehearsal: it sends no order later than this. */
  warmUpMs: 1_500,
  /** A longer rehearsal is given up: beside the paper exchanges it takes 5 s on two cores. Its end takes some 100 ms. */
  warmUpGiveUpMs: 10_000,
  /** Orders of a rehearsal per venue. A hundred make the first order fast; more had no measured effect. */
  warmUpOrdersMax: 150,
} as const;
