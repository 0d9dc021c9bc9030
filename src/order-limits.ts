// The bounds of orders: their life, their store, the venues they go to; with units and reasons. `limits.ts` has them among all
// others, and is where they are taken from.

export const orderLimits = {
  // What an order may be.
  /** Of one order: far above any venue's depth, far below what integers hold exactly. */
  contractsPerOrderMax: 1_000_000_000,
  /** The same of one order at venue A, that says shares, or dollars. */
  sharesPerOrderMax: 1_000_000_000,
  dollarsPerOrderMax: 1_000_000_000,

  // The answer to a submission.
  /** Contract §4.7: how long a caller waits for the venue's answer. */
  venueAnswerTimeoutMs: 5_000,
  /** A submission waits so long for the venue's answer alone. Then what the ledger knows is the answer, as soon as that is enough. */
  answerPatienceMs: 1_000,
  /** A repeated request waits so much longer than the first, whose answer is recorded by then. */
  repeatGraceMs: 100,

  // Cancels, and dead man's switches.
  /** Between two looks at an order whose cancel is not clear; doubled after each, up to `cancelPollMsMax`. */
  cancelPollMs: 50,
  cancelPollMsMax: 800,
  /** Of an order whose id at the venue is not known, which takes three reads, no sooner than at that pause. */
  cancelLookPauseMs: 400,
  /** What a confirmed cancel waits to learn what was filled just before. */
  cancelFillsLookMs: 500,
  /** Orders of one read, and of one transaction, when many are cancelled together: tens of milliseconds during which nobody else commits. */
  ordersPerPageMax: 500,
  /** Cancels of one cancel-all that are under way at the same time: a fifth of the smallest tier's per second. */
  cancelsInFlightMax: 10,
  /** Contract §4.11. */
  cancelAfterMsMin: 1_000,
  cancelAfterMsMax: 600_000,
  /** How late a dead man's switch may fire. */
  cancelAfterCheckMs: 100,
  /** After a switch could not be recorded, it is tried again so much later. */
  cancelAfterRetryMs: 1_000,

  // Connections to venues that take orders.
  /** Of one thread to one origin: an order that waits for its answer has a connection to itself. */
  orderConnectionsMax: 512,
  /** Of these, kept free for cancels, so that orders which a venue does not answer never keep them waiting. */
  orderConnectionsForCancelsMin: 64,
  /** Shorter than the 10 s after which servers are known to close idle connections: what is closed under an order is in doubt. */
  orderConnectionIdleMs: 8_000,

  // Lists, and limits of actors.
  /** Interface §4.1: where a caller does not say, and at most. */
  rowsPerPage: 20,
  pageRowsMax: 100,
  /** Orders read for one page of the older list, where its filters pass few of them: three milliseconds of the history thread. */
  olderOrdersLookedMax: 500,
  /** Positions valued before orders on the same thread get their turn: about two milliseconds. */
  positionsPerTurnMax: 200,
  /**
   * Of one venue market, an actor's orders that are open, or have fills yet to be told: with more of them the venue decides whether it
   * can sell, and nobody whether it is within its `positionMax`.
   */
  restingOrdersMax: 1_000,

  // Orders that are looked up until they are clear.
  /** Contract §4.7: an order that has left no trace so long after it was sent is not there. */
  absenceProvenMs: 30_000,
  /** How often orders that need a look are looked for. */
  sweepMs: 1_000,
  /** Before the first look at an order whose outcome is unknown; doubled after each, up to the next constant. */
  lookPauseMs: 1_000,
  lookPauseMsMax: 8_000,
  /** Looks of one account that are under way at the same time: a tenth of the smallest tier's reads per second. */
  looksInFlightMax: 8,
  /** What a look-up or a cancel that no caller waits for may take. */
  lookTimeoutMs: 5_000,
  /** Of each actor, orders that left no trace and are looked at once more for a fill that is nobody's. */
  givenUpLookedMax: 20,
  /**
   * Of an account's orders whose fills are missing, those that one reading looks up, a few reads of the venue each; and how often each is
   * looked up, with pauses that double: reads that lag by four hours are waited for.
   */
  unreportedLooksPerReading: 8,
  unreportedLooksMax: 10,
  /** Fills of one order that are looked through for one that has failed. */
  fillsOfOrderMax: 1_000,
  /** Fills that a look-up has found, applied in one transaction: tens of milliseconds during which nobody else commits. */
  fillsPerChangeMax: 500,

  // Readings of an account, and the audit of what it holds.
  /** How often it is looked whether an account has been read for the first time: only at start. */
  executionsReadPollMs: 20,
  /** Orders and fills of an account are read anew so often, whether or not its private stream was ever down. */
  accountReadMs: 30_000,
  /** Of them, those that are gone through before what else the venue tells gets its turn: one or two milliseconds, ten where all are news. */
  accountRowsPerTurnMax: 100,
  /** After one that failed; doubled after each, up to the next constant. */
  accountReadRetryMs: 1_000,
  accountReadRetryMsMax: 15_000,
  /** Fills are read from so long before the last reading: clocks differ, and what is listed lags. */
  accountReadOverlapMs: 60_000,
  /**
   * The first reading of an account goes so far back: its open orders' fills of a day are there again after the store was lost. For as
   * long an order that has ended is kept in memory while fills of it may yet come.
   */
  accountFirstReadMs: 86_400_000,
  /** Fills are read again until they have settled, or for so long: minutes, on a busy chain. All trades since then are read with them. */
  accountSettlingMs: 3_600_000,
  /** After messages of a private stream that cannot be read, what they may have said is read, no more often than this. */
  accountRereadMs: 10_000,
  /** Rows of one account that cannot be read and are told apart, 1 kB each. More hold the account as a whole. */
  unreadRowsMax: 1_000,
  /** Markets of one account that such rows hold, 80 bytes each in one record of the store. More hold the account as a whole. */
  heldMarketsMax: 500,
  /** Spans of time around such rows that one reading asks for beside what is new. More are asked for as one. */
  heldSpansMax: 5,
  /** Fills that wait until the order that they may be of is found; more are read again. */
  orphanFillsMax: 10_000,
  /** How often the orders of fills that nobody knows are asked for before these are nobody's. */
  strangeOrdersAttemptsMax: 3,
  /** Strangers' orders that were counted, so that each is counted once; the oldest is forgotten first. */
  strangeOrdersMax: 10_000,
  /** Settlements that were told before their fill; the oldest is forgotten first, and read with it. */
  earlySettlementsMax: 10_000,
  /** How often the venue's list of what an account holds is compared with what is booked. */
  holdingsAuditMs: 60_000,
  /** A position that changed here within this time is not compared: the venue's list can be minutes behind. */
  holdingsSettleMs: 300_000,
  /** It is compared only with what was read less long ago than this, twice the usual: fills that are not read yet are no difference. */
  holdingsReadAgeMs: 60_000,
  /** Positions that it goes through before what else the venue tells gets its turn: half a millisecond, ten where all are booked. */
  holdingsPerTurnMax: 100,
  /** Markets that one comparison asks whether they have paid out, one after another; the others' turn comes with the next. */
  payoutsAskedPerLook: 20,

  // Threads that last, and what they are started with.
  /**
   * Delay before a lasting thread that has died is started anew. Doubled, up to `threadRestartMsMax`, each time one dies within
   * `threadSettledMs`, so that a fault at every start does not take a core and fill the log.
   */
  threadRestartMs: 200,
  threadRestartMsMax: 10_000,
  threadSettledMs: 30_000,
  /** `/readyz` waits so long for a venue that cannot be reached. */
  readyWaitMs: 5_000,
  /** A thousand pods with their keys. */
  podsFileBytesMax: 4 * 1024 * 1024,
  /** How often the history is pruned; and the rest between slices of what is removed. */
  storeKeepMs: 10_000,
  storePruneSliceMs: 50,
  /** How often it is tried whether the journal takes records again, and how much: as much as a large order's record. */
  storeProbeMs: 1_000,
  /**
   * So often the engine says that it lives. When it has not for so many looks, 800 ms, the guard answers for it: more than a busy machine
   * keeps a thread waiting.
   */
  engineBeatMs: 100,
  engineBeatsMissedMax: 8,
  /** An operation that it had begun by then is answered as unknown so much later. */
  engineGiveUpMs: 1_000,
  /** Operations under way that it has not begun, four bytes each: several times `operationsMax`. */
  engineClaimsMax: 65_536,
  /** A cancel that the guard has not answered so long after its deadline is undecided: its thread has died, or hangs. */
  guardGraceMs: 500,
  /** A switch that was due so long before the engine fell silent has been fired: it takes `cancelAfterCheckMs`, and the venue's answer. */
  guardSwitchLateMs: 6_000,
  /** So often, what the history has on disk leaves the engine's memory. */
  engineUpkeepMs: 100,
  /** Orders, keys and positions that are looked at then: some 2 ms of work. */
  engineEvictionsMax: 2_000,
  /** So often, segments of the journal that nobody needs are removed. */
  journalPruneMs: 10_000,
  storeProbeBytes: 4_096,
  /** The engine repeats the same fault of the store in its log so much later. */
  storeFaultRepeatMs: 60_000,

  // The journal, and the tables of the history.
  /** LMDB takes keys of up to 1 978 bytes; an index entry of the longest ids has about 300. */
  storeKeyBytesMax: 511,
  /** Of one step's record in the journal, held in memory twice. */
  storeTransactionBytesMax: 16 * 1024 * 1024,
  /** Rows of one range read: they are all in memory; whoever wants more asks again from where it ended. */
  storeRangeRowsMax: 10_000,
  /** A commit to the start of its sync. Contract §4.8 promises 10 ms; a sync takes less than one here, five on slow disks. */
  storeSyncDelayMs: 4,
  /** A longer segment of the journal is followed by a new one. It is read whole, and written anew at a start. */
  storeSegmentBytes: 16 * 1024 * 1024,
  /** The longest that a segment gets: one record more. */
  storeSegmentBytesMax: 32 * 1024 * 1024,
  /** Address space of the history, not memory nor disk: ten million orders. */
  storeStateBytesMax: 64 * 1024 * 1024 * 1024,

  // The engine's state.
  /** What was recalled into memory, or has to stay, is looked at again after this: 100 000 such orders cost a millisecond a second. */
  evictionPauseMs: 10_000,

  // The history of orders.
  /** Bytes of the journal that its follower reads at a time: some 300 records. */
  journalTailBytes: 64 * 1024,
  /** The journal keeps so much that the history has already: a backup that is no older follows it to the end. */
  journalKeptBytes: 1024 * 1024 * 1024,
  /** How often new records of the journal are taken in while nobody asks: each time is a sync. */
  historyFollowMs: 200,
  /** Records in one transaction: some 10 ms of work and 10 MB of changed pages. */
  historyStepsMax: 500,
  /** Records that are taken in for an answer and cannot be kept, since the disk is full: some 100 ms of work. Beyond them nothing is answered. */
  historyUnkeptStepsMax: 5_000,
  /** A disk with less room is full: LMDB writes beyond its memory when a commit fails for want of room. */
  historyFreeBytesMin: 16 * 1024 * 1024,
  /** After a commit that failed, so long until the next one. */
  historyRetryMs: 1_000,
  /** A question that is not answered by then is answered as unavailable. */
  historyAnswerMs: 5_000,

  // What is kept of orders.
  /** Contract §4.6: an answer is given again as it was for at least 24 h, then rendered anew from its order. */
  answerKeptMs: 24 * 3_600_000,
  /** Of one actor: what its private stream can be resumed from. About 15 MB, a day of an order every second. */
  orderEventsKeptMax: 50_000,
  /** Older ones are pruned however few there are: who was away for longer reads its orders anew. */
  orderEventsKeptMs: 7 * 24 * 3_600_000,
  /** Of one actor, events that may have been told and are lost: on a backup of eleven days ago at a thousand a second. */
  orderEventsLostMax: 1_000_000_000,
  /**
   * Of one position: what has moved it since the oldest trade that may yet fail to settle, and never more than this: taking one out
   * moves all after it again, in some milliseconds. One that fails when it is forgotten is booked the other way.
   */
  bookedChangesKeptMax: 1_000,
  /** Rows that one slice of pruning removes, a few milliseconds during which nobody else commits. */
  orderRowsPrunedMax: 500,
  /** Rows of one read of a list without an end: open orders, positions, all rows of a check. */
  orderRowsPerSliceMax: 500,
  /** Faults that a check tells one by one; it counts all. */
  orderFaultsReportedMax: 100,

  // Trading at venue A.
  /** Connections opened before the first order: a burst of this many waits for no handshake. */
  venueAWarmConnectionsMax: 4,
  /** Tokens whose market is remembered: both of twice the largest sports catalog seen. The oldest goes. */
  venueATermsMax: 40_000,
  /** What a market asks of orders is used for this long without a look at the venue; then it is read again meanwhile. */
  venueATermsFreshMs: 30_000,
  /** Older than this it is not used at all: an order waits for the venue. */
  venueATermsAgeMs: 600_000,
  /** What would refuse an order is asked for again first if it is older: four reads a second of a market whose orders are all wrong. */
  venueARefusingTermsAgeMs: 250,
  /** A clock this far from the venue's is taken as right: `GET /time` says whole seconds, and the venue forgives about 30. */
  venueAClockToleranceMs: 2_000,
  /** Contract §4.6: a UUIDv7 key this close to our clock lends the order its time. */
  venueAKeyTimeMs: 300_000,
  /** Trades are asked for from this long before an order was sent, as the venue's clock may lag behind ours; the digest decides. */
  venueATradesLookbackS: 120,
  /** venue-a.md §9.5: what was sent shows within 30 s, or never came. */
  venueATraceMs: 30_000,
  /** Reads may lag behind the book by this: an order that the venue took and shows no more has ended. */
  venueAReadLagMs: 5_000,
  /** Looks at an order that are further apart (readings are 30 s) do not tell that it was missed all the time between them. */
  venueAMissGapMs: 90_000,
  /** Of each account and thread, orders that rested and are not shown, 150 bytes each: of an account that is cleared at once unheard. */
  venueAOrdersMissedMax: 20_000,
  /** Of each account and thread, orders whose cancel was confirmed lately, 100 bytes each: one is looked up within seconds, if at all. */
  venueACancelsRememberedMax: 1_000,
  /** Trades of an account since an order was sent; of one that rested only those that may be news are asked for where there are more. */
  venueATradesLookedMax: 1_000,
  /** Pages of 100 of one list. More trades than this since an order was sent, or was read last, are not looked through. */
  venueAPagesMax: 100,
  /** venue-a.md §8. */
  venueADataRowsPerPage: 500,
  /** venue-a.md §8: an offset beyond 10 000 is refused. */
  venueADataPagesMax: 20,
  /** Resolved markets are looked for so often: the Data API itself lags by seconds to minutes. */
  venueASettlementPollMs: 30_000,
  /** Markets that are asked for what they have paid, one after another, in one look: half a minute of the venue's slowest answers. */
  venueAPayoutsAskedMax: 20,
  /** What is not converted yet is asked of the chain at most so often: callers poll balances, and nodes count calls. */
  unconvertedFreshMs: 5_000,
  /** Of a node's answer, which is a word and its wrapping. */
  chainAnswerBytesMax: 16_384,
  /** Frames of the user channel that wait for a market's description. More: it is connected anew, and what was missed is read. */
  venueAUserFramesWaitingMax: 4_096,
  /** A venue that cannot be reached, or does not say when to come again, is tried again after this. */
  venueARetryAfterS: 1,
  /** A cancel waits so long, all in all, where the venue wants fewer of them: three times its usual second, and time is left to make it. */
  venueACancelWaitMsMax: 3_500,
  /** Nobody is sent away for longer, whatever the venue says. */
  venueARetryAfterLongestS: 300,

  /** Trades whose numbers are missing that one reading asks for by their ids, a request each. */
  venueATradesAskedMax: 20,
  /** Markets without a description that one reading passes over; more of them are a venue that is away. */
  venueAMarketsUnreportedMax: 3,

  // What any venue says.
  /** The form of a row that cannot be read, as the log has it: its fields, and the characters of all of it. */
  rowFormFieldsMax: 40,
  rowFormCharactersMax: 1_000,
  /** Of an order, a trade or a fill at a venue, in ASCII: three of them are part of one key of the order store, beside the pod's name. */
  venueIdCharactersMax: 100,
  /** Of the place in a venue's list from which it goes on: part of the next request's target. */
  venueCursorCharactersMax: 2_000,
  /** Characters of a venue's own words that go into a log line or a message. */
  venueWordsMax: 500,

  // Venue B's feed.
  /** Markets in one venue B command: keeps a command under 8 KB. */
  venueBMarketsPerCommandMax: 200,
  /** Longest venue B ticker, a multiple of 4: the longest seen (combos) have about 60 bytes. */
  venueBTickerBytesMax: 96,
  /** Longer venue B frames are read by JSON.parse instead of the scanner: snapshots beyond 10 000 levels. */
  venueBScanBytesMax: 256 * 1024,
  /** Markets that venue B is asked to describe at the same time: its smallest tier allows 20 reads per second. */
  venueBFactsInFlightMax: 16,
  /** From one request for markets that are wished for to the next: half of those 20 reads. */
  venueBFactsGapMs: 100,
  /** Tickers, with their commas, of one request for many markets: its head stays below 4 KB, the least that servers accept. */
  venueBTickerListBytes: 3_072,
  /** Such requests per sweep: with half of the smallest tier's 20 reads per second left to markets that clients ask for. */
  venueBListsPerSweep: 10,
  /** A market is asked for so often, a sweep apart: half a minute outlasts a restart of the venue's REST. */
  venueBListAttemptsMax: 30,
  /** How often closing times, late snapshots and refused commands of venue B are looked at. */
  venueBSweepMs: 1_000,
  /** A refused command is given again after this pause. */
  venueBCommandRetryMs: 2_000,
  /** A book that cannot be recovered asks for a snapshot no more often than this. */
  venueBRecoveryPauseMs: 1_000,
  /** One level per tick of $0.0001. */
  venueBLevelsPerSideMax: 10_000,

  // Venue B's orders.
  /** Markets whose description is kept for orders, the one described longest ago forgotten first: as many as have books. */
  venueBTradedMarketsMax: 20_000,
  /** A description of that age is asked for again while it is still used; grids change less often than once a day. */
  venueBFactsFreshMs: 30_000,
  /** An older one is not used any more: an order waits for a new one. */
  venueBFactsAgeMaxMs: 600_000,
  /**
   * What would refuse an order (no such market, a closed one, prices that are not all whole cents) is not asked for again so soon:
   * what is wrong once is often wrong twice. When it is older an order waits for a new one.
   */
  venueBRefusingFactsAgeMaxMs: 2_000,
  /** Of the write bucket, kept free of new orders, so that cancels always have room: ten of them in the smallest tier. */
  venueBCancelReservePercentMax: 20,
  /** A cancel waits so long for its turn in that bucket: a hundred of them in the smallest tier, and time is left to make it. */
  venueBCancelWaitMsMax: 2_000,
  /** Write buckets, one of each shard (venue-b.md §3 knows four). */
  venueBShardsMax: 16,
  /** Rows of one page, the most that the venue gives, and pages of one list: 50 000 orders or fills since a connection was lost. */
  venueBRowsPerPageMax: 1_000,
  venueBPagesMax: 50,
  /** Connections that are open before the first order needs one. */
  venueBWarmConnectionsMax: 4,
  /** The oldest signature that is sent: the venue takes ten times as much, less what its clock and ours differ by (venue-b.md §2). */
  venueBSignatureAgeMsMax: 1_000,
  /** One that waits is replaced at this age: the rest is time to make the next one, by threads that others use, too. */
  venueBSignatureRenewMs: 850,
  /** An account that sends no order and no cancel for so long has none ready for the next one. */
  venueBSignatureIdleMs: 60_000,
  /** Ready for one request of one account: a burst of so many waits for no signature. */
  venueBSignaturesMax: 32,
  /** Made at the same time for one request: four by RSA take libuv's threads, which also do files, for about a millisecond. */
  venueBSignaturesInMakingMax: 4,
  /** Times of signatures that are remembered, so that none is dated as another: a second of more orders than the highest tier may send. */
  venueBSignatureDatesMax: 1_024,
  /** Requests of one thread, two of each account, that are signed ahead: by RSA at rest some 6 % of a core. */
  venueBSignatureStocksMax: 64,
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
  /** How far back settlements are read at first; then from the last reading with an hour to spare; and how often. */
  venueBSettlementsLookBackMs: 30 * 86_400_000,
  venueBSettlementsOverlapMs: 3_600_000,
  venueBSettlementsReadMs: 300_000,
  /** A settlement that was heard is read this much later, together with its neighbours; doubled while the list lags, up to the usual. */
  venueBSettlementsPauseMs: 1_000,
  /**
   * One that is not listed by then, many times the longest lag seen, is given up, and so is a row that cannot be read: until then each
   * reading begins before it.
   */
  venueBSettlementsAwaitedMs: 86_400_000,

  // Warm-up.
  /** From its begin no order of the rehearsal is sent later than this; the rest of the start has all the time it had before. */
  warmUpMs: 2_200,
  /** A rehearsal that has not ended by then is given up: a start takes 3 s longer at most. Its end takes some 100 ms. */
  warmUpGiveUpMs: 2_700,
  /** Orders of a rehearsal for each venue. A hundred make the first order quick; more changed nothing that was measured. */
  warmUpOrdersMax: 150,
} as const;
