// All metrics, with their names at /metrics. There the names have the prefix `crossbook_`, except those that begin with `process_`. A
// metric needs a line here, and a count or a source in the code of its event. Imports nothing.

/** The values of each label. The values of `operation` are set when the program starts. */
export const LABEL_VALUES = {
  /** Statuses that deserve an alarm are separate from their class. */
  status: ['1xx', '2xx', '3xx', '4xx', '5xx', '401', '403', '429', '503'],
  reason: ['header', 'key', 'timestamp', 'clock', 'body', 'signature', 'address', 'scope', 'apiKey', 'ticket'],
  bucket: ['reads', 'submissions', 'cancels', 'failedChecks', 'refusedRequests', 'pool'],
  /** The venues with the lists that make the catalog. */
  venue: ['venue_a', 'venue_b', 'venue_c'],
  /** Why an object of a venue's list is not in the catalog. */
  why: ['malformed', 'no-room'],
  /** The threads that live as long as the gateway. */
  thread: [
    'feed_venue_a',
    'feed_venue_b',
    'catalog',
    'engine',
    'history',
    'guard',
    'shm',
    'recorder',
    'relay',
    'alerts',
  ],
  /** The kinds of a thread's memory: objects and code on V8's heap, the memory that V8 has reserved for the heap, and buffers outside. */
  kind: ['heap_used', 'heap_total', 'external'],
  /** The kinds of the process's memory: heaps, buffers and stacks; code and file pages; memory shared by threads. */
  resident: ['anonymous', 'file', 'shared'],
  /** The hosts that take orders or answer account reads. */
  upstream: ['venue_a', 'venue_a_data', 'venue_a_chain', 'venue_a_relayer', 'venue_b'],
  event: ['opened', 'closed', 'unreachable', 'lost', 'timeout'],
  /** The purpose of a request to a venue. */
  request: ['submit', 'cancel', 'read'],
  /** The event loops through which every order passes. */
  loop: ['main', 'engine'],
  limit: ['notional', 'open_orders', 'position', 'size', 'collar_ticks', 'collar_percent', 'order_rate', 'cancel_rate'],
  /** The switches that cancel the orders of a key that is silent or gone. */
  switch: ['dead_man', 'disconnect'],
  divergence: [
    'refused-but-there',
    'fill-of-refused',
    'fill-of-another',
    'overfilled',
    'uncountable-fill',
    'shares-owed',
    'unattributed-fill',
    'unattributed-order',
    'adopted-order',
    'late-trace',
    'fills-untold',
    'settlement-unlisted',
    'unreadable-row',
    'position-differs',
  ],
  /** The result of an automatic redeem. `over-action` and `over-day` mean that no redeem is made. */
  redeem: ['made', 'confirmed', 'failed', 'over-action', 'over-day'],
} as const;

export type AuthFailureReason = (typeof LABEL_VALUES.reason)[number];
export type LastingThreadName = (typeof LABEL_VALUES.thread)[number];

