// The bounds of the paper exchanges, with their units and reasons. Code takes them from `limits.ts`, which includes them.

export const paperLimits = {
  /**
   * How long ended orders, fills and trades can be read, in any number. Gateways look for an order for two minutes, and read lists from a
   * minute before their mark. Of the older rows, the newest stay, up to the bound of each kind.
   */
  paperYoungMs: 300_000,
  /** The ended orders in an engine: 2.4 MB of columns. The oldest is dropped first. The venues keep their own records for reads. */
  paperEndedOrdersMax: 20_000,
  /** The largest age of the past states that stale reads show of venue B's orders, fills and positions, and their number. */
  paperStaleMsMax: 10_000,
  paperPastPicturesMax: 200_000,
  /** The ended orders of venue B that can be read in addition to the recent ones. The oldest is dropped first. */
  paperOrderRecordsMax: 10_000,
  /** The fills of one account, and all trades, in addition to the recent ones. */
  paperFillsPerAccountMax: 5_000,
  paperSettlementsPerAccountMax: 10_000,
  /** The markets of one account that are no longer listed, with its settled positions. */
  paperPastMarketsPerAccountMax: 1_000,
  /** The trades over all markets, 200 bytes each. */
  paperTradesMax: 5_000,
  /** The users of a paper exchange. Each has a record in memory. */
  paperUsersMax: 10_000,
  /** The subaccounts, with numbers 0 to 63. The venue allows about half as many. */
  paperSubaccountsMax: 64,
  /** The limit that venue-b.md §5.1 states. */
  paperOpenOrdersPerUserMax: 200_000,
  /** The contracts of one order: ten times the largest level seen. Fees and levels stay exact far beyond it. */
  paperOrderContractsMax: 10_000_000,
  /**
   * The client order ids that a user cannot reuse. At least half of them are remembered at any time. Half a million orders take the
   * smallest tier of the venue 14 hours without a pause. The ids take 16 MB at most.
   */
  paperClientOrderIdsPerUserMax: 1_000_000,
  /** The bounds of venue-b.md §5.7: the groups of one owner, the contracts that a group may match, and the time window. */
  paperOrderGroupsMax: 100_000,
  paperGroupContractsMax: 1_000_000,
  paperGroupWindowMs: 15_000,
  /** The longest wait before a timer looks at the clock again. Node's own bound is 24 days. */
  paperAlarmMs: 86_400_000,
  /** The value of `settlement_timer_seconds` in venue-b.md §4.2. */
  paperSettlementTimerS: 300,
  /** The rules of the fault plan, including used-up rules. Each rule is tested with every request that it may match. */
  paperFaultRulesMax: 256,
  /** The faults that can be read one by one. All faults are counted. */
  paperFaultJournalMax: 1_000,
  /** The keys that have a staleness of private reads of their own. */
  paperStaleKeysMax: 1_000,
  /** The longest delay, hang, skew or staleness that a request may set, and the longest life of a rule: a day. */
  paperFaultMs: 86_400_000,
  /** The characters of a key, operation or number from an operator. */
  paperFaultTextCharactersMax: 128,
  /** The fields of a row that a fault tests or changes. */
  paperFaultFieldsMax: 16,
  /** The bytes of a request's body. The largest body is an account with a public key as PEM. */
  paperControlBodyBytes: 8 * 1024,
  /** The bytes of the accounts file. Two keys and two sets of credentials take a tenth of it. */
  paperAccountsFileBytesMax: 32 * 1024,

  // Paper exchanges: venue B's REST.
  /** The listed transfers of one user. The oldest is dropped first. */
  paperTransfersPerUserMax: 1_000,
  /** The characters of an API key's name, which is stored. */
  paperKeyNameCharactersMax: 256,
  /** The characters of a stored public key as PEM. An RSA key of 16 384 bits takes two thirds of it. */
  paperPublicKeyCharactersMax: 4_096,
  /** The characters of a caller's id of a transfer, which is stored: several times a UUID. */
  paperTransferIdCharactersMax: 128,

  // Paper exchanges: venue A's REST.
  /** The API keys, each a record in memory, and the wallets. A key's owner may have several wallets. */
  paperApiKeysMax: 10_000,
  paperWalletsMax: 20_000,
  /** The readonly keys of one address, and the builder keys. */
  paperSpareKeysPerAddressMax: 10,
  /** The largest difference between a caller's clock and ours (venue-a.md §1.2). The venue's own bound is not published. */
  paperVenueASignatureAgeS: 60,
  /** The bytes of a request's body. 1 000 order ids in one cancel are 70 KB (venue-a.md §3). */
  paperVenueABodyBytesMax: 256 * 1024,
  paperVenueAOrdersPerBatchMax: 15,
  paperVenueACancelsPerBatchMax: 1_000,
  paperVenueABooksPerRequestMax: 500,
  /** The rows of a page (venue-a.md §3.5, §4). */
  paperVenueARowsPerPageMax: 100,
  paperVenueAMarketsPerPageMax: 500,
  paperVenueABuilderRowsPerPageMax: 300,
  /** The `Retry-After` with which a restarted venue answers early posts (venue-a.md §9.6). */
  paperVenueARetryAfterS: 10,
  /** The money of each of the house's three accounts. Their total must stay below 2^53 micro-dollars. */
  paperHouseDollarsMax: 500_000_000,
  /** The pairs that the house holds in a market before it merges them. So merges are rare, and bind little of its money. */
  paperHousePairsMax: 1_000_000,
  /** The open orders of all callers, 1 KB each. */
  paperVenueAOpenOrdersMax: 200_000,
  /** The ended orders that can be read by id in addition to the recent ones, about 1 KB each. The oldest is dropped first. */
  paperVenueAEndedOrdersMax: 10_000,
  /** The order ids that are refused as duplicates. At least half of them are remembered at any time. They take 16 MB at most. */
  paperVenueAKnownOrdersMax: 1_000_000,
  /** The changes of one order that stale reads can show. Only changes within the last `paperStaleMsMax` are kept. */
  paperVenueAOrderPicturesMax: 64,
  /** The trades that an order's record names. Each change of the order copies the list. */
  paperVenueATradesPerOrderMax: 500,
  /** The trades in addition to the recent ones, about 1 KB each: of all callers, and of one wallet or API key. */
  paperVenueATradesMax: 2_000,
  paperVenueATradesPerCallerMax: 2_000,
  /** The splits, merges and redemptions that are kept of a wallet, and the ended markets with its positions. */
  paperVenueAConversionsPerWalletMax: 1_000,
  paperVenueAPastMarketsPerWalletMax: 1_000,
  /** The time from a match until it is mined, and until it is confirmed. */
  paperVenueAMinedMs: 2_000,
  paperVenueAConfirmedMs: 5_000,
  /** A dated order ends this long before its date (venue-a.md §2.3). */
  paperVenueAExpiryLeadMs: 60_000,
  /** The least time from now to the date of a dated order (venue-a.md §2.3). */
  paperVenueAExpiryAheadMs: 180_000,
  /** The longest silence after a heartbeat, and the interval at which the venue looks for silence (venue-a.md §3.8). */
  paperVenueAHeartbeatMs: 10_000,
  paperVenueAHeartbeatCheckMs: 5_000,

  // Paper exchanges: venue A's streams.
  /** The bytes of a command: several times a subscription of as many tokens as one connection should have, at 82 characters each. */
  paperVenueACommandBytesMax: 256 * 1024,
  /** A connection with more tokens than about this many gets no initial books (venue-a.md §5.1). */
  paperVenueATokensWithBookMax: 500,
  /** A client with more unsent bytes is dropped. They allow some initial dumps of 500 books with 100 levels each. */
  paperVenueAUnsentBytesMax: 16 * 1024 * 1024,
  /** The connections to the market stream, and also the connections to the user stream. */
  paperVenueAConnectionsPerStreamMax: 1_000,
  /** A client is dropped after this time without data. Clients must send PING every 10 s, and answer pings. */
  paperVenueAStreamIdleTimeoutS: 60,
  /** The trades that wait for their `last_trade_price`, which follows 70 ms later: 140 000 trades a second. */
  paperVenueATradesUnannouncedMax: 10_000,

  // Paper exchanges: venue B's market data and streams.
  /** The streams that one user of venue B may have open (venue-b.md §9). */
  paperStreamsPerUserMax: 200,
  /** The market subscriptions of one stream (venue-b.md §9). */
  paperStreamMarketsMax: 500_000,
  /** The commands of one stream in a second (venue-b.md §9). */
  paperStreamCommandsPerS: 10_000,
  /** The bytes of a command that names every market of a large catalog. */
  paperStreamCommandBytesMax: 1024 * 1024,
  /** The messages of one stream that are packed together. If there are more, they are sent before the request that causes them is done. */
  paperStreamPackMax: 1_024,
  /** A subscription that has more to send while this many bytes are unsent overflows, and ends. */
  paperStreamLagBytes: 4 * 1024 * 1024,
  /** A stream with more unsent bytes is dropped. Snapshots of many books may exceed `paperStreamLagBytes` before that. */
  paperStreamUnsentBytesMax: 32 * 1024 * 1024,
  /** The interval between pings (venue-b.md §10). */
  paperStreamPingMs: 10_000,
  /** A client that answers no ping for this long is dropped. */
  paperStreamIdleTimeoutS: 30,

  // Paper exchanges: Gamma and the Data API of venue A.
  /** The rows of a list by default, at most, and with a cursor (venue-a.md §7). */
  paperGammaRowsPerPage: 20,
  paperGammaRowsMax: 500,
  paperGammaKeysetRowsMax: 100,
  paperGammaOffsetMax: 2_000,
  /** The rows of a list of positions, as at Gamma (venue-a.md §8). */
  paperDataRowsPerPage: 100,
  paperDataV2RowsMax: 1_000,
  /** The time after which a position is archived, a week. The venue does not say when it archives a position, so this is our choice. */
  paperDataArchivedAfterMs: 604_800_000,
  paperDataConditionsMax: 20,

  // Paper exchanges: venues D and E, which are only read.
  /** The interval between requests, and the requests at a time, of venues-c-d-e.md §2: 300 ms and two. */
  paperVenueDIntervalMs: 300,
  paperVenueDBurstMax: 2,
  paperVenueDRowsMax: 25,
  paperVenueDFoundMax: 50,
  /** The limit of 15 requests a second of venues-c-d-e.md §3. */
  paperVenueEIntervalMs: 66,
  paperVenueEBurstMax: 15,
  paperVenueERowsMax: 20,

  // Paper exchanges: catalog and market flow.
  /**
   * The markets that one venue lists, including those of the last days. Beyond it, games of new days are listed only after old games are
   * removed. Each request filters the whole list. A market with its history takes up to a tenth of a megabyte.
   */
  paperMarketsMax: 10_000,
  /** The time from a game's end until its markets are removed. Settlements can be read for two days. */
  paperEndedMarketMs: 2 * 86_400_000,
  /** The number of days for which games are listed in advance. */
  paperSeasonDaysMax: 7,
  /** The pause between two listed days, which are 50 ms of work each. Sockets are served in the pause. */
  paperSeasonTurnMs: 50,
  /** The pause of a maker whose market takes no orders. */
  paperMakerRetryMs: 60_000,
  /** The attacks of a team in a game. The time to compute the odds grows with their square. */
  paperAttacksMax: 120,
  /** The levels that a maker quotes on each side of a book. */
  paperMakerLevelsMax: 10,
  /** The orders of a maker on each side. They let it keep some levels when prices move. Each takes half a kilobyte, in two thousand markets. */
  paperMakerOrdersPerSideMax: 12,
  /** The orders of a maker on one level. */
  paperMakerOrdersPerLevelMax: 6,
  /** The shortest wait of the flow's timer. Everything that becomes due in that time is done in one turn. */
  paperFlowTurnMs: 5,
  /** The tasks in one turn, some 20 µs each. Sockets are served before the next turn. */
  paperFlowTasksPerTurnMax: 500,
  /** The largest lateness that the flow catches up. If it is later (a laptop slept), it skips the rest. */
  paperFlowLateMs: 1_000,
  /** The longest silence of a market. */
  paperFlowPauseMsMax: 3_600_000,
  /** The longest latency that a setting may have, and the number of values in a distribution. */
  paperLatencyMsMax: 10_000,
  paperLatencySamplesMax: 10_000,
  paperLatencyFileBytesMax: 1024 * 1024,
  /** The events of a recording that are read in advance to learn the grids of its markets: two seconds of work. */
  paperRecordedScanMax: 1_000_000,
  /** How long a level that has shrunk waits for its trade, and a trade for its level. Venue A reports the trade 70 ms later. */
  paperTradeWaitMs: 1_000,
  /** The longest wait of an order for the first book of its market. The gateway waits `venueAnswerTimeoutMs` for an answer. */
  paperFirstBookMs: 3_000,
  /** The pause between two looks at the books of the real venues. The exchanges must look, because no feed wakes them. */
  paperLiveLookMs: 1,
  /** The pause between two looks while no listed market has a book. */
  paperLiveIdleMs: 20,
  /** The pause between two readings of a market’s rules and result. The market's feed reports most changes earlier. */
  paperLiveReadMs: 60_000,
  /** The pause until markets with news are read again. */
  paperLiveDueMs: 1_000,
} as const;
