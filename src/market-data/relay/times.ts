// Intervals of books on NATS, on which publisher and readers agree (docs/RELAY.md).

/** Between two signs of life of a publisher. */
export const PULSE_MS = 500;
/** A market that has said nothing for this long says where it stands. */
export const HEARTBEAT_MS = 1_000;
/** A reader's book that has heard nothing for this long is STALE: three heartbeats. A publisher that is silent as long may be replaced. */
export const SILENCE_MS = 3_000;
/** A publisher keeps a market for a reader for this long after the last request. */
export const LEASE_MS = 30_000;
/** A reader repeats its request this often. */
export const RENEWAL_MS = 10_000;
/** Between two requests for the same snapshot, or for a market that was not answered. */
export const REPEAT_MS = 1_000;
/** A publisher answers a request for markets after this time at the latest, with those that its venues have described by then. */
export const DESCRIBED_MS = 500;
/** A request without an answer after this time counts as lost. */
export const ANSWER_MS = 2_000;