export const COUNTERS = {
  http_requests_total: {
    labels: ['operation', 'status'],
    help: 'Answered requests. 4xx and 5xx leave out the statuses that have a label of their own.',
  },
  auth_failures_total: { labels: ['reason'], help: 'Refused callers, by the first check that failed.' },
  rate_limited_total: {
    labels: ['bucket'],
    help: 'Requests refused because a rate or a bound was exceeded, by bucket.',
  },
  signature_replays_total: { labels: [], help: 'Repeated signed mutations that were answered from memory.' },
  pool_tasks_total: { labels: [], help: 'Signature checks and catalog pages that the check pool accepted.' },
  pool_at_once_total: {
    labels: [],
    help: 'Signature checks that the main thread made itself: the first of each turn. crossbook_pool_tasks_total includes them.',
  },
  engine_behind_total: { labels: [], help: 'Submissions refused because orders waited too long for the engine.' },
  pool_busy_total: { labels: [], help: 'Tasks that the pool refused because it was full.' },
  pool_faults_total: { labels: [], help: 'Tasks given up after two check workers failed at them.' },
  pool_workers_lost_total: { labels: [], help: 'Check workers that died.' },
  pool_workers_silent_total: {
    labels: [],
    help: 'Times that a check worker did not answer for ten seconds; after a minute the process ends.',
  },
  threads_lost_total: { labels: ['thread'], help: 'Long-lived threads that died. Each was restarted.' },
  threads_silent_total: {
    labels: ['thread'],
    help: 'Times that a long-lived thread did not answer for ten seconds. A feed is then ended and restarted. After a minute without the engine, the process ends.',
  },
  engine_stalls_total: {
    labels: [],
    help: 'Times that the engine of orders did not answer, as on a disk that is frozen: the guard answered for it.',
  },
  order_divergences_total: {
    labels: ['divergence'],
    help: 'Statements of venues that contradict the gateway’s state of an order or account.',
  },
  protections_triggered_total: {
    labels: ['venue'],
    help: 'Times that a protection cancelled the orders of an actor; a protection that was triggered before the start counts at the start.',
  },
  loss_limits_reached_total: { labels: [], help: 'Times that a loss limit of an actor or a pod was reached.' },
  switches_fired_total: {
    labels: ['switch'],
    help: 'Times that the open orders of a signing key were cancelled because the key was silent for too long, or disconnected.',
  },
  alarms_sent_total: { labels: [], help: 'Alarms that CROSSBOOK_ALERT_URL has taken.' },
  alarms_dropped_total: {
    labels: [],
    help: 'Events whose alarm CROSSBOOK_ALERT_URL refused, or did not accept after many attempts.',
  },
  order_group_refusals_total: {
    labels: [],
    help: 'Requests for order groups of protections that venue B refused or did not answer: orders go without a group.',
  },
  automatic_redeems_total: {
    labels: ['redeem'],
    help: 'Automatic redemptions, by outcome. A redemption that would exceed a bound of redeemUsdMax is not made.',
  },
  upstream_connections_total: {
    labels: ['upstream', 'event'],
    help: 'Connections for orders and accounts that were opened, were closed, could not be made, were lost, or were given up during a request.',
  },
  catalog_failures_total: { labels: ['venue'], help: 'Pages of a venue’s list that could not be read.' },
  catalog_left_out_total: {
    labels: ['venue', 'why'],
    help: 'Listed objects that were left out of the catalog, counted at every reading.',
  },
  catalog_store_failures_total: { labels: [], help: 'Catalogs that could not be stored.' },
  audit_log_failures_total: { labels: [], help: 'Times that the audit log of orders could no longer be written.' },
  recording_laps_total: {
    labels: [],
    help: 'Times that the recorder fell a whole tape behind: its recording has gaps.',
  },
  stream_refused_total: { labels: [], help: 'Refused upgrades to the stream.' },
  kept_markets_refused_total: {
    labels: [],
    help: 'Times that a market of an order or position could not be subscribed.',
  },
} as const satisfies Readonly<Record<string, Family>>;
export type CounterName = keyof typeof COUNTERS;

/** The durations. They are observed in microseconds and shown in seconds. */
export const HISTOGRAMS = {
  http_request_seconds: {
    labels: ['operation'],
    help: 'Time from the reading of a request to the writing of its answer.',
  },
  auth_verify_seconds: { labels: [], help: 'Time in which a check worker verifies one signature.' },
  pool_wait_seconds: { labels: [], help: 'Time from the acceptance of a task until a worker begins it.' },
  pool_round_trip_seconds: {
    labels: [],
    help: 'Time from the acceptance of a task to its outcome on the main thread.',
  },
  upstream_request_seconds: {
    labels: ['upstream', 'request'],
    help: 'Time from the writing of a request for orders or accounts to the reading of its answer. Requests without an answer do not count.',
  },
  event_loop_lag_seconds: { labels: ['loop'], help: 'How late a timer of 100 ms fires.' },
} as const satisfies Readonly<Record<string, Family>>;
export type HistogramName = keyof typeof HISTOGRAMS;

/**
 * The gauges, with their labels. They are read when /metrics is read. A value with a name in `_total` only rises, and is shown as a
 * counter. `actor` is the full id, which the operator has chosen.
 */
