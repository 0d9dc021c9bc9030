// The bounds of orders: their life, their store, and their venues, with units and reasons. `limits.ts` includes these bounds. Import them
// from there.

export const orderLimits = {
  // The terms of an order.
  /** The contracts of one order: far above any venue's depth, and far below the largest integer that is exact. */
  contractsPerOrderMax: 1_000_000_000,
  /** The shares or dollars of one order at venue A, for the same reason. */
  sharesPerOrderMax: 1_000_000_000,
  dollarsPerOrderMax: 1_000_000_000,

  // The answer to a submission.
  /** How long a caller waits for the venue's answer (contract §4.7). */
  venueAnswerTimeoutMs: 5_000,
  /** How long a submission waits only for the venue's answer. After that it answers from the ledger as soon as the ledger suffices. */
  answerPatienceMs: 1_000,
  /** The time that a repeated request waits longer than the first request. By then the first answer is recorded. */
  repeatGraceMs: 100,

  // Cancels, and dead man's switches.
  /** The pause between look-ups of an order whose cancel is unclear. It doubles up to `cancelPollMsMax`. */
  cancelPollMs: 50,
  cancelPollMsMax: 800,
  /** The least pause between look-ups of an order without a known venue id, because such a look-up takes three reads. */
  cancelLookPauseMs: 400,
  /** How long each look-up after a confirmed cancel waits for fills from just before the cancel. */
  cancelFillsLookMs: 500,
  /** The longest wait for a record with `power-safe`. It applies to an answer, a stop, a switch, a protection and a postponed cancel. */
  recordPatienceMs: 1_000,
  /** The orders in one read and transaction when many are cancelled together. It blocks other commits for tens of milliseconds. */
  ordersPerPageMax: 500,
  /** The cancels of one cancel-all that are in flight at a time: a fifth of the smallest tier's rate per second. */
  cancelsInFlightMax: 10,
  /** The bounds that contract §4.11 states. */
  cancelAfterMsMin: 1_000,
  cancelAfterMsMax: 600_000,
  /** The largest delay of a dead man's switch after its time. */
  cancelAfterCheckMs: 100,
  /** The pause before a switch that was not recorded is retried. */
  cancelAfterRetryMs: 1_000,

  // Connections to venues that take orders.
  /** The connections of one thread to one origin. An order that waits for its answer occupies a connection. */
  orderConnectionsMax: 512,
  /** The connections among `orderConnectionsMax` that are reserved for cancels, so that unanswered orders never block cancels. */
  orderConnectionsForCancelsMin: 64,
  /** The idle time after which we close a connection, below the 10 s of servers. A close during an order leaves the order in doubt. */
  orderConnectionIdleMs: 8_000,

  // Lists, and limits of actors.
  /** The rows of a page by default, and the maximum (interface §4.1). */
  rowsPerPage: 20,
  pageRowsMax: 100,
  /** The orders read for one page of the older list when its filters pass few orders: 3 ms of the history thread. */
  olderOrdersLookedMax: 500,
  /** The positions that are valued before the thread yields to orders: about 2 ms. */
  positionsPerTurnMax: 200,
  /** The events of an actor or a pod in one answer about risk, in descending order of their losses. */
  riskEventsMax: 100,

  // Orders that are looked up until they are clear.
  /** An order of which the venue shows no trace for this long after its sending does not exist (contract §4.7). */
  absenceProvenMs: 30_000,
  /** The age at which an order is given up although its market has too many orders to search them all. */
  absenceUnsearchedMs: 120_000,
  /** The interval of the scan for orders that need a look-up. */
  sweepMs: 1_000,
  /** The pause before the first look-up of an unknown outcome. It doubles up to the next constant. */
  lookPauseMs: 1_000,
  lookPauseMsMax: 8_000,
  /** The look-ups of one account that are in flight at a time: a tenth of the smallest tier's reads per second. */
  looksInFlightMax: 8,
  /** The timeout of a look-up or a cancel for which no caller waits. */
  lookTimeoutMs: 5_000,
  /** The given-up orders of one actor that are looked up once more for an orphan fill. */
  givenUpLookedMax: 20,
  /**
   * The ended orders with missing fills that one reading of an account looks up, a few reads each. The next constant is the number of
   * look-ups of an order. With their doubling pauses they outlast a lag of four hours.
   */
  unreportedLooksPerReading: 8,
  unreportedLooksMax: 10,
  /** The fills of one order that are searched for a failed fill. */
  fillsOfOrderMax: 1_000,
  /** The fills of a look-up that are applied in one transaction. It blocks other commits for tens of milliseconds. */
  fillsPerChangeMax: 500,

  // Readings of an account, and the audit of what it holds.
  /** The poll interval for the first reading of an account, which happens only at the start. */
  executionsReadPollMs: 20,
  /** The interval of full readings of an account's orders and fills. They happen even if its private stream was never down. */
  accountReadMs: 30_000,
  /** The rows that are processed before other messages of the venue get their turn: 1 to 2 ms, 10 ms if all are new. */
  accountRowsPerTurnMax: 100,
  /** The pause after a failed reading. It doubles up to the next constant. */
  accountReadRetryMs: 1_000,
  accountReadRetryMsMax: 15_000,
  /** The overlap of a reading of fills with the previous reading, because clocks differ and lists lag. */
  accountReadOverlapMs: 60_000,
  /**
   * How far back an account's first reading goes. After a loss of the store it restores a day of the fills of open orders. An ended order
   * that may still get fills stays in memory for as long.
   */
  accountFirstReadMs: 86_400_000,
  /** How long unsettled fills are read again. They settle within minutes on a busy chain. All trades since then are read with them. */
  accountSettlingMs: 3_600_000,
  /** The least interval between readings that unreadable stream messages cause. */
  accountRereadMs: 10_000,
  /** The unreadable rows of one account that are tracked one by one, 1 kB each. If there are more, the whole account is held. */
  unreadRowsMax: 1_000,
  /** The markets of one account that unreadable rows hold, 80 bytes each in one record of the store. If there are more, the whole account is held. */
  heldMarketsMax: 500,
  /** The time spans around unreadable rows that one reading requests in addition. Further spans are merged into the last span. */
  heldSpansMax: 5,
  /** The fills that wait for their order. Further fills are read again later. */
  orphanFillsMax: 10_000,
  /** The number of times that the unknown orders of fills are requested before the fills count as unattributed. */
  strangeOrdersAttemptsMax: 3,
  /** The orders made elsewhere that are remembered, so that each is counted once. The oldest is dropped first. */
  strangeOrdersMax: 10_000,
  /** The settlements that arrived before their fill. The oldest is dropped first, and read again with its fill. */
  earlySettlementsMax: 10_000,
  /** The interval between comparisons of the venue's list of holdings with our positions. */
  holdingsAuditMs: 60_000,
  /** A position that has changed within this time is not compared, because the venue's list can lag by minutes. */
  holdingsSettleMs: 300_000,
  /** The largest age of the last reading for a comparison, twice the usual age. Otherwise fills that are not yet read would look like differences. */
  holdingsReadAgeMs: 60_000,
  /** The positions that are compared before other messages of the venue get their turn: 0.5 ms, or 10 ms if all are booked. */
  holdingsPerTurnMax: 100,
  /** The markets about which one comparison asks for payouts, one after another. The next comparison asks about the rest. */
  payoutsAskedPerLook: 20,

  // Threads that last, and what they are started with.
  /**
   * The delay before a dead lasting thread is started again. It doubles up to `threadRestartMsMax` for each death within `threadSettledMs`.
   * So a fault at every start does not use up a core and fill the log.
   */
  threadRestartMs: 200,
  threadRestartMsMax: 10_000,
  threadSettledMs: 30_000,
  /** How long `/readyz` waits for a silent venue, and for the first list of all markets. A real venue takes a minute for that list. */
  readyWaitMs: 30_000,
  /** The size of the pods file: a thousand pods with their keys. */
  podsFileBytesMax: 4 * 1024 * 1024,
  /** The interval of history pruning. The next constant is the pause between slices. */
  storeKeepMs: 10_000,
  storePruneSliceMs: 50,
  /** The interval of the probe for a journal that takes records again. `storeProbeBytes` is its size, that of a large order's record. */
  storeProbeMs: 1_000,
  /** The engine's heartbeat interval. After `engineBeatsMissedMax` misses the guard answers for the engine. A busy machine delays no thread so long. */
  engineBeatMs: 100,
  engineBeatsMissedMax: 8,
  /** An operation that a silent engine had begun is answered as unknown after this time. */
  engineGiveUpMs: 1_000,
  /** The operations in flight that the engine has not begun, four bytes each: several times `operationsMax`. */
  engineClaimsMax: 65_536,
  /** A cancel that the guard has not answered this long after its deadline is undecided, because the guard's thread has died or hangs. */
  guardGraceMs: 500,
  /** The interval at which the engine evicts rows that the history has on disk. */
  engineUpkeepMs: 100,
  /** The orders, keys and positions examined in one eviction: some 2 ms of work. */
  engineEvictionsMax: 2_000,
  /** The interval at which journal segments that are no longer needed are removed. */
  journalPruneMs: 10_000,
  storeProbeBytes: 4_096,
  /** The least interval between log lines of the same store fault. */
  storeFaultRepeatMs: 60_000,

  // The journal, and the tables of the history.
  /** The bytes of a key in LMDB, which takes up to 1 978 bytes. An index entry of the longest ids has about 300. */
  storeKeyBytesMax: 511,
  /** The bytes of one step's record in the journal. Memory holds the record twice. */
  storeTransactionBytesMax: 16 * 1024 * 1024,
  /** The rows of one range read, which are all in memory. A caller continues from the end of the range. */
  storeRangeRowsMax: 10_000,
  /** The delay from a commit to the start of its sync. Contract §4.8 promises 10 ms. A sync takes below 1 ms here, and 5 ms on slow disks. */
  storeSyncDelayMs: 4,
  /** When a journal segment is longer than this, a new segment begins. A start reads the last segment whole and rewrites it. */
  storeSegmentBytes: 16 * 1024 * 1024,
  /** The largest length of a segment: `storeSegmentBytes` and one more record. */
  storeSegmentBytesMax: 32 * 1024 * 1024,
  /** The address space of the history, which is neither memory nor disk: ten million orders. */
  storeStateBytesMax: 64 * 1024 * 1024 * 1024,

  // The engine's state.
  /** The pause before recalled or retained rows are examined again for eviction. 100 000 such orders cost 1 ms per second. */
  evictionPauseMs: 10_000,

  // The history of orders.
  /** The bytes of the journal that its follower reads at a time: some 300 records. */
  journalTailBytes: 64 * 1024,
  /** The bytes of the journal that are kept after the history has them. A newer backup can catch up from these bytes. */
  journalKeptBytes: 1024 * 1024 * 1024,
  /** The interval at which the history follows the journal if no query comes. Each time costs a sync. */
  historyFollowMs: 200,
  /** The records in one transaction of the history: some 10 ms of work and 10 MB of changed pages. */
  historyStepsMax: 500,
  /** The records applied for an answer while the disk is full and nothing can be kept: some 100 ms of work. With more records, queries get no answer. */
  historyUnkeptStepsMax: 5_000,
  /** The records that the history may lag behind. Beyond it no new orders are accepted. Some 100 MB of the engine's memory then wait for the history. */
  historyBehindMax: 200_000,
  /** Free space below this counts as a full disk. If a commit finds no room, LMDB writes beyond its memory. */
  historyFreeBytesMin: 16 * 1024 * 1024,
  /** The pause after a failed commit of the history. */
  historyRetryMs: 1_000,
  /** A query to the history is answered as unavailable after this time. */
  historyAnswerMs: 5_000,

  // Records of orders.
  /** The events of one actor from which its private stream can resume: about 15 MB, or a day at one order per second. */
  orderEventsKeptMax: 50_000,
  /** Events older than this are pruned even if they are few. After a longer absence a client reads its orders again. */
  orderEventsKeptMs: 7 * 24 * 3_600_000,
  /** The events of one actor that may be missing from a restored backup: eleven days at a thousand events per second. */
  orderEventsLostMax: 1_000_000_000,
  /**
   * The kept movements of one position since the oldest trade that may still fail. Reversing a trade replays all later movements in some
   * milliseconds. A failed trade whose movement is no longer kept is booked as an opposite trade.
   */
  bookedChangesKeptMax: 1_000,
  /** The rows that one slice of pruning removes. It blocks other commits for a few milliseconds. */
  orderRowsPrunedMax: 500,
  /** The rows in one read of an unbounded list: open orders, positions, all rows of a check. */
  orderRowsPerSliceMax: 500,
  /** The faults that a check lists. The check counts all faults. */
  orderFaultsReportedMax: 100,

  // Trading at venue A.
  /** The connections that are opened before the first order. A burst of this many orders waits for no handshake. */
  venueAWarmConnectionsMax: 4,
  /** The cached tokens: both tokens of twice the largest sports catalog seen. The oldest is dropped first. */
  venueATermsMax: 40_000,
  /** The age up to which an instrument spec is used without a read. An older spec is used, but refreshed in the background. */
  venueATermsFreshMs: 30_000,
  /** The age from which an instrument spec is not used at all. An order then waits for the venue. */
  venueATermsAgeMs: 600_000,
  /** A spec that refuses an order is first read again from this age on. A market with only wrong orders costs four reads a second. */
  venueARefusingTermsAgeMs: 250,
  /** The tolerated difference from the venue's clock. `GET /time` gives whole seconds, and the venue accepts about 30 s. */
  venueAClockToleranceMs: 2_000,
  /** An order takes its time from a UUIDv7 key if the key's time is this close to our clock (contract §4.6). */
  venueAKeyTimeMs: 300_000,
  /** Trades are requested from this long before an order's sending, because the venue's clock may lag. The digest decides which trades belong to the order. */
  venueATradesLookbackS: 120,
  /** The time within which a sent order shows at the venue, if it ever does (venue-a.md §9.5). */
  venueATraceMs: 30_000,
  /** The time by which reads may lag behind the book. An accepted order that is missing for longer has ended. */
  venueAReadLagMs: 5_000,
  /** The age at which an order that cannot rest is over. It covers a taker delay (3 s), the lag of a read (5 s) and a difference of clocks. */
  venueAImmediateMs: 10_000,
  /** The longest gap between look-ups that proves that an order was missing all the time. Readings are 30 s apart. */
  venueAMissGapMs: 90_000,
  /** The rested orders missing from lists, per account and thread, 150 bytes each. An account may be cleared at once without messages. */
  venueAOrdersMissedMax: 20_000,
  /** The recently reported ends of orders, per account and thread, 100 bytes each. A look-up follows within seconds, if at all. */
  venueAEndsRememberedMax: 1_000,
  /** The trades since an order's sending that are examined. If a rested order has more, only trades that may be new are requested. */
  venueATradesLookedMax: 1_000,
  /** The pages of 100 rows of one list. Trades beyond them since an order's sending, or its last read, are not searched. */
  venueAPagesMax: 100,
  /** The largest page that the venue lists (venue-a.md §8). */
  venueADataRowsPerPage: 1_000,
  /** The pages of a wallet's holdings in one reading. Each is a request, and the venue takes 20 requests a second. */
  venueADataPagesMax: 20,
  /** The interval of the look for resolved markets. The Data API itself lags by seconds to minutes. */
  venueASettlementPollMs: 30_000,
  /** The markets whose payout is asked for in one look, one after another: half a minute at the venue's slowest. */
  venueAPayoutsAskedMax: 20,
  /** The least interval between reads of unconverted money from the chain. Callers poll balances, and nodes count calls. */
  unconvertedFreshMs: 5_000,
  /** The bytes of a node's answer: one word with its wrapping. */
  chainAnswerBytesMax: 16_384,
  /** The frames of the user channel that wait for a market's description. Beyond it the stream reconnects, and missed events are read. */
  venueAUserFramesWaitingMax: 4_096,
  /** The `Retry-After` for a venue that is unreachable or gives none. */
  venueARetryAfterS: 1,
  /** The longest total wait of a cancel while the venue throttles: three times its usual second, with time left to send the cancel. */
  venueACancelWaitMsMax: 3_500,
  /** The upper bound of the `Retry-After` that we pass on. */
  venueARetryAfterLongestS: 300,

  /** The trades with missing numbers that one reading requests by id, with one request each. */
  venueATradesAskedMax: 20,
  /** The markets without a description that one reading tolerates. If there are more, the venue counts as down. */
  venueAMarketsUnreportedMax: 3,

  // Answers of all venues.
  /** The fields of an unreadable row that are logged, and the characters of all of them together. */
  rowFormFieldsMax: 40,
  rowFormCharactersMax: 1_000,
  unknownWordsMax: 100, // The unknown words of venues, each with a row of /metrics. Further words are counted together.
  unknownWordBytesMax: 96, // The bytes of an unknown word, with its venue and field.
  /** The ASCII characters of a venue's id of an order, a trade or a fill. Three ids and the pod's name form one key of the order store. */
  venueIdCharactersMax: 100,
  /** The characters of a venue's list cursor, which is part of the next request's target. */
  venueCursorCharactersMax: 2_000,
  /** The characters of a venue's own text in a log line or a message. */
  venueWordsMax: 500,

  // Venue B's feed.
  /** The markets in one command to venue B, which keeps the command below 8 KB. */
  venueBMarketsPerCommandMax: 200,
  /** The bytes of the longest ticker of venue B, a multiple of 4. The longest seen (combos) have about 60 bytes. */
  venueBTickerBytesMax: 96,
  /** Frames of venue B longer than this are read by JSON.parse instead of the scanner: snapshots beyond 10 000 levels. */
  venueBScanBytesMax: 256 * 1024,
  /** The market descriptions requested at a time from venue B, whose smallest tier allows 20 reads per second. */
  venueBFactsInFlightMax: 16,
  /** The connections of one thread to one origin, for lists and descriptions: the number of reads that a feed makes at a time. */
  upstreamRestConnectionsMax: 16,
  /** The interval between requests for wanted markets. It takes half of the 20 reads per second of the smallest tier. */
  venueBFactsGapMs: 100,
  /** The tickers and commas in one request for many markets. They keep its head below 4 KB, the least that servers accept. */
  venueBTickerListBytes: 3_072,
  /** The requests for many markets in one sweep. They leave half of the smallest tier's 20 reads per second to markets that clients request. */
  venueBListsPerSweep: 10,
  /** The attempts for a market, one in each sweep. Half a minute outlasts a restart of the venue's REST. */
  venueBListAttemptsMax: 30,
  /** The interval of the checks for closing times, late snapshots and refused commands of venue B. */
  venueBSweepMs: 1_000,
  /** The pause before a refused command is sent again. */
  venueBCommandRetryMs: 2_000,
  /** The least interval between snapshot requests for a book that cannot be recovered. */
  venueBRecoveryPauseMs: 1_000,
  /** The levels on one side: one for each tick of $0.0001. */
  venueBLevelsPerSideMax: 10_000,

  // Venue B's orders.
  /** The market descriptions that are cached for orders, as many as markets have books. The oldest is dropped first. */
  venueBTradedMarketsMax: 20_000,
  /** The age from which a description is refreshed while it is still used. Grids change less than once a day. */
  venueBFactsFreshMs: 30_000,
  /** The age from which a description is not used. An order then waits for a new description. */
  venueBFactsAgeMaxMs: 600_000,
  /**
   * The age up to which a description may refuse an order (no such market, a closed market, prices off whole cents). Errors tend to repeat.
   * With an older description the order waits for a new one.
   */
  venueBRefusingFactsAgeMaxMs: 2_000,
  /** The percentage of the write bucket that is reserved for cancels: ten cancels in the smallest tier. */
  venueBCancelReservePercentMax: 20,
  /** The longest wait of a cancel in the write bucket: a hundred cancels in the smallest tier, with time left to send the cancel. */
  venueBCancelWaitMsMax: 2_000,
  /** The number of write buckets, one for each shard (venue-b.md §3 knows four). */
  venueBShardsMax: 16,
  /** The rows of a page, the venue's maximum, and the pages of a list: 50 000 orders or fills since a lost connection. */
  venueBRowsPerPageMax: 1_000,
  venueBPagesMax: 50,
  /** The connections that are opened before the first order needs one. */
  venueBWarmConnectionsMax: 4,
  /** The largest age of a signature that is sent: a tenth of the venue's tolerance, to allow for differences of clocks (venue-b.md §2). */
  venueBSignatureAgeMsMax: 1_000,
  /** The age at which a waiting signature is replaced. The rest of its life is time to make the next signature on shared threads. */
  venueBSignatureRenewMs: 850,
  /** An account without orders and cancels for this long keeps no signatures ready. */
  venueBSignatureIdleMs: 60_000,
  /** The signatures that are kept ready for each request of an account. A burst of this many requests waits for no signature. */
  venueBSignaturesMax: 32,
  /** The signatures made at a time for each request. Four by RSA take libuv's threads, which also serve files, for about 1 ms. */
  venueBSignaturesInMakingMax: 4,
  /** The times of signatures that are remembered, so that no two are equal: a second of more orders than the highest tier allows. */
  venueBSignatureDatesMax: 1_024,
  /** The requests per thread that are signed in advance, two for each account: some 6 % of a core by RSA at rest. */
  venueBSignatureStocksMax: 64,
  /** The `Retry-After` for callers while the venue's trading is paused. */
  venueBPauseS: 5,
  /** The upper bound of the venue's `Retry-After` that we pass on. */
  venueBRetryAfterMaxS: 60,
  /** The least interval between reads of the venue's own budget. */
  venueBTermsAgeMs: 60_000,
  /**
   * The time before and after an order's sending in which the order is searched. The venue refuses older signatures (venue-b.md §2), so the
   * order cannot be outside of that time, even with wrong clocks.
   */
  venueBLookUpWindowMs: 120_000,
  /** The margin by which a list must be newer than the order (contract §4.7). */
  venueBReadMarginMs: 5_000,
  /** How far back the first reading of settlements goes, the overlap of later readings with the previous one (an hour), and their interval. */
  venueBSettlementsLookBackMs: 30 * 86_400_000,
  venueBSettlementsOverlapMs: 3_600_000,
  venueBSettlementsReadMs: 300_000,
  /** The delay before a reported settlement is read with its neighbours. It doubles while the list lags, up to the usual interval. */
  venueBSettlementsPauseMs: 1_000,
  /** The time after which an unlisted settlement or an unreadable row is given up, many times the longest lag seen. Until then each reading begins before it. */
  venueBSettlementsAwaitedMs: 86_400_000,

  // Warm-up.
  /** The time from the first order of a rehearsal until its last. The rehearsal sends no order after it. */
  warmUpMs: 1_500,
  /** The time after which a rehearsal is given up. Beside the paper exchanges a rehearsal takes 5 s on two cores. Its end takes some 100 ms. */
  warmUpGiveUpMs: 10_000,
  /** The orders of a rehearsal at each venue. A hundred make the first order fast. More had no measured effect. */
  warmUpOrdersMax: 150,
} as const;
