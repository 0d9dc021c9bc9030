// The bounds of the paper exchanges, with their units and reasons. Code takes them from `limits.ts`, which includes them.

export const paperLimits = {
  /**
   * How long ended orders, fills and trades can be read, in any number. Gateways look for an order for two minutes, and read lists from
   * a minute before their mark. Of older ones the newest stay, up to each bound.
   */
  paperYoungMs: 300_000,
  /** Ended orders that an engine knows, oldest forgotten first: 2.4 MB of columns. What is read of orders the venues keep themselves. */
  paperEndedOrdersMax: 20_000,
  /** Of each venue B order, fill or position the recent past is kept for stale reads: for so long, all together so many. */
  paperStaleMsMax: 10_000,
  paperPastPicturesMax: 200_000,
  /** Ended venue B orders that can still be read beside the young ones, oldest forgotten first. */
  paperOrderRecordsMax: 10_000,
  /** Beside the young ones; so with all trades. */
  paperFillsPerAccountMax: 5_000,
  paperSettlementsPerAccountMax: 10_000,
  /** Markets that are listed no more, with its settled positions. */
  paperPastMarketsPerAccountMax: 1_000,
  /** Of all markets together, 200 bytes each. */
  paperTradesMax: 5_000,
  /** Users of a paper exchange, a record of each in memory. */
  paperUsersMax: 10_000,
  /** Numbers 0 to 63; the venue gives about half as many. */
  paperSubaccountsMax: 64,
  /** venue-b.md §5.1. */
  paperOpenOrdersPerUserMax: 200_000,
  /** Contracts of one order: ten times the largest level seen; fees and levels stay exact far beyond it. */
  paperOrderContractsMax: 10_000_000,
  /**
   * Client order ids that a user cannot use again, at least half of these at any time: half a million orders, which the
   * smallest tier of the venue takes 14 hours to place without a pause. 16 MB at most.
   */
  paperClientOrderIdsPerUserMax: 1_000_000,
  /** venue-b.md §5.7: groups of one owner, the most that a group may match, and over how long. */
  paperOrderGroupsMax: 100_000,
  paperGroupContractsMax: 1_000_000,
  paperGroupWindowMs: 15_000,
  /** The longest that a timer waits before it looks at the clock again: Node's own bound is 24 days. */
  paperAlarmMs: 86_400_000,
  /** venue-b.md §4.2, `settlement_timer_seconds`. */
  paperSettlementTimerS: 300,
  /** Rules of the fault plan, spent ones included: each is looked at with every request that it might concern. */
  paperFaultRulesMax: 256,
  /** Faults that can still be read one by one; all of them are counted. */
  paperFaultJournalMax: 1_000,
  /** Keys whose private reads are stale by a time of their own. */
  paperStaleKeysMax: 1_000,
  /** Longest delay, hang, skew or staleness that can be asked for, and the longest life of a rule: a day. */
  paperFaultMs: 86_400_000,
  /** Characters of a key, an operation or a number that an operator names. */
  paperFaultTextCharactersMax: 128,
  /** Fields of a row that a fault looks at, or changes. */
  paperFaultFieldsMax: 16,
  /** The largest is an account with a public key as PEM. */
  paperControlBodyBytes: 8 * 1024,
  /** Two keys and two sets of credentials take a tenth of it. */
  paperAccountsFileBytesMax: 32 * 1024,

  // Paper exchanges: venue B's REST.
  /** Transfers of one user that can still be listed, oldest forgotten first. */
  paperTransfersPerUserMax: 1_000,
  /** Characters of the name of an API key: what is kept of a caller's words. */
  paperKeyNameCharactersMax: 256,
  /** A public key as PEM, which is kept: RSA of 16 384 bits takes two thirds. */
  paperPublicKeyCharactersMax: 4_096,
  /** The id that a caller gives a transfer, which is kept: a UUID, several times over. */
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
  paperVenueALiveTradesMax: 100,
  /** Prices kept for /prices-history, one a minute and market, 8 bytes each: a day. */
  paperPriceMinutesMax: 1_440,
  /** venue-a.md §9.6: what a restarted venue tells those who post too early. */
  paperVenueARetryAfterS: 10,
  /** On each of the house's three accounts: all money together must stay below 2^53 micro-dollars. */
  paperHouseDollarsMax: 500_000_000,
  /** Pairs that the house holds in a market before it merges them: rarely enough, and not much of its money. */
  paperHousePairsMax: 1_000_000,
  /** Open orders of all callers: 1 KB each. */
  paperVenueAOpenOrdersMax: 200_000,
  /** Ended orders that can still be read by id beside the young ones, oldest forgotten first: about 1 KB each. */
  paperVenueAEndedOrdersMax: 10_000,
  /** Order ids that are refused as duplicates, at least half of these at any time: 16 MB at most. */
  paperVenueAKnownOrdersMax: 1_000_000,
  /** Changes of an order that stale reads can see; only those of the last `paperStaleMsMax` are kept at all. */
  paperVenueAOrderPicturesMax: 64,
  /** Trades named in an order's record: each change copies the list. */
  paperVenueATradesPerOrderMax: 500,
  /** Trades remembered beside the young ones, about 1 KB each: of everybody, of a wallet or API key. */
  paperVenueATradesMax: 2_000,
  paperVenueATradesPerCallerMax: 2_000,
  /** Splits, merges and redemptions remembered of a wallet; and markets that are over and listed no more, with its positions. */
  paperVenueAConversionsPerWalletMax: 1_000,
  paperVenueAPastMarketsPerWalletMax: 1_000,
  /** From a match until it is mined, and until it is confirmed. */
  paperVenueAMinedMs: 2_000,
  paperVenueAConfirmedMs: 5_000,
  /** venue-a.md §2.3: a dated order ends so long before its date. */
  paperVenueAExpiryLeadMs: 60_000,
  /** venue-a.md §3.8: longest silence after a heartbeat, and how often the venue looks. */
  paperVenueAHeartbeatMs: 10_000,
  paperVenueAHeartbeatCheckMs: 5_000,

  // Paper exchanges: venue A's streams.
  /** A subscription of as many tokens as one connection should have, at 82 characters each, several times over. */
  paperVenueACommandBytesMax: 256 * 1024,
  /** venue-a.md §5.1: beyond about so many tokens a connection gets no initial books. */
  paperVenueATokensWithBookMax: 500,
  /** A client with more unsent bytes is dropped: some initial dumps of 500 books with 100 levels each. */
  paperVenueAUnsentBytesMax: 16 * 1024 * 1024,
  /** Of the market and of the user stream, each. */
  paperVenueAConnectionsPerStreamMax: 1_000,
  /** Clients are to say PING every 10 s, and answer pings meanwhile. */
  paperVenueAStreamIdleTimeoutS: 60,
  /** Trades that wait for their `last_trade_price`, which comes 70 ms later: 140 000 trades a second. */
  paperVenueATradesUnannouncedMax: 10_000,

  // Paper exchanges: venue B's market data and streams.
  /** Minutes of candles of one venue B market, 28 bytes each: a day, to look back by, and two hours to spare. */
  paperCandlesPerMarketMax: 1_560,
  /** Venue B, venue-b.md §9: streams that one user may have open. */
  paperStreamsPerUserMax: 200,
  /** venue-b.md §9: market subscriptions of one stream. */
  paperStreamMarketsMax: 500_000,
  /** venue-b.md §9: commands of one stream. */
  paperStreamCommandsPerS: 10_000,
  /** A command that names every market of a large catalog. */
  paperStreamCommandBytesMax: 1024 * 1024,
  /** Messages of one stream that are packed together; beyond, they go out before the request that causes them is done. */
  paperStreamPackMax: 1_024,
  /** A subscription that has more to say while so much is unsent overflows, and ends. */
  paperStreamLagBytes: 4 * 1024 * 1024,
  /** A stream with more unsent bytes is dropped: snapshots of many books may stand beyond the bound before it. */
  paperStreamUnsentBytesMax: 32 * 1024 * 1024,
  /** uWebSockets.js then pings a client that is silent for ten seconds, as venue B does, and drops it eight later. */
  paperStreamIdleTimeoutS: 18,

  // Paper exchanges: Gamma and the Data API of venue A.
  /** Rows of a list where a caller does not say, at most, and with a cursor (venue-a.md §7). */
  paperGammaRowsPerPage: 20,
  paperGammaRowsMax: 500,
  paperGammaKeysetRowsMax: 100,
  paperGammaOffsetMax: 100_000,
  /** venue-a.md §8: as Gamma's, of positions and activities; of closed positions; of trades. */
  paperDataRowsPerPage: 100,
  paperDataRowsMax: 500,
  paperDataClosedPerPage: 10,
  paperDataClosedRowsMax: 50,
  paperDataTradesMax: 10_000,
  paperDataOffsetMax: 10_000,
  paperDataConditionsMax: 20,
  paperDataHoldersPerToken: 20,

  // Paper exchanges: venues D and E, which are only read.
  /** venues-c-d-e.md §2: two at a time and 300 ms between two. */
  paperVenueDIntervalMs: 300,
  paperVenueDBurstMax: 2,
  paperVenueDRowsMax: 25,
  /** venues-c-d-e.md §3: 15 a second. */
  paperVenueEIntervalMs: 66,
  paperVenueEBurstMax: 15,
  paperVenueERowsMax: 20,

  // Paper exchanges: catalog and market flow.
  /**
   * Markets that one venue lists, those of the last days included; beyond, the games of new days are not listed until old ones
   * are forgotten. Lists are filtered whole for each request; a market with its history takes up to a tenth of a megabyte.
   */
  paperMarketsMax: 10_000,
  /** From a game's end until its markets are forgotten: what is settled can be looked up for two days. */
  paperEndedMarketMs: 2 * 86_400_000,
  /** Days for which games are listed ahead. */
  paperSeasonDaysMax: 7,
  /** Between two days that are listed one after the other, 50 ms of work each: sockets are served meanwhile. */
  paperSeasonTurnMs: 50,
  /** A maker whose market takes no orders looks again so much later. */
  paperMakerRetryMs: 60_000,
  /** Attacks of a team in a game: the odds of a game are computed from them, in time that grows with their square. */
  paperAttacksMax: 120,
  /** Levels that a maker puts up on a side of a book. */
  paperMakerLevelsMax: 10,
  /** Its orders on a side, so that it keeps some levels when prices move: half a kilobyte each, in two thousand markets. */
  paperMakerOrdersPerSideMax: 12,
  /** Its orders on one level. */
  paperMakerOrdersPerLevelMax: 6,
  /** The flow's timer waits at least so long: what falls due meanwhile is done in one turn. */
  paperFlowTurnMs: 5,
  /** Tasks of one turn, some 20 µs each; sockets are served before the next. */
  paperFlowTasksPerTurnMax: 500,
  /** A flow that is late by more (a laptop that slept) goes on from there. */
  paperFlowLateMs: 1_000,
  /** The longest silence of a market. */
  paperFlowPauseMsMax: 3_600_000,
  /** Orders of the house that stand for one recorded level: more are put together. */
  paperRecordedOrdersPerLevelMax: 32,
} as const;