export const GAUGES = {
  build_info: {
    labels: ['version', 'node'],
    help: 'Always 1; the labels are the versions of the gateway and of Node.',
  },
  // The names that all exporters of Prometheus use.
  process_start_time_seconds: { labels: [], help: 'Unix time of the start of the process.' },
  process_cpu_seconds_total: { labels: [], help: 'Processor time of all threads, user and system.' },
  process_resident_memory_bytes: {
    labels: [],
    help: 'Resident memory of the process. crossbook_resident_memory_bytes has its parts.',
  },
  process_open_fds: { labels: [], help: 'Open files and sockets, read every few seconds.' },
  ready: { labels: [], help: '1 while /readyz answers 200, else 0.' },
  standby: { labels: [], help: '1 while another gateway owns the pod, else 0.' },
  standby_stopped: {
    labels: [],
    help: '1 after a standby met a record that it cannot read. It cannot take the pod over.',
  },
  http_connections: { labels: [], help: 'Open sockets, streams included.' },
  stream_connections: { labels: [], help: 'Open streams.' },
  trade_connections: { labels: [], help: 'Open connections for orders (/v1/trade).' },
  door_connections: {
    labels: [],
    help: 'Open sockets of the engine’s own address (CROSSBOOK_TRADE_PORT), as of a second ago.',
  },
  door_connections_refused_total: {
    labels: [],
    help: 'Connections to the engine’s own address that were closed because too many were open.',
  },
  door_requests_in_flight: { labels: [], help: 'Requests at the engine’s own address that wait for their answer.' },
  door_trade_connections: { labels: [], help: 'Open connections for orders (/v1/trade) at the engine’s own address.' },
  stream_lagging_total: { labels: [], help: 'Streams that were found to be read too slowly.' },
  http_requests_in_flight: { labels: [], help: 'Requests that wait for their answer.' },
  stops: { labels: [], help: 'Actors and pods whose new orders an operator has stopped; all pods count as one.' },
  accounts_unread: { labels: [], help: 'Accounts whose last reading failed, or which have not been read yet.' },
  rows_held: {
    labels: [],
    help: 'Fills of venues that the gateway cannot read. Each keeps its order or its market on hold.',
  },
  attestations_ending: {
    labels: [],
    help: 'Accounts of venue B whose attestation of location ends within seven days, or has ended.',
  },
  wallet_actions_open: { labels: [], help: 'Redemptions, splits and merges of venue A that wait or are under way.' },
  wallet_action_oldest_seconds: {
    labels: [],
    help: 'Age of the oldest open redemption, split or merge of venue A. 0 if none is open.',
  },
  private_streams_down: { labels: [], help: 'Accounts without a private stream of their venue.' },
  http_connections_refused_total: { labels: [], help: 'Connections closed because too many were open.' },
  protections_triggered: { labels: [], help: 'Protections that are triggered and wait for their reset.' },
  recording: {
    labels: [],
    help: '1 while books are recorded, 0 after the recording has ended; absent without a recording.',
  },
  recording_failed: {
    labels: [],
    help: '1 after the recording ended because its files could not be written, until it is started or stopped.',
  },
  relay_connected: {
    labels: [],
    help: '1 while the publisher of books is connected to NATS, else 0; absent without CROSSBOOK_BOOKS=publish.',
  },
  relay_markets: { labels: [], help: 'Markets whose books are published on NATS.' },
  relay_leases: { labels: [], help: 'Markets published on NATS that other gateways have asked for.' },
  relay_messages_total: { labels: [], help: 'Messages that were published on NATS.' },
  relay_bytes_total: { labels: [], help: 'Bytes of these messages.' },
  relay_pauses_total: {
    labels: [],
    help: 'Times that NATS did not keep up, and books were not published for a while.',
  },
  relay_refused_total: {
    labels: [],
    help: 'Messages that were not published because they exceed max_payload of NATS.',
  },
  kept_markets: { labels: [], help: 'Markets that stay subscribed because of orders and positions.' },
  catalog_markets: { labels: [], help: 'Markets of the catalog that is shown.' },
  catalog_events: { labels: [], help: 'Events of the catalog that is shown, ended ones included.' },
  books: { labels: ['venue', 'state'], help: 'Books in use, by their state.' },
  unknown_words_total: {
    labels: ['venue'],
    help: 'Words of a venue for statuses, sides and types that the gateway does not know. It ignores the word, or the object that has the word.',
  },
  unknown_words_by_name_total: {
    labels: ['venue', 'field', 'word'],
    help: 'Unknown words of a venue, by name. Only the first unknownWordsMax words have a series.',
  },
  actors: {
    labels: [],
    help: 'Actors of all pods. Beyond actorsMeasuredMax actors, only the first by id have metrics.',
  },
  actor_open_orders: { labels: ['actor'], help: 'Open orders at both venues, those in flight included.' },
  actor_positions: { labels: ['actor'], help: 'Markets in which the actor has a position, as of some seconds ago.' },
  actor_largest_position: {
    labels: ['actor'],
    help: 'Largest position of the actor in a market, long or short, in shares or contracts, without resting orders.',
  },
  actor_limit: {
    labels: ['actor', 'limit'],
    help: 'Limits of the actor that are set, in dollars, orders, shares or contracts, ticks, per cent, and requests a second.',
  },
  journal_lag_records: { labels: [], help: 'Records of the journal that are not known to be on disk yet.' },
  history_lag_records: { labels: [], help: 'Records of the journal that the history does not have on disk yet.' },
  memory_bytes: {
    labels: ['thread', 'kind'],
    help: 'Memory of V8 by thread, read every ten seconds. It includes garbage that is not collected yet.',
  },
  resident_memory_bytes: { labels: ['resident'], help: 'Resident memory of the process, as Linux counts it.' },
  store_refuses_changes: { labels: [], help: '1 while nothing can be recorded in the order store, else 0.' },
  engine_stalled: { labels: [], help: '1 while the engine of orders does not answer, else 0.' },
  pool_tasks_in_flight: { labels: [], help: 'Tasks accepted and not yet answered.' },
  operations_in_flight: { labels: [], help: 'Operations of callers that are not answered yet.' },
  engine_wait_seconds: { labels: [], help: 'How long the oldest operation has waited for its check or the engine.' },
  oldest_operation_seconds: { labels: [], help: 'Age of the oldest of them; 0 if there is none.' },
} as const satisfies Readonly<Record<string, GaugeFamily>>;
export type GaugeName = keyof typeof GAUGES;

