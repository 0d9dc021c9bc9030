// The threads of the process besides main: their work, and their entry files. The file that starts a thread is in the room of its work;
// `runtime/` starts and watches threads in general. It imports nothing, so that any room may import it.

export const THREADS = {
  /** Decides every change of an order, records it, and sends it. Main ends the process if it hangs, unless it waits for a disk. */
  engine: { name: 'engine', entry: new URL('./gateway/door/engine-worker.ts', import.meta.url) },
  /** Follows the journal into LMDB, and answers lists. */
  history: {
    name: 'history',
    entry: new URL('./orders/history/history-worker.ts', import.meta.url),
    whenItHangs: 'logged',
  },
  /** Cancels at the venues while the engine does not answer. */
  guard: { name: 'guard', entry: new URL('./orders/guard/guard-worker.ts', import.meta.url), whenItHangs: 'replaced' },
  /** A thread of the check pool: checks signatures, and reads pages of the catalog. Main ends the process if it hangs. */
  check: { name: 'check', entry: new URL('./gateway/checks/check-worker.ts', import.meta.url) },
  /** Each venue has one: it writes the venue's market data into books in shared memory. */
  feed: {
    name: 'feed',
    entry: new URL('./market-data/feeds/feed-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** Reads the venues’ lists of markets into a catalog in shared memory. */
  catalog: { name: 'catalog', entry: new URL('./catalog/catalog-worker.ts', import.meta.url), whenItHangs: 'logged' },
  /** With `CROSSBOOK_SHM`: writes books and trades into a file that other processes map. */
  shm: {
    name: 'shared file',
    entry: new URL('./market-data/shm/shm-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** With `CROSSBOOK_RECORD_DIR`: writes books and trades into the files of a recording. */
  recorder: {
    name: 'recorder',
    entry: new URL('./market-data/recording/recorder-worker.ts', import.meta.url),
    whenItHangs: 'logged',
  },
  /** With `CROSSBOOK_BOOKS=publish`: publishes books and trades on core NATS. */
  relay: {
    name: 'relay',
    entry: new URL('./market-data/relay/relay-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** With `CROSSBOOK_ALERT_URL`: sends alarms. */
  alerts: {
    name: 'alerts',
    entry: new URL('./gateway/alerts/alert-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** Reads single markets; started by the first read. */
  marketReads: {
    name: 'market reads',
    entry: new URL('./venues/market-reads-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** The simulated venues, unless real ones are configured. */
  paper: { name: 'venues', entry: new URL('./paper/paper-worker.ts', import.meta.url) },
  /** The venues of the rehearsal, at the start only. */
  rehearsalVenues: { name: 'venues', entry: new URL('./tools/rehearsal/venues-worker.ts', import.meta.url) },
  /** In a backtest with `--speed max`: moves the clock. */
  clock: { name: 'clock', entry: new URL('./core/runtime/clock-worker.ts', import.meta.url) },
} as const;
