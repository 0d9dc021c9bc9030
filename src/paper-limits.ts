// The bounds of the paper exchanges, with their units and reasons. Code takes them from `limits.ts`, which includes them.

export const paperLimits = {
  /**
   * How long ended orders, fills and trades can be read, in any number. Gateways look for an order for two minutes, and read lists from a
   * minute before their mark. The newest older ones stay, up to each bound.
   */
  paperYoungMs: 300_000,
  /** Ended orders in an engine, oldest dropped first: 2.4 MB of columns. The venues keep their own records for reads. */
  paperEndedOrdersMax: 20_000,
  /** Past states of venue B orders, fills and positions for stale reads: their age, and their number. */
  paperStaleMsMax: 10_000,
  paperPastPicturesMax: 200_000,
  /** Ended venue B orders that can be read besides the recent ones, oldest dropped first. */
  paperOrderRecordsMax: 10_000,
  /** Fills of one account, and all trades, besides the recent ones. */
  paperFillsPerAccountMax: 5_000,
  paperSettlementsPerAccountMax: 10_000,
  /** Markets no longer listed, with their settled positions. */
  paperPastMarketsPerAccountMax: 1_000,
  /** Trades over all markets, 200 bytes each. */
  paperTradesMax: 5_000,
  /** Users of a paper exchange, each with a record in memory. */
  paperUsersMax: 10_000,
  /** Numbers 0 to 63; the venue allows about half as many. */
  paperSubaccountsMax: 64,
  /** The limit of venue-b.md §5.1. */
  paperOpenOrdersPerUserMax: 200_000,
  /** Contracts of one order: ten times the largest level seen; fees and levels stay exact far beyond it. */
  paperOrderContractsMax: 10_000_000,
  /**
   * Client order ids that a user cannot reuse, at least half of them at any time. Half a million orders take the smallest tier of the
   * venue 14 hours without a pause. 16 MB at most.
   */
  paperClientOrderIdsPerUserMax: 1_000_000,
  /** venue-b.md §5.7: groups of one owner, the contracts that a group may match, and the time window. */
  paperOrderGroupsMax: 100_000,
  paperGroupContractsMax: 1_000_000,
  paperGroupWindowMs: 15_000,
  /** The longest wait before a timer looks at the clock again: Node's own bound is 24 days. */
  paperAlarmMs: 86_400_000,
  /** `settlement_timer_seconds` of venue-b.md §4.2. */
  paperSettlementTimerS: 300,
  /** Rules of the fault plan, including spent ones: each is tested with every request that it may match. */
  paperFaultRulesMax: 256,
  /** Faults that can be read one by one; all are counted. */
  paperFaultJournalMax: 1_000,
  /** Keys with their own staleness of private reads. */
  paperStaleKeysMax: 1_000,
  /** Longest delay, hang, skew or staleness that a request may set, and the longest life of a rule: a day. */
  paperFaultMs: 86_400_000,
  /** Characters of a key, operation or number from an operator. */
  paperFaultTextCharactersMax: 128,
  /** Fields of a row that a fault tests or changes. */
  paperFaultFieldsMax: 16,
  /** The largest body is an account with a public key as PEM. */
  paperControlBodyBytes: 8 * 1024,
  /** Two keys and two sets of credentials take a tenth of it. */
  paperAccountsFileBytesMax: 32 * 1024,

  // Paper exchanges: venue B's REST.
  /** Listed transfers of one user, oldest dropped first. */
  paperTransfersPerUserMax: 1_000,
  /** Characters of an API key's name: it is stored. */
  paperKeyNameCharactersMax: 256,
  /** Size of a stored public key as PEM: RSA of 16 384 bits takes two thirds. */
  paperPublicKeyCharactersMax: 4_096,
  /** A caller's id of a transfer, which is stored: several times a UUID. */
  paperTransferIdCharactersMax: 128,

  // Paper exchanges: venue A's REST.
  /** API keys, each a record in memory; and wallets, of which a key's owner may have several. */
  paperApiKeysMax: 10_000,
  paperWalletsMax: 20_000,
  /** Readonly keys of one address, and builder keys. */
  paperSpareKeysPerAddressMax: 10,
  /** venue-a.md §1.2: how far a caller's clock may be off; the venue's own bound is not published. */
  paperVenueASignatureAgeS: 60,
  /** venue-a.md §3: 1 000 order ids in one cancel are 70 KB. */
  paperVenueABodyBytesMax: 256 * 1024,
  paperVenueAOrdersPerBatchMax: 15,
  paperVenueACancelsPerBatchMax: 1_000,
  paperVenueABooksPerRequestMax: 500,
  /** venue-a.md §3.5, §4: rows of a page. */
  paperVenueARowsPerPageMax: 100,
  paperVenueAMarketsPerPageMax: 500,
  paperVenueABuilderRowsPerPageMax: 300,
  /** venue-a.md §9.6: answer of a restarted venue to early posts. */
  paperVenueARetryAfterS: 10,
  /** The money of each of the house's three accounts: the total must stay below 2^53 micro-dollars. */
  paperHouseDollarsMax: 500_000_000,
  /** Pairs that the house holds in a market before it merges them: rare merges, and little of its money. */
  paperHousePairsMax: 1_000_000,
  /** Open orders of all callers: 1 KB each. */
  paperVenueAOpenOrdersMax: 200_000,
  /** Ended orders that can be read by id besides the recent ones, oldest dropped first: about 1 KB each. */
  paperVenueAEndedOrdersMax: 10_000,
  /** Order ids refused as duplicates, at least half of them at any time: 16 MB at most. */
  paperVenueAKnownOrdersMax: 1_000_000,
  /** Changes of an order visible to stale reads; only those of the last `paperStaleMsMax` are kept. */
  paperVenueAOrderPicturesMax: 64,
  /** Trades named in an order's record: each change copies the list. */
  paperVenueATradesPerOrderMax: 500,
  /** Trades besides the recent ones, about 1 KB each: of all, of a wallet or API key. */
  paperVenueATradesMax: 2_000,
  paperVenueATradesPerCallerMax: 2_000,
  /** Splits, merges and redemptions kept of a wallet; and ended markets with its positions. */
  paperVenueAConversionsPerWalletMax: 1_000,
  paperVenueAPastMarketsPerWalletMax: 1_000,
  /** The time from a match until it is mined, and until it is confirmed. */
  paperVenueAMinedMs: 2_000,
  paperVenueAConfirmedMs: 5_000,
  /** venue-a.md §2.3: a dated order ends this long before its date. */
  paperVenueAExpiryLeadMs: 60_000,
  /** venue-a.md §2.3: least time from now to that date. */
  paperVenueAExpiryAheadMs: 180_000,
  /** venue-a.md §3.8: longest silence after a heartbeat, and how often the venue looks. */
  paperVenueAHeartbeatMs: 10_000,
  paperVenueAHeartbeatCheckMs: 5_000,

  // Paper exchanges: venue A's streams.
  /** A subscription of as many tokens as one connection should have, at 82 characters each, several times over. */
  paperVenueACommandBytesMax: 256 * 1024,
  /** venue-a.md §5.1: beyond about this many tokens a connection gets no initial books. */
  paperVenueATokensWithBookMax: 500,
  /** A client with more unsent bytes is dropped: some initial dumps of 500 books with 100 levels each. */
  paperVenueAUnsentBytesMax: 16 * 1024 * 1024,
  /** Connections of the market stream and of the user stream, each. */
  paperVenueAConnectionsPerStreamMax: 1_000,
  /** Clients must send PING every 10 s, and answer pings meanwhile. */
  paperVenueAStreamIdleTimeoutS: 60,
  /** Trades that wait for their `last_trade_price`, which comes 70 ms later: 140 000 trades a second. */
  paperVenueATradesUnannouncedMax: 10_000,

  // Paper exchanges: venue B's market data and streams.
  /** Venue B, venue-b.md §9: streams that one user may have open. */
  paperStreamsPerUserMax: 200,
  /** venue-b.md §9: market subscriptions of one stream. */
  paperStreamMarketsMax: 500_000,
  /** venue-b.md §9: commands of one stream. */
  paperStreamCommandsPerS: 10_000,
  /** A command that names every market of a large catalog. */
  paperStreamCommandBytesMax: 1024 * 1024,
  /** Messages of one stream that are packed together; more go out before the request that causes them is done. */
  paperStreamPackMax: 1_024,
  /** A subscription that has more to send with this much unsent overflows, and ends. */
  paperStreamLagBytes: 4 * 1024 * 1024,
  /** A stream with more unsent bytes is dropped: snapshots of many books may exceed the bound before it. */
  paperStreamUnsentBytesMax: 32 * 1024 * 1024,
  /** venue-b.md §10: from one ping to the next. */
  paperStreamPingMs: 10_000,
  /** A client that answers no ping for so long is dropped. */
  paperStreamIdleTimeoutS: 30,

  // Paper exchanges: Gamma and the Data API of venue A.
  /** Rows of a list: the default, the maximum, and with a cursor (venue-a.md §7). */
  paperGammaRowsPerPage: 20,
  paperGammaRowsMax: 500,
  paperGammaKeysetRowsMax: 100,
  paperGammaOffsetMax: 2_000,
  /** venue-a.md §8: as Gamma's, for positions. */
  paperDataRowsPerPage: 100,
  paperDataV2RowsMax: 1_000,
  /** Our choice, a week: the venue does not say when it archives a position. */
  paperDataArchivedAfterMs: 604_800_000,
  paperDataConditionsMax: 20,

  // Paper exchanges: venues D and E, which are only read.
  /** venues-c-d-e.md §2: two at a time and 300 ms between two. */
  paperVenueDIntervalMs: 300,
  paperVenueDBurstMax: 2,
  paperVenueDRowsMax: 25,
  paperVenueDFoundMax: 50,
  /** venues-c-d-e.md §3: 15 a second. */
  paperVenueEIntervalMs: 66,
  paperVenueEBurstMax: 15,
  paperVenueERowsMax: 20,

  // Paper exchanges: catalog and market flow.
  /**
   * Markets that one venue lists, including the last days'. Beyond it new days' games are listed only when old ones are removed. Each
   * request filters the whole list; a market with its history takes up to a tenth of a megabyte.
   */
  paperMarketsMax: 10_000,
  /** The time from a game's end until its markets are removed: settlements can be read for two days. */
  paperEndedMarketMs: 2 * 86_400_000,
  /** Days for which games are listed ahead. */
  paperSeasonDaysMax: 7,
  /** Between two listed days, 50 ms of work each: sockets are served meanwhile. */
  paperSeasonTurnMs: 50,
  /** Pause of a maker whose market takes no orders. */
  paperMakerRetryMs: 60_000,
  /** Attacks of a team in a game: computing the odds takes time that grows with their square. */
  paperAttacksMax: 120,
  /** Levels that a maker quotes on a side of a book. */
  paperMakerLevelsMax: 10,
  /** Orders of a maker on a side, so that it keeps some levels when prices move: half a kilobyte each, in two thousand markets. */
  paperMakerOrdersPerSideMax: 12,
  /** Orders of a maker on one level. */
  paperMakerOrdersPerLevelMax: 6,
  /** Shortest wait of the flow's timer: everything due meanwhile is done in one turn. */
  paperFlowTurnMs: 5,
  /** Tasks in one turn, some 20 µs each; sockets are served before the next. */
  paperFlowTasksPerTurnMax: 500,
  /** A flow that is later than this (a laptop that slept) skips all but this much. */
  paperFlowLateMs: 1_000,
  /** The longest silence of a market. */
  paperFlowPauseMsMax: 3_600_000,
  /** The longest latency of a setting, and the most values of a distribution. */
  paperLatencyMsMax: 10_000,
  paperLatencySamplesMax: 10_000,
  paperLatencyFileBytesMax: 1024 * 1024,
  /** Events of a recording that are read ahead for the grids of its markets: two seconds. */
  paperRecordedScanMax: 1_000_000,
  /** How long a level that shrank waits for its trade, and a trade for its level. Venue A says the trade 70 ms later. */
  paperTradeWaitMs: 1_000,
  /** The longest wait of an order for the first book of its market. The gateway waits `venueAnswerTimeoutMs` for an answer. */
  paperFirstBookMs: 3_000,
  /** The pause between two looks at the books of the real venues: no feed wakes the exchanges. */
  paperLiveLookMs: 1,
  /** The same while no book of a listed market is there. */
  paperLiveIdleMs: 20,
  /** The pause between two readings of the same market’s rules and result. Its feed reports most changes before. */
  paperLiveReadMs: 60_000,
  /** The pause until markets with news are read again. */
  paperLiveDueMs: 1_000,
} as const;