/** The counters of each feed, at /metrics `feed_…_total{venue}`. The feed’s thread counts (feed-counters.ts). */
export const FEED_COUNTERS = {
  frames: 'Messages from the venue.',
  snapshots: 'Snapshots of the venue that were applied.',
  deltas: 'Messages that change books.',
  trades: 'Trades in markets that are subscribed.',
  acknowledgements: 'Answers to our subscriptions; venue A sends none.',
  unknownTypes: 'Messages of an unknown type. The gateway ignores them.',
  legacyRefused: 'Messages in a form that the venue has retired. The gateway refuses them.',
  unreadable: 'Messages, or parts of them, that cannot be read.',
  unknownMarkets: 'Messages about markets that are not subscribed.',
  sequenceGaps: 'Messages whose sequence number does not follow the number before.',
  crossed: 'Books whose best bid reached their best ask.',
  resyncs: 'Books that could no longer be trusted and were requested again.',
  connects: 'Connections to the venue that were opened.',
  disconnects: 'Connections to the venue that were lost, or could not be opened.',
  silences: 'Connections to the venue that were silent for too long.',
  hashesVerified: 'Hashes of the venue that our books agree with.',
  hashMismatches: 'Hashes of the venue that our books do not agree with.',
  hashesAdoptedLastTrade:
    'Of those that agree, hashes that do once the last trade is what the venue must have in mind.',
  hashesHealed: 'Books in doubt that agreed again before they had been read.',
  messagesInBook:
    'Messages that are older than the last snapshot. The snapshot includes them, so the gateway ignores them.',
  bookRereads: 'Books in doubt, which are read by REST.',
  hashMismatchesAfterReread: 'Books that disagreed with the venue right after they had been read by REST.',
  venueErrors: 'Errors that the venue answered on its stream.',
  quietProbes: 'Quiet books for which REST had no news.',
  freezes: 'Connections that brought no change of any book while books at REST changed.',
  stalls: 'Books that lagged behind REST, or never came, while others of their connection had news.',
} as const;

/** The counters of each venue’s stream, at /metrics `stream_…_total{venue}`. The main thread counts. */
export const STREAM_COUNTERS = {
  deltas: 'Changes of books that were published to subscribers.',
  snapshots: 'Snapshots that were published to subscribers.',
  trades: 'Trades that were read for subscribers.',
  laps: 'Times that the main thread fell a whole tape behind, and caught up with snapshots.',
  busyReads: 'Times that a book was being written while it was to be published: it was read again.',
} as const;

export interface Family {
  readonly labels: readonly Label[];
  readonly help: string;
}

/** A gauge whose label values come from outside of this table. */
interface GaugeFamily {
  readonly labels: readonly string[];
  readonly help: string;
}

type Label = keyof typeof LABEL_VALUES | 'operation';
type LabelValue<L> = L extends keyof typeof LABEL_VALUES ? (typeof LABEL_VALUES)[L][number] : string;
/** The values that select one series of a family, in the sequence of the family's labels. */
export type LabelValues<L extends readonly Label[]> = { readonly [I in keyof L]: LabelValue<L[I]> };
